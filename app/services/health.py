"""Is this installation able to work? Asked by probes and by Prometheus; says nothing of the estate.

That beat dispatches is noted in the broker, the one thing that all processes share at no cost.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from kombu.connection import Connection
from kombu.exceptions import KombuError
from redis.exceptions import RedisError
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from app.kit.errors import SettingsError
from app.kit.settings import settings
from app.store import migrate

TIMEOUT_SECONDS = 2
DISPATCHED = "atalaya:dispatched_at"
KEPT = timedelta(days=7)
OK = "ok"


@dataclass(frozen=True, slots=True)
class Readiness:
    """`checks` by name: ok, or what is wrong; `dispatched_at` None when beat was never seen."""

    checks: dict[str, str]
    dispatched_at: datetime | None

    @property
    def is_ready(self) -> bool:
        """Whether pages can be served and work can be queued."""
        return set(self.checks.values()) == {OK}


def readiness(session: Session) -> Readiness:
    """Asks database, schema and broker; never raises."""
    checks = {"database": _database(session), "schema": _schema()}
    try:
        with _broker() as client:
            dispatched = client.get(DISPATCHED)
        checks["broker"] = OK
    except (KombuError, RedisError, OSError):
        dispatched, checks["broker"] = None, "cannot be reached"
    return Readiness(checks, _instant(dispatched))


def note_dispatch(now: datetime) -> None:
    """Called by the dispatcher when it has looked for due work."""
    with _broker() as client:
        client.set(DISPATCHED, now.isoformat(), ex=int(KEPT.total_seconds()))


def _database(session: Session) -> str:
    try:
        session.execute(text("select 1"))
    except SQLAlchemyError:
        return "does not answer"
    return OK


def _schema() -> str:
    try:
        _demand_newest(settings().database)
    except (SettingsError, SQLAlchemyError):
        return "not at the newest revision"
    return OK


@lru_cache(maxsize=1)
def _demand_newest(database_url: str) -> None:
    """Asks until it was right once: a schema does not go back while we run."""
    migrate.check(database_url)


@contextmanager
def _broker() -> Iterator[Any]:
    """A Redis client; the address is in the form that Celery reads, so kombu opens it."""
    address = settings().redis_url
    if not address:
        raise OSError("no broker is set")
    options = {"socket_timeout": TIMEOUT_SECONDS, "socket_connect_timeout": TIMEOUT_SECONDS}
    with Connection(  # type: ignore[no-untyped-call]
        address, transport_options=options
    ) as connection:
        yield connection.default_channel.client


def _instant(stored: bytes | str | None) -> datetime | None:
    if not stored:
        return None
    try:
        return datetime.fromisoformat(stored if isinstance(stored, str) else stored.decode())
    except ValueError:
        return None
