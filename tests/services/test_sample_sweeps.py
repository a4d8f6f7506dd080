"""Sweeps of samples: stored in batches under the fence, told twice they change nothing."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.domain.collecting import (
    Connection,
    ListingDone,
    Observation,
    SamplesSeen,
    SweepState,
)
from app.domain.samples import SERIES, Sample
from app.kit.settings import settings
from app.services import housekeeping, sweep_run
from app.store import ledger
from app.store.models.inventory import ConnectionRow, SweepRow
from app.store.models.samples import MetricSampleRow, MetricSeriesRow
from app.store.models.work import RunRow
from tests import build
from tests.build import ACCOUNT, Cloud
from tests.store.test_samples import START, told


class Meters:
    """A source of samples alone."""

    def __init__(self, *seen: SamplesSeen) -> None:
        self.seen = list(seen)

    def collect(self, _connection: Connection, _now: object) -> Iterator[Observation]:
        yield from self.seen
        yield ListingDone(SERIES, ACCOUNT, complete=True)
        yield build.report()


@pytest.fixture
def meters(monkeypatch: pytest.MonkeyPatch) -> Meters:
    found = Meters(told(1, 2), told(3, dimension="1"))
    build.play(monkeypatch, build.collector(Cloud(), collect=found.collect, kinds=()))
    return found


@pytest.fixture
def connection(session: Session) -> ConnectionRow:
    return build.connection(session)


def count(session: Session) -> int:
    return session.scalar(select(func.count()).select_from(MetricSampleRow)) or 0


def last_trace(session: Session) -> dict[str, float]:
    statement = select(SweepRow).order_by(SweepRow.started_at.desc()).limit(1)
    return session.scalars(statement).one().trace


def test_samples_are_stored_and_counted(
    session: Session, connection: ConnectionRow, meters: Meters
) -> None:
    assert build.sweep(build.within(session), connection.id) is SweepState.COMPLETE
    assert count(session) == 3
    meters.seen.append(told(2, 5, start=START + timedelta(minutes=5)))
    build.sweep(build.within(session), connection.id, now=build.NOW + timedelta(minutes=15))
    trace = last_trace(session)
    assert (trace["samples_new"], trace["samples_changed"]) == (1, 0)


def test_samples_alone_give_nothing_to_judge(
    session: Session, connection: ConnectionRow, meters: Meters
) -> None:
    assert meters.seen
    build.sweep(build.within(session), connection.id)
    kinds = session.scalars(select(RunRow.kind)).all()
    assert "evaluation" not in kinds
    assert set(kinds) == {"sweep"}


def test_batches_are_cut_by_the_number_of_samples(
    session: Session,
    connection: ConnectionRow,
    meters: Meters,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sweep_run, "SAMPLES_BATCH", 2)
    meters.seen = [told(1, dimension=str(number)) for number in range(5)]
    build.sweep(build.within(session), connection.id)
    assert count(session) == 5
    assert last_trace(session)["samples_new"] == 5


def test_a_worker_that_was_replaced_stores_no_samples(
    session: Session, connection: ConnectionRow, meters: Meters
) -> None:
    assert meters.seen
    transactions = build.within(session)
    first = build.claim_sweep(transactions, connection.id)
    later = build.NOW + 2 * build.LEASE
    original = meters.collect

    def lose(given: Connection, now: object) -> Iterator[Observation]:
        assert ledger.claim(session, first.run_id, now=later, lease=build.LEASE)
        yield from original(given, now)

    with pytest.MonkeyPatch.context() as patch:
        build.play(patch, build.collector(Cloud(), collect=lose, kinds=()))
        with pytest.raises(ledger.LeaseLostError):
            sweep_run.run_sweep(transactions, run=first, now=build.NOW, clock=lambda: build.NOW)
    assert count(session) == 0


def test_names_that_cannot_be_stored_are_cleaned(
    session: Session, connection: ConnectionRow, meters: Meters
) -> None:
    meters.seen = [told(1, subject_id="i-\0" + "x" * 3_000, labels={"a\0": "b\ud800"})]
    build.sweep(build.within(session), connection.id)
    row = session.scalars(select(MetricSeriesRow)).one()
    assert len(row.subject_id.encode()) <= 1_000
    assert list(row.labels) == ["a\N{REPLACEMENT CHARACTER}"]


def test_old_samples_are_thrown_away_by_the_setting(
    session: Session,
    connection: ConnectionRow,
    meters: Meters,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ATALAYA_SAMPLES_KEPT_DAYS", "10")
    settings.cache_clear()
    day: dict[str, Any] = {"period_seconds": 86_400}
    old = START - timedelta(days=11)
    meters.seen = [
        SamplesSeen(told(1).series, (Sample(old, 1), Sample(START, 2))),
        SamplesSeen(told(1, **day).series, (Sample(old, 1), Sample(START, 2))),
    ]
    build.sweep(build.within(session), connection.id)
    swept = housekeeping.clean_up(build.within(session), now=START)
    assert swept["samples"] == 1
    assert count(session) == 3


def test_sweeps_of_samples_are_forgotten_early_but_for_the_last(
    session: Session, connection: ConnectionRow, meters: Meters
) -> None:
    assert meters.seen
    for minutes in (0, 15, 30):
        at = build.NOW + timedelta(minutes=minutes)
        build.sweep(build.within(session), connection.id, now=at)
    later = build.NOW + timedelta(days=15)
    assert housekeeping.clean_up(build.within(session), now=later)["sample_sweeps"] == 2
    assert session.scalar(select(func.count()).select_from(SweepRow)) == 1
