"""The whole product in the test process: sources are connected and read, API and pages answer."""

import csv
import html
import io
import os
import re
from collections.abc import Container, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch
from uuid import UUID

from fastapi import FastAPI
from pypdf import PdfReader
from sqlalchemy import select
from starlette.testclient import TestClient

from app.domain.access import Access, Scope
from app.http import cookies, csrf
from app.http.deps import get_now
from app.kit.clock import utc_now
from app.kit.settings import settings
from app.services import accounts, dispatch, tokens, work
from app.services.tokens import GRANTABLE, TokenRequest
from app.store.models.work import RunRow
from app.store.queries.accounts import UserItem
from app.store.session import engine as process_engine
from app.store.session import transaction
from tests.support import callers, own_aws

API = "/api/v1"
PAGE_SIZE = 200
SAFE = re.compile(r"<(script|style)\b.*?</\1>|<[^>]*>", re.DOTALL)
CHECK = re.compile(r'<li class="(\w+)">.*?href="/policies/([^"]+)"', re.DOTALL)
SHAPES = {
    "pass": "compliant",
    "fail": "non_compliant",
    "waived": "waived",
    "unknown": "unknown",
    "paused": "not_applicable",
}
# What every AWS connection also reads.
ACCOUNT = "aws_account"
# The collectors of stores, one a provider.
STORES = ("aws_s3", "azure_blob")
# Accounts, and what is a part of another resource and judged with it.
NO_CASES = frozenset({ACCOUNT, "azure_subscription", "hyperpod_node"})


@contextmanager
def installed(database_url: str, home: Path, **more: object) -> Iterator[None]:
    """Settings and engine of this process are those of an installation that allows loopback."""
    values = {"database_url": database_url, "home": home, "allow_private_endpoints": True, **more}
    named = {f"ATALAYA_{name.upper()}": str(value) for name, value in values.items()}
    with patch.dict(os.environ, named):
        settings.cache_clear()
        process_engine.cache_clear()
        try:
            yield
        finally:
            process_engine().dispose()
            process_engine.cache_clear()
            settings.cache_clear()


@dataclass
class Journey:
    """Somebody's program and browser on one installation; `now` None is the real clock."""

    app: FastAPI
    user: UserItem
    program: TestClient
    pages: TestClient

    @classmethod
    def begin(cls, app: FastAPI, now: datetime | None = None) -> "Journey":
        """A person with a program that may do everything, and a signed-in browser."""
        at = now or utc_now()
        user = callers.person()
        wanted = TokenRequest("journey", GRANTABLE, None, at + timedelta(days=300))
        maker = Access(actor=user.email, scopes=frozenset(Scope))
        with transaction() as session:
            _, secret = tokens.create(session, access=maker, user=user, wanted=wanted, now=at)
        return cls(app, user, callers.client(app, secret), signed_in(app, user, at))

    def get(self, path: str, **query: str) -> Any:
        """The JSON document at an address of the API."""
        answer = self.program.get(f"{API}{path}", params=query)
        assert answer.status_code == 200, (path, answer.text)
        return answer.json()

    def every(self, path: str, **query: str) -> list[dict[str, Any]]:
        """All rows of a list of the API, window after window."""
        rows: list[dict[str, Any]] = []
        after: str | None = ""
        while after is not None:
            window = {"limit": str(PAGE_SIZE), "after": after} if after else {"limit": "200"}
            page = self.get(path, **query, **window)
            rows += page["items"]
            after = page["next"]
        return rows

    def page(self, path: str) -> str:
        """The markup of a page."""
        answer = self.pages.get(path)
        assert answer.status_code == 200, (path, answer.status_code, answer.text[:500])
        assert "text/html" in answer.headers["content-type"]
        return answer.text

    def words(self, path: str) -> str:
        """What a reader sees of a page."""
        return seen_words(self.page(path))

    def post(self, path: str, body: Mapping[str, Any] | None = None, status: int = 201) -> Any:
        """Sends JSON to the API and expects this status."""
        answer = self.program.post(f"{API}{path}", json=body)
        assert answer.status_code == status, (path, answer.status_code, answer.text)
        return answer.json()

    def connect(self, name: str, provider: str, config: Mapping[str, Any]) -> str:
        """Adds a source through the API; its id."""
        body = {"name": name, "provider": provider, "config": dict(config)}
        return str(self.post("/connections", body)["id"])

    def sweep(self, connection_id: str) -> dict[str, Any]:
        """Asks for a sweep through the API, lets a worker do all that is due; the sweep."""
        self.post(f"/connections/{connection_id}/sweeps", status=202)
        work_off()
        return self.last_sweep(connection_id)

    def last_sweep(self, connection_id: str) -> dict[str, Any]:
        """The newest sweep of a connection's stores with its coverage."""
        sweeps = self.get("/sweeps", connection_id=connection_id, limit="200")["items"]
        newest = next(sweep for sweep in sweeps if sweep["collector_id"] in STORES)
        found: dict[str, Any] = self.get(f"/sweeps/{newest['id']}")
        return found

    def resources(self, **query: str) -> dict[str, dict[str, Any]]:
        """Rows of the list of resources by name; accounts and parts only when asked for."""
        rows = self.every("/resources", **query)
        return {
            row["name"]: row for row in rows if query.get("kind") or row["kind"] not in NO_CASES
        }

    def resource(self, name: str) -> dict[str, Any]:
        """One live resource with its facts."""
        rows = {row["name"]: row for row in self.every("/resources", q=name)}
        found: dict[str, Any] = self.get(f"/resources/{rows[name]['id']}")
        return found

    def verdicts(self, resource_id: str) -> dict[str, str]:
        """Verdict by policy of one resource."""
        rows = self.every(f"/resources/{resource_id}/verdicts")
        return {row["policy_id"]: row["verdict"] for row in rows}

    def judged(self, policy_id: str) -> dict[str, str]:
        """The verdict of a policy on each resource, by name."""
        rows = self.every(f"/policies/{policy_id}/verdicts")
        return {row["resource_name"]: row["verdict"] for row in rows}

    def findings(self, state: str = "all", **query: str) -> list[dict[str, Any]]:
        """Rows of the list of findings."""
        return self.every("/findings", state=state, **query)

    def set_params(self, policy_id: str, params: Mapping[str, Any]) -> None:
        """Sets params of a policy through the API and lets a worker judge anew."""
        path = f"{API}/policies/{policy_id}"
        version = {"If-Match": self.program.get(path).headers["etag"]}
        answer = self.program.patch(path, json={"params": dict(params)}, headers=version)
        assert answer.status_code == 200, answer.text
        work_off()

    def report(self, week: str) -> dict[str, Any]:
        """Makes the report of a week and reads it as JSON."""
        self.post("/reports", {"week": week})
        found: dict[str, Any] = self.get(f"/reports/{week}.json")
        return found

    def file(self, week: str, form: str) -> bytes:
        """A report as a file of the page's own download."""
        answer = self.pages.get(f"/reports/{week}/file", params={"format": form})
        assert answer.status_code == 200, answer.text
        return answer.content

    @contextmanager
    def at(self, now: datetime) -> Iterator[None]:
        """Requests inside happen at this instant."""
        self.app.dependency_overrides[get_now] = lambda: now
        try:
            self.pages = signed_in(self.app, self.user, now)
            yield
        finally:
            del self.app.dependency_overrides[get_now]


@dataclass
class Installation:
    """A database and a home that several tests look at, each with `open`."""

    app: FastAPI
    url: str
    home: Path
    settings: dict[str, object] = field(default_factory=dict)
    journey: Journey | None = None

    @contextmanager
    def open(self) -> Iterator[Journey]:
        """The settings of the process are its; the same person each time."""
        with installed(self.url, self.home, **self.settings):
            self.journey = self.journey or Journey.begin(self.app)
            yield self.journey


def signed_in(app: FastAPI, user: UserItem, now: datetime) -> TestClient:
    """A browser in which this person signed in at an instant."""
    with transaction() as session:
        opened = accounts.open_session(session, user, now)
        found = accounts.session_of(session, opened.token, now)
    assert found is not None
    browser = callers.client(app)
    browser.cookies.set(cookies.cookie_name(), opened.token)
    browser.headers[csrf.HEADER] = csrf.mask(found.csrf_secret)
    return browser


def work_off(regions: Container[str] = (own_aws.REGION,)) -> list[tuple[str, str]]:
    """What beat and workers do until nothing is due: (kind, state) of each run that ended.

    Sweeps of single regions are done in these alone; a whole account has some twenty of them,
    each with a sweep of every collector.
    """
    desk = work.Desk(transaction)
    ended: list[tuple[str, str]] = []
    while runs := _due(regions):
        done = [work.perform(desk, run_id) for run_id in runs]
        ended += [run for run in done if run is not None]
    return ended


def _due(regions: Container[str]) -> tuple[UUID, ...]:
    with transaction() as session:
        found = dispatch.due_runs(session, now=utc_now())
        runs = session.scalars(select(RunRow).where(RunRow.id.in_(found))).all()
        return tuple(
            run.id
            for run in runs
            if not run.args.get("region_id") or run.args["region_id"] in regions
        )


def this_week() -> str:
    """The ISO week that runs, by the zone of a new installation."""
    now = utc_now().isocalendar()
    return f"{now.year}-W{now.week:02d}"


def seen_words(markup: str) -> str:
    """The words of a page in one line, without tags, scripts and styles."""
    return " ".join(html.unescape(SAFE.sub(" ", markup)).split())


def checks_on(markup: str) -> dict[str, str]:
    """Verdict by policy, as the page of a resource draws them."""
    found = {policy_id: SHAPES[shape] for shape, policy_id in CHECK.findall(markup)}
    assert found, "the page draws no checks"
    return found


def csv_rows(content: bytes) -> list[dict[str, str]]:
    """The rows of a CSV file by its heads."""
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


def pdf_words(content: bytes) -> str:
    """The words of a PDF in one line."""
    pages = PdfReader(io.BytesIO(content)).pages
    return " ".join(" ".join(page.extract_text() for page in pages).split())
