"""The Resource Manager client against a real socket: paging, waits, refusals, typed failures."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from azure.core.credentials import AccessToken
from azure.core.exceptions import ClientAuthenticationError

from app.clouds.azure import AzureClient
from app.clouds.azure_credentials import token_source
from app.clouds.endpoints import EndpointRefusedError
from app.clouds.failures import CallFailedError
from app.domain.collecting import Connection
from app.sandbox.azure.held import Chapter
from app.sandbox.azure_server import AzureServer
from app.sandbox.faults import Effect, Fault
from app.sandbox.story import SUBSCRIPTIONS
from tests.support.azure_fixtures import azure, azure_connection, azure_source, tenant

__all__ = ["azure", "azure_connection", "tenant"]
Connect = Callable[..., Connection]


Open = Callable[..., AzureClient]


class FakeTime:
    """A clock that only sleeping moves; `waits` are the seconds of each sleep."""

    def __init__(self) -> None:
        self.now, self.waits = 0.0, list[float]()

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.waits.append(seconds)


@pytest.fixture
def time() -> FakeTime:
    return FakeTime()


@pytest.fixture
def open_client(time: FakeTime) -> Iterator[Open]:
    """Makes clients that are closed after the test."""
    made: list[AzureClient] = []

    def build(connection: Connection, **options: Any) -> AzureClient:
        made.append(AzureClient(connection, clock=time.clock, sleep=time.sleep, **options))
        return made[-1]

    yield build
    for client in made:
        client.close()


@pytest.fixture
def client(open_client: Open, azure_connection: Connect) -> AzureClient:
    return open_client(azure_connection())


def subscriptions(client: AzureClient) -> list[str]:
    pages = client.pages("/subscriptions", "subscriptions")
    return [item["displayName"] for page in pages for item in page["value"]]


def failure(client: AzureClient) -> CallFailedError:
    with pytest.raises(CallFailedError) as caught:
        client.get("/subscriptions", "subscriptions")
    return caught.value


def test_it_reads_what_the_token_may_see(client: AzureClient) -> None:
    assert subscriptions(client) == [
        "Cierzo Platform",
        "Cierzo Research Data",
        "Cierzo Labs Americas",
    ]


def test_a_throttled_call_waits_the_longest_of_all_headers_and_goes_on(
    azure: AzureServer, client: AzureClient, time: FakeTime
) -> None:
    headers = {
        "Retry-After": "2",
        "x-ms-ratelimit-microsoft.costmanagement-qpu-retry-after": "7",
        "x-ms-user-quota-resets-after": "00:00:05",
    }
    azure.faults.add(Fault(path="^/subscriptions", status=429, times=1, headers=headers))
    assert len(subscriptions(client)) == 3
    assert client.throttled == 1
    assert max(time.waits) == pytest.approx(7, abs=0.5)


def test_a_wait_that_no_sweep_can_bear_ends_the_call_as_throttled(
    azure: AzureServer, client: AzureClient, time: FakeTime
) -> None:
    azure.faults.add(Fault(path="^/subscriptions", status=429, headers={"Retry-After": "3600"}))
    found = failure(client)
    assert (found.throttled, found.permanent) == (True, False)
    assert sum(time.waits) < 60


@pytest.mark.parametrize("status", [500, 502, 503, 504, 408])
def test_a_server_fault_is_tried_four_times(
    azure: AzureServer, client: AzureClient, status: int
) -> None:
    azure.faults.add(Fault(path="^/subscriptions", status=status, code="ServerBusy"))
    found = failure(client)
    assert (found.code, found.http_status, found.permanent) == ("ServerBusy", status, False)
    azure.faults.clear()
    azure.faults.add(Fault(path="^/subscriptions", status=status, times=3))
    assert len(subscriptions(client)) == 3


def test_a_missing_right_is_denied_and_not_tried_again(
    azure: AzureServer, client: AzureClient
) -> None:
    azure.faults.add(Fault(path="^/subscriptions", status=403, code="AuthorizationFailed"))
    found = failure(client)
    assert (found.denied, found.code) == (True, "AuthorizationFailed")
    assert azure.calls.counts() == {"arm.subscriptions.list": 1}


def test_a_bad_token_is_no_missing_right(azure_connection: Connect, open_client: Open) -> None:
    connection = replace(azure_connection(), secret=lambda _: "stale")
    found = failure(open_client(connection))
    assert found.code == "InvalidAuthenticationToken"
    assert (found.denied, found.permanent) == (False, True)


@pytest.mark.parametrize(
    ("effect", "codes"),
    [
        (Effect.MALFORMED, {"MalformedAnswer"}),
        (Effect.TRUNCATED, {"ConnectionBroken", "ConnectionFailed", "MalformedAnswer"}),
        (Effect.DISCONNECT, {"ConnectionBroken", "ConnectionFailed"}),
    ],
)
def test_a_broken_answer_is_a_failure_and_never_a_value(
    azure: AzureServer, client: AzureClient, effect: Effect, codes: set[str]
) -> None:
    azure.faults.add(Fault(path="^/subscriptions", effect=effect))
    assert failure(client).code in codes


def test_a_link_to_another_host_is_not_followed_and_gets_no_token(
    azure: AzureServer, client: AzureClient
) -> None:
    account = azure.estate.at(0)
    azure.faults.add(Fault(path="containers", effect=Effect.FOREIGN_NEXT))
    pages = client.pages(f"{account.resource_id}/blobServices/default/containers", "storage")
    with pytest.raises(CallFailedError) as caught:
        list(pages)
    assert caught.value.code == "ForeignNextLink"
    assert not pages.complete


@pytest.mark.parametrize("link", [7, ["x"], {"x": 1}, True])
def test_a_link_that_is_no_text_ends_the_list_as_a_failure(
    azure: AzureServer, client: AzureClient, link: object
) -> None:
    azure.faults.add(Fault(body=json.dumps({"value": [], "nextLink": link}), times=1))
    pages = client.pages("/subscriptions", "subscriptions")
    with pytest.raises(CallFailedError, match="no text") as raised:
        list(pages)
    assert (raised.value.code, pages.complete) == ("MalformedAnswer", False)


def test_a_list_that_leads_back_to_itself_ends_incomplete(
    azure: AzureServer, client: AzureClient
) -> None:
    account = azure.estate.at(0)
    azure.faults.add(Fault(path="containers", effect=Effect.REPEATED_NEXT))
    pages = client.pages(f"{account.resource_id}/blobServices/default/containers", "storage")
    list(pages)
    assert (pages.complete, pages.code) == (False, "RepeatedToken")


def test_a_query_without_the_id_is_not_whole(azure: AzureServer, client: AzureClient) -> None:
    del azure
    every = ["c1e72000-0000-4000-8000-00000000000a"]
    whole = client.graph(
        "resources | where type =~ 'microsoft.storage/storageaccounts' | project id, name", every
    )
    assert [row["name"] for page in whole for row in page["data"]]
    assert whole.complete


def test_nobody_listening_is_unreachable(azure_connection: Connect, open_client: Open) -> None:
    connection = azure_connection(endpoint_url="http://127.0.0.1:9")
    assert failure(open_client(connection)).code == "EndpointUnreachable"


def test_a_private_endpoint_needs_the_switch(azure_connection: Connect) -> None:
    with pytest.raises(EndpointRefusedError):
        AzureClient(replace(azure_connection(), allow_private_endpoints=False))


class Refusing:
    """A credential that Entra refuses."""

    def get_token(self, *_scopes: str, **_options: Any) -> AccessToken:
        raise ClientAuthenticationError(message="AADSTS7000215: Invalid client secret provided.")


def test_a_wrong_secret_says_so_in_the_words_of_entra(
    azure_connection: Connect, open_client: Open
) -> None:
    found = failure(open_client(azure_connection(), credential=Refusing()))
    assert (found.code, found.permanent) == ("AADSTS7000215", True)


def test_a_workload_identity_without_its_files_has_no_credentials(
    azure_connection: Connect,
) -> None:
    connection = azure_connection(
        credentials={"mode": "workload_identity"}, endpoint_url="https://management.azure.com"
    )
    with pytest.raises(CallFailedError) as caught:
        AzureClient(connection)
    assert (caught.value.code, caught.value.permanent) == ("NoCredentials", True)


def test_a_name_that_no_address_can_hold_fails_that_call_alone(
    open_client: Open, azure_connection: Connect
) -> None:
    client = open_client(azure_connection())
    for name in ("n" * 100_000, "nul\x00"):
        with pytest.raises(CallFailedError) as failed:
            client.get(f"/subscriptions/{name}", "subscriptions")
        assert failed.value.code == "InvalidAddress"


def test_a_client_secret_is_resolved_when_it_is_used(
    azure_connection: Connect, open_client: Open
) -> None:
    asked: list[str] = []

    def secret(reference: str) -> str:
        asked.append(reference)
        return "s3cret"

    guid = "c1e72000-0000-4000-8000-00000000000a"
    connection = azure_connection(
        credentials={
            "mode": "client_secret", "tenant_id": guid, "client_id": guid,
            "client_secret": "env:AZURE_SECRET",
        },
        endpoint_url="https://management.azure.com",
    )  # fmt: skip
    client_config = open_client(connection, credential=Refusing()).config
    token_source(client_config, secret)
    assert asked == ["env:AZURE_SECRET"]


NODES = (
    "/subscriptions/c1e72000-0000-4000-8000-00000000000b/resourceGroups/rg/providers/"
    "Microsoft.MachineLearningServices/workspaces/w/computes/c/listNodes"
)


@pytest.fixture
def nodes() -> Iterator[AzureServer]:
    """A server that answers a POST which only reads."""
    with AzureServer(chapters=(Chapter(posts={NODES: {"nodes": [{"nodeId": "n1"}]}}),)) as server:
        yield server


def nodes_client(server: AzureServer, open_client: Open) -> AzureClient:
    return open_client(azure_source(server))


def test_a_post_that_only_reads_is_answered(nodes: AzureServer, open_client: Open) -> None:
    found = nodes_client(nodes, open_client).post(NODES, "machine_learning")
    assert found == {"nodes": [{"nodeId": "n1"}]}


@pytest.mark.parametrize(
    "path",
    [
        "/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/a/listKeys",
        "/subscriptions/s/providers/Microsoft.Compute/register",
        NODES.replace("listNodes", "start"),
        NODES + "/start",
        "/subscriptions/s/metrics:getBatch/start",
        "//evil.example/subscriptions/s/x/workspaces/w/computes/c/listNodes?x=start",
    ],
)
def test_no_other_post_is_ever_sent(azure: AzureServer, client: AzureClient, path: str) -> None:
    with pytest.raises((ValueError, CallFailedError)):
        client.post(path, "machine_learning")
    assert azure.calls.counts() == {}


def test_a_read_that_is_made_in_the_background_is_waited_for(
    nodes: AzureServer, open_client: Open, time: FakeTime
) -> None:
    link = {"Location": nodes.endpoint + "/subscriptions?api-version=2022-12-01"}
    accepted = Fault(method="POST", status=202, times=1, headers={**link, "Retry-After": "20"})
    running = Fault(path="^/subscriptions", method="GET", status=202, times=2, headers=link)
    nodes.faults.add(accepted, running)
    found = nodes_client(nodes, open_client).post(NODES, "machine_learning")
    assert len(found["value"]) == 3
    assert time.now == pytest.approx(30)


def test_a_read_that_never_ends_is_given_up_after_ten_minutes(
    nodes: AzureServer, open_client: Open, time: FakeTime
) -> None:
    link = {"Location": nodes.endpoint + "/subscriptions?api-version=2022-12-01"}
    nodes.faults.add(Fault(path="subscriptions", status=202, headers=link))
    with pytest.raises(CallFailedError) as caught:
        nodes_client(nodes, open_client).post(NODES, "machine_learning")
    assert caught.value.code == "StillRunning"
    assert time.now <= 600


def test_a_quota_that_is_used_up_is_waited_for_before_the_next_call(
    azure: AzureServer, client: AzureClient, time: FakeTime
) -> None:
    used = {"x-ms-user-quota-remaining": "0", "x-ms-user-quota-resets-after": "00:00:05"}
    azure.faults.add(Fault(operation="arm.graph.query", times=1, headers=used))
    everything = "resources | where type =~ 'microsoft.storage/storageaccounts' | project id"
    every = ["c1e72000-0000-4000-8000-00000000000a"]
    list(client.graph(everything, every))
    assert time.now == 0
    list(client.graph(everything, every))
    assert time.now == pytest.approx(5)
    assert client.throttled == 0


def test_a_subscription_that_wants_to_be_left_alone_stops_no_other(
    azure: AzureServer, client: AzureClient, time: FakeTime
) -> None:
    one, other = (each.subscription_id for each in SUBSCRIPTIONS[:2])
    azure.faults.add(Fault(path=one, status=429, times=1, headers={"Retry-After": "30"}))
    client.get(f"/subscriptions/{one}/locations", "subscriptions")
    waited = time.now
    client.get(f"/subscriptions/{other}/locations", "subscriptions")
    assert (waited, time.now) == (30, 30)


def test_metrics_are_asked_for_at_the_region_and_nowhere_else(client: AzureClient) -> None:
    for region in ("evil.example/", "west europe", "", "a" * 41):
        with pytest.raises(CallFailedError) as caught:
            client.metrics("s", region, ["/a"])
        assert caught.value.code == "InvalidRegion"
