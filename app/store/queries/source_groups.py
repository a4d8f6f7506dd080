"""How sources stand, added up: the cells of each collector by how their last sweep ended."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from app.domain.access import Access
from app.store.models.inventory import CollectorStateRow, ConnectionRow, SweepRow
from app.store.scoping import visible


@dataclass(frozen=True, slots=True)
class SourceGroup:
    """Cells of one collector on one connection whose last sweeps ended alike.

    `state` None: never swept. `last_good_at` is the oldest of theirs, None when none of them ever
    answered; `newest_good_at` the newest.
    """

    connection_id: str
    collector_id: str
    state: str | None
    throttled: bool
    last_good_at: datetime | None
    newest_good_at: datetime | None
    cells: int


def list_source_groups(session: Session, *, access: Access) -> tuple[SourceGroup, ...]:
    """Of all connections that are switched on and that the caller may see."""
    throttled = case((SweepRow.trace["throttled"].as_integer() > 0, 1), else_=0)
    answered = CollectorStateRow.last_good_at.is_not(None)
    keys = (CollectorStateRow.connection_id, CollectorStateRow.collector_id, SweepRow.state)
    rows = session.execute(
        select(
            *keys,
            throttled.label("throttled"),
            func.min(CollectorStateRow.last_good_at).label("oldest"),
            func.max(CollectorStateRow.last_good_at).label("newest"),
            func.count().label("cells"),
        )
        .select_from(CollectorStateRow)
        .join(ConnectionRow, ConnectionRow.id == CollectorStateRow.connection_id)
        .outerjoin(SweepRow, SweepRow.id == CollectorStateRow.last_sweep_id)
        .where(ConnectionRow.enabled, visible(access, ConnectionRow.id))
        .group_by(*keys, throttled, answered)
    )
    return tuple(
        SourceGroup(
            connection_id=str(row.connection_id),
            collector_id=row.collector_id,
            state=row.state,
            throttled=bool(row.throttled),
            last_good_at=row.oldest,
            newest_good_at=row.newest,
            cells=row.cells,
        )
        for row in rows
    )
