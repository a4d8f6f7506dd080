"""`/reports`: the week, frozen when made, in four formats."""

from datetime import datetime
from enum import StrEnum
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request
from pydantic import Field
from starlette.responses import Response

from app.api.listing import Listing, ListWish, columns
from app.api.shapes import In, Out, PageOut, csv_too, problems
from app.domain.access import Access
from app.http import conditional, paths
from app.http.deps import DbSession, Now, ReportsReader, ReportsWriter
from app.http.downloads import attachment
from app.http.idempotency import OnceOnly
from app.services import reports

router = APIRouter(prefix="/reports", tags=["Reports"])
ID = "0193a6c3-77bb-7a1c-9c0d-1e2f3a4b5c6d"
WEEK = r"^[0-9]{4}-W[0-9]{2}$"
Week = Annotated[
    str, Path(pattern=WEEK, description="ISO week.", examples=["2026-W48"], max_length=8)
]
Language = Annotated[
    Literal["en", "es"], Query(description="Language of words and numbers.", examples=["en"])
]


class ReportFormat(StrEnum):
    """Forms in which a report is sent."""

    HTML = "html"
    PDF = "pdf"
    CSV = "csv"
    JSON = "json"


class ReportIn(In):
    """The wish for a report."""

    week: str = Field(
        pattern=WEEK,
        max_length=8,
        description="ISO week; this one or one before.",
        examples=["2026-W48"],
    )


class ReportOut(Out):
    """One edition of the report of one week."""

    id: str = Field(description="Id of the edition.", examples=[ID])
    week: str = Field(description="ISO week.", examples=["2026-W48"])
    time_zone: str = Field(description="Zone of its days.", examples=["Europe/Madrid"])
    edition: int = Field(description="Grows when made anew from other data.", examples=[1])
    starts_at: datetime = Field(description="Start of the week.")
    ends_at: datetime = Field(description="End of the week, not part of it.")
    made_at: datetime = Field(description="When it was made.")
    made_by: str = Field(description="Who asked for it.", examples=["system"])
    digest: str = Field(description="sha256 over its content.")


REPORTS = Listing(
    "reports",
    ReportOut,
    ReportOut.model_validate,
    columns(
        "week", "edition", "time_zone", "starts_at", "ends_at", "made_at", "made_by", "digest"
    ),
)  # fmt: skip


@router.get(
    "",
    operation_id="list_reports",
    summary="List reports",
    response_model=PageOut[ReportOut],
    responses=csv_too(),
)
def list_reports(
    request: Request, session: DbSession, access: ReportsReader, wish: ListWish
) -> Response:
    """All editions, newest week first."""
    fetch = partial(reports.list_reports, access=access)
    return REPORTS.answer(request, session, wish, fetch)


@router.get(
    "/{week}.{format}",
    operation_id="download_report",
    summary="Download a report",
    response_class=Response,
    responses=problems(404)
    | {
        200: {
            "description": "The newest edition as a file.",
            "content": {
                "application/json": {"schema": {"type": "object"}},
                "application/pdf": {"schema": {"type": "string", "format": "binary"}},
                "text/csv": {"schema": {"type": "string"}},
                "text/html": {"schema": {"type": "string"}},
            },
        }
    },
)
def download_report(
    request: Request,
    session: DbSession,
    access: ReportsReader,
    *,
    week: Week,
    format: Annotated[ReportFormat, Path(description="html, pdf, csv or json.")],  # noqa: A002
    language: Language = "en",
) -> Response:
    """The newest edition of a week as a file; the same bytes each time."""
    return _file(request, session, access, (week, format.value, language))


@router.get(
    "/{week}",
    operation_id="get_report",
    summary="Read a report",
    response_model=dict[str, Any],
    responses=problems(404),
)
def get_report(request: Request, session: DbSession, access: ReportsReader, week: Week) -> Response:
    """The newest edition of a week as JSON."""
    response = _file(request, session, access, (week, ReportFormat.JSON.value, "en"))
    del response.headers["Content-Disposition"]
    return response


def _file(
    request: Request, session: DbSession, access: Access, wanted: tuple[str, str, str]
) -> Response:
    week, form, language = wanted
    report = reports.get(session, access=access, week=week)
    rendered = reports.render(report, form, language)
    response = conditional.answer(request, rendered.content, media_type=rendered.media_type)
    response.headers["Content-Disposition"] = attachment(rendered.name)
    return response


@router.post(
    "",
    operation_id="create_report",
    summary="Make a report",
    status_code=201,
    response_model=ReportOut,
)
def create_report(
    once: OnceOnly, session: DbSession, access: ReportsWriter, *, now: Now, body: ReportIn
) -> Response:
    """Makes the report of a week from stored data; unchanged data give the same edition."""
    item = reports.make(session, access=access, week=body.week, now=now)
    response = Response(
        ReportOut.model_validate(item).model_dump_json(),
        201,
        headers={"Location": f"{paths.API}/reports/{item.week}"},
        media_type="application/json",
    )
    return once.keep(session, response)
