"""The product with an estate in it, built once per test process, for the tests of its pages."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.kit import assets
from app.kit.clock import utc_now
from app.kit.settings import settings
from app.main import create_app
from app.store.queries.accounts import UserItem
from app.store.session import engine as process_engine
from tests.support import callers, web_estate
from tests.support.schema import create_schema
from tests.support.web_estate import WebEstate

SETTINGS = {
    "ATALAYA_ORGANISATION": "Cierzo Research",
    "ATALAYA_SANDBOX": "true",
    "ATALAYA_ALLOW_PRIVATE_ENDPOINTS": "true",
    "ATALAYA_LOG_LEVEL": "ERROR",
}


@dataclass(frozen=True)
class Site:
    """The application, what is in its database, and somebody who may do everything."""

    app: FastAPI
    estate: WebEstate
    ana: UserItem

    def client(self) -> TestClient:
        """A browser in which Ana is signed in."""
        return callers.browser(self.app, self.ana)

    def stranger(self) -> TestClient:
        """A browser in which nobody is signed in."""
        return callers.client(self.app)

    @property
    def pages(self) -> tuple[str, ...]:
        """The address of every page in every state that this estate has."""
        e = self.estate
        return (
            "/", "/?w=13w", "/findings", f"/findings/{e.finding}", f"/findings/{e.waived}",
            "/findings?state=waived&sort=newest", "/findings?q=nothing-like-it",
            "/storage", "/storage?provider=azure&sort=name&hide=cloud", "/storage?q=nothing",
            f"/storage/{e.good}", f"/storage/{e.hostile}", f"/storage/{e.unreadable}",
            f"/storage/{e.account}?tab=facts", f"/storage/{e.changed}?tab=history",
            "/policies", "/policies?mode=off", "/policies/data-cools-in-time",
            "/policies/versioning-on?tab=results", "/policies/versioning-on?tab=tests",
            "/policies/new", "/connections", f"/connections/{e.aws}", f"/connections/{e.azure}",
            f"/connections/{e.down}", f"/connections/{e.aws}/edit", f"/connections/{e.aws}/delete",
            "/connections/new", "/connections/new?provider=azure",
            "/reports", f"/reports/{e.week}", f"/reports/{e.week}?lang=es",
            "/evidence/posture", "/evidence/pillar?pillar=lifecycle",
            "/evidence/policy-count?policy_id=versioning-on&verdict=non_compliant",
            f"/evidence/finding?number={e.finding}",
            f"/evidence/resource-fact?resource_id={e.changed}&fact=rest_places",
            f"/evidence/connection-read?connection_id={e.aws}",
            "/search", "/search?q=shard", "/profile", "/about",
        )  # fmt: skip


@contextmanager
def installed(url: str) -> Iterator[None]:
    """Settings and database of this process are those of the site."""
    with patch.dict(os.environ, {**SETTINGS, "ATALAYA_DATABASE_URL": url}):
        settings.cache_clear()
        process_engine.cache_clear()
        yield
        process_engine().dispose()
    settings.cache_clear()
    process_engine.cache_clear()


@pytest.fixture(scope="session")
def built_site(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Site]:
    """The database's URL, and the site that lives in it."""
    folder: Path = tmp_path_factory.mktemp("site")
    url = f"sqlite:///{folder}/atalaya.db"
    assets.build()
    create_schema(url)
    with installed(url):
        ana = callers.person("ana.puig@example.org")
        return url, Site(create_app(), web_estate.build(utc_now()), ana)


@pytest.fixture
def site(built_site: tuple[str, Site]) -> Iterator[Site]:
    """The site. Tests share its database: whoever writes, writes to things of its own."""
    url, found = built_site
    with installed(url):
        yield found
