"""Runs all policies over the estate: verdicts, findings, counts, and the posture of the day."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from app.domain.access import SYSTEM
from app.domain.compliance import PolicyMode
from app.kit.clock import utc_now
from app.kit.ids import uuid7
from app.kit.settings import settings
from app.services import policies
from app.services.finding_life import withdraw
from app.services.judging import Batch, BatchResult
from app.services.policies import PolicySet
from app.store import dialect, judging, ledger, tallies
from app.store.models.compliance import EvaluationRow
from app.store.models.inventory import ConnectionRow
from app.store.models.work import PostureRow
from app.store.queries.verdict_tallies import pillar_counts, policy_counts

# Of 1,000 resources and 10 policies a transaction takes about a fifth of a second.
BATCH = 1_000

Transactions = Callable[[], AbstractContextManager[Session]]
Clock = Callable[[], datetime]


@dataclass(slots=True)
class EvaluationSummary:
    """What an evaluation came to. `changed` counts verdicts that were written."""

    started_at: datetime
    ended_at: datetime
    resources: int = 0
    changed: int = 0
    opened: list[int] = field(default_factory=list)
    resolved: list[int] = field(default_factory=list)

    @property
    def seconds(self) -> float:
        """How long it took."""
        return (self.ended_at - self.started_at).total_seconds()

    def add(self, result: BatchResult) -> None:
        """Counts one batch."""
        self.resources += result.resources
        self.changed += result.changed
        self.opened += result.opened
        self.resolved += result.resolved


def evaluate(
    session: Session, *, now: datetime, connection_id: str | None = None
) -> EvaluationSummary:
    """Evaluates one connection or all in the caller's transaction."""

    @contextmanager
    def same() -> Iterator[Session]:
        yield session

    return _Evaluation(same, now, None, lambda: now).run(connection_id)


def run_evaluation(
    transactions: Transactions, *, run: ledger.Claim, now: datetime, clock: Clock = utc_now
) -> EvaluationSummary:
    """The same in a transaction per batch, each under the fence of the run, which it ends."""
    connection_id = run.args.get("connection_id")
    return _Evaluation(transactions, now, run, clock).run(connection_id)


class _Evaluation:
    """One evaluation; without a run nothing is fenced."""

    def __init__(
        self, transactions: Transactions, now: datetime, run: ledger.Claim | None, clock: Clock
    ) -> None:
        self._transactions = transactions
        self._now = now
        self._run = run
        self._clock = clock
        self._summary = EvaluationSummary(now, now)

    def run(self, connection_id: str | None) -> EvaluationSummary:
        with self._transactions() as session:
            self._hold(session)
            known = policies.load(session)
            connections = _connections(session, connection_id)
        for each in connections:
            self._connection(each, known)
        with self._transactions() as session:
            self._summary.ended_at = self._clock()
            self._end(session)
        return self._summary

    def _hold(self, session: Session) -> None:
        if self._run is not None:
            ledger.hold(session, self._run)

    def _connection(self, connection_id: UUID, known: PolicySet) -> None:
        with self._transactions() as session:
            self._hold(session)
            if not dialect.lock_connection(session, connection_id):
                return  # deleted meanwhile
            self._summary.resolved += withdraw(session, connection_id, known, now=self._now)
            kinds = judging.kinds(session, connection_id)
        for kind in kinds:
            after = None
            while (after := self._batch(connection_id, kind, after, known)) is not None:
                pass
        with self._transactions() as session:
            self._hold(session)
            if dialect.lock_connection(session, connection_id):
                self._conclude(session, connection_id, known)

    def _batch(
        self, connection_id: UUID, kind: str, after: UUID | None, known: PolicySet
    ) -> UUID | None:
        """Judges the next resources; gives the last one's id, None when there were none."""
        with self._transactions() as session:
            self._hold(session)
            if not dialect.lock_connection(session, connection_id):
                return None
            rows = judging.subjects(session, connection_id, kind, after=after, limit=BATCH)
            if not rows:
                return None
            self._summary.add(Batch(session, connection_id, known, rows, self._now).run())
            return rows[-1].id

    def _conclude(self, session: Session, connection_id: UUID, known: PolicySet) -> None:
        standing = {
            found.policy.id: (found.policy.pillar.value, found.mode is PolicyMode.ENFORCE)
            for found in known.policies
            if found.mode is not PolicyMode.OFF
        }
        tallies.count_verdicts(session, connection_id, standing)
        tallies.count_findings(session, connection_id)
        tallies.count_resources(session, connection_id)
        row = session.get(ConnectionRow, connection_id)
        if row is not None:
            row.evaluated_at = self._now

    def _end(self, session: Session) -> None:
        if self._run is not None:
            ledger.finish(session, self._run, now=self._summary.ended_at)
        session.flush()
        _keep_posture(session, self._now)
        session.execute(
            insert(EvaluationRow).values(
                id=uuid7(),
                started_at=self._now,
                ended_at=self._summary.ended_at,
                resources=self._summary.resources,
                counts=policy_counts(session, access=SYSTEM),
            )
        )


def _connections(session: Session, connection_id: str | None) -> tuple[UUID, ...]:
    statement = select(ConnectionRow.id).order_by(ConnectionRow.id)
    if connection_id is not None:
        statement = statement.where(ConnectionRow.id == UUID(connection_id))
    return tuple(session.scalars(statement))


def _keep_posture(session: Session, now: datetime) -> None:
    """Replaces what was kept for today, by the calendar of the configured zone."""
    day = now.astimezone(settings().zone).date().isoformat()
    session.execute(delete(PostureRow).where(PostureRow.day == day))
    rows = [
        {
            "day": day,
            "pillar": pillar,
            "compliant": counts.compliant,
            "non_compliant": counts.non_compliant,
            "waived": counts.waived,
            "unknown": counts.unknown,
            "taken_at": now,
        }
        for pillar, counts in pillar_counts(session, access=SYSTEM).items()
    ]
    if rows:
        session.execute(insert(PostureRow), rows)
