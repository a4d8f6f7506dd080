"""Connections by name alone: for menus, filters and counts, however many cells they have."""

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.domain.access import Access
from app.domain.declared import DECLARED
from app.store.models.inventory import ConnectionRow
from app.store.scoping import visible


@dataclass(frozen=True, slots=True)
class ConnectionName:
    """A connection as lists and menus name it."""

    id: str
    name: str
    provider: str


def connection_names(session: Session, *, access: Access) -> tuple[ConnectionName, ...]:
    """All connections that the caller may see, by name, without how their sweeps stand."""
    rows = session.execute(
        select(ConnectionRow.id, ConnectionRow.name, ConnectionRow.provider)
        .where(visible(access, ConnectionRow.id))
        .order_by(ConnectionRow.name, ConnectionRow.id)
    )
    return tuple(ConnectionName(str(row.id), row.name, row.provider) for row in rows)


def count_enabled(session: Session, *, access: Access) -> int:
    """How many connections are swept, of those that the caller may see."""
    statement = select(func.count()).where(
        ConnectionRow.enabled,
        ConnectionRow.provider != DECLARED,
        visible(access, ConnectionRow.id),
    )
    return session.scalar(statement) or 0
