"""`/fact-schemas`: what can be known of each kind of resource, as policies may name it."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from pydantic import Field
from starlette.responses import Response

from app.api.listing import document
from app.api.shapes import Out, PageOut, problems
from app.domain.fact_kinds import FACT_KINDS
from app.domain.fact_schema import schema_of
from app.http.deps import PoliciesReader
from app.kit.errors import NotFoundError

router = APIRouter(prefix="/fact-schemas", tags=["Policies"])
Kind = Annotated[str, Path(max_length=100, description="Kind of resource.", examples=["s3_bucket"])]


class FactOut(Out):
    """One fact; any of them may be absent or unreadable for a given resource."""

    name: str = Field(description="As policies write it.", examples=["versioning_status"])
    type: dict[str, Any] = Field(
        description="JSON Schema of its value.", examples=[{"type": "string"}]
    )
    doc: str = Field(description="What it means.", examples=["Enabled or Suspended."])
    source: str = Field(
        description="The operation that reads it, or `derived`.",
        examples=["s3:GetBucketVersioning"],
    )
    optional: bool = Field(description="Some resources never have it.", examples=[False])


class DocumentOut(Out):
    """One typed document of facts."""

    kind: str = Field(description="Name of the document.", examples=["s3_bucket"])
    doc: str = Field(description="What it describes.", examples=["An S3 general purpose bucket."])
    facts: list[FactOut] = Field(description="Its facts.")


class FactSchemaOut(Out):
    """All documents that are known of one kind of resource."""

    kind: str = Field(description="Kind of resource.", examples=["s3_bucket"])
    documents: list[DocumentOut] = Field(description="Collected facts first, then derived ones.")


def _schema(kind: str) -> FactSchemaOut:
    documents = [DocumentOut.model_validate(schema_of(found)) for found in FACT_KINDS[kind]]
    return FactSchemaOut(kind=kind, documents=documents)


@router.get(
    "",
    operation_id="list_fact_schemas",
    summary="List fact schemas",
    response_model=PageOut[FactSchemaOut],
)
def list_fact_schemas(request: Request, access: PoliciesReader) -> Response:
    """The facts of every kind of resource."""
    del access
    schemas = [_schema(kind) for kind in sorted(FACT_KINDS)]
    out = PageOut[FactSchemaOut](items=schemas, next=None, previous=None, total=len(schemas))
    return document(request, out)


@router.get(
    "/{kind}",
    operation_id="get_fact_schema",
    summary="Read a fact schema",
    response_model=FactSchemaOut,
    responses=problems(404),
)
def get_fact_schema(request: Request, access: PoliciesReader, kind: Kind) -> Response:
    """The facts of one kind of resource, with meaning, type and source."""
    del access
    if kind not in FACT_KINDS:
        raise NotFoundError(
            f"no kind {kind[:60]!r}", mend=f"one of {', '.join(sorted(FACT_KINDS))}"
        )
    return document(request, _schema(kind))
