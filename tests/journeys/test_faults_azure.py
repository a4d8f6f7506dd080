"""Every fault of Azure on one call: the rest is kept, the page tells of it, nothing heals."""

from collections.abc import Iterator
from time import monotonic
from typing import Any

import pytest

from app.clouds import azure_calls
from app.sandbox.azure_server import AzureServer
from app.sandbox.faults import Effect, Fault
from app.sandbox.story import AMERICAS
from tests.support.journeys import Installation, Journey
from tests.support.steadiness import Kept, codes, coverage, kept

SPOILED, WELL = "stradiologybrs", "stlabsscus"
INVENTORY = "storage:inventoryPolicies/read"
LISTS = "storage:storageAccounts/read"


@pytest.fixture(scope="module")
def filled(
    installation_of_module: Installation, azure_cloud: AzureServer
) -> tuple[Installation, str, Kept]:
    """Two accounts of one subscription, read well; what is kept of them."""
    config = {
        "endpoint_url": azure_cloud.endpoint,
        "subscriptions": [AMERICAS.subscription_id],
        "credentials": {"mode": "static_token", "token": "env:AZURE_TOKEN"},
    }
    with installation_of_module.open() as journey, pytest.MonkeyPatch.context() as patch:
        patch.setenv("AZURE_TOKEN", azure_cloud.token)
        connection = journey.connect("Azure", "azure", config)
        assert journey.sweep(connection)["state"] == "complete"
        return installation_of_module, connection, kept(journey)


@pytest.fixture
def journey(
    filled: tuple[Installation, str, Kept],
    azure_cloud: AzureServer,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Journey]:
    """The product, whose client is quick to give up."""
    monkeypatch.setenv("AZURE_TOKEN", azure_cloud.token)
    monkeypatch.setattr(azure_calls, "_ATTEMPTS", 2)
    monkeypatch.setattr(azure_calls, "_back_off", lambda _attempt: 0.0)
    with filled[0].open() as found:
        yield found
    azure_cloud.faults.clear()


@pytest.fixture
def connection(filled: tuple[Installation, str, Kept]) -> str:
    return filled[1]


@pytest.fixture
def before(filled: tuple[Installation, str, Kept]) -> Kept:
    return filled[2]


def spoiled(**how: Any) -> Fault:
    """A fault of one call about one of the two accounts."""
    return Fault(operation="arm.inventoryPolicies.list", path=f"/{SPOILED}/", **how)


def refused(status: int, code: str, **more: Any) -> Fault:
    return spoiled(status=status, code=code, **more)


ONE_CALL = {
    "403": (refused(403, "AuthorizationFailed"), "denied", "AuthorizationFailed"),
    "404 of another kind": (refused(404, "ResourceNotFound"), "failed", "ResourceNotFound"),
    "429 for an hour": (
        refused(429, "TooManyRequests", headers={"Retry-After": "3600"}),
        "failed",
        "TooManyRequests",
    ),
    "500": (refused(500, "InternalServerError"), "failed", "InternalServerError"),
    "503": (refused(503, "ServerBusy"), "failed", "ServerBusy"),
    "late": (spoiled(delay_ms=1500), "failed", "Timeout"),
    "truncated": (spoiled(effect=Effect.TRUNCATED), "failed", "ConnectionBroken"),
    "malformed": (spoiled(effect=Effect.MALFORMED), "failed", "MalformedAnswer"),
    "other JSON": (spoiled(body='{"hello": 1}'), "failed", "UnexpectedAnswer"),
    "disconnect": (spoiled(effect=Effect.DISCONNECT), "failed", "ConnectionBroken"),
}


@pytest.mark.parametrize("kind", ONE_CALL)
def test_a_fault_of_one_call_costs_one_cell(
    journey: Journey,
    azure_cloud: AzureServer,
    connection: str,
    before: Kept,
    kind: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fault, column, code = ONE_CALL[kind]
    if fault.delay_ms:
        monkeypatch.setattr(azure_calls, "_READ_SECONDS", 0.5)
    azure_cloud.faults.add(fault)
    sweep = journey.sweep(connection)
    assert sweep["state"] == "partial"
    counted = coverage(sweep, INVENTORY)
    assert (counted["asked"], counted[column]) == (2, 1)
    assert counted["answered"] == 1
    assert codes(sweep, INVENTORY) == {code}
    assert kept(journey) == before
    unread = dict.fromkeys(
        ("inventory_configurations", "inventory_enabled", "inventory_gaps"), code
    )
    assert journey.resource(SPOILED)["facts"]["unreadable"] == unread
    assert journey.resource(WELL)["facts"]["unreadable"] == {}
    verdicts = journey.verdicts(journey.resource(SPOILED)["id"])
    assert verdicts["inventory-configured"] == "unknown"
    words = journey.words(f"/connections/{connection}?sweep={sweep['id']}")
    assert f"{INVENTORY} {AMERICAS.subscription_id} · {code} 2 1" in words


HEADERS = {
    "arm.blobServices.get": {"Retry-After": "0.1"},
    "arm.managementPolicies.get": {
        "Date": "Mon, 30 Nov 2026 09:00:00 GMT",
        "Retry-After": "Mon, 30 Nov 2026 09:00:00 GMT",
    },
    "arm.inventoryPolicies.list": {"x-ms-user-quota-resets-after": "00:00:01"},
    "arm.objectReplicationPolicies.list": {
        "Retry-After": "0",
        "x-ms-ratelimit-microsoft.costmanagement-clienttype-retry-after": "1",
    },
    "arm.containers.list": {"Retry-After-Ms": "20"},
}


def test_a_429_is_waited_out_whatever_header_tells_how_long(
    journey: Journey, azure_cloud: AzureServer, connection: str, before: Kept
) -> None:
    for operation, headers in HEADERS.items():
        fault = Fault(
            operation=operation,
            path=f"/{SPOILED}/",
            times=1,
            status=429,
            code="TooManyRequests",
            headers=headers,
        )
        azure_cloud.faults.add(fault)
    began = monotonic()
    sweep = journey.sweep(connection)
    assert monotonic() - began >= 2  # the two longest waits, one after the other
    assert (sweep["state"], sweep["trace"]["throttled"]) == ("complete", len(HEADERS))
    assert kept(journey) == before
    assert journey.resource(SPOILED)["facts"]["unreadable"] == {}


def throttled(journey: Journey, connection: str) -> int:
    """Throttled calls of all sweeps: several collectors ask for the same lists."""
    sweeps = journey.get("/sweeps", connection_id=connection, limit="200")["items"]
    return sum(int(sweep["trace"]["throttled"]) for sweep in sweeps)


@pytest.mark.parametrize("operation", ["arm.storageAccounts.list", "arm.graph.query"])
def test_a_429_of_a_list_is_counted_too(
    journey: Journey, azure_cloud: AzureServer, connection: str, operation: str
) -> None:
    wait = {"Retry-After": "0"}
    before = throttled(journey, connection)
    azure_cloud.faults.add(Fault(operation=operation, times=1, status=429, headers=wait))
    assert journey.sweep(connection)["state"] == "complete"
    assert throttled(journey, connection) == before + 1


@pytest.mark.parametrize(
    ("effect", "code"),
    [(Effect.REPEATED_NEXT, "RepeatedToken"), (Effect.FOREIGN_NEXT, "ForeignNextLink")],
)
def test_a_list_that_leads_astray_is_not_taken_for_the_whole(
    journey: Journey,
    azure_cloud: AzureServer,
    connection: str,
    before: Kept,
    effect: Effect,
    code: str,
) -> None:
    azure_cloud.faults.add(
        Fault(operation="arm.containers.list", path=f"/{SPOILED}/", effect=effect)
    )
    sweep = journey.sweep(connection)
    assert sweep["state"] == "partial"
    assert codes(sweep, "storage:blobServices/containers/read") == {code}
    assert kept(journey) == before
    unreadable = journey.resource(SPOILED)["facts"]["unreadable"]
    assert unreadable["containers"] == code
    verdicts = journey.verdicts(journey.resource(SPOILED)["id"])
    assert verdicts["data-cools-in-time"] == "unknown"


LIST_FAULTS = {
    "repeated": (Fault(operation="arm.storageAccounts.list", effect=Effect.REPEATED_NEXT), 0),
    "foreign": (Fault(operation="arm.storageAccounts.list", effect=Effect.FOREIGN_NEXT), 0),
    "500": (Fault(operation="arm.storageAccounts.list", status=500, code="InternalError"), 1),
    "403": (Fault(operation="arm.storageAccounts.list", status=403, code="Forbidden"), 1),
    "empty and cut": (
        Fault(operation="arm.storageAccounts.list", body='{"value": []', effect=None),
        1,
    ),
}


@pytest.mark.parametrize("kind", LIST_FAULTS)
def test_a_list_of_accounts_that_is_not_whole_deletes_nothing(
    journey: Journey, azure_cloud: AzureServer, connection: str, before: Kept, kind: str
) -> None:
    fault, refusals = LIST_FAULTS[kind]
    azure_cloud.faults.add(fault)
    sweep = journey.sweep(connection)
    assert sweep["state"] == "incomplete"
    assert sweep["trace"]["resources_deleted"] == 0
    counted = coverage(sweep, LISTS)
    assert counted.get("denied", 0) + counted.get("failed", 0) >= refusals
    assert kept(journey) == before
    words = journey.words(f"/connections/{connection}")
    assert "could not be read to its end" in words
    assert sweep["code"] in words


def test_when_resource_graph_is_down_accounts_are_asked_one_by_one(
    journey: Journey, azure_cloud: AzureServer, connection: str, before: Kept
) -> None:
    azure_cloud.faults.add(Fault(operation="arm.graph.query", status=503, code="ServerBusy"))
    sweep = journey.sweep(connection)
    assert sweep["state"] == "partial"
    assert codes(sweep, "resourcegraph:Resources") == {"ServerBusy"}
    assert kept(journey) == before
    assert journey.resource(SPOILED)["facts"]["unreadable"] == {}


def test_after_all_faults_the_estate_is_as_before(
    journey: Journey, connection: str, before: Kept
) -> None:
    sweep = journey.sweep(connection)
    assert (sweep["state"], sweep["code"]) == ("complete", "")
    assert kept(journey) == before
    assert journey.resource(SPOILED)["facts"]["unreadable"] == {}
