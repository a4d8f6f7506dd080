"""The ledger of work, as shown: what was queued, what runs, how it ended."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.domain.access import Access
from app.domain.paging import Page, PageRequest
from app.kit.errors import NotFoundError
from app.store import keyset
from app.store.models.work import RunRow
from app.store.scoping import key_of

COUNTED_ROWS = 10_000


@dataclass(frozen=True, slots=True)
class RunItem:
    """One piece of work. `state`: queued, running, done or failed."""

    id: str
    kind: str
    slot: str
    args: dict[str, Any]
    state: str
    starts: int
    queued_at: datetime
    not_before: datetime | None
    started_at: datetime | None
    ended_at: datetime | None
    error: str
    requested_by: str


_COLUMNS = (
    RunRow.id, RunRow.kind, RunRow.slot, RunRow.args, RunRow.state, RunRow.starts,
    RunRow.queued_at, RunRow.not_before, RunRow.started_at, RunRow.ended_at, RunRow.error,
    RunRow.requested_by,
)  # fmt: skip
_NEWEST = keyset.Order("runs", (RunRow.queued_at, RunRow.id), descending=True)


def active_sweeps(session: Session, *, access: Access, connection_id: str) -> tuple[RunItem, ...]:
    """Sweeps of a connection, of whatever cell, that are queued or running, the oldest first."""
    key = key_of(connection_id, "connection")
    if access.connection_ids is not None and str(key) not in access.connection_ids:
        return ()
    rows = session.execute(
        select(*_COLUMNS)
        .where(
            RunRow.kind == "sweep",
            # A range and no LIKE, which walks no index on SQLite; "0" comes next after "/".
            RunRow.subject >= f"{key}/",
            RunRow.subject < f"{key}0",
            RunRow.state.in_(("queued", "running")),
        )
        .order_by(RunRow.queued_at, RunRow.id)
    )
    return tuple(_item(row) for row in rows)


def list_runs(
    session: Session,
    *,
    access: Access,
    kind: str = "",
    state: str = "",
    page: PageRequest | None = None,
) -> Page[RunItem]:
    """Runs, newest first. Callers limited to some connections see none: runs span connections."""
    if access.connection_ids is not None:
        return Page((), "", "", 0, None)
    wanted = []
    if kind:
        wanted.append(RunRow.kind == kind)
    if state:
        wanted.append(RunRow.state == state)
    counted = select(RunRow.id).where(*wanted).limit(COUNTED_ROWS + 1).subquery()
    total = session.scalar(select(func.count()).select_from(counted)) or 0
    return keyset.fetch(
        session,
        select(*_COLUMNS).where(*wanted),
        _NEWEST,
        page or PageRequest(),
        total=total if total <= COUNTED_ROWS else None,
        item=_item,
    )


def get_run(session: Session, *, access: Access, run_id: str) -> RunItem:
    """One run. A caller limited to some connections sees the sweeps of those alone."""
    row = session.execute(select(*_COLUMNS).where(RunRow.id == key_of(run_id, "run"))).first()
    if row is None or not _may_see(access, row.args):
        raise NotFoundError(f"no run {run_id[:40]!r}")
    return _item(row)


def _may_see(access: Access, args: dict[str, Any]) -> bool:
    return access.connection_ids is None or args.get("connection_id") in access.connection_ids


def _item(row: keyset.AnyRow) -> RunItem:
    return RunItem(
        id=str(row.id),
        kind=row.kind,
        slot=row.slot,
        args=row.args,
        state=row.state,
        starts=row.starts,
        queued_at=row.queued_at,
        not_before=row.not_before,
        started_at=row.started_at,
        ended_at=row.ended_at,
        error=row.error,
        requested_by=row.requested_by,
    )
