"""Writes of findings: opening, closing, what is laid over them, and the lines of their history."""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import insert, select, text, update
from sqlalchemy.orm import Session

from app.domain.compliance import CloseReason
from app.store import dialect
from app.store.estate import CHUNK
from app.store.models.compliance import FindingEventRow, FindingRow, WaiverRow

RESOLVED = "resolved"


@dataclass(frozen=True, slots=True)
class OpenFinding:
    """An open finding, as far as its life rules need it."""

    number: int
    policy_id: str
    resource_id: UUID
    severity_rank: int
    tab: str
    policy_version: str


@dataclass(frozen=True, slots=True)
class Event:
    """One line of a finding's history to add."""

    number: int
    action: str
    detail: str = ""


def open_on(session: Session, resource_ids: Sequence[UUID]) -> dict[tuple[str, UUID], OpenFinding]:
    """Open findings on these resources, by policy and resource."""
    rows = session.execute(
        select(
            FindingRow.number,
            FindingRow.policy_id,
            FindingRow.resource_id,
            FindingRow.severity_rank,
            FindingRow.tab,
            FindingRow.policy_version,
        ).where(FindingRow.resource_id.in_(resource_ids), FindingRow.state == "open")
    )
    found = (OpenFinding(*row) for row in rows)
    return {(finding.policy_id, finding.resource_id): finding for finding in found}


def open_of_others(session: Session, connection_id: UUID, keep: AbstractSet[str]) -> list[int]:
    """Open findings on a connection by all policies but these, by number."""
    return list(
        session.scalars(
            select(FindingRow.number)
            .where(
                FindingRow.connection_id == connection_id,
                FindingRow.policy_id.not_in(sorted(keep)),
                FindingRow.state == "open",
            )
            .order_by(FindingRow.number)
        )
    )


def open_new(session: Session, rows: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Inserts findings, each unless one of its fingerprint is open; gives fingerprint → number."""
    if not rows:
        return {}
    inserting: Any = dialect.insert_into(session, FindingRow)
    statement = inserting.on_conflict_do_nothing(
        index_elements=["fingerprint"], index_where=text("state = 'open'")
    ).returning(FindingRow.fingerprint, FindingRow.number)
    made = session.execute(statement, [dict(row) for row in rows])
    return {row.fingerprint: row.number for row in made}


def close(
    session: Session,
    numbers: Sequence[int],
    *,
    reason: CloseReason,
    now: datetime,
    seen_at: datetime | None = None,
) -> None:
    """Closes open findings and says so in their history.

    `seen_at`: when the breach was last found, where that is known better than from the row.
    """
    changes: dict[str, Any] = {
        "state": RESOLVED,
        "tab": RESOLVED,
        "resolved_at": now,
        "close_reason": reason.value,
        "overlay_until": None,
        "snoozed_until": None,
    }
    if seen_at is not None:
        changes["last_observed_at"] = seen_at
    change(session, numbers, changes)
    add_events(session, [Event(number, RESOLVED, reason.value) for number in numbers], now=now)


def change(session: Session, numbers: Sequence[int], changes: Mapping[str, Any]) -> None:
    """Sets the same columns of several findings."""
    for start in range(0, len(numbers), CHUNK):
        session.execute(
            update(FindingRow)
            .where(FindingRow.number.in_(numbers[start : start + CHUNK]))
            .values(**changes)
            .execution_options(synchronize_session=False)
        )


def close_of_resources(
    session: Session, resource_ids: Sequence[UUID], *, now: datetime
) -> list[int]:
    """Closes all open findings of deleted resources; gives their numbers."""
    closed: list[int] = []
    for start in range(0, len(resource_ids), CHUNK):
        part = resource_ids[start : start + CHUNK]
        numbers = session.scalars(
            select(FindingRow.number)
            .where(FindingRow.resource_id.in_(part), FindingRow.state == "open")
            .order_by(FindingRow.number)
        ).all()
        close(session, numbers, reason=CloseReason.RESOURCE_DELETED, now=now)
        closed.extend(numbers)
    return closed


def add_events(
    session: Session, events: Iterable[Event], *, now: datetime, actor: str = "system"
) -> None:
    """Adds lines to the histories of findings."""
    rows = [
        {
            "finding_number": event.number,
            "at": now,
            "actor": actor,
            "action": event.action,
            "detail": event.detail,
        }
        for event in events
    ]
    if rows:
        session.execute(insert(FindingEventRow), rows)


def waivers_in_force(
    session: Session, fingerprints: Sequence[str], *, now: datetime
) -> dict[str, datetime]:
    """Until when each fingerprint is excused; those that are not are missing."""
    found: dict[str, datetime] = {}
    for start in range(0, len(fingerprints), CHUNK):
        rows = session.execute(
            select(WaiverRow.fingerprint, WaiverRow.ends_at).where(
                WaiverRow.fingerprint.in_(fingerprints[start : start + CHUNK]),
                WaiverRow.starts_at <= now,
                WaiverRow.ends_at > now,
                WaiverRow.revoked_at.is_(None),
            )
        )
        for fingerprint, ends_at in rows:
            found[fingerprint] = max(ends_at, found.get(fingerprint, ends_at))
    return found


def earlier_of(session: Session, fingerprints: Sequence[str]) -> dict[str, int]:
    """The newest closed finding of each fingerprint that has one."""
    found: dict[str, int] = {}
    for start in range(0, len(fingerprints), CHUNK):
        rows = session.execute(
            select(FindingRow.fingerprint, FindingRow.number)
            .where(
                FindingRow.fingerprint.in_(fingerprints[start : start + CHUNK]),
                FindingRow.state == RESOLVED,
            )
            .order_by(FindingRow.number)
        )
        found.update((fingerprint, number) for fingerprint, number in rows)
    return found
