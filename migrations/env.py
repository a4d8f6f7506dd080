"""How Alembic reaches the database: one transaction, one migrator at a time, on both dialects."""

from alembic import context
from sqlalchemy import Connection

from app.kit.settings import settings
from app.store import models
from app.store.base import Base
from app.store.columns import UTC, EpochSeconds, Json, Money
from app.store.migrate import wait_for_others
from app.store.session import make_engine

assert models  # importing them fills the metadata


def include_object(obj, name, kind, reflected, compare_to):
    """Leaves alone what we did not make: tables of other tools in the same database."""
    return not (kind == "table" and reflected and compare_to is None)


def render_item(kind, obj, autogenerate):
    """Writes our column types with their import."""
    if kind != "type":
        return False
    for column_type in (UTC, EpochSeconds, Money):
        if isinstance(obj, column_type):
            autogenerate.imports.add("from app.store import columns")
            return f"columns.{column_type.__name__}()"
    if obj is Json:
        autogenerate.imports.add("from app.store import columns")
        return "columns.Json"
    return False


def migrate(connection: Connection) -> None:
    """All or nothing. SQLite begins IMMEDIATE, Postgres waits for an advisory lock."""
    wait_for_others(connection)
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        render_as_batch=connection.dialect.name == "sqlite",
        compare_type=True,
        include_object=include_object,
        render_item=render_item,
    )
    context.run_migrations()


given = context.config.attributes.get("connection")
if given is not None:
    migrate(given)
else:
    engine = make_engine(settings().database)
    with engine.begin() as begun:
        migrate(begun)
    engine.dispose()
