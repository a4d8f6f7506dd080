"""Connections: what they are, how much they hold, when they last answered, what they lack."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.domain.access import Access
from app.kit.errors import NotFoundError
from app.store.estate import chunks
from app.store.models.inventory import (
    CollectorStateRow,
    ConnectionRow,
    SweepRow,
    SweepScopeRow,
)
from app.store.models.tallies import ResourceTallyRow
from app.store.queries.sweeps import (
    ScopeItem,
    SweepDetail,
    SweepItem,
    get_sweep,
    list_sweeps,
    select_sweeps,
    sweep_history,
    sweep_of,
)
from app.store.scoping import key_of, visible

__all__ = [
    "CellItem",
    "CollectorItem",
    "ConnectionItem",
    "PermissionItem",
    "ScopeItem",
    "SweepDetail",
    "SweepItem",
    "get_connection",
    "get_sweep",
    "list_connections",
    "list_sweeps",
    "permission_status",
    "sweep_history",
]


@dataclass(frozen=True, slots=True)
class CellItem:
    """Where one collector stands on one cell. `last_good_at`: end of the last sweep that read
    something (complete, partial or incomplete)."""

    cell: str
    last_sweep: SweepItem | None
    last_good_at: datetime | None


@dataclass(frozen=True, slots=True)
class CollectorItem:
    """Where one collector stands on a connection, cell by cell."""

    collector_id: str
    cells: tuple[CellItem, ...] = ()

    @property
    def sweeps(self) -> tuple[SweepItem, ...]:
        """The last sweep of each cell that has one."""
        return tuple(cell.last_sweep for cell in self.cells if cell.last_sweep)

    @property
    def last_sweep(self) -> SweepItem | None:
        """The newest."""
        return max(self.sweeps, key=lambda sweep: sweep.started_at, default=None)

    @property
    def last_good_at(self) -> datetime | None:
        """The oldest of the cells that ever answered: no figure of theirs is older."""
        return min((cell.last_good_at for cell in self.cells if cell.last_good_at), default=None)


@dataclass(frozen=True, slots=True)
class ConnectionItem:
    """One connection; `config` holds references to secrets, never secrets.

    `last_sweep` is the newest of all its collectors.
    """

    id: str
    name: str
    provider: str
    config: dict[str, Any]
    enabled: bool
    created_at: datetime
    version: int
    resources: int
    last_sweep: SweepItem | None
    last_good_at: datetime | None
    evaluated_at: datetime | None
    collectors: tuple[CollectorItem, ...]


@dataclass(frozen=True, slots=True)
class PermissionItem:
    """One right and what came of using it in the last sweep.

    `result`: allowed, denied (somewhere), failed (for another reason) or not_tried; `affected`
    of the `asked` calls were denied or failed.
    """

    collector_id: str
    permission: str
    operation: str
    why: str
    result: str
    code: str
    message: str
    asked: int
    affected: int
    checked_at: datetime | None


def list_connections(session: Session, *, access: Access) -> tuple[ConnectionItem, ...]:
    """All connections that the caller may see, by name."""
    rows = session.scalars(
        select(ConnectionRow)
        .where(visible(access, ConnectionRow.id))
        .order_by(ConnectionRow.name, ConnectionRow.id)
    ).all()
    return _items(session, rows)


def get_connection(session: Session, *, access: Access, connection_id: str) -> ConnectionItem:
    """One connection; NotFoundError when there is none that the caller may see."""
    key = key_of(connection_id, "connection")
    rows = session.scalars(
        select(ConnectionRow).where(ConnectionRow.id == key, visible(access, ConnectionRow.id))
    ).all()
    if not rows:
        raise NotFoundError(f"no connection {connection_id[:40]!r}")
    return _items(session, rows)[0]


def _items(session: Session, rows: Sequence[ConnectionRow]) -> tuple[ConnectionItem, ...]:
    ids = [row.id for row in rows]
    resources = _resources(session, ids)
    collectors = _collectors(session, ids)
    return tuple(_item(row, resources.get(row.id, 0), collectors[row.id]) for row in rows)


def _item(
    row: ConnectionRow, resources: int, collectors: Sequence[CollectorItem]
) -> ConnectionItem:
    sweeps = [found.last_sweep for found in collectors if found.last_sweep]
    good = [found.last_good_at for found in collectors if found.last_good_at]
    return ConnectionItem(
        id=str(row.id),
        name=row.name,
        provider=row.provider,
        config=row.config,
        enabled=row.enabled,
        created_at=row.created_at,
        version=row.version,
        resources=resources,
        last_sweep=max(sweeps, key=lambda sweep: sweep.started_at, default=None),
        last_good_at=max(good, default=None),
        evaluated_at=row.evaluated_at,
        collectors=tuple(collectors),
    )


def _resources(session: Session, ids: Sequence[UUID]) -> dict[UUID, int]:
    rows = session.execute(
        select(ResourceTallyRow.connection_id, func.sum(ResourceTallyRow.live))
        .where(ResourceTallyRow.connection_id.in_(ids))
        .group_by(ResourceTallyRow.connection_id)
    )
    return {connection_id: int(number) for connection_id, number in rows}


def _collectors(session: Session, ids: Sequence[UUID]) -> dict[UUID, list[CollectorItem]]:
    states = session.execute(
        select(
            CollectorStateRow.connection_id,
            CollectorStateRow.collector_id,
            CollectorStateRow.cell,
            CollectorStateRow.last_sweep_id,
            CollectorStateRow.last_good_at,
        )
        .where(CollectorStateRow.connection_id.in_(ids))
        .order_by(CollectorStateRow.collector_id, CollectorStateRow.cell)
    ).all()
    last = select(CollectorStateRow.last_sweep_id).where(CollectorStateRow.connection_id.in_(ids))
    sweeps = {
        row.id: sweep_of(row)
        for row in session.execute(select_sweeps().where(SweepRow.id.in_(last)))
    }
    cells: dict[tuple[UUID, str], list[CellItem]] = defaultdict(list)
    for state in states:
        sweep = sweeps.get(state.last_sweep_id) if state.last_sweep_id else None
        item = CellItem(state.cell, sweep, state.last_good_at)
        cells[state.connection_id, state.collector_id].append(item)
    found: dict[UUID, list[CollectorItem]] = defaultdict(list)
    for (connection_id, collector_id), items in cells.items():
        found[connection_id].append(CollectorItem(collector_id, tuple(items)))
    return found


def permission_status(
    session: Session, *, access: Access, connection_id: str
) -> tuple[PermissionItem, ...]:
    """Every right that the connection's collectors use, and whether the last sweeps had it."""
    item = get_connection(session, access=access, connection_id=connection_id)
    operations = _operations(session, UUID(item.id))
    return tuple(
        permission
        for collector in item.collectors
        for permission in _permissions(session, collector, operations[collector.collector_id])
    )


def _operations(session: Session, connection_id: UUID) -> dict[str, list[dict[str, str]]]:
    """What each collector declares; all cells of one say the same."""
    declared = session.execute(
        select(CollectorStateRow.collector_id, CollectorStateRow.operations).where(
            CollectorStateRow.connection_id == connection_id
        )
    )
    return {row.collector_id: row.operations for row in declared}


def _permissions(
    session: Session, collector: CollectorItem, operations: list[dict[str, str]]
) -> list[PermissionItem]:
    by_operation = _coverage(session, [UUID(sweep.id) for sweep in collector.sweeps])
    checked_at = max((s.ended_at for s in collector.sweeps if s.ended_at), default=None)
    return [
        _permission(collector.collector_id, operation, by_operation[operation["name"]], checked_at)
        for operation in operations
    ]


def _coverage(session: Session, sweep_ids: Sequence[UUID]) -> dict[str, list[SweepScopeRow]]:
    by_operation: dict[str, list[SweepScopeRow]] = defaultdict(list)
    for part in chunks(sweep_ids):
        rows = session.scalars(
            select(SweepScopeRow)
            .where(SweepScopeRow.sweep_id.in_(part))
            .order_by(SweepScopeRow.scope)
        )
        for row in rows:
            by_operation[row.operation].append(row)
    return by_operation


def _permission(
    collector_id: str,
    operation: dict[str, str],
    scopes: Sequence[SweepScopeRow],
    checked_at: datetime | None,
) -> PermissionItem:
    denied = sum(scope.denied for scope in scopes)
    failed = sum(scope.failed for scope in scopes)
    worst = next((scope for scope in scopes if scope.denied), None) or next(
        (scope for scope in scopes if scope.failed), None
    )
    tried = any(scope.answered or scope.absent or scope.denied or scope.failed for scope in scopes)
    return PermissionItem(
        collector_id=collector_id,
        permission=operation["permission"],
        operation=operation["name"],
        why=operation["why"],
        result=_result(tried=tried, denied=denied, failed=failed),
        code=worst.code if worst else "",
        message=worst.message if worst else "",
        asked=sum(scope.asked for scope in scopes),
        affected=denied + failed,
        checked_at=checked_at if tried else None,
    )


def _result(*, tried: bool, denied: int, failed: int) -> str:
    if not tried:
        return "not_tried"
    if denied:
        return "denied"
    return "failed" if failed else "allowed"
