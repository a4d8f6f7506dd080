"""Work is done once, whoever schedules, sends, repeats, dies or comes late."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any, TypeVar
from uuid import UUID

import pytest
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from app.domain.access import SYSTEM
from app.store import ledger
from app.store.ledger import Claim, LeaseLostError, Work
from app.store.models.work import RunRow
from tests.build import transactions_of

LEASE = timedelta(seconds=30)
RESEND = timedelta(seconds=10)
T = TypeVar("T")


def work(slot: str = "slot", **changes: Any) -> Work:
    return Work(**({"kind": "sweep", "slot": slot, "args": {}} | changes))


def queued(session: Session, now: datetime, slot: str = "slot", **changes: Any) -> UUID:
    run_id = ledger.enqueue(session, work(slot, **changes), access=SYSTEM, now=now)
    assert run_id is not None
    return run_id


def claimed(session: Session, run_id: UUID, now: datetime) -> Claim:
    found = ledger.claim(session, run_id, now=now, lease=LEASE)
    assert found is not None
    return found


def race(engine: Engine, count: int, call: Callable[[Session], T | None]) -> list[T]:
    """What `count` threads, each in a transaction of its own, got that was something."""
    transactions = transactions_of(engine)

    def one(_: int) -> T | None:
        with transactions() as session:
            return call(session)

    with ThreadPoolExecutor(count) as pool:
        return [found for found in pool.map(one, range(count)) if found]


def test_eight_schedulers_make_one_run(engine: Engine, now: datetime) -> None:
    made = race(engine, 8, lambda s: ledger.enqueue(s, work(), access=SYSTEM, now=now))
    assert len(made) == 1


def test_six_copies_of_a_message_start_one_run(engine: Engine, now: datetime) -> None:
    with transactions_of(engine)() as session:
        run_id = queued(session, now)
    started = race(engine, 6, lambda s: ledger.claim(s, run_id, now=now, lease=LEASE))
    assert [found.fence for found in started] == [1]


def test_of_six_runs_with_one_subject_one_is_started(engine: Engine, now: datetime) -> None:
    with transactions_of(engine)() as session:
        ids = [queued(session, now, str(number), subject="conn/aws_s3") for number in range(6)]
    waiting = list(ids)
    started = race(engine, 6, lambda s: ledger.claim(s, waiting.pop(), now=now, lease=LEASE))
    assert len(started) == 1
    with transactions_of(engine)() as session:
        ledger.finish(session, started[0], now=now)
    rest = [run_id for run_id in ids if run_id != started[0].run_id]
    with transactions_of(engine)() as session:
        assert ledger.claim(session, rest[0], now=now, lease=LEASE) is not None


def test_a_worker_that_lost_its_lease_can_do_nothing(session: Session, now: datetime) -> None:
    run_id = queued(session, now)
    first = claimed(session, run_id, now)
    second = claimed(session, run_id, now + 2 * LEASE)
    assert (first.fence, second.fence, second.starts) == (1, 2, 2)
    for attempt in (
        lambda: ledger.hold(session, first),
        lambda: ledger.extend(session, first, now=now, lease=LEASE),
        lambda: ledger.finish(session, first, now=now),
        lambda: ledger.fail(session, first, now=now, error="late"),
    ):
        with pytest.raises(LeaseLostError):
            attempt()
    ledger.hold(session, second)
    ledger.finish(session, second, now=now)
    with pytest.raises(LeaseLostError):
        ledger.finish(session, second, now=now)


def test_a_run_under_way_is_not_claimed_again(session: Session, now: datetime) -> None:
    run_id = queued(session, now)
    first = claimed(session, run_id, now)
    assert ledger.claim(session, run_id, now=now + LEASE / 2, lease=LEASE) is None
    ledger.extend(session, first, now=now + LEASE / 2, lease=LEASE)
    assert ledger.claim(session, run_id, now=now + LEASE, lease=LEASE) is None


def test_a_finished_run_is_never_claimed_again(session: Session, now: datetime) -> None:
    run_id = queued(session, now)
    ledger.finish(session, claimed(session, run_id, now), now=now)
    assert ledger.claim(session, run_id, now=now + timedelta(days=9), lease=LEASE) is None
    assert ledger.enqueue(session, work(), access=SYSTEM, now=now) is None


def test_due_are_unsent_dead_and_lost_runs(session: Session, now: datetime) -> None:
    lost, dead, held = (queued(session, now, slot) for slot in ("lost", "dead", "held"))
    assert set(ledger.due(session, now=now, resend_after=RESEND)) == {lost, dead, held}
    claimed(session, dead, now)
    ledger.extend(session, claimed(session, held, now), now=now, lease=10 * LEASE)
    later = now + 2 * LEASE
    assert set(ledger.due(session, now=later, resend_after=RESEND)) == {lost, dead}
    assert ledger.due(session, now=later, resend_after=RESEND) == ()


@pytest.mark.parametrize("back", [timedelta(hours=3), timedelta(days=400)])
def test_a_clock_that_was_set_back_holds_no_work_up(
    session: Session, now: datetime, back: timedelta
) -> None:
    sent, dead = (queued(session, now, slot, subject=slot) for slot in ("sent", "dead"))
    waiting = ledger.enqueue(session, work("retry"), access=SYSTEM, now=now, not_before=now)
    ledger.due(session, now=now, resend_after=RESEND)
    claimed(session, dead, now)
    earlier = now - back
    found = ledger.due(session, now=earlier, resend_after=RESEND)
    assert set(found) == {sent, dead, waiting}
    assert ledger.due(session, now=earlier, resend_after=RESEND) == ()
    for run_id in found:
        claimed(session, run_id, earlier)


def test_a_lease_is_not_taken_from_a_worker_whose_clock_is_a_little_ahead(
    session: Session, now: datetime
) -> None:
    run_id = queued(session, now)
    claimed(session, run_id, now)
    a_little_earlier = now - timedelta(minutes=10)
    assert ledger.claim(session, run_id, now=a_little_earlier, lease=LEASE) is None


def test_a_run_waits_until_its_time(session: Session, now: datetime) -> None:
    later = now + timedelta(hours=1)
    run_id = ledger.enqueue(session, work(), access=SYSTEM, now=now, not_before=later)
    assert run_id is not None
    assert ledger.due(session, now=now, resend_after=RESEND) == ()
    assert ledger.claim(session, run_id, now=now, lease=LEASE) is None
    assert ledger.due(session, now=later, resend_after=RESEND) == (run_id,)
    claimed(session, run_id, later)


def test_a_failed_attempt_is_tried_again_at_its_time(session: Session, now: datetime) -> None:
    run_id = queued(session, now)
    ledger.due(session, now=now, resend_after=RESEND)
    again = now + timedelta(minutes=1)
    assert ledger.fail(
        session, claimed(session, run_id, now), now=now, error="throttled", retry_at=again
    )
    assert ledger.due(session, now=now, resend_after=RESEND) == ()
    assert ledger.due(session, now=again, resend_after=RESEND) == (run_id,)
    assert claimed(session, run_id, again).starts == 2


def test_a_failure_for_good_says_why(session: Session, now: datetime) -> None:
    run_id = queued(session, now)
    assert not ledger.fail(session, claimed(session, run_id, now), now=now, error="wrong password")
    row = session.get_one(RunRow, run_id)
    assert (row.state, row.error, row.ended_at) == ("failed", "wrong password", now)


def test_a_run_that_kills_its_worker_is_given_up(session: Session, now: datetime) -> None:
    run_id = queued(session, now)
    at = now
    for _ in range(ledger.MAX_STARTS):
        claimed(session, run_id, at)
        at += 2 * LEASE
    assert ledger.claim(session, run_id, now=at, lease=LEASE) is None
    row = session.get_one(RunRow, run_id)
    assert row.state == "failed"
    assert "5 times" in row.error
    assert ledger.due(session, now=at, resend_after=RESEND) == ()


def test_retries_end_with_the_starts(session: Session, now: datetime) -> None:
    run_id = queued(session, now)
    at = now
    for attempt in range(1, ledger.MAX_STARTS + 1):
        at += timedelta(hours=1)
        found = claimed(session, run_id, at)
        again = ledger.fail(session, found, now=at, error="no", retry_at=at)
        assert again is (attempt < ledger.MAX_STARTS)
    assert session.get_one(RunRow, run_id).state == "failed"


def test_active_finds_the_oldest_that_is_not_over(session: Session, now: datetime) -> None:
    assert ledger.active(session, kind="sweep", subject="x") is None
    first = queued(session, now, "1", subject="x")
    queued(session, now + LEASE, "2", subject="x")
    assert ledger.active(session, kind="sweep", subject="x") == first
    ledger.finish(session, claimed(session, first, now), now=now)
    assert ledger.active(session, kind="sweep", subject="x") != first


@pytest.mark.parametrize(
    ("held", "wanted"),
    [
        ({"args": {"a": 1}}, True),
        ({"args": {"a": 2}}, False),
        ({"args": {"a": 1}, "kind": "other"}, False),
        ({"args": {"a": 1}, "subject": "other"}, False),
    ],
)
def test_only_the_same_work_waits(
    session: Session, now: datetime, held: dict[str, Any], wanted: bool
) -> None:
    queued(session, now, "first", **held)
    assert ledger.waits(session, work("second", args={"a": 1}), now=now) is wanted


def test_work_that_has_begun_or_is_put_off_does_not_wait(session: Session, now: datetime) -> None:
    asked = work("second")
    run = claimed(session, queued(session, now, "first"), now)
    assert not ledger.waits(session, asked, now=now)
    ledger.fail(session, run, now=now, error="broke", retry_at=now + LEASE)
    assert not ledger.waits(session, asked, now=now)
    assert ledger.waits(session, asked, now=now + LEASE)
