"""Runs one sweep: streams what a collector sees into the estate, under the fence of its run.

Every batch commits on its own, so that work in progress is seen; coverage, deletions and the
state of the sweep are committed together with the end of the run. A worker that lost its run
writes nothing any more: each transaction first checks that it still holds it.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

import structlog
from sqlalchemy.orm import Session

from app.collectors import registry
from app.domain.collecting import (
    Collector,
    Connection,
    ListingDone,
    Observation,
    ResourceSeen,
    SamplesSeen,
    ScopeReport,
    SweepState,
)
from app.kit.clock import utc_now
from app.kit.errors import CollectorError, NotFoundError
from app.services import sources, sweep_end
from app.services.observing import observed, sampled
from app.store import dialect, estate, ledger, samples, sweep_records, tallies
from app.store.models.inventory import ConnectionRow

log = structlog.get_logger()
BATCH = 500
SAMPLES_BATCH = 5_000
# Pauses before another try when a source could not be read at all; then the next tick.
RETRY_AFTER = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=15))

Transactions = Callable[[], AbstractContextManager[Session]]
Clock = Callable[[], datetime]


@dataclass(slots=True)
class _Batch:
    """What is stored in one transaction."""

    rows: list[estate.Observed] = field(default_factory=list)
    samples: list[SamplesSeen] = field(default_factory=list)
    sample_count: int = 0

    def add(self, seen: ResourceSeen | SamplesSeen, now: datetime) -> None:
        if isinstance(seen, ResourceSeen):
            self.rows.append(observed(seen, now))
        else:
            self.samples.append(sampled(seen))
            self.sample_count += len(seen.samples)

    @property
    def is_full(self) -> bool:
        return len(self.rows) >= BATCH or self.sample_count >= SAMPLES_BATCH


@dataclass(slots=True)
class Progress:
    """What a sweep has seen so far."""

    seen: int = 0
    new: int = 0
    changed: int = 0
    revived: int = 0
    samples_new: int = 0
    samples_changed: int = 0
    listings: list[ListingDone] = field(default_factory=list)
    reports: list[ScopeReport] = field(default_factory=list)

    def add(self, stored: estate.Stored, seen: int) -> None:
        """Counts a stored batch."""
        self.seen += seen
        self.new += stored.new
        self.changed += stored.changed
        self.revived += len(stored.revived)

    def add_samples(self, written: samples.Written) -> None:
        """Counts a stored batch of samples."""
        self.samples_new += written.new
        self.samples_changed += written.changed


def run_sweep(
    transactions: Transactions,
    *,
    run: ledger.Claim,
    now: datetime,
    clock: Clock = utc_now,
) -> SweepState:
    """Sweeps what the run names and ends the run; `now` stamps all that is seen.

    A source that could not be read at all is a failed sweep, tried again later unless the error
    is permanent; nothing is deleted then. LeaseLostError when another worker has taken over.
    """
    return _Sweep(transactions, run, now, clock).run()


class _Sweep:
    """One attempt."""

    def __init__(
        self, transactions: Transactions, run: ledger.Claim, now: datetime, clock: Clock
    ) -> None:
        self._transactions = transactions
        self._run = run
        self._now = now
        self._clock = clock
        self._progress = Progress()

    def run(self) -> SweepState:
        collector = registry.collector(str(self._run.args["collector_id"]))
        connection, reading = self._begin(collector)
        try:
            self._read(collector, connection, reading)
            return self._end(collector, reading)
        except CollectorError as error:
            return self._fail(reading, error)
        except ledger.LeaseLostError:
            raise
        except Exception as error:
            self._note_failure(reading, "Internal", f"{type(error).__name__}: {error}")
            raise

    def _begin(self, collector: Collector) -> tuple[Connection, estate.Reading]:
        connection_id = UUID(str(self._run.args["connection_id"]))
        cell = sweep_records.cell_of(self._run)
        with self._transactions() as session:
            ledger.hold(session, self._run)
            row = session.get(ConnectionRow, connection_id)
            if row is None:
                raise NotFoundError(f"the connection {connection_id} was deleted")
            sweep_id = sweep_records.begin(session, self._run, now=self._now)
            sweep_records.note_collector(
                session,
                connection_id,
                collector.id,
                cell=cell,
                sweep_id=sweep_id,
                operations=sources.declared_operations(collector),
            )
            connection = sources.to_domain(row, cell)
        reading = estate.Reading(
            connection_id, connection.provider.value, collector.id, sweep_id, self._now, cell
        )
        return connection, reading

    def _read(self, collector: Collector, connection: Connection, reading: estate.Reading) -> None:
        for batch in self._batches(collector.collect(connection, self._now)):
            with self._transactions() as session:
                ledger.hold(session, self._run)
                if not dialect.lock_connection(session, reading.connection_id):
                    raise NotFoundError(f"the connection {reading.connection_id} was deleted")
                stored = estate.store(session, reading, batch.rows)
                sweep_end.tell_revived(session, stored.revived, now=self._now)
                if stored.restructured:
                    tallies.count_resources(session, reading.connection_id)
                written = samples.store(session, reading.connection_id, batch.samples)
            self._progress.add(stored, len(batch.rows))
            self._progress.add_samples(written)

    def _batches(self, observations: Iterator[Observation]) -> Iterator[_Batch]:
        """What to store. Rows are made as they come, while other answers are still on their way."""
        batch = _Batch()
        for observation in observations:
            if isinstance(observation, ListingDone):
                self._progress.listings.append(observation)
            elif isinstance(observation, ScopeReport):
                self._progress.reports.append(observation)
            else:
                batch.add(observation, self._now)
            if batch.is_full:
                yield batch
                batch = _Batch()
        if batch.rows or batch.samples:
            yield batch

    def _end(self, collector: Collector, reading: estate.Reading) -> SweepState:
        outcome = sweep_end.Outcome(
            seen=self._progress.seen,
            new=self._progress.new,
            changed=self._progress.changed,
            revived=self._progress.revived,
            samples_new=self._progress.samples_new,
            samples_changed=self._progress.samples_changed,
            listings=tuple(self._progress.listings),
            reports=tuple(self._progress.reports),
            starts=self._run.starts,
        )
        ended_at = self._clock()
        with self._transactions() as session:
            ledger.finish(session, self._run, now=ended_at)
            dialect.lock_connection(session, reading.connection_id)
            return sweep_end.conclude(session, collector, reading, outcome, now=ended_at)

    def _fail(self, reading: estate.Reading, error: CollectorError) -> SweepState:
        ended_at = self._clock()
        pause = RETRY_AFTER[min(self._run.starts, len(RETRY_AFTER)) - 1]
        retry_at = None if error.permanent else ended_at + pause
        log.warning("sweep.failed", sweep_id=str(reading.sweep_id), code=error.code)
        with self._transactions() as session:
            ledger.fail(
                session,
                self._run,
                now=ended_at,
                error=f"{error.code}: {error.detail}",
                retry_at=retry_at if self._run.starts <= len(RETRY_AFTER) else None,
            )
            message = " ".join(filter(None, (error.detail, error.mend)))
            sweep_records.fail(
                session, reading.sweep_id, code=error.code, message=message, now=ended_at
            )
        return SweepState.FAILED

    def _note_failure(self, reading: estate.Reading, code: str, message: str) -> None:
        """The run is the caller's to give back; the sweep must not seem to go on."""
        with self._transactions() as session:
            ledger.hold(session, self._run)
            sweep_records.fail(
                session, reading.sweep_id, code=code, message=message, now=self._clock()
            )
