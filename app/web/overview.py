"""The overview: the posture and its pillars, the worst findings, what changed, the sources."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, ClassVar

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from app.domain.access import Access
from app.domain.paging import PageRequest
from app.http.deps import DbSession, ResourcesReader
from app.store.queries import compliance
from app.store.queries.compliance import FindingItem
from app.store.queries.connection_names import connection_names
from app.web import changes, posture_view, sources_view
from app.web.changes import ChangeLine
from app.web.pages import Page, Shell
from app.web.posture_view import Posture
from app.web.render import render
from app.web.report_times import NextReport, next_report
from app.web.rest_places import RegionLine, regions_of
from app.web.shell import FullShell
from app.web.sources_view import Source

router = APIRouter()

TOP_FINDINGS = 7
SHOWN_CHANGES = 6


@dataclass(frozen=True, slots=True)
class Period:
    """A window of the overview: its name in the address, its label, its length in days."""

    name: str
    label: str
    days: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OverviewPage(Page):
    """The overview of an estate with at least one connection."""

    TEMPLATE: ClassVar[str] = "overview/page.html"
    AREA: ClassVar[str] = "overview"

    sentences: tuple[str, ...]
    periods: tuple[Period, ...]
    period: Period
    posture: Posture
    findings: tuple[FindingItem, ...]
    open_findings: int
    waivers: int
    changes: tuple[ChangeLine, ...]
    next_report: NextReport
    unowned: int
    sources: tuple[Source, ...]
    sources_total: int
    regions: tuple[RegionLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstUsePage(Page):
    """What a new installation shows: what will appear, and the one action."""

    TEMPLATE: ClassVar[str] = "overview/first_use.html"
    AREA: ClassVar[str] = "overview"


def periods_of(shell: Shell) -> tuple[Period, ...]:
    """The windows that can be chosen."""
    t = shell.t
    return (
        Period("24h", t.gettext("24 h"), 1),
        Period("7d", t.gettext("7 d"), 7),
        Period("30d", t.gettext("30 d"), 30),
        Period("13w", t.gettext("13 weeks"), 91),
    )


@router.get("/", response_class=HTMLResponse)
def overview(
    request: Request,
    shell: FullShell,
    access: ResourcesReader,
    session: DbSession,
    w: Annotated[str, Query(pattern="^(24h|7d|30d|13w)$")] = "7d",
) -> HTMLResponse:
    """The overview of the last day, week, month or quarter."""
    if not connection_names(session, access=access):
        return render(request, shell, FirstUsePage(title=shell.t.gettext("Overview")))
    return render(request, shell, _page(session, access, shell, w))


def _page(session: DbSession, access: Access, shell: Shell, period_name: str) -> OverviewPage:
    periods = periods_of(shell)
    period = next(found for found in periods if found.name == period_name)
    counts = compliance.finding_counts(session, access=access)
    posture = posture_view.load(session, access=access, shell=shell, days=period.days)
    sources = sources_view.load(session, access=access, shell=shell)
    top = compliance.search_findings(
        session, access=access, page=PageRequest(limit=TOP_FINDINGS)
    ).items
    return OverviewPage(
        title=shell.t.gettext("Overview"),
        sentences=_sentences(shell, posture, counts),
        periods=periods,
        period=period,
        posture=posture,
        findings=top,
        open_findings=counts["open"],
        waivers=counts["waived"],
        changes=changes.since(
            session, access=access, shell=shell, at=_since(shell, period), limit=SHOWN_CHANGES
        ),
        next_report=next_report(shell.now),
        unowned=sum(1 for finding in top if not finding.owner),
        sources=tuple(source for source in sources if source.state.attention),
        sources_total=len(sources),
        regions=regions_of(session, access=access),
    )


def _since(shell: Shell, period: Period) -> datetime:
    return shell.now - timedelta(days=period.days)


def _sentences(shell: Shell, posture: Posture, counts: Mapping[str, int]) -> tuple[str, ...]:
    """What matters now: where the posture goes, what needs a decision, what is not known."""
    found = (_trend(shell, posture), _worst(shell, counts), _unknown(shell, posture))
    return tuple(sentence for sentence in found if sentence)


def _trend(shell: Shell, posture: Posture) -> str:
    t = shell.t
    if posture.score is None:
        return t.gettext("The first sweep has not been judged yet.")
    score = t.number(posture.score)
    if posture.change is None or posture.before is None:
        return t.gettext("Posture is %(score)s of 100.") % {"score": score}
    text = {
        1: t.gettext("Posture is %(score)s of 100, %(points)s more than on %(day)s."),
        -1: t.gettext("Posture is %(score)s of 100, %(points)s less than on %(day)s."),
        0: t.gettext("Posture is %(score)s of 100, as on %(day)s."),
    }[(posture.change > 0) - (posture.change < 0)]
    return text % {
        "score": score,
        "points": t.number(abs(posture.change)),
        "day": shell.formats.day(posture.before, shell.now),
    }


def _worst(shell: Shell, counts: Mapping[str, int]) -> str:
    t = shell.t
    if counts["critical"]:
        text = t.ngettext(
            "%(num)s critical finding needs a decision.",
            "%(num)s critical findings need a decision.",
            counts["critical"],
        )
        return text % {"num": t.number(counts["critical"])}
    if not counts["open"]:
        return t.gettext("No finding is open.")
    text = t.ngettext(
        "%(num)s finding is open, none of them critical.",
        "%(num)s findings are open, none of them critical.",
        counts["open"],
    )
    return text % {"num": t.number(counts["open"])}


def _unknown(shell: Shell, posture: Posture) -> str:
    t, unknown = shell.t, posture.counts.unknown
    if not unknown:
        return ""
    text = t.ngettext(
        "%(num)s check could not be made and does not count as passed.",
        "%(num)s checks could not be made and do not count as passed.",
        unknown,
    )
    return text % {"num": t.number(unknown)}
