"""Engines and transactions: a SQLite recipe that loses nothing, the same call for Postgres."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.orm import Session

from app.kit.settings import settings

PRAGMAS = ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", "busy_timeout=10000")


def make_engine(database_url: str) -> Engine:
    """An engine whose write transactions never deadlock or lose updates, on both dialects."""
    if database_url.startswith("postgresql://"):
        database_url = database_url.replace("postgresql://", "postgresql+psycopg://", 1)
    is_postgres = database_url.startswith("postgresql")
    options = {"pool_size": 20, "max_overflow": 30} if is_postgres else {}
    engine = create_engine(database_url, pool_pre_ping=is_postgres, **options)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _on_sqlite_connect)
        event.listen(engine, "begin", _on_sqlite_begin)
    return engine


def _on_sqlite_connect(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None  # the driver must not begin by itself
    for pragma in PRAGMAS:
        connection.execute("PRAGMA " + pragma)


def _on_sqlite_begin(connection: Connection) -> None:
    readonly = connection.get_execution_options().get("readonly")
    connection.exec_driver_sql("BEGIN" if readonly else "BEGIN IMMEDIATE")


@lru_cache(maxsize=1)
def engine() -> Engine:
    """The engine of this process."""
    return make_engine(settings().database)


@contextmanager
def transaction(readonly: bool = False) -> Iterator[Session]:  # noqa: FBT001, FBT002
    """One transaction: commits at the end, rolls back on any error. Nobody else commits."""
    bind = engine().execution_options(readonly=True) if readonly else engine()
    with Session(bind, expire_on_commit=False) as session, session.begin():
        yield session
