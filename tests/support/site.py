"""The product with an estate in it, built once per test process, for the tests of its pages."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
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


# Every page in every state that the estate has.
ADDRESSES = {
    "overview": "/",
    "overview of a quarter": "/?w=13w",
    "findings": "/findings",
    "finding": "/findings/{finding}",
    "waived finding": "/findings/{waived}",
    "waived findings": "/findings?state=waived&sort=newest",
    "no findings": "/findings?q=nothing-like-it",
    "storage": "/storage",
    "storage of Azure": "/storage?provider=azure&sort=name&hide=cloud",
    "no storage": "/storage?q=nothing-like-it",
    "good bucket": "/storage/{good}",
    "hostile bucket": "/storage/{hostile}",
    "unreadable bucket": "/storage/{unreadable}",
    "facts of an account": "/storage/{account}?tab=facts",
    "history of a bucket": "/storage/{changed}?tab=history",
    "parts of a bucket": "/storage/{good}?tab=parts",
    "no parts of a bucket": "/storage/{changed}?tab=parts",
    "access point": "/resources/{door}",
    "access point of a bucket that is not known": "/resources/{lent}",
    "accounts": "/accounts",
    "account of an organization": "/accounts/{sub_account}",
    "facts of an account of an organization": "/accounts/{sub_account}?tab=facts",
    "all resources": "/resources",
    "clusters": "/clusters",
    "no clusters": "/clusters?q=nothing-like-it",
    "cluster of HyperPod": "/clusters/{cluster}",
    "hostile cluster": "/clusters/{hostile_cluster}",
    "machines of a cluster": "/clusters/{cluster}?tab=parts",
    "facts of a cluster": "/clusters/{cluster}?tab=facts",
    "cluster of EKS": "/clusters/{eks_cluster}",
    "machine": "/resources/{node}",
    "file systems": "/file-systems",
    "file system": "/file-systems/{file_system}",
    "jobs": "/jobs",
    "no jobs": "/jobs?q=nothing-like-it",
    "job": "/jobs/{job}",
    "facts of a job": "/jobs/{job}?tab=facts",
    "policies": "/policies",
    "no policies": "/policies?mode=off",
    "policy": "/policies/data-cools-in-time",
    "results of a policy": "/policies/versioning-on?tab=results",
    "tests of a policy": "/policies/versioning-on?tab=tests",
    "new policy": "/policies/new",
    "connections": "/connections",
    "connection": "/connections/{aws}",
    "hostile connection": "/connections/{azure}",
    "unreachable connection": "/connections/{down}",
    "form of a connection": "/connections/{aws}/edit",
    "end of a connection": "/connections/{aws}/delete",
    "new AWS connection": "/connections/new",
    "new Azure connection": "/connections/new?provider=azure",
    "reports": "/reports",
    "report": "/reports/{week}",
    "report in Spanish": "/reports/{week}?lang=es",
    "evidence of the posture": "/evidence/posture",
    "evidence of a pillar": "/evidence/pillar?pillar=lifecycle",
    "evidence of a policy": "/evidence/policy-count?policy_id=versioning-on&verdict=unknown",
    "evidence of a finding": "/evidence/finding?number={finding}",
    "evidence of a fact": "/evidence/resource-fact?resource_id={changed}&fact=rest_places",
    "evidence of a connection": "/evidence/connection-read?connection_id={aws}",
    "search without a term": "/search",
    "search": "/search?q=shard",
    "tokens": "/tokens",
    "end of a token": "/tokens/{token}/revoke",
    "profile": "/profile",
    "about": "/about",
}


@dataclass(frozen=True)
class Site:
    """The application, what is in its database, and somebody who may do everything.

    `token` is the id of an API token of hers.
    """

    app: FastAPI
    estate: WebEstate
    ana: UserItem
    token: str

    def client(self) -> TestClient:
        """A browser in which Ana is signed in."""
        return callers.browser(self.app, self.ana)

    def stranger(self) -> TestClient:
        """A browser in which nobody is signed in."""
        return callers.client(self.app)

    def address(self, name: str) -> str:
        """The address of a page in one of its states, by its name in ADDRESSES."""
        return ADDRESSES[name].format(**asdict(self.estate), token=self.token)

    @property
    def pages(self) -> tuple[str, ...]:
        """Every address."""
        return tuple(self.address(name) for name in ADDRESSES)


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
        return url, Site(create_app(), web_estate.build(utc_now()), ana, callers.new_token(ana))


@pytest.fixture
def site(built_site: tuple[str, Site]) -> Iterator[Site]:
    """The site. Tests share its database: whoever writes, writes to things of its own."""
    url, found = built_site
    with installed(url):
        yield found
