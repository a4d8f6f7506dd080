"""What a token for one connection learns of another by any route: nothing, not even that it is.

The routes and what their addresses may say are read from the application, so that a new route or
parameter is tried without a word here.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import product

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.http.deps import get_now
from app.kit.clock import utc_now
from app.store.queries.accounts import UserItem
from tests.support import callers
from tests.support.estate import connect
from tests.support.routes import Route, routes
from tests.support.two_connections import Known, fill

SAFE = "GET"
NOBODY = "0193a6c0-8f7e-7c4e-9a53-2f1f0b8f3c11"
# Ids that nobody has, of the forms that are not UUIDs; and words that are in no name.
UNKNOWN = {"finding_id": "F-999999", "number": "F-999999", "series_id": "999999", "q": "zznobody"}
# What belongs to no connection.
SHARED = {
    "policy_id": "versioning-on",
    "kind": "s3_bucket",
    "metric": "posture",
    "week": "2026-W48",
    "format": "json",
    "token_id": NOBODY,
    "waiver_id": NOBODY,
}
METRICS = ("posture", "pillar", "policy-count", "finding", "resource-fact", "connection-read")
# Parameters that an address needs besides, so that others of it are looked at.
# What takes few words, so that a name of ours is refused like any other.
CLOSED = {"format", "tab", "state", "sort", "verdict", "provider", "severity", "w", "lang", "limit"}
BESIDES = {"fact": "versioning_status", "pillar": "lifecycle", "policy_id": "versioning-on"}
VIEWS = {
    "format": ("csv",),
    "tab": ("facts", "parts", "history", "results", "tests"),
    "state": ("all", "deleted", "open"),
    "sort": ("name", "worst"),
    "verdict": ("unknown", "non_compliant"),
}
# Of the counters of a process, only those of the estate say something of connections.
COUNTERS = re.compile(r"^(?!atalaya_(resources|findings|runs_by_state)).*\n", re.MULTILINE)


@dataclass(frozen=True)
class Question:
    """An address that names something, and the same one that names what nobody has."""

    method: str
    address: str
    control: str
    value: str
    unknown: str


def unknown(name: str) -> str:
    return UNKNOWN.get(name, NOBODY)


def unknown_word(like: str) -> str:
    """A word that nobody has, an account where it is like one."""
    return "898989898989" if like.isdigit() else UNKNOWN["q"]


def of_paths(found: list[Route], ours: Known, theirs: Known) -> Iterator[Question]:
    """What is ours in every path, for each parameter in turn; the others are the caller's own."""
    for route in found:
        for place, name in enumerate(route.params):
            for value in ours.values(name):
                own = [shared(other, route) or theirs.values(other)[:1] for other in route.params]
                for others in product(*own):
                    asked = [*others[:place], value, *others[place + 1 :]]
                    nobody = [*others[:place], unknown(name), *others[place + 1 :]]
                    yield Question(
                        route.method,
                        route.address(*asked),
                        route.address(*nobody),
                        value,
                        unknown(name),
                    )


def of_queries(found: list[Route], ours: Known, theirs: Known) -> Iterator[Question]:
    """What is ours in every parameter of a query; the path names what is the caller's own."""
    for route in found:
        own = [shared(name, route) or theirs.values(name)[:1] for name in route.params]
        for values, name in product(product(*own), route.query):
            base = f"{route.address(*values)}?{besides(route, name)}{name}="
            for value in ours.values(name)[:2] or words(ours, name):
                control = unknown(name) if ours.values(name) else unknown_word(value)
                yield Question(SAFE, base + value, base + control, value, control)


def words(ours: Known, name: str) -> tuple[str, ...]:
    if name in CLOSED:
        return ()
    return ours.words if name == "q" else ours.words[:1]


def besides(route: Route, name: str) -> str:
    return "".join(f"{k}={v}&" for k, v in BESIDES.items() if k in route.query and k != name)


@dataclass(frozen=True)
class Two:
    """A token for `theirs` alone, a caller who may do all, and what both connections have."""

    app: FastAPI
    outsider: TestClient
    insider: TestClient
    theirs: Known
    ours: Known

    def tell(self, address: str, method: str = SAFE) -> str:
        return told(self.outsider, address, method)


def told(client: TestClient, address: str, method: str = SAFE) -> str:
    """Status and text of an answer."""
    known = {"X-Request-ID": "the-same-for-all", "If-Match": '"1.x"'}
    answer = client.request(method, address, headers=known)
    location = answer.headers.get("location", "")
    text = COUNTERS.sub("", answer.text) if address.endswith("/metrics") else answer.text
    return f"{answer.status_code} {location}\n{text}"


def own_addresses(app: FastAPI, known: Known) -> Iterator[str]:
    """Every page and list of one connection, the first of each in the views that it offers."""
    for route in routes(app):
        if route.method == SAFE:
            all_values = product(
                *(shared(name, route) or known.values(name) for name in route.params)
            )
            for number, values in enumerate(all_values):
                path = route.address(*values)
                yield path
                if number == 0:
                    yield from (f"{path}?{view}" for view in views(route))


def views(route: Route) -> Iterator[str]:
    for name, found in VIEWS.items():
        if name in route.query:
            yield from (f"{name}={one}" for one in found)


def shared(name: str, route: Route) -> tuple[str, ...]:
    """Values of a parameter that belongs to no connection; () for one that does."""
    if name == "metric" and "/evidence/" in route.path:
        return METRICS
    return (SHARED[name],) if name in SHARED else ()


@pytest.fixture
def alone(app: FastAPI, ana: UserItem, now: datetime) -> Iterator[tuple[Known, TestClient]]:
    """One connection, and a program that is limited to it."""
    app.dependency_overrides[get_now] = lambda: now
    theirs = fill(connect(now, "theirs"), "444455556666", "zztheirs", now)
    secret = callers.token_of(ana, connection_ids=frozenset({theirs.connection_id}))
    yield theirs, callers.client(app, secret)
    app.dependency_overrides.clear()


@pytest.fixture
def now() -> datetime:
    """An instant that does not pass."""
    return utc_now().replace(microsecond=0)


def another(now: datetime) -> Known:
    return fill(connect(now, "zzours connection"), "909090909090", "zzours", now)


@pytest.fixture
def two(app: FastAPI, alone: tuple[Known, TestClient], now: datetime) -> Two:
    bea = callers.token_of(callers.person("bea@example.org"))
    return Two(app, alone[1], callers.client(app, bea), alone[0], another(now))


def test_another_connection_changes_no_answer(
    app: FastAPI, alone: tuple[Known, TestClient], now: datetime
) -> None:
    known, outsider = alone
    before = {path: told(outsider, path) for path in own_addresses(app, known)}
    statuses = [text.split(" ")[0] for text in before.values()]
    assert statuses.count("200") > 100
    assert "500" not in statuses
    another(now)
    assert [path for path, text in before.items() if told(outsider, path) != text] == []


def test_what_is_ours_is_answered_like_what_nobody_has(two: Two) -> None:
    found = routes(two.app)
    asked = [
        *of_paths(found, two.ours, two.theirs),
        *of_queries([one for one in found if one.method == SAFE], two.ours, two.theirs),
    ]
    assert len({one.address.split("?")[0] for one in asked}) > 100
    nobody = cache(two.tell)
    told_apart = [
        (one.method, one.address)
        for one in asked
        if two.tell(one.address, one.method).replace(one.value, one.unknown)
        != nobody(one.control, one.method).replace(one.value, one.unknown)
    ]
    assert told_apart == []


def test_what_is_in_a_path_of_ours_is_not_found(two: Two) -> None:
    """Changes may be refused for their bodies before that."""
    answers = [
        (one.method, one.address, two.tell(one.address, one.method).split(" ")[0])
        for one in of_paths(routes(two.app), two.ours, two.theirs)
    ]
    assert [found for found in answers if found[2] not in {"404", "422"}] == []
    assert [found for found in answers if found[0] == SAFE and found[2] != "404"] == []


def test_no_way_in_changes_what_is_ours(two: Two) -> None:
    everything = own_addresses(two.app, two.ours)
    paths = [path for path in everything if path.startswith("/api/") and "/tokens" not in path]
    before = {path: told(two.insider, path) for path in paths}
    for one in of_paths(routes(two.app), two.ours, two.theirs):
        if one.method != SAFE:
            two.tell(one.address, one.method)
    assert [path for path, text in before.items() if told(two.insider, path) != text] == []
