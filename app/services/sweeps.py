"""When sweeps are due, and asking for one now. Running one is `sweep_run`."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID
from zlib import crc32

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain.access import SYSTEM, Access, Scope
from app.domain.collecting import WHOLE, Cell, Collector
from app.kit.errors import ConflictError, NotFoundError
from app.services import audit_trail, sources
from app.services.cells import cells_of
from app.services.sweep_run import run_sweep
from app.store import ledger
from app.store.columns import EPOCH
from app.store.models.inventory import ConnectionRow
from app.store.queries.sub_accounts import list_sub_accounts
from app.store.scoping import key_of, visible

__all__ = ["enqueue_due", "request_sweep", "run_sweep", "tick_of"]

KIND = "sweep"


def tick_of(
    connection_id: UUID, collector: Collector, now: datetime, cell: Cell = WHOLE
) -> datetime:
    """The start of the interval that `now` lies in. Every cell has its own phase.

    Without phases everything would be read in the same second.
    """
    seed = connection_id.int + crc32(str(cell).encode())
    phase = seed % int(collector.every.total_seconds())
    passed = (now - EPOCH).total_seconds() - phase
    return now - (passed % collector.every.total_seconds()) * _SECOND


_SECOND = EPOCH.resolution * 1_000_000


def enqueue_due(session: Session, *, now: datetime) -> int:
    """Queues the sweeps whose interval has begun; how many were new. Safe to call from anywhere."""
    rows = session.execute(
        select(ConnectionRow.id, ConnectionRow.provider, ConnectionRow.config).where(
            ConnectionRow.enabled
        )
    ).all()
    new = 0
    for connection_id, provider, config in rows:
        for work in _due(session, connection_id, provider, config, now):
            new += ledger.enqueue(session, work, access=SYSTEM, now=now) is not None
    return new


def request_sweep(
    session: Session, *, access: Access, connection_id: str, now: datetime
) -> tuple[str, ...]:
    """Queues a sweep of every cell of a connection; ids of the runs that will do it.

    Where one is waiting or running already, that one counts. NotFoundError, ConflictError.
    """
    access.demand(Scope.SWEEPS_WRITE)
    row = session.scalars(
        select(ConnectionRow).where(
            ConnectionRow.id == key_of(connection_id, "connection"),
            visible(access, ConnectionRow.id),
        )
    ).first()
    if row is None:
        raise NotFoundError(f"no connection {connection_id[:40]!r}")
    sources.demand_cloud(row)
    if not row.enabled:
        raise ConflictError(f"the connection {row.name} is switched off", mend="switch it on")
    runs = tuple(_request(session, access, row, now))
    audit_trail.record(
        session,
        access=access,
        now=now,
        action="connection.sweep",
        subject=("connection", str(row.id)),
    )
    return runs


def _request(session: Session, access: Access, row: ConnectionRow, now: datetime) -> Iterator[str]:
    for scheduled in _due(session, row.id, row.provider, row.config, now):
        run_id = ledger.active(session, kind=KIND, subject=scheduled.subject)
        # The schedule's own tick first: then it is not read twice in a moment.
        run_id = run_id or ledger.enqueue(session, scheduled, access=access, now=now)
        if run_id is None:
            asked = replace(scheduled, slot=f"{scheduled.subject}/asked {now.isoformat()}")
            run_id = ledger.enqueue(session, asked, access=access, now=now)
        if run_id is not None:
            yield str(run_id)


def _due(
    session: Session,
    connection_id: UUID,
    provider: str,
    config: Mapping[str, Any],
    now: datetime,
) -> Iterator[ledger.Work]:
    """The sweep of every cell of a connection that the schedule has for `now`."""
    accounts = list_sub_accounts(session, access=SYSTEM, connection_id=connection_id)
    for collector in sources.collectors_of(provider):
        for cell in cells_of(accounts, collector, config.get("regions") or ()):
            yield _scheduled(connection_id, collector, cell, now)


def _scheduled(connection_id: UUID, collector: Collector, cell: Cell, now: datetime) -> ledger.Work:
    """The sweep of the tick that `now` lies in."""
    tick = tick_of(connection_id, collector, now, cell).replace(microsecond=0)
    subject = subject_of(str(connection_id), collector.id, str(cell))
    args = {"connection_id": str(connection_id), "collector_id": collector.id}
    if cell != WHOLE:
        args |= {"sub_account_id": cell.sub_account_id, "region_id": cell.region_id}
    return ledger.Work(kind=KIND, slot=f"{subject}/{tick.isoformat()}", args=args, subject=subject)


def subject_of(connection_id: str, collector_id: str, cell: str = "") -> str:
    """What the ledger calls the sweeps of a cell, of which one is running at a time."""
    return "/".join(filter(None, (connection_id, collector_id, cell)))
