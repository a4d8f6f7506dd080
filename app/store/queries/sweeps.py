"""Sweeps: what was read when, by scope and operation."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, Select, func, select
from sqlalchemy.orm import Session

from app.domain.access import Access
from app.domain.paging import Page, PageRequest
from app.kit.errors import NotFoundError
from app.store import keyset
from app.store.models.inventory import ConnectionRow, SweepRow, SweepScopeRow
from app.store.scoping import key_of, visible

# Counting more than this costs more than the figure is worth; the total is then not known.
COUNTED_ROWS = 10_000


@dataclass(frozen=True, slots=True)
class SweepItem:
    """One sweep of one cell. `state`: running, complete, partial, incomplete or failed.

    `trace` counts resources_seen, _new, _changed, _deleted, _revived, calls, throttled, starts.
    """

    id: str
    connection_id: str
    connection_name: str
    collector_id: str
    cell: str
    state: str
    started_at: datetime
    ended_at: datetime | None
    trace: dict[str, Any]
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class ScopeItem:
    """Coverage of one scope by one operation: how many calls were made and how they ended."""

    scope: str
    operation: str
    permission: str
    asked: int
    answered: int
    absent: int
    denied: int
    failed: int
    skipped: int
    throttled: int
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class SweepDetail:
    """One sweep with its coverage."""

    item: SweepItem
    scopes: tuple[ScopeItem, ...]


_NEWEST = keyset.Order("sweeps", (SweepRow.started_at, SweepRow.id), descending=True)


def select_sweeps() -> Select[*tuple[Any, ...]]:
    """Sweeps with the name of their connection."""
    return select(
        SweepRow.id,
        SweepRow.connection_id,
        ConnectionRow.name.label("connection_name"),
        SweepRow.collector_id,
        SweepRow.cell,
        SweepRow.state,
        SweepRow.started_at,
        SweepRow.ended_at,
        SweepRow.trace,
        SweepRow.code,
        SweepRow.message,
    ).outerjoin(ConnectionRow, ConnectionRow.id == SweepRow.connection_id)


def sweep_of(row: Row[*tuple[Any, ...]]) -> SweepItem:
    """The value of one row of `select_sweeps`."""
    return SweepItem(
        id=str(row.id),
        connection_id=str(row.connection_id),
        connection_name=row.connection_name,
        collector_id=row.collector_id,
        cell=row.cell,
        state=row.state,
        started_at=row.started_at,
        ended_at=row.ended_at,
        trace=row.trace,
        code=row.code,
        message=row.message,
    )


def list_sweeps(
    session: Session, *, access: Access, connection_id: str = "", page: PageRequest | None = None
) -> Page[SweepItem]:
    """Sweeps of one connection or all, newest first; `total` is None above COUNTED_ROWS."""
    seen = visible(access, SweepRow.connection_id)
    wanted = [seen]
    if connection_id:
        wanted.append(SweepRow.connection_id == key_of(connection_id, "connection"))
    counted = select(SweepRow.id).where(*wanted).limit(COUNTED_ROWS + 1).subquery()
    total = session.scalar(select(func.count()).select_from(counted)) or 0
    return keyset.fetch(
        session,
        select_sweeps().where(*wanted),
        _NEWEST,
        page or PageRequest(),
        total=total if total <= COUNTED_ROWS else None,
        item=sweep_of,
    )


def get_sweep(session: Session, *, access: Access, sweep_id: str) -> SweepDetail:
    """One sweep with its coverage; NotFoundError when there is none that the caller may see."""
    key = key_of(sweep_id, "sweep")
    row = session.execute(
        select_sweeps().where(SweepRow.id == key, visible(access, SweepRow.connection_id))
    ).first()
    if row is None:
        raise NotFoundError(f"no sweep {sweep_id[:40]!r}")
    scopes = session.scalars(
        select(SweepScopeRow)
        .where(SweepScopeRow.sweep_id == key)
        .order_by(SweepScopeRow.scope, SweepScopeRow.operation)
    )
    return SweepDetail(sweep_of(row), tuple(_scope(scope) for scope in scopes))


def _scope(row: SweepScopeRow) -> ScopeItem:
    return ScopeItem(
        scope=row.scope,
        operation=row.operation,
        permission=row.permission,
        asked=row.asked,
        answered=row.answered,
        absent=row.absent,
        denied=row.denied,
        failed=row.failed,
        skipped=row.skipped,
        throttled=row.throttled,
        code=row.code,
        message=row.message,
    )


def sweep_history(
    session: Session, *, access: Access, connection_id: str, collector_id: str, since: datetime
) -> tuple[SweepItem, ...]:
    """Sweeps of one collector on one connection that started since, oldest first."""
    rows = session.execute(
        select_sweeps()
        .where(
            SweepRow.connection_id == key_of(connection_id, "connection"),
            SweepRow.collector_id == collector_id,
            SweepRow.started_at >= since,
            visible(access, SweepRow.connection_id),
        )
        .order_by(SweepRow.started_at.desc(), SweepRow.id.desc())
        .limit(COUNTED_ROWS)
    ).all()
    return tuple(sweep_of(row) for row in reversed(rows))
