"""What several commands need: a checked database and the caller they act as."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from app.domain.access import Access


@contextmanager
def database() -> Iterator["Session"]:
    """One transaction on the database in force; SettingsError when it is not up to date."""
    from app.kit.settings import settings
    from app.store import migrate
    from app.store.session import transaction

    migrate.check(settings().database)
    with transaction() as session:
        yield session


@contextmanager
def reader() -> Iterator["Session"]:
    """The same for what changes nothing: it never waits for a writer."""
    from app.kit.settings import settings
    from app.store import migrate
    from app.store.session import transaction

    migrate.check(settings().database)
    with transaction(readonly=True) as session:
        yield session


def operator() -> "Access":
    """Whoever can run commands on this machine may do everything; the audit trail says so."""
    from app.domain.access import Access, Scope

    return Access(actor="command line", scopes=frozenset(Scope))
