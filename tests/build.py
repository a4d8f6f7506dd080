"""Builders with defaults: a scripted cloud, connections, real sweeps and evaluations."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from app.collectors import registry
from app.domain.access import SYSTEM
from app.domain.collecting import (
    Collector,
    Connection,
    ListingDone,
    Observation,
    Operation,
    Provider,
    ResourceSeen,
    ScopeReport,
    SweepState,
)
from app.domain.storage import S3BucketFacts
from app.domain.storage_accounts import AzureStorageAccountFacts
from app.kit.ids import uuid7
from app.policies.registry import built_in
from app.services import evaluate as evaluations
from app.services import policies, sweep_run
from app.store import ledger
from app.store.models.compliance import FindingRow
from app.store.models.inventory import ConnectionRow, ResourceRow
from tests.support.stores import bucket

NOW = datetime(2026, 11, 30, 9, 38, tzinfo=UTC)
ACCOUNT = "123456789012"
LEASE = timedelta(seconds=30)
Transactions = Callable[[], AbstractContextManager[Session]]


def within(session: Session) -> Transactions:
    """Transactions that all run in the session of a test."""

    @contextmanager
    def same() -> Iterator[Session]:
        yield session
        session.flush()

    return same


def transactions_of(engine: Engine) -> Transactions:
    """Real transactions on a database of the test's own."""

    @contextmanager
    def fresh() -> Iterator[Session]:
        with Session(engine, expire_on_commit=False) as session, session.begin():
            yield session

    return fresh


def seen(name: str = "corpus", **changes: Any) -> ResourceSeen:
    """A bucket in Ireland as a collector yields it."""
    values: dict[str, Any] = {
        "kind": S3BucketFacts.KIND,
        "immutable_id": f"{name}@2024",
        "native_id": f"arn:aws:s3:::{name}",
        "name": name,
        "sub_account_id": ACCOUNT,
        "region_id": "eu-west-1",
        "created_at": datetime(2024, 3, 1, tzinfo=UTC),
        "tags": {},
        "facts": bucket(),
        "scope": ACCOUNT,
    }
    return ResourceSeen(**(values | changes))


def report(**changes: Any) -> ScopeReport:
    """Coverage of one operation that went well."""
    values: dict[str, Any] = {
        "scope": ACCOUNT,
        "operation": "s3:GetBucketVersioning",
        "asked": 1,
        "answered": 1,
    }
    return ScopeReport(**(values | changes))


@dataclass
class Cloud:
    """A scripted cloud: what `collect` yields, and which error it ends with.

    Change `resources`, `reports` or `error` between sweeps. `listings` None: every scope that has
    resources, and ACCOUNT, is read to its end.
    """

    resources: list[ResourceSeen] = field(default_factory=list)
    reports: list[ScopeReport] = field(default_factory=list)
    listings: list[ListingDone] | None = None
    error: Exception | None = None
    before_each: Callable[[ResourceSeen], None] = field(default=lambda _: None)
    reads: int = 0

    def collect(self, _connection: Connection, _now: datetime) -> Iterator[Observation]:
        self.reads += 1
        for resource in list(self.resources):
            self.before_each(resource)
            yield resource
        if self.error is not None:
            raise self.error
        yield from self._listings()
        yield from self.reports

    def _listings(self) -> list[ListingDone]:
        if self.listings is not None:
            return self.listings
        scopes = {resource.scope for resource in self.resources} | {ACCOUNT}
        kinds = {resource.kind for resource in self.resources} | {S3BucketFacts.KIND}
        return [ListingDone(kind, scope, complete=True) for kind in kinds for scope in scopes]


def collector(cloud: Cloud, **changes: Any) -> Collector:
    """A collector of the scripted cloud: every 6 hours, with a day of grace."""
    values: dict[str, Any] = {
        "id": "aws_s3",
        "title": "Buckets",
        "provider": Provider.AWS,
        "kinds": (S3BucketFacts, AzureStorageAccountFacts),
        "every": timedelta(hours=6),
        "grace": timedelta(hours=24),
        "operations": (
            Operation(
                "s3:GetBucketVersioning",
                "s3:GetBucketVersioning",
                ("versioning_status",),
                "to see whether overwritten data is kept",
            ),
        ),
        "collect": cloud.collect,
    }
    return Collector(**(values | changes))


def play(monkeypatch: pytest.MonkeyPatch, *collectors: Collector) -> None:
    """Makes these the only collectors of the process."""
    known = {found.id: found for found in collectors}
    monkeypatch.setattr(registry, "collectors", lambda: known)
    monkeypatch.setattr(registry, "collector", known.__getitem__)


def connection(session: Session, name: str = "AWS", **changes: Any) -> ConnectionRow:
    """A stored AWS connection."""
    values: dict[str, Any] = {
        "id": uuid7(),
        "name": name,
        "provider": "aws",
        "config": {},
        "enabled": True,
        "created_at": NOW,
        "version": 1,
    }
    row = ConnectionRow(**(values | changes))
    session.add(row)
    session.flush()
    return row


def claim_sweep(
    transactions: Transactions,
    connection_id: UUID,
    *,
    now: datetime = NOW,
    slot: str = "",
    collector_id: str = "aws_s3",
) -> ledger.Claim:
    """A run of the ledger, queued and claimed."""
    work = ledger.Work(
        kind="sweep",
        slot=slot or f"{connection_id} {now.isoformat()} {uuid7()}",
        args={"connection_id": str(connection_id), "collector_id": collector_id},
        subject=f"{connection_id}/{collector_id}",
    )
    with transactions() as session:
        run_id = ledger.enqueue(session, work, access=SYSTEM, now=now)
        assert run_id is not None
        claimed = ledger.claim(session, run_id, now=now, lease=LEASE)
    assert claimed is not None
    return claimed


def sweep(
    transactions: Transactions, connection_id: UUID, *, now: datetime = NOW, slot: str = ""
) -> SweepState:
    """One whole sweep at an instant."""
    claimed = claim_sweep(transactions, connection_id, now=now, slot=slot)
    return sweep_run.run_sweep(transactions, run=claimed, now=now, clock=lambda: now)


def evaluate(session: Session, *, now: datetime = NOW) -> evaluations.EvaluationSummary:
    """All policies over everything, at an instant."""
    return evaluations.evaluate(session, now=now)


def resources(session: Session) -> dict[str, ResourceRow]:
    """All resources by name, as stored now; of several lives the last."""
    session.expire_all()
    rows = session.scalars(select(ResourceRow).order_by(ResourceRow.id))
    return {row.name: row for row in rows}


def open_findings(session: Session) -> Sequence[FindingRow]:
    """Open findings by number."""
    session.expire_all()
    statement = select(FindingRow).where(FindingRow.state == "open").order_by(FindingRow.number)
    return session.scalars(statement).all()


def only(monkeypatch: pytest.MonkeyPatch, *policy_ids: str) -> None:
    """Leaves only these built-in policies, so that a test sees what it asks for."""
    chosen = {policy_id: built_in()[policy_id] for policy_id in policy_ids}
    monkeypatch.setattr(policies, "built_in", lambda: chosen)
