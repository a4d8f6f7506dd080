"""The ledger of work: the database owns schedule and state, a message carries only a run's id.

Any number of schedulers, copies of a message, lost messages and dead workers are harmless:
`enqueue` by unique (kind, slot), `claim` by one UPDATE that raises the fence, results written in
the transaction of a fenced `finish`, and `due` for whatever has to be sent again.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, and_, exists, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, aliased

from app.domain.access import Access
from app.kit.errors import ConflictError
from app.kit.ids import uuid7
from app.store import dialect
from app.store.columns import EPOCH
from app.store.models.work import RunRow

MAX_STARTS = 5
# No lease and no wait is set further ahead: what is, was written before the clock was set back.
FARTHEST_AHEAD = timedelta(hours=1)


class LeaseLostError(ConflictError):
    """Another worker has taken this run over: whatever was not committed yet must not be."""

    title = "The run was taken over"


@dataclass(frozen=True, slots=True)
class Work:
    """What is to be done. `slot` names it once and for all (a schedule's tick, a window, a click).

    Of runs with the same `subject` ('' = any number) only one is running at a time.
    """

    kind: str
    slot: str
    args: Mapping[str, Any]
    subject: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to work on a run, as long as nobody claims it after us."""

    run_id: UUID
    kind: str
    args: Mapping[str, Any]
    fence: int
    starts: int


def enqueue(
    session: Session,
    work: Work,
    *,
    access: Access,
    now: datetime,
    not_before: datetime | None = None,
) -> UUID | None:
    """The new run's id, or None when this slot was queued before, by whomever."""
    statement = dialect.insert_into(session, RunRow).values(
        id=uuid7(),
        kind=work.kind,
        slot=work.slot,
        subject=work.subject,
        args=dict(work.args),
        state="queued",
        fence=0,
        starts=0,
        queued_at=now,
        sent_at=EPOCH,  # not yet: the next `due` sends it
        not_before=not_before,
        error="",
        requested_by=access.actor,
    )
    untaken = statement.on_conflict_do_nothing(index_elements=["kind", "slot"])
    return session.scalar(untaken.returning(RunRow.id))


def waits(session: Session, work: Work, *, now: datetime) -> bool:
    """Whether the same work is queued and will not start before the caller's transaction ends.

    What the caller writes is then seen by it. One that somebody is about to start does not count.
    """
    ready = or_(RunRow.not_before.is_(None), RunRow.not_before <= now)
    queued = session.execute(
        select(RunRow.id, RunRow.args)
        .where(
            RunRow.kind == work.kind,
            RunRow.subject == work.subject,
            RunRow.state == "queued",
            ready,
        )
        .with_for_update(skip_locked=True)
    ).all()
    return any(row.args == dict(work.args) for row in queued)


def claim(session: Session, run_id: UUID, *, now: datetime, lease: timedelta) -> Claim | None:
    """The claim for the one caller that may work; None for duplicates and for what must wait.

    A run that was started MAX_STARTS times and never ended becomes failed here.
    """
    if _give_up(session, run_id, now):
        return None
    other = aliased(RunRow)
    busy = exists().where(
        other.subject == RunRow.subject, other.state == "running", other.id != RunRow.id
    )
    taken = (
        update(RunRow)
        .where(RunRow.id == run_id, _free(now), or_(RunRow.subject == "", ~busy))
        .values(
            state="running",
            fence=RunRow.fence + 1,
            starts=RunRow.starts + 1,
            lease_until=now + lease,
            started_at=now,
            error="",
        )
        .returning(RunRow.kind, RunRow.args, RunRow.fence, RunRow.starts)
        .execution_options(synchronize_session=False)
    )
    try:
        with session.begin_nested():
            row = session.execute(taken).first()
    except IntegrityError:  # two runs of one subject, claimed in the same instant
        return None
    return None if row is None else Claim(run_id, row.kind, row.args, row.fence, row.starts)


def _free(now: datetime) -> ColumnElement[bool]:
    """What may be started. A worker that lives on after its clock went back renews its lease."""
    waited = or_(
        RunRow.not_before.is_(None),
        RunRow.not_before <= now,
        RunRow.not_before > now + FARTHEST_AHEAD,
    )
    left = or_(RunRow.lease_until < now, RunRow.lease_until > now + FARTHEST_AHEAD)
    return or_(and_(RunRow.state == "queued", waited), and_(RunRow.state == "running", left))


def _give_up(session: Session, run_id: UUID, now: datetime) -> bool:
    spent = (
        update(RunRow)
        .where(RunRow.id == run_id, _free(now), RunRow.starts >= MAX_STARTS)
        .values(
            state="failed",
            fence=RunRow.fence + 1,
            lease_until=None,
            ended_at=now,
            error=f"started {MAX_STARTS} times and never ended: it may be killing its worker",
        )
        .returning(RunRow.id)
        .execution_options(synchronize_session=False)
    )
    return session.scalar(spent) is not None


def extend(session: Session, claimed: Claim, *, now: datetime, lease: timedelta) -> None:
    """Holds the run longer; LeaseLostError when it is no longer ours."""
    _change(session, claimed, {"lease_until": now + lease})


def hold(session: Session, claimed: Claim) -> None:
    """The fence of a batch of results, first in its transaction: LeaseLostError unless it is ours.

    The row stays locked until the transaction ends, so nobody takes it over in between.
    """
    _change(session, claimed, {"fence": claimed.fence})


def finish(session: Session, claimed: Claim, *, now: datetime) -> None:
    """Ends the run well. Call it in the transaction that writes the results.

    LeaseLostError when it is no longer ours; the transaction then rolls back.
    """
    _change(session, claimed, {"state": "done", "lease_until": None, "ended_at": now})


def fail(
    session: Session,
    claimed: Claim,
    *,
    now: datetime,
    error: str,
    retry_at: datetime | None = None,
) -> bool:
    """Ends an attempt badly: queued again from `retry_at`, or failed for good (returns False).

    LeaseLostError when the run is no longer ours.
    """
    again = retry_at is not None and claimed.starts < MAX_STARTS
    changes: dict[str, Any] = {"lease_until": None, "error": error}
    if again:
        # An old `sent_at` makes it due as soon as `not_before` has passed.
        changes |= {"state": "queued", "not_before": retry_at, "sent_at": EPOCH}
    else:
        changes |= {"state": "failed", "ended_at": now}
    _change(session, claimed, changes)
    return again


def _change(session: Session, claimed: Claim, changes: Mapping[str, Any]) -> None:
    held = and_(
        RunRow.id == claimed.run_id, RunRow.fence == claimed.fence, RunRow.state == "running"
    )
    found = session.scalar(
        update(RunRow)
        .where(held)
        .values(**changes)
        .returning(RunRow.id)
        .execution_options(synchronize_session=False)
    )
    if found is None:
        raise LeaseLostError(f"run {claimed.run_id} is no longer held with fence {claimed.fence}")


def due(session: Session, *, now: datetime, resend_after: timedelta) -> tuple[UUID, ...]:
    """Runs whose message has to be sent (again): lost messages, dead workers, retries.

    Marks them as sent, so that the next call `resend_after` later finds only what still waits.
    """
    unsent = or_(RunRow.sent_at <= now - resend_after, RunRow.sent_at > now + FARTHEST_AHEAD)
    waiting = update(RunRow).where(_free(now), unsent)
    found = session.scalars(
        waiting.values(sent_at=now)
        .returning(RunRow.id)
        .execution_options(synchronize_session=False)
    )
    return tuple(sorted(found))


def active(session: Session, *, kind: str, subject: str) -> UUID | None:
    """The run of this subject that is queued or running, the oldest first; None when idle."""
    return session.scalar(
        select(RunRow.id)
        .where(
            RunRow.kind == kind,
            RunRow.subject == subject,
            RunRow.state.in_(("queued", "running")),
        )
        .order_by(RunRow.queued_at, RunRow.id)
        .limit(1)
    )
