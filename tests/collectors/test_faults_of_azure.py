"""Every call of every collector of Azure goes wrong in every way: only its own facts are lost.

The simulated tenant answers; nothing here is asserted about Azure itself, only about our handling.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from typing import Any

import pytest

from app.clouds.azure_versions import API_VERSIONS, READING_POSTS, reads
from app.collectors.registry import collectors
from app.domain.collecting import Provider
from app.sandbox.azure.chapters import CHAPTERS
from app.sandbox.azure.refusal import Refusal
from app.sandbox.azure_server import AzureServer
from app.sandbox.faults import Effect, Fault
from tests.support.azure_fixtures import azure_source
from tests.support.fault_sweeps import (
    Swept,
    assert_nothing_is_invented,
    assert_nothing_is_taken_for_gone,
    swept,
)

# Storage accounts are many in the story, and their faults are proven in tests of their own.
OURS = {
    c.id: c for c in collectors().values() if c.provider is Provider.AZURE and c.id != "azure_blob"
}
NOW = datetime(2026, 12, 1, 9, tzinfo=UTC)
SUBSCRIPTIONS = "arm.subscriptions.list"
FAULTS = {
    "denied": Fault(status=403, code="AuthorizationFailed"),
    "gone": Fault(status=404, code="ResourceNotFound"),
    "not registered": Fault(status=409, code="MissingSubscriptionRegistration"),
    "throttled": Fault(status=429, code="TooManyRequests", headers={"Retry-After": "0"}),
    "expired": Fault(status=401, code="ExpiredAuthenticationToken"),
    "broken": Fault(status=500, code="InternalServerError"),
    "slow": Fault(delay_ms=600),
    "no answer": Fault(effect=Effect.DISCONNECT),
    "garbage": Fault(effect=Effect.MALFORMED),
    "cut short": Fault(effect=Effect.TRUNCATED),
    "no list": Fault(body="{}"),
    "other types": Fault(body='{"value": [7], "data": ["x"], "properties": []}'),
    "in circles": Fault(effect=Effect.REPEATED_NEXT),
    "elsewhere": Fault(effect=Effect.FOREIGN_NEXT),
}
# What a POST that reads needs beside read rights (Azure resource provider operations).
ACTIONS = {
    "Microsoft.MachineLearningServices/workspaces/computes/listNodes/action",
    "Microsoft.NetApp/netAppAccounts/capacityPools/volumes/listReplications/action",
}


@pytest.fixture(scope="module")
def server() -> Iterator[AzureServer]:
    with AzureServer() as running:
        yield running


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, server: AzureServer) -> Iterator[None]:
    """One attempt each: how often we try again is proven elsewhere."""
    monkeypatch.setattr("app.clouds.azure_calls._ATTEMPTS", 1)
    # Two sweeps are compared: what happened "some minutes ago" must be the same moment in both.
    monkeypatch.setattr("app.sandbox.azure.lustre.utc_now", lambda: NOW)
    yield
    server.faults.clear()


@cache
def base(server: AzureServer, collector_id: str) -> tuple[Swept, tuple[str, ...]]:
    """A sweep without faults and the calls it made, once per collector."""
    server.calls.clear()
    found = swept(OURS[collector_id], azure_source(server))
    assert found.error is None
    return found, tuple(server.calls.counts())


@pytest.mark.parametrize("kind", FAULTS)
@pytest.mark.parametrize("collector_id", OURS)
def test_a_fault_of_one_call_costs_its_own_facts_alone(
    server: AzureServer, monkeypatch: pytest.MonkeyPatch, collector_id: str, kind: str
) -> None:
    before, calls = base(server, collector_id)
    if FAULTS[kind].delay_ms:
        monkeypatch.setattr("app.clouds.azure_calls._READ_SECONDS", 0.3)
    for call in calls:
        server.faults.add(replace(FAULTS[kind], operation=call))
        after = swept(OURS[collector_id], azure_source(server))
        server.faults.clear()
        if after.error is not None:  # nothing at all could be read: it is tried again
            assert not after.resources or call != SUBSCRIPTIONS, call
            continue
        assert_nothing_is_invented(before, after)
        assert_nothing_is_taken_for_gone(before, after)


@pytest.mark.parametrize("collector_id", OURS)
def test_a_missing_right_is_told_for_every_call(server: AzureServer, collector_id: str) -> None:
    _, calls = base(server, collector_id)
    for call in calls:
        server.faults.add(Fault(operation=call, status=403, code="AuthorizationFailed"))
        after = swept(OURS[collector_id], azure_source(server))
        server.faults.clear()
        told = [one for one in after.reports if one.denied and one.code == "AuthorizationFailed"]
        assert told or after.error is not None, f"the coverage says nothing of {call}"


@pytest.mark.parametrize("collector_id", OURS)
def test_every_operation_is_asked_and_answered_in_the_story(
    server: AzureServer, collector_id: str
) -> None:
    found, _ = base(server, collector_id)
    answered = {one.operation for one in found.reports if one.answered}
    assert answered == {operation.name for operation in OURS[collector_id].operations}
    assert {one.kind for one in found.resources.values()} == {
        kind.KIND for kind in OURS[collector_id].kinds
    }


@pytest.mark.parametrize("collector_id", OURS)
def test_nothing_is_ever_written(server: AzureServer, collector_id: str) -> None:
    """Rights end in read, but for two questions that Azure counts as actions; calls are reads."""
    _, calls = base(server, collector_id)
    posts = {call for call in calls if call.endswith((".post", ".query", ".getBatch"))}
    assert len(posts) <= len(READING_POSTS)
    for operation in OURS[collector_id].operations:
        right = operation.permission
        assert right.endswith("/read") or right in ACTIONS, right
        assert not re.search(r"listKeys|listSecrets|/write|/delete|\*", right, re.IGNORECASE)


def test_only_five_posts_are_known_to_read() -> None:
    assert len(READING_POSTS) == 5
    for word in ("listKeys", "regenerateKey", "register", "start", "deallocate"):
        assert not reads(f"/subscriptions/s/resourceGroups/g/providers/P/accounts/a/{word}")
    assert all(re.fullmatch(r"20\d\d-\d\d-\d\d", version) for version in API_VERSIONS.values())


BIRTHS = ("timeCreated", "creationTime", "createdOn", "createdAt", "creationDate")


def without_birth(document: Any, value: object) -> Any:
    """A document in which every start of a life is spoiled."""
    if isinstance(document, dict):
        return {
            name: value if name in BIRTHS else without_birth(one, value)
            for name, one in document.items()
        }
    return (
        [without_birth(one, value) for one in document] if isinstance(document, list) else document
    )


@pytest.mark.parametrize("value", [7, "yesterday", {"at": 1}], ids=["number", "words", "object"])
@pytest.mark.parametrize("collector_id", OURS)
def test_a_life_whose_start_is_not_understood_is_no_other_life(
    server: AzureServer, collector_id: str, value: object
) -> None:
    """Else the resource would be stored twice, and the first one be taken for deleted."""
    before, _ = base(server, collector_id)
    spoiled = [
        replace(
            chapter,
            resources=[without_birth(one, value) for one in chapter.resources],
            lists={
                path: rows if isinstance(rows, Refusal) else [without_birth(r, value) for r in rows]
                for path, rows in chapter.lists.items()
            },
        )
        for chapter in CHAPTERS
    ]
    with AzureServer(chapters=spoiled) as other:
        after = swept(OURS[collector_id], azure_source(other))
    assert after.error is None
    assert after.resources.keys() <= before.resources.keys()
    assert_nothing_is_taken_for_gone(before, after)
