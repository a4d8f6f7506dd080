"""A sweep of Azure Machine Learning over the simulated tenant."""

import json
from collections.abc import Callable

import pytest

from app.collectors.azure_machine_learning import COLLECTOR
from app.collectors.azure_machine_learning.operations import COMPUTES, NODES
from app.domain.azure_machine_learning import MlComputeFacts, MlWorkspaceFacts
from app.domain.collecting import Connection
from app.domain.facts import ABSENT, Present, Unreadable
from app.sandbox.azure.story_machine_learning import WORKSPACES
from app.sandbox.azure_server import AzureServer
from app.sandbox.faults import Fault
from app.sandbox.story import AMERICAS, PLATFORM, RESEARCH, created_at
from tests.support.azure_fixtures import azure, azure_connection, tenant
from tests.support.azure_sweeps import Swept, swept

__all__ = ["azure", "azure_connection", "tenant"]
Make = Callable[..., Connection]
WORKSPACE, COMPUTE = MlWorkspaceFacts.KIND, MlComputeFacts.KIND


@pytest.fixture
def found(azure_connection: Make) -> Swept:
    return swept(COLLECTOR, azure_connection())


def compute(found: Swept, name: str) -> MlComputeFacts:
    known = found.resources[COMPUTE, name].facts
    assert isinstance(known, MlComputeFacts)
    return known


def test_workspaces_and_computes_are_found(found: Swept) -> None:
    assert found.names(WORKSPACE) == {one.name for one in WORKSPACES}
    assert found.names(COMPUTE) == {made.name for one in WORKSPACES for made in one.computes}


def test_a_compute_is_a_part_of_its_workspace(found: Swept) -> None:
    part, whole = found.resources[COMPUTE, "nd-h100"], found.resources[WORKSPACE, "mlw-atlas"]
    assert part.parent_native_id == whole.native_id
    assert (part.region_id, part.created_at) == ("swedencentral", created_at("nd-h100"))


def test_nodes_are_asked_for_only_where_there_are_any(found: Swept) -> None:
    assert found.calls(NODES) == 2
    assert found.calls(COMPUTES) == len(WORKSPACES)
    nodes = compute(found, "nd-h100").nodes
    assert isinstance(nodes, Present)
    assert [one.state for one in nodes.value] == ["running", "running", "idle"]
    assert nodes.value[0].run_id == "train-atlas-0"
    assert compute(found, "nc-low").nodes == Present(())
    assert compute(found, "ci-lucia").nodes == ABSENT


def test_an_instance_that_nothing_shuts_down_says_so(found: Swept) -> None:
    assert compute(found, "ci-lucia").idle_seconds_before_shutdown == ABSENT
    assert compute(found, "ci-mateo").idle_seconds_before_shutdown == Present(3600)
    assert compute(found, "nd-h100").idle_seconds_before_shutdown == ABSENT


def test_no_word_about_the_shutdown_is_no_never(azure: AzureServer, azure_connection: Make) -> None:
    row = {
        "id": f"{WORKSPACES[0].resource_id}/computes/ci",
        "name": "ci",
        "properties": {"computeType": "ComputeInstance", "properties": {"state": "Running"}},
    }
    body = json.dumps({"value": [row]})
    azure.faults.add(Fault(path="mlw-atlas/computes", body=body, status=200))
    after = swept(COLLECTOR, azure_connection())
    assert compute(after, "ci").idle_seconds_before_shutdown == Unreadable("NotReported")


def test_computes_that_may_not_be_read_are_not_taken_for_none(found: Swept) -> None:
    hidden = found.resources[WORKSPACE, "mlw-notes"].facts
    assert isinstance(hidden, MlWorkspaceFacts)
    assert hidden.compute_names == Unreadable("AuthorizationFailed")
    done = {scope: one.complete for (kind, scope), one in found.listings.items() if kind == COMPUTE}
    assert done == {
        PLATFORM.subscription_id: True,
        RESEARCH.subscription_id: False,
        AMERICAS.subscription_id: True,
    }


def test_an_attached_cluster_names_what_it_is(found: Swept) -> None:
    attached = compute(found, "aks-atlas").attached_resource_id
    assert isinstance(attached, Present)
    assert attached.value.endswith("/managedClusters/aks-atlas-train")


def test_nodes_on_a_second_page_are_read_too(azure: AzureServer, azure_connection: Make) -> None:
    first, second = ({"nodes": [{"nodeId": name, "nodeState": "idle"}]} for name in "ab")
    link = f"{azure.endpoint}{WORKSPACES[0].resource_id}/computes/nd-h100/listNodes?page=2"
    page = json.dumps({**first, "nextLink": link})
    azure.faults.add(Fault(path="nd-h100/listNodes", method="POST", status=200, body=page))
    azure.faults.add(
        Fault(path="nd-h100/listNodes", method="GET", status=200, body=json.dumps(second))
    )
    nodes = compute(swept(COLLECTOR, azure_connection()), "nd-h100").nodes
    assert isinstance(nodes, Present)
    assert [one.id for one in nodes.value] == ["a", "b"]


def test_nodes_that_go_on_elsewhere_are_unread(azure: AzureServer, azure_connection: Make) -> None:
    page = json.dumps({"nodes": [], "nextLink": "https://elsewhere.example/nodes"})
    azure.faults.add(Fault(path="nd-h100/listNodes", status=200, body=page))
    nodes = compute(swept(COLLECTOR, azure_connection()), "nd-h100").nodes
    assert nodes == Unreadable("ForeignNextLink")


@pytest.mark.parametrize("name", ["a/../../x", "a/listKeys", "?", "x?y=", "x#", ".."])
def test_an_odd_name_never_makes_another_question(
    azure: AzureServer, azure_connection: Make, name: str
) -> None:
    row = {
        "id": f"{WORKSPACES[0].resource_id}/computes/{name}",
        "name": "odd",
        "properties": {"computeType": "AmlCompute", "properties": {"currentNodeCount": 1}},
    }
    body = json.dumps({"value": [row]})
    azure.faults.add(Fault(path="mlw-atlas/computes", method="GET", status=200, body=body))
    after = swept(COLLECTOR, azure_connection())
    assert compute(after, "odd").current_nodes == Present(1)
    assert not isinstance(compute(after, "odd").nodes, Present)
    posts = [call for call in azure.calls.counts() if call.endswith((".post", "unknown"))]
    assert posts == []
