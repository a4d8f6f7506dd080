"""The weekly reports: those made so far, one of them as a page, and its files."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from fastapi import APIRouter, Query, Request
from fastapi import Form as FormField
from fastapi.responses import HTMLResponse
from sqlalchemy.orm import Session
from starlette.responses import Response

from app.domain.access import Access, Scope
from app.domain.compliance import Pillar
from app.domain.paging import Page as Window
from app.domain.weeks import parse_week, week_of
from app.http.deps import DbSession, Now, ReportsReader, ReportsWriter
from app.http.downloads import attachment
from app.kit.i18n import LANGUAGES, translator
from app.kit.settings import settings
from app.reports.rows import ReportView
from app.reports.view import view_of
from app.services import reports
from app.store.queries.report_list import ReportItem
from app.web import sources_view, toasts
from app.web.lists import Address, ListQuery, Pager, pager_of
from app.web.pages import Crumb, Page, Shell
from app.web.render import render
from app.web.report_times import NextReport, next_report
from app.web.shell import FullShell
from app.web.sources_view import Source

router = APIRouter()

File = Literal["html", "pdf", "csv", "json"]


@dataclass(frozen=True, slots=True)
class ReportRow:
    """One edition in the list. `change` is in points against the week before."""

    item: ReportItem
    number: int
    days: str
    change: int | None
    pillars: tuple[int | None, ...]
    pillar_text: str
    newest: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportsPage(Page):
    """The list of reports."""

    TEMPLATE: ClassVar[str] = "reports/list/page.html"
    PARTS: ClassVar[Mapping[str, str]] = {"results": "reports/list/_results.html"}
    AREA: ClassVar[str] = "reports"

    sentence: str
    rows: tuple[ReportRow, ...]
    pager: Pager
    next_report: NextReport
    this_week: str
    last_week: str
    unready: tuple[Source, ...]
    may_write: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WeekPage(Page):
    """One report. `report` is what the article of every readable format shows."""

    TEMPLATE: ClassVar[str] = "reports/week/page.html"
    AREA: ClassVar[str] = "reports"

    week: str
    language: str
    report: ReportView


@router.get("/reports", response_class=HTMLResponse)
def report_list(
    request: Request,
    shell: FullShell,
    access: ReportsReader,
    session: DbSession,
    asked: Annotated[ListQuery, Query()],
) -> HTMLResponse:
    """All reports, the newest week first."""
    found = reports.list_reports(session, access=access, page=asked.window)
    address = Address("/reports", asked.known)
    this_week = week_of(shell.now, settings().zone)
    page = ReportsPage(
        title=shell.t.gettext("Reports"),
        sentence=_sentence(shell),
        rows=tuple(_rows(shell, found)),
        pager=pager_of(shell.t, address, found),
        next_report=next_report(shell.now),
        this_week=str(this_week),
        last_week=str(this_week.previous()),
        unready=_unready(session, access, shell),
        may_write=Scope.REPORTS_WRITE in access.scopes,
    )
    return render(request, shell, page)


@router.post("/reports")
def make(
    shell: FullShell,
    access: ReportsWriter,
    session: DbSession,
    now: Now,
    week: Annotated[str, FormField(max_length=20)] = "",
) -> Response:
    """Makes the report of a week now."""
    item = reports.make(session, access=access, week=week, now=now)
    toast = toasts.said(shell.t, "report_made", {"week": item.week})
    return toasts.go_on(f"/reports/{item.week}", toast)


@router.get("/reports/{week}", response_class=HTMLResponse)
def report(
    request: Request,
    shell: FullShell,
    access: ReportsReader,
    session: DbSession,
    week: str,
    lang: Annotated[str, Query(max_length=5)] = "",
) -> HTMLResponse:
    """The newest edition of a week, in the reader's language or in the one asked for."""
    found = reports.get(session, access=access, week=week)
    language = lang if lang in LANGUAGES else shell.language
    number = parse_week(week).number
    page = WeekPage(
        title=shell.t.gettext("Week %(week)s") % {"week": number},
        crumbs=(Crumb(shell.t.gettext("Reports"), "/reports"),),
        week=found.week,
        language=language,
        report=view_of(found, translator(language)),
    )
    return render(request, shell, page)


@router.get("/reports/{week}/file")
def file(
    shell: FullShell,
    access: ReportsReader,
    session: DbSession,
    week: str,
    form: Annotated[File, Query(alias="format")] = "pdf",
    lang: Annotated[str, Query(max_length=5)] = "",
) -> Response:
    """The report as a file."""
    found = reports.get(session, access=access, week=week)
    rendered = reports.render(found, form, lang if lang in LANGUAGES else shell.language)
    headers = {"Content-Disposition": attachment(rendered.name)}
    return Response(rendered.content, media_type=rendered.media_type, headers=headers)


def _sentence(shell: Shell) -> str:
    text = shell.t.gettext(
        "A compliance report each Monday for the week before, in the zone %(zone)s. Every figure "
        "in it is frozen, so an old report never changes."
    )
    return text % {"zone": settings().time_zone}


def _unready(session: Session, access: Access, shell: Shell) -> tuple[Source, ...]:
    """Sources that would leave gaps in the next report."""
    if Scope.CONNECTIONS_READ not in access.scopes:
        return ()
    found = sources_view.load(session, access=access, shell=shell)
    return tuple(source for source in found if source.state.attention)


def _rows(shell: Shell, found: Window[ReportItem]) -> list[ReportRow]:
    seen: set[str] = set()
    rows = []
    for item in found.items:
        rows.append(_row(shell, item, newest=item.week not in seen))
        seen.add(item.week)
    return rows


def _row(shell: Shell, item: ReportItem, *, newest: bool) -> ReportRow:
    t, week, summary = shell.t, parse_week(item.week), item.summary
    score, before = summary.score, summary.previous_score
    known = {pillar: summary.pillar_scores.get(pillar) for pillar in Pillar}
    words = shell.formats.words
    return ReportRow(
        item=item,
        number=week.number,
        days=t.gettext("%(first)s to %(last)s")
        % {"first": t.day(week.monday, "d MMM"), "last": t.day(week.sunday, "d MMM y")},
        change=None if score is None or before is None else score - before,
        pillars=tuple(known.values()),
        pillar_text=", ".join(
            f"{words.pillar(pillar)} {t.gettext('no data') if value is None else t.number(value)}"
            for pillar, value in known.items()
        ),
        newest=newest,
    )
