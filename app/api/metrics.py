"""`/resources/{id}/metrics`: what is measured of a resource, and the samples."""

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request
from pydantic import Field
from starlette.responses import Response

from app.api.listing import Listing, ListWish, columns, whole
from app.api.resources import ResourceId
from app.api.shapes import Instant, Out, PageOut, csv_too, problems
from app.http.deps import DbSession, ResourcesReader
from app.store.queries import samples

router = APIRouter(prefix="/resources", tags=["Resources"])
SeriesId = Annotated[str, Path(max_length=20, description="Id of a series.", examples=["7"])]


class SeriesOut(Out):
    """What is measured, how and by whom, with the last value."""

    id: int = Field(description="Id of the series.", examples=[7])
    metric: str = Field(
        description="What is measured, with its unit.", examples=["gpu_util_percent"]
    )
    unit: str = Field(
        description="percent, bytes, count or bytes_per_second.", examples=["percent"]
    )
    source: str = Field(
        description="The system that measures, with its own name of the metric.",
        examples=["cloudwatch:ContainerInsights/node_gpu_utilization"],
    )
    statistic: str = Field(
        description="How a value is made of what was measured in a period.", examples=["average"]
    )
    period_seconds: int = Field(description="Length of a period.", examples=[300])
    dimension: str = Field(
        description="Which of several, such as a GPU or a storage class; empty: there is one.",
        examples=["nvidia0"],
    )
    labels: dict[str, str] = Field(
        description="The source's own words on it.", examples=[{"NodeName": "trainer-1"}]
    )
    subject_kind: str = Field(description="What kind of thing is measured.", examples=["instance"])
    subject_id: str = Field(
        description="The id that the source files it under.", examples=["i-0c1e720000000000a"]
    )
    last_at: datetime | None = Field(
        description="Start of the newest period with a value, which its age counts from; "
        "null: none is kept."
    )
    last_value: float | None = Field(
        description="The value of that period; null: no data, which is not zero.", examples=[87.4]
    )


class SampleOut(Out):
    """One value. A period without data is not listed."""

    at: datetime = Field(description="Start of the period.")
    value: float = Field(description="The value in the unit of the series.", examples=[87.4])
    sample_count: int | None = Field(
        description="How many measurements it is made of; null: the source did not tell.",
        examples=[5],
    )


@dataclass(frozen=True, slots=True)
class Span:
    """From `since` on, up to and without `until`; None: open."""

    since: datetime | None
    until: datetime | None


def get_span(
    since: Annotated[
        Instant | None,
        Query(
            alias="from",
            description="Only periods that start at this instant (ISO 8601 with offset) or later.",
            examples=["2026-11-30T09:00:00Z"],
        ),
    ] = None,
    to: Annotated[
        Instant | None,
        Query(
            description="Only periods that start before this instant.",
            examples=["2026-11-30T12:00:00Z"],
        ),
    ] = None,
) -> Span:
    """The part of a series that is asked for."""
    return Span(since, to)


def get_ids(resource_id: ResourceId, series_id: SeriesId) -> tuple[str, str]:
    """The series that is asked for, and the resource that it is of."""
    return resource_id, series_id


SERIES = Listing(
    "metrics",
    SeriesOut,
    SeriesOut.model_validate,
    columns(
        "id", "metric", "dimension", "unit", "statistic", "period_seconds", "source",
        "subject_kind", "subject_id", "last_at", "last_value",
    ),
)  # fmt: skip
SAMPLES = Listing(
    "samples", SampleOut, SampleOut.model_validate, columns("at", "value", "sample_count")
)


@router.get(
    "/{resource_id}/metrics",
    operation_id="list_resource_metrics",
    summary="List what is measured of a resource",
    response_model=PageOut[SeriesOut],
    responses=csv_too() | problems(404),
)
def list_metrics(
    request: Request,
    session: DbSession,
    access: ResourcesReader,
    wish: ListWish,
    resource_id: ResourceId,
) -> Response:
    """Each series with its last value and source."""
    found = samples.list_series(session, access=access, resource_id=resource_id)
    return SERIES.answer(request, session, wish, whole(found))


@router.get(
    "/{resource_id}/metrics/{series_id}/samples",
    operation_id="list_resource_samples",
    summary="Read the samples of a series",
    response_model=PageOut[SampleOut],
    responses=csv_too() | problems(404),
)
def list_samples(
    request: Request,
    session: DbSession,
    access: ResourcesReader,
    wish: ListWish,
    of: Annotated[tuple[str, str], Depends(get_ids)],
    span: Annotated[Span, Depends(get_span)],
) -> Response:
    """Values from newest to oldest; both ends of the span may be left open."""
    resource_id, series_id = of
    fetch = partial(
        samples.list_samples,
        access=access,
        resource_id=resource_id,
        series_id=series_id,
        since=span.since,
        until=span.until,
    )
    return SAMPLES.answer(request, session, wish, fetch)
