"""Makes weekly reports from stored data, freezes them and gives them out."""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Protocol

from sqlalchemy.orm import Session

from app.domain.access import Access, Scope
from app.domain.compliance import Pillar
from app.domain.paging import Page, PageRequest
from app.domain.reporting import (
    TARGETS,
    Counts,
    PillarLine,
    PolicyLine,
    WeeklyReport,
    report_digest,
    report_from_json,
    report_to_json,
    summary_of,
)
from app.domain.weeks import IsoWeek, parse_week
from app.kit.errors import InvalidInputError, NotFoundError
from app.kit.settings import settings
from app.reports import csv, html, json, pdf
from app.services import policies
from app.store.models.work import ReportRow
from app.store.queries import reports as queries
from app.store.queries.report_list import ReportItem, item_of, list_items


class Format(Protocol):
    """What each file of app/reports offers."""

    MEDIA_TYPE: str

    def render(self, report: WeeklyReport, language: str) -> bytes:
        """The report as a file's content."""
        ...


FORMATS: dict[str, Format] = {"html": html, "pdf": pdf, "csv": csv, "json": json}


@dataclass(frozen=True, slots=True)
class Rendered:
    """A report as a file."""

    name: str
    media_type: str
    content: bytes


def make(session: Session, *, access: Access, week: str, now: datetime) -> ReportItem:
    """Makes and stores the report of a week; the same content again gives the same edition.

    InvalidInputError for a week that does not exist or has not begun.
    """
    access.demand(Scope.REPORTS_WRITE)
    report = gather(session, access=access, week=_begun(week, now), now=now)
    newest = _newest(session, week, report.time_zone)
    if newest is not None and newest.digest == report_digest(report):
        return item_of(newest)
    row = _row(report, edition=newest.edition + 1 if newest else 1, made_by=access.actor)
    session.add(row)
    session.flush()
    return item_of(row)


def get(session: Session, *, access: Access, week: str) -> WeeklyReport:
    """The newest edition of a week; NotFoundError when none was made."""
    access.demand(Scope.REPORTS_READ)
    queries.demand_whole_estate(access)
    newest = _newest(session, str(parse_week(week)), settings().time_zone)
    if newest is None:
        raise NotFoundError(f"no report of {week} was made", mend="make it first")
    return report_from_json(newest.data)


def list_reports(session: Session, *, access: Access, page: PageRequest) -> Page[ReportItem]:
    """All reports, newest week first."""
    access.demand(Scope.REPORTS_READ)
    queries.demand_whole_estate(access)
    return list_items(session, access=access, page=page)


def render(report: WeeklyReport, fmt: str, language: str) -> Rendered:
    """The report as a file of one of the FORMATS; InvalidInputError for another format."""
    if fmt not in FORMATS:
        known = ", ".join(FORMATS)
        raise InvalidInputError(f"no format {fmt[:20]!r}", mend=f"choose one of {known}")
    kind = FORMATS[fmt]
    name = f"atalaya-{report.week}-{language}.{fmt}"
    return Rendered(name, kind.MEDIA_TYPE, kind.render(report, language))


def gather(session: Session, *, access: Access, week: IsoWeek, now: datetime) -> WeeklyReport:
    """The report as of the week's end, or of now while the week runs; nothing is stored."""
    zone = settings().zone
    starts_at, ends_at = week.starts_at(zone), week.ends_at(zone)
    until = min(ends_at, now)
    between = {"starts_at": starts_at, "ends_at": until}
    evaluation = queries.evaluation_before(session, access=access, before=until)
    open_by_pillar = queries.open_by_pillar(session, access=access, at=until)
    return WeeklyReport(
        week=str(week),
        time_zone=zone.key,
        starts_at=starts_at,
        ends_at=ends_at,
        made_at=now,
        edition=1,
        preliminary=now < ends_at,
        organisation=settings().organisation or "Atalaya",
        sandbox=settings().sandbox,
        address=settings().address,
        resources=queries.live_resources(session, access=access, at=until),
        verdicts_at=evaluation.ended_at if evaluation else None,
        pillars=_pillars(session, access, starts_at, until, open_by_pillar),
        opened=queries.count_opened(session, access=access, **between),
        resolved=queries.count_resolved(session, access=access, **between),
        open_total=sum(open_by_pillar.values()),
        open_at_end=queries.open_findings(session, access=access, at=until),
        resolved_in_week=queries.resolved_findings(session, access=access, **between),
        waivers=queries.waivers(session, access=access, at=until),
        policies=_policies(session, evaluation.counts if evaluation else {}),
        sources=queries.sources(session, access=access, **between),
    )


def _begun(week: str, now: datetime) -> IsoWeek:
    wanted = parse_week(week)
    if wanted.starts_at(settings().zone) > now:
        raise InvalidInputError(f"{week} has not begun", mend="choose this week or one before")
    return wanted


def _pillars(
    session: Session,
    access: Access,
    starts_at: datetime,
    until: datetime,
    open_by_pillar: dict[str, int],
) -> tuple[PillarLine, ...]:
    counts = queries.pillar_counts(session, access=access, before=until)
    previous = queries.pillar_counts(session, access=access, before=starts_at)
    return tuple(
        PillarLine(
            pillar=pillar,
            target=TARGETS[pillar],
            counts=counts.get(pillar),
            previous=previous.get(pillar),
            open_findings=open_by_pillar.get(pillar, 0),
        )
        for pillar in Pillar
    )


def _policies(session: Session, counts: dict[str, dict[str, int]]) -> tuple[PolicyLine, ...]:
    """Lines of the policies that were evaluated; a policy made later has no line."""
    lines = []
    for effective in policies.effective(session):
        found = counts.get(effective.policy.id)
        if found is None:
            continue
        lines.append(
            PolicyLine(
                policy_id=effective.policy.id,
                title=effective.policy.title,
                version=effective.policy.version,
                mode=effective.mode,
                counts=Counts(
                    found.get("compliant", 0),
                    found.get("non_compliant", 0),
                    found.get("waived", 0),
                    found.get("unknown", 0),
                ),
                not_applicable=found.get("not_applicable", 0),
            )
        )
    return tuple(lines)


def _newest(session: Session, week: str, time_zone: str) -> ReportRow | None:
    return next(iter(queries.editions(session, week=week, time_zone=time_zone)), None)


def _row(report: WeeklyReport, *, edition: int, made_by: str) -> ReportRow:
    return ReportRow(
        week=report.week,
        time_zone=report.time_zone,
        edition=edition,
        starts_at=report.starts_at,
        ends_at=report.ends_at,
        made_at=report.made_at,
        made_by=made_by,
        digest=report_digest(report),
        summary=asdict(summary_of(report)),
        data={**report_to_json(report), "edition": edition},
    )
