"""`/evidence/{metric}`: how a figure was made, from what, and how old that is."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request
from pydantic import Field
from starlette.responses import Response

from app.api.listing import document
from app.api.shapes import Out, problems
from app.http.deps import DbSession, EvidenceReader
from app.services.evidence import evidence

router = APIRouter(prefix="/evidence", tags=["Evidence"])
ID = "0193a6c0-9b1d-7c02-8f5e-6d0f3a4f2b10"


class Metric(StrEnum):
    """Figures that have a proof."""

    POSTURE = "posture"
    PILLAR = "pillar"
    POLICY_COUNT = "policy-count"
    FINDING = "finding"
    RESOURCE_FACT = "resource-fact"
    CONNECTION_READ = "connection-read"


class InputOut(Out):
    """One thing that the figure rests on."""

    name: str = Field(description="What it is.", examples=["versioning-on.compliant"])
    value: Any = Field(description="Its value.", examples=[39])
    source: str = Field(description="The operation or table it comes from.")
    observed_at: datetime | None = Field(description="When we received it.")
    url: str = Field(description="Page that shows it; empty: none.", examples=[f"/resources/{ID}"])


class EvidenceOut(Out):
    """A figure with its proof."""

    metric: str = Field(description="Which figure.", examples=["posture"])
    title: str = Field(description="The figure in words.")
    formula: str = Field(description="How it is worked out.")
    value: Any = Field(description="The figure; null: nothing is known yet.", examples=[86])
    unit: str = Field(description="Its unit; empty: none.", examples=["percent"])
    inputs: list[InputOut] = Field(description="What it rests on; long lists are cut at 100.")
    as_of: datetime | None = Field(description="The oldest receipt that it rests on.")
    digest: str = Field(description="sha256 over formula, value and inputs.")


def get_params(  # noqa: PLR0913 - one per parameter of the address
    *,
    pillar: Annotated[
        str, Query(max_length=30, description="For `pillar`.", examples=["lifecycle"])
    ] = "",
    policy_id: Annotated[
        str, Query(max_length=100, description="For `policy-count`.", examples=["versioning-on"])
    ] = "",
    verdict: Annotated[
        str, Query(max_length=20, description="For `policy-count`.", examples=["non_compliant"])
    ] = "",
    number: Annotated[
        str, Query(max_length=20, description="For `finding`.", examples=["F-1182"])
    ] = "",
    resource_id: Annotated[
        str, Query(max_length=64, description="For `resource-fact`.", examples=[ID])
    ] = "",
    fact: Annotated[
        str, Query(max_length=100, description="For `resource-fact`.", examples=["versioning_on"])
    ] = "",
    connection_id: Annotated[
        str, Query(max_length=64, description="For `connection-read`.", examples=[ID])
    ] = "",
) -> dict[str, str]:
    """What the metric is of; each metric reads its own."""
    given = {
        "pillar": pillar,
        "policy_id": policy_id,
        "verdict": verdict,
        "number": number,
        "resource_id": resource_id,
        "fact": fact,
        "connection_id": connection_id,
    }
    return {name: value for name, value in given.items() if value}


@router.get(
    "/{metric}",
    operation_id="get_evidence",
    summary="Read the evidence of a figure",
    response_model=EvidenceOut,
    responses=problems(404),
)
def get_evidence(
    request: Request,
    session: DbSession,
    access: EvidenceReader,
    metric: Annotated[Metric, Path(description="Which figure.", examples=["posture"])],
    params: Annotated[dict[str, str], Depends(get_params)],
) -> Response:
    """Formula, inputs with their sources and ages, and a digest over all of it."""
    found = evidence(session, access=access, metric=metric.value, params=params)
    return document(request, EvidenceOut.model_validate(found))
