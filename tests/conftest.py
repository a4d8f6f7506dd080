"""Fixtures of the whole suite: both dialects, a real Valkey, a real browser, a fixed instant."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from app.kit.settings import settings
from app.store.session import engine as process_engine
from app.store.session import make_engine
from tests.support import chromium
from tests.support.databases import Databases, PostgresDatabases, SqliteDatabases
from tests.support.postgres import Postgres, find_binaries
from tests.support.valkey import TestValkey


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--browser",
        action="store_true",
        dest="browser_required",
        help="a missing Chromium fails the browser tests instead of skipping them",
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Quick tests first, so that a mistake shows at once; whole processes come last."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is not None)


@pytest.fixture(autouse=True)
def plain_environment() -> Iterator[None]:
    """No ATALAYA_ variable of the developer leaks in; no variable and no setting leaks out."""
    before = dict(os.environ)
    for name in before:
        if name.startswith("ATALAYA_") and not name.startswith("ATALAYA_TEST_"):
            del os.environ[name]
    settings.cache_clear()
    yield
    os.environ.clear()
    os.environ.update(before)
    settings.cache_clear()


@pytest.fixture
def now() -> datetime:
    """The instant at which the story of the tests happens: a Monday, ISO week 2026-W49."""
    return datetime(2026, 11, 30, 9, 38, tzinfo=UTC)


@pytest.fixture(scope="session", params=["sqlite", "postgres"])
def dialect(request: pytest.FixtureRequest) -> str:
    """Every test that asks for a database runs on both."""
    return str(request.param)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A server of this test process (one per xdist worker)."""
    server = Postgres(find_binaries())
    yield server
    server.stop()


@pytest.fixture(scope="session")
def databases(
    request: pytest.FixtureRequest, dialect: str, tmp_path_factory: pytest.TempPathFactory
) -> Databases:
    """Makes empty, migrated databases of the dialect."""
    if dialect == "sqlite":
        return SqliteDatabases(tmp_path_factory.mktemp("databases"))
    return PostgresDatabases(request.getfixturevalue("postgres"))


@pytest.fixture(scope="session")
def shared_engine(databases: Databases) -> Iterator[Engine]:
    """The database behind `session`; nothing is ever committed to it."""
    engine = make_engine(databases.make())
    yield engine
    engine.dispose()


@pytest.fixture
def session(shared_engine: Engine) -> Iterator[Session]:
    """A session whose commits only release a savepoint; everything is rolled back at the end."""
    with shared_engine.connect() as connection, connection.begin() as outer:
        with Session(
            connection, join_transaction_mode="create_savepoint", expire_on_commit=False
        ) as session:
            yield session
        outer.rollback()


@pytest.fixture
def engine(databases: Databases) -> Iterator[Engine]:
    """A database of this test alone, for commits, threads and processes. Slower than `session`."""
    url = databases.make()
    engine = make_engine(url)
    yield engine
    engine.dispose()
    databases.drop(url)


@pytest.fixture
def database(engine: Engine) -> Engine:
    """The same as `engine`."""
    return engine


@pytest.fixture
def installation(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[Engine]:
    """Settings and `app.store.session.engine()` of this process point at this test's database."""
    monkeypatch.setenv("ATALAYA_DATABASE_URL", engine.url.render_as_string(hide_password=False))
    monkeypatch.setenv("ATALAYA_HOME", str(tmp_path / "home"))
    settings.cache_clear()
    process_engine.cache_clear()
    yield engine
    process_engine().dispose()
    process_engine.cache_clear()


@pytest.fixture(scope="session")
def valkey_server() -> Iterator[TestValkey]:
    """A real Valkey of this test process."""
    server = TestValkey()
    yield server
    server.stop()


@pytest.fixture
def valkey(valkey_server: TestValkey) -> str:
    """The broker URL (form of Celery) of an empty Valkey."""
    valkey_server.flush()
    return valkey_server.url


@pytest.fixture(scope="module")
def browser(request: pytest.FixtureRequest) -> Iterator[Browser]:
    """A real Chromium. By module: an open one keeps an event loop running in this thread."""
    path = chromium.find()
    if path is None:
        reason = "no Chromium: install it (apt-get install chromium) or set ATALAYA_TEST_CHROMIUM"
        if request.config.getoption("browser_required"):
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=chromium.FLAGS)
        yield browser
        browser.close()
