"""Findings in detail, verdicts, and what the last evaluation came to."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.domain.access import Access
from app.kit.errors import NotFoundError
from app.store.models.compliance import EvaluationRow, FindingEventRow, FindingRow, WaiverRow
from app.store.models.inventory import ConnectionRow
from app.store.models.tallies import FindingTallyRow
from app.store.queries.finding_items import FindingItem, finding_of, select_findings
from app.store.queries.finding_search import (
    FindingFilter,
    FindingSort,
    count_findings,
    search_findings,
)
from app.store.queries.resource_tallies import count_resources
from app.store.queries.verdict_tallies import policy_counts
from app.store.queries.verdicts import VerdictItem, search_verdicts, verdicts_of
from app.store.scoping import visible

__all__ = [
    "EvaluationItem",
    "FindingDetail",
    "FindingEvent",
    "FindingFilter",
    "FindingItem",
    "FindingSort",
    "VerdictItem",
    "WaiverItem",
    "count_findings",
    "finding_counts",
    "get_finding",
    "judged_at",
    "last_evaluation",
    "policy_counts",
    "search_findings",
    "search_verdicts",
    "verdicts_of",
]

# No finding lives through more events than a page can hold; older ones stay in the table.
EVENTS_SHOWN = 500


@dataclass(frozen=True, slots=True)
class FindingEvent:
    """One line of a finding's history."""

    at: datetime
    actor: str
    action: str
    detail: str


@dataclass(frozen=True, slots=True)
class WaiverItem:
    """A time-boxed excuse of a finding."""

    id: str
    reason: str
    requested_by: str
    starts_at: datetime
    ends_at: datetime
    revoked_at: datetime | None


@dataclass(frozen=True, slots=True)
class FindingDetail:
    """A finding with the values it rests on, its history (newest first) and its waivers."""

    item: FindingItem
    used: dict[str, Any]
    revision_id: str
    events: tuple[FindingEvent, ...]
    waivers: tuple[WaiverItem, ...]


@dataclass(frozen=True, slots=True)
class EvaluationItem:
    """One run of all policies that came to its end, over `resources`, in so many seconds.

    For callers limited to some connections it is made of when these were last judged, how many
    resources they have now; `seconds` None: that was never measured of them alone.
    """

    ended_at: datetime
    resources: int
    seconds: float | None


def get_finding(session: Session, *, access: Access, number: int) -> FindingDetail:
    """One finding; NotFoundError when there is none that the caller may see."""
    seen = visible(access, FindingRow.connection_id)
    known = 0 < number < 2**63  # what fits the column
    row = session.execute(
        select_findings()
        .add_columns(FindingRow.fingerprint)
        .where(FindingRow.number == (number if known else 0), seen)
    ).first()
    if row is None:
        raise NotFoundError(f"no finding F-{number}")
    return FindingDetail(
        item=finding_of(row),
        used=row.used,
        revision_id=str(row.revision_id),
        events=_events(session, number),
        waivers=_waivers(session, row.fingerprint),
    )


def _events(session: Session, number: int) -> tuple[FindingEvent, ...]:
    row = FindingEventRow
    found = session.execute(
        select(row.at, row.actor, row.action, row.detail)
        .where(row.finding_number == number)
        .order_by(row.id.desc())
        .limit(EVENTS_SHOWN)
    )
    return tuple(FindingEvent(*values) for values in found)


def _waivers(session: Session, fingerprint: str) -> tuple[WaiverItem, ...]:
    rows = session.scalars(
        select(WaiverRow)
        .where(WaiverRow.fingerprint == fingerprint)
        .order_by(WaiverRow.starts_at.desc())
    )
    return tuple(
        WaiverItem(
            id=str(row.id),
            reason=row.reason,
            requested_by=row.requested_by,
            starts_at=row.starts_at,
            ends_at=row.ends_at,
            revoked_at=row.revoked_at,
        )
        for row in rows
    )


def finding_counts(session: Session, *, access: Access) -> dict[str, int]:
    """Findings by tab (open, snoozed, waived, resolved, all) and, of open ones, by severity.

    Every severity has its key.
    """
    rows = session.execute(
        select(FindingTallyRow.tab, FindingTallyRow.severity, func.sum(FindingTallyRow.findings))
        .where(visible(access, FindingTallyRow.connection_id))
        .group_by(FindingTallyRow.tab, FindingTallyRow.severity)
    )
    names = ("all", "open", "snoozed", "waived", "resolved")
    severities = ("critical", "high", "medium", "low", "informational")
    found = dict.fromkeys((*names, *severities), 0)
    for tab, severity, number in rows:
        found["all"] += int(number)
        found[tab] += int(number)
        if tab == "open":
            found[severity] += int(number)
    return found


def last_evaluation(session: Session, *, access: Access) -> EvaluationItem | None:
    """The newest evaluation that ended; None before the first.

    Others' connections are evaluated along, so a limited caller is told of its own alone.
    """
    if access.connection_ids is not None:
        at = judged_at(session, access=access)
        return EvaluationItem(at, count_resources(session, access=access), None) if at else None
    row = session.execute(
        select(EvaluationRow.started_at, EvaluationRow.ended_at, EvaluationRow.resources)
        .where(EvaluationRow.ended_at.is_not(None))
        .order_by(EvaluationRow.started_at.desc())
        .limit(1)
    ).first()
    if row is None or row.ended_at is None:
        return None
    seconds = (row.ended_at - row.started_at).total_seconds()
    return EvaluationItem(row.ended_at, row.resources, seconds)


def judged_at(session: Session, *, access: Access) -> datetime | None:
    """Since when every connection that was ever judged has been judged; None when none was.

    What is summed over connections is as old as the one judged longest ago.
    """
    at = ConnectionRow.evaluated_at
    return session.scalar(
        select(func.min(at, type_=at.type)).where(visible(access, ConnectionRow.id))
    )
