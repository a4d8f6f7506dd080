"""What people do with findings: assign, comment, snooze, waive; and what time does to these."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain.access import SYSTEM, Access, Scope
from app.kit.clean import clean_text
from app.kit.errors import ConflictError, InvalidInputError, NotFoundError
from app.services import audit_trail
from app.store import dialect, findings, judging, tallies
from app.store.models.compliance import FindingRow, WaiverRow
from app.store.scoping import visible

LONGEST_WAIVER = timedelta(days=366)
LONGEST_SNOOZE = timedelta(days=90)
REASON_CHARACTERS = 2_000
COMMENT_CHARACTERS = 4_000
OWNER_CHARACTERS = 200
EXPIRED_AT_ONCE = 1_000


def assign(
    session: Session, *, access: Access, number: int, owner: str | None, now: datetime
) -> None:
    """Names who looks after it; None or '' for nobody."""
    row = _open(session, access, number)
    name = _text(owner or "", "owner", OWNER_CHARACTERS, required=False)
    row.owner = name or None
    _tell(session, access, row, "assigned", name or "nobody", now)


def comment(session: Session, *, access: Access, number: int, text: str, now: datetime) -> None:
    """Adds a line to its history, whatever its state."""
    row = _get(session, access, number)
    _tell(session, access, row, "comment", _text(text, "text", COMMENT_CHARACTERS), now)


def snooze(
    session: Session, *, access: Access, number: int, until: datetime | None, now: datetime
) -> None:
    """Hides it from the open list until then; None ends a snooze. The breach counts all the same.

    InvalidInputError for a time that has passed or lies too far ahead.
    """
    row = _open(session, access, number)
    if until is not None:
        _demand_soon(until, now, LONGEST_SNOOZE, "until")
    row.snoozed_until = until
    _lay_over(session, [row], now)
    _tell(session, access, row, "snoozed", f"until {until.isoformat()}" if until else "ended", now)


def waive(
    session: Session,
    *,
    access: Access,
    number: int,
    reason: str,
    until: datetime,
    now: datetime,
) -> str:
    """Excuses the breach until then, for a reason; the id of the waiver.

    It stays non_compliant and is shown as waived. A resource made anew inherits nothing.
    """
    row = _open(session, access, number)
    why = _text(reason, "reason", REASON_CHARACTERS)
    _demand_soon(until, now, LONGEST_WAIVER, "until")
    if row.waived_until is not None and row.waived_until > now:
        raise ConflictError(
            f"F-{number} is waived until {row.waived_until.isoformat()} already",
            mend="revoke that waiver first",
        )
    waiver = WaiverRow(
        fingerprint=row.fingerprint,
        finding_number=row.number,
        reason=why,
        requested_by=access.actor,
        starts_at=now,
        ends_at=until,
    )
    session.add(waiver)
    row.waived_until = until
    _lay_over(session, [row], now)
    _tell(session, access, row, "waived", f"until {until.isoformat()}: {why}", now)
    session.flush()
    return str(waiver.id)


def revoke_waiver(session: Session, *, access: Access, number: int, now: datetime) -> None:
    """Ends the waiver now; ConflictError when there is none in force."""
    row = _open(session, access, number)
    in_force = session.scalars(
        select(WaiverRow).where(
            WaiverRow.fingerprint == row.fingerprint,
            WaiverRow.revoked_at.is_(None),
            WaiverRow.ends_at > now,
        )
    ).all()
    if not in_force:
        raise ConflictError(f"F-{number} is not waived")
    for waiver in in_force:
        waiver.revoked_at = now
    row.waived_until = None
    _lay_over(session, [row], now)
    _tell(session, access, row, "waiver revoked", "", now)


def expire(session: Session, *, now: datetime) -> int:
    """Ends snoozes and waivers whose time has come; how many findings showed up again."""
    due = session.execute(
        select(FindingRow.number, FindingRow.connection_id)
        .where(FindingRow.overlay_until <= now)
        .order_by(FindingRow.overlay_until)
        .limit(EXPIRED_AT_ONCE)
    ).all()
    for connection_id in sorted({row.connection_id for row in due}):
        dialect.lock_connection(session, connection_id)
        numbers = [row.number for row in due if row.connection_id == connection_id]
        rows = session.scalars(
            select(FindingRow).where(
                FindingRow.number.in_(numbers), FindingRow.overlay_until <= now
            )
        ).all()
        ended = [findings.Event(row.number, f"{row.tab} ended") for row in rows]
        _lay_over(session, rows, now)
        findings.add_events(session, ended, now=now, actor=SYSTEM.actor)
    return len(due)


def _lay_over(session: Session, rows: Iterable[FindingRow], now: datetime) -> None:
    """Puts findings into the tab that waiver and snooze give them now, and counts anew.

    A waiver lies over a snooze. The rows belong to one connection, which the caller has locked.
    """
    connections = set()
    for row in rows:
        waived = row.waived_until is not None and row.waived_until > now
        snoozed = row.snoozed_until is not None and row.snoozed_until > now
        row.tab = "waived" if waived else "snoozed" if snoozed else "open"
        row.overlay_until = row.waived_until if waived else row.snoozed_until if snoozed else None
        connections.add(row.connection_id)
        session.flush()
        judging.set_waived(session, row.policy_id, row.resource_id, waived=waived)
        judging.recount(session, row.resource_id)
    for connection_id in connections:
        tallies.count_findings(session, connection_id)
        tallies.count_verdicts(session, connection_id)
        tallies.count_resources(session, connection_id)


def _get(session: Session, access: Access, number: int) -> FindingRow:
    access.demand(Scope.FINDINGS_WRITE)
    seen = visible(access, FindingRow.connection_id)
    known = 0 < number < 2**63  # what fits the column
    mine = (FindingRow.number == (number if known else 0), seen)
    connection_id: UUID | None = session.scalar(select(FindingRow.connection_id).where(*mine))
    if connection_id is not None:
        dialect.lock_connection(session, connection_id)
    # Read after the lock: an evaluation may have closed it while we waited.
    row = session.scalars(
        select(FindingRow).where(*mine).execution_options(populate_existing=True)
    ).first()
    if row is None:
        raise NotFoundError(f"no finding F-{number}")
    return row


def _open(session: Session, access: Access, number: int) -> FindingRow:
    row = _get(session, access, number)
    if row.state != "open":
        raise ConflictError(
            f"F-{number} is resolved ({row.close_reason})",
            mend="a breach that comes back opens a finding with a new number",
        )
    return row


def _text(value: str, where: str, limit: int, *, required: bool = True) -> str:
    text = clean_text(value).strip()
    if required and not text:
        raise InvalidInputError(f"{where} is empty", mend="say it in a few words")
    if len(text) > limit:
        raise InvalidInputError(f"{where} has {len(text)} characters", mend=f"at most {limit}")
    return text


def _demand_soon(until: datetime, now: datetime, longest: timedelta, where: str) -> None:
    if until.tzinfo is None:
        raise InvalidInputError(f"{where} has no time zone", mend="write it like 2026-12-31T00:00Z")
    if not now < until <= now + longest:
        raise InvalidInputError(
            f"{where} must lie ahead, by at most {longest.days} days",
            mend=f"choose a time before {(now + longest).date()}",
        )


def _tell(
    session: Session, access: Access, row: FindingRow, action: str, detail: str, now: datetime
) -> None:
    event = findings.Event(row.number, action, detail)
    findings.add_events(session, [event], now=now, actor=access.actor)
    audit_trail.record(
        session,
        access=access,
        now=now,
        action=f"finding.{action.replace(' ', '_')}",
        subject=("finding", str(row.number)),
        detail=detail,
    )
