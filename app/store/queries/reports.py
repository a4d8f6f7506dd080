"""What a weekly report needs from the tables, and the reports made so far."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, and_, case, func, or_, select
from sqlalchemy.orm import Session

from app.domain.access import Access
from app.domain.compliance import FindingState
from app.domain.reporting import (
    LISTED_FINDINGS,
    Counts,
    FindingLine,
    SourceLine,
    WaiverLine,
)
from app.kit.errors import ForbiddenError
from app.store.models.compliance import EvaluationRow, FindingRow, WaiverRow
from app.store.models.inventory import ConnectionRow, ResourceRow, SweepRow
from app.store.models.work import PostureRow, ReportRow


@dataclass(frozen=True, slots=True)
class EvaluationCounts:
    """Verdicts by policy of the last evaluation before an instant."""

    ended_at: datetime
    counts: dict[str, dict[str, int]]


def demand_whole_estate(access: Access) -> None:
    """A report holds every connection, so a caller limited to some may not read it."""
    if access.connection_ids is not None:
        raise ForbiddenError(
            "a report covers all connections, this token only some",
            mend="use a token without a limit to connections",
        )


def pillar_counts(session: Session, *, access: Access, before: datetime) -> dict[str, Counts]:
    """The last posture taken before an instant, by pillar."""
    demand_whole_estate(access)
    latest = (
        select(PostureRow.pillar, func.max(PostureRow.taken_at).label("taken_at"))
        .where(PostureRow.taken_at < before)
        .group_by(PostureRow.pillar)
        .subquery()
    )
    same = and_(PostureRow.pillar == latest.c.pillar, PostureRow.taken_at == latest.c.taken_at)
    rows = session.scalars(select(PostureRow).join(latest, same))
    return {
        row.pillar: Counts(row.compliant, row.non_compliant, row.waived, row.unknown)
        for row in rows
    }


def _open_at(instant: datetime) -> ColumnElement[bool]:
    unresolved = or_(FindingRow.resolved_at.is_(None), FindingRow.resolved_at >= instant)
    return and_(FindingRow.opened_at < instant, unresolved)


def open_by_pillar(session: Session, *, access: Access, at: datetime) -> dict[str, int]:
    """How many findings were open at an instant, by pillar."""
    demand_whole_estate(access)
    rows = session.execute(
        select(FindingRow.pillar, func.count()).where(_open_at(at)).group_by(FindingRow.pillar)
    )
    return {pillar: int(count) for pillar, count in rows}


def count_opened(
    session: Session, *, access: Access, starts_at: datetime, ends_at: datetime
) -> int:
    """Findings opened in [starts_at, ends_at)."""
    demand_whole_estate(access)
    inside = and_(FindingRow.opened_at >= starts_at, FindingRow.opened_at < ends_at)
    return session.scalar(select(func.count()).select_from(FindingRow).where(inside)) or 0


def _resolved_within(starts_at: datetime, ends_at: datetime) -> ColumnElement[bool]:
    return and_(
        FindingRow.state == FindingState.RESOLVED,
        FindingRow.resolved_at >= starts_at,
        FindingRow.resolved_at < ends_at,
    )


def count_resolved(
    session: Session, *, access: Access, starts_at: datetime, ends_at: datetime
) -> int:
    """Findings resolved in [starts_at, ends_at)."""
    demand_whole_estate(access)
    inside = _resolved_within(starts_at, ends_at)
    return session.scalar(select(func.count()).select_from(FindingRow).where(inside)) or 0


def open_findings(session: Session, *, access: Access, at: datetime) -> tuple[FindingLine, ...]:
    """Findings open at an instant, worst and oldest first, at most LISTED_FINDINGS."""
    demand_whole_estate(access)
    # What was closed later was still open then: the report must not know the future.
    rows = session.execute(_lines(at).where(_open_at(at)).limit(LISTED_FINDINGS))
    return tuple(_line(row, was_open=True) for row in rows)


def resolved_findings(
    session: Session, *, access: Access, starts_at: datetime, ends_at: datetime
) -> tuple[FindingLine, ...]:
    """Findings resolved in [starts_at, ends_at), worst first, at most LISTED_FINDINGS."""
    demand_whole_estate(access)
    inside = _resolved_within(starts_at, ends_at)
    rows = session.execute(_lines(ends_at).where(inside).limit(LISTED_FINDINGS))
    return tuple(_line(row, was_open=False) for row in rows)


def _lines(at: datetime) -> Select[*tuple[Any, ...]]:
    waivers = (
        select(WaiverRow.fingerprint, func.max(WaiverRow.ends_at).label("waived_until"))
        .where(_in_force(at))
        .group_by(WaiverRow.fingerprint)
        .subquery()
    )
    return (
        select(
            FindingRow.number, FindingRow.policy_id, FindingRow.title, FindingRow.pillar,
            FindingRow.severity, FindingRow.message, FindingRow.owner, FindingRow.opened_at,
            FindingRow.resolved_at, FindingRow.close_reason,
            ResourceRow.name.label("resource_name"),
            ResourceRow.kind.label("resource_kind"), ResourceRow.native_id, ResourceRow.region_id,
            ConnectionRow.name.label("connection_name"), waivers.c.waived_until,
        )
        .join(ResourceRow, ResourceRow.id == FindingRow.resource_id)
        .join(ConnectionRow, ConnectionRow.id == ResourceRow.connection_id)
        .outerjoin(waivers, waivers.c.fingerprint == FindingRow.fingerprint)
        .order_by(FindingRow.severity_rank.desc(), FindingRow.opened_at, FindingRow.number)
    )  # fmt: skip


def _line(row: Row[*tuple[Any, ...]], *, was_open: bool) -> FindingLine:
    return FindingLine(
        id=f"F-{row.number}",
        policy_id=row.policy_id,
        title=row.title,
        pillar=row.pillar,
        severity=row.severity,
        resource_name=row.resource_name,
        resource_kind=row.resource_kind,
        native_id=row.native_id,
        region_id=row.region_id,
        connection_name=row.connection_name,
        message=row.message,
        owner=row.owner,
        opened_at=row.opened_at,
        resolved_at=None if was_open else row.resolved_at,
        close_reason=None if was_open else row.close_reason,
        waived_until=row.waived_until,
    )


def _in_force(at: datetime) -> ColumnElement[bool]:
    kept = or_(WaiverRow.revoked_at.is_(None), WaiverRow.revoked_at >= at)
    return and_(WaiverRow.starts_at < at, WaiverRow.ends_at >= at, kept)


def _alive(at: datetime) -> ColumnElement[bool]:
    return or_(ResourceRow.deleted_at.is_(None), ResourceRow.deleted_at >= at)


def waivers(session: Session, *, access: Access, at: datetime) -> tuple[WaiverLine, ...]:
    """Waivers in force at an instant, first ending first; a resource that is gone has none."""
    demand_whole_estate(access)
    rows = session.execute(
        select(WaiverRow, FindingRow.policy_id, ResourceRow.name)
        .join(FindingRow, FindingRow.number == WaiverRow.finding_number)
        .join(ResourceRow, ResourceRow.id == FindingRow.resource_id)
        .where(_in_force(at), _alive(at))
        .order_by(WaiverRow.ends_at, WaiverRow.id)
        .limit(LISTED_FINDINGS)
    )
    return tuple(
        WaiverLine(
            finding_id=f"F-{waiver.finding_number}",
            policy_id=policy_id,
            resource_name=name,
            reason=waiver.reason,
            requested_by=waiver.requested_by,
            ends_at=waiver.ends_at,
        )
        for waiver, policy_id, name in rows
    )


def evaluation_before(
    session: Session, *, access: Access, before: datetime
) -> EvaluationCounts | None:
    """The last evaluation that ended before an instant."""
    demand_whole_estate(access)
    row = session.scalars(
        select(EvaluationRow)
        .where(EvaluationRow.ended_at < before)
        .order_by(EvaluationRow.started_at.desc())
        .limit(1)
    ).first()
    if row is None or row.ended_at is None:
        return None
    return EvaluationCounts(row.ended_at, row.counts)


def live_resources(session: Session, *, access: Access, at: datetime) -> int:
    """How many resources existed at an instant, as far as was known."""
    demand_whole_estate(access)
    return (
        session.scalar(
            select(func.count())
            .select_from(ResourceRow)
            .where(ResourceRow.first_observed_at < at, _alive(at))
        )
        or 0
    )


def sources(
    session: Session, *, access: Access, starts_at: datetime, ends_at: datetime
) -> tuple[SourceLine, ...]:
    """Each connection and collector with its sweeps that started in [starts_at, ends_at)."""
    demand_whole_estate(access)
    rows = session.execute(_sweeps(starts_at, ends_at))
    return tuple(
        SourceLine(
            connection_name=row.name,
            provider=row.provider,
            collector_id=row.collector_id or "",
            sweeps=row.sweeps,
            complete=row.complete,
            partial=row.partial,
            incomplete=row.incomplete,
            failed=row.failed,
            last_good_at=row.last_good_at,
        )
        for row in rows
    )


def _sweeps(starts_at: datetime, ends_at: datetime) -> Select[*tuple[Any, ...]]:
    def counted(state: str) -> ColumnElement[int]:
        return func.coalesce(func.sum(case((SweepRow.state == state, 1), else_=0)), 0).label(state)

    good = case((SweepRow.state.in_(("complete", "partial")), SweepRow.ended_at))
    during = and_(
        SweepRow.connection_id == ConnectionRow.id,
        SweepRow.ended_at.is_not(None),
        SweepRow.started_at >= starts_at,
        SweepRow.started_at < ends_at,
    )
    return (
        select(
            ConnectionRow.name, ConnectionRow.provider, SweepRow.collector_id,
            func.count(SweepRow.id).label("sweeps"),
            *(counted(state) for state in ("complete", "partial", "incomplete", "failed")),
            func.max(good).label("last_good_at"),
        )
        .outerjoin(SweepRow, during)
        .where(ConnectionRow.enabled, ConnectionRow.created_at < ends_at)
        .group_by(ConnectionRow.id, ConnectionRow.name, ConnectionRow.provider)
        .group_by(SweepRow.collector_id)
        .order_by(ConnectionRow.name, SweepRow.collector_id)
    )  # fmt: skip


def editions(session: Session, *, week: str, time_zone: str) -> Iterable[ReportRow]:
    """All editions of a week, newest first."""
    return session.scalars(
        select(ReportRow)
        .where(ReportRow.week == week, ReportRow.time_zone == time_zone)
        .order_by(ReportRow.edition.desc())
    )
