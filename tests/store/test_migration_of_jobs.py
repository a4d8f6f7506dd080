"""Whoever may do everything may register jobs after the upgrade; others may not."""

import importlib.util
from collections.abc import Callable
from types import ModuleType

from alembic.migration import MigrationContext
from alembic.operations import Operations
from sqlalchemy import Engine, update

from app.domain.access import Scope
from app.kit.settings import ROOT
from app.store.models.accounts import UserRow
from app.store.queries.accounts import user_by_email
from app.store.session import transaction
from tests.support import callers

FILE = ROOT / "migrations/versions/2026-12-01-1501_jobs.py"


def migration() -> ModuleType:
    spec = importlib.util.spec_from_file_location("jobs_migration", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def scopes_of(email: str) -> frozenset[Scope]:
    with transaction(readonly=True) as session:
        found = user_by_email(session, email)
    assert found is not None
    return found.scopes


def run(installation: Engine, step: Callable[[], None]) -> None:
    with installation.begin() as connection:
        context = MigrationContext.configure(connection)
        with Operations.context(context):
            step()


def test_accounts_that_may_do_everything_gain_the_scope_and_lose_it_again(
    installation: Engine,
) -> None:
    callers.person("all@example.org")
    callers.person("few@example.org")
    few = [Scope.RESOURCES_READ.value]
    with transaction() as session:
        session.execute(
            update(UserRow).where(UserRow.email == "few@example.org").values(scopes=few)
        )
    run(installation, migration().downgrade)
    assert scopes_of("all@example.org") == frozenset(Scope) - {Scope.JOBS_WRITE}
    run(installation, migration().upgrade)
    assert scopes_of("all@example.org") == frozenset(Scope)
    assert scopes_of("few@example.org") == {Scope.RESOURCES_READ}
