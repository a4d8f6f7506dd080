"""The few places where the two dialects need another call."""

from uuid import UUID

from sqlalchemy import Insert, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from app.store.base import Base
from app.store.models.inventory import ConnectionRow


def is_postgres(session: Session) -> bool:
    """Whether this session speaks to Postgres; else it is SQLite."""
    return session.get_bind().dialect.name == "postgresql"


def insert_into(session: Session, row: type[Base]) -> postgresql.Insert | sqlite.Insert:
    """An insert that can be given `on_conflict_…`, in the words of the dialect."""
    return postgresql.insert(row) if is_postgres(session) else sqlite.insert(row)


def upsert(
    session: Session, row: type[Base], *, on: tuple[str, ...], keep: frozenset[str] = frozenset()
) -> Insert:
    """An insert that, where the columns `on` are taken, updates all others but `keep`."""
    inserting = insert_into(session, row)
    columns = [column.name for column in row.__table__.columns]
    kept = keep.union(on)
    changed = {name: inserting.excluded[name] for name in columns if name not in kept}
    return inserting.on_conflict_do_update(index_elements=list(on), set_=changed)


def lock_connection(session: Session, connection_id: UUID) -> bool:
    """Whoever writes to a connection's estate goes one after the other; False when it is gone.

    On SQLite every writing transaction does so anyhow. Inserts that refer to the connection do
    not wait for this lock (FOR NO KEY UPDATE).
    """
    found = session.scalar(
        select(ConnectionRow.id)
        .where(ConnectionRow.id == connection_id)
        .with_for_update(key_share=True)
    )
    return found is not None
