"""Once a day: throws away what has had its time, and keeps SQLite's statistics fresh."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, delete, select, text
from sqlalchemy.orm import InstrumentedAttribute, Session

from app.collectors import registry
from app.kit.settings import settings
from app.store import dialect, samples
from app.store.base import Base
from app.store.models.accounts import IdempotencyKeyRow, SessionRow, SignInLinkRow
from app.store.models.compliance import EvaluationRow
from app.store.models.inventory import CollectorStateRow, ConnectionRow, SweepRow, SweepScopeRow
from app.store.models.work import RunRow

IDEMPOTENCY_KEPT = timedelta(hours=24)
RUNS_KEPT = timedelta(days=30)
# Weekly reports look back two weeks; a quarter leaves room for questions.
EVALUATIONS_KEPT = timedelta(days=90)
COVERAGE_KEPT = timedelta(days=90)
SWEEPS_KEPT = timedelta(days=400)
# Samples are read 96 times a day in each region; of those sweeps nothing is told later.
SAMPLE_SWEEPS_KEPT = timedelta(days=14)
# Samples of whole days are few; CloudWatch keeps its own as long.
DAYS_KEPT = timedelta(days=455)
AT_ONCE = 5_000

Transactions = Callable[[], AbstractContextManager[Session]]


@dataclass(frozen=True, slots=True)
class _Broom:
    """Rows of a table that may go, by their key."""

    name: str
    row: type[Base]
    key: InstrumentedAttribute[Any]
    old: ColumnElement[bool]


def clean_up(transactions: Transactions, *, now: datetime) -> dict[str, int]:
    """Deletes what is old, in small transactions; how many rows of each kind."""
    swept = {broom.name: _sweep(transactions, broom) for broom in _brooms(now)}
    swept["samples"] = _sweep_samples(transactions, now)
    with transactions() as session:
        if not dialect.is_postgres(session):
            session.execute(text("PRAGMA optimize"))
    return swept


def _sweep(transactions: Transactions, broom: _Broom) -> int:
    total = 0
    while True:
        with transactions() as session:
            keys = session.scalars(select(broom.key).where(broom.old).limit(AT_ONCE)).all()
            if keys:
                session.execute(
                    delete(broom.row)
                    .where(broom.key.in_(keys), broom.old)
                    .execution_options(synchronize_session=False)
                )
        total += len(keys)
        if len(keys) < AT_ONCE:
            return total


def _sweep_samples(transactions: Transactions, now: datetime) -> int:
    """Some series of one connection at a time; a sweep of it waits meanwhile."""
    before = now - timedelta(days=settings().samples_kept_days)
    days_before = min(before, now - DAYS_KEPT)
    with transactions() as session:
        connections = session.scalars(select(ConnectionRow.id)).all()
    total = 0
    for connection_id in connections:
        after: int | None = 0
        while after is not None:
            with transactions() as session:
                gone, after = samples.forget(
                    session, connection_id, after, before=before, days_before=days_before
                )
            total += gone
    return total


def _brooms(now: datetime) -> tuple[_Broom, ...]:
    return (*_brooms_of_people(now), *_brooms_of_work(now), *_brooms_of_sweeps(now))


def _brooms_of_people(now: datetime) -> tuple[_Broom, ...]:
    return (
        _Broom("sessions", SessionRow, SessionRow.token_sha256, SessionRow.expires_at <= now),
        _Broom("links", SignInLinkRow, SignInLinkRow.token_sha256, SignInLinkRow.expires_at <= now),
        _Broom(
            "idempotency_keys",
            IdempotencyKeyRow,
            IdempotencyKeyRow.key,
            IdempotencyKeyRow.created_at <= now - IDEMPOTENCY_KEPT,
        ),
    )


def _brooms_of_work(now: datetime) -> tuple[_Broom, ...]:
    newest = select(EvaluationRow.id).order_by(EvaluationRow.started_at.desc()).limit(1)
    old = EvaluationRow.started_at <= now - EVALUATIONS_KEPT
    return (
        _Broom("runs", RunRow, RunRow.id, RunRow.ended_at <= now - RUNS_KEPT),
        _Broom(
            "evaluations",
            EvaluationRow,
            EvaluationRow.id,
            old & EvaluationRow.id.not_in(newest.scalar_subquery()),
        ),
    )


def _brooms_of_sweeps(now: datetime) -> tuple[_Broom, ...]:
    """The last sweep of a cell stays, however old; its coverage too."""
    last = select(CollectorStateRow.last_sweep_id).where(
        CollectorStateRow.last_sweep_id.is_not(None)
    )
    done = SweepRow.id.not_in(last)
    uncovered = select(SweepRow.id).where(SweepRow.started_at < now - COVERAGE_KEPT, done)
    old = (SweepRow.started_at < now - SWEEPS_KEPT) & done
    of_samples = [found.id for found in registry.collectors().values() if not found.kinds]
    old_samples = (
        (SweepRow.started_at < now - SAMPLE_SWEEPS_KEPT)
        & SweepRow.collector_id.in_(of_samples)
        & done
    )
    return (
        _Broom("coverage", SweepScopeRow, SweepScopeRow.id, SweepScopeRow.sweep_id.in_(uncovered)),
        _Broom("sweeps", SweepRow, SweepRow.id, old),
        _Broom("sample_sweeps", SweepRow, SweepRow.id, old_samples),
    )
