"""Machines that two things could count are counted by one, over a tenant made for that."""

from collections.abc import Sequence
from typing import Any

import pytest

from app.collectors.azure_compute import COLLECTOR
from app.sandbox.azure.compute import Machine, ScaleSet
from app.sandbox.azure.held import Chapter
from app.sandbox.azure_server import AzureServer
from app.sandbox.faults import Fault
from app.sandbox.story import RESEARCH
from tests.collectors.azure_compute.conftest import NOW, Swept
from tests.support.azure_fixtures import azure_source

H100 = "Standard_ND96isr_H100_v5"
FLEXIBLE = {"orchestrationMode": "Flexible"}
NODE = {"ClusterName": "atlas-slurm", "CycleOwner": "atlas-slurm(m@x:1)"}
ATLAS = f"/subscriptions/{RESEARCH.subscription_id}/cyclecloud/sites/1/clusters/atlas-slurm"
SET = "azure_vm_scale_set"


def member(name: str, of: ScaleSet, **more: Any) -> Machine:
    """A machine of a flexible scale set."""
    return Machine(
        name, "one of a set", H100, more={"virtualMachineScaleSet": {"id": of.resource_id}}, **more
    )


def swept(
    *things: Machine | ScaleSet, also: Sequence[dict[str, Any]] = (), fault: Fault | None = None
) -> Swept:
    """A sweep of a tenant that has these things alone."""
    documents = [*(one.document() for one in things), *also]
    with AzureServer(chapters=(Chapter(documents),)) as server:
        if fault:
            server.faults.add(fault)
        return Swept(tuple(COLLECTOR.collect(azure_source(server), NOW)))


def own(found: Swept, name: str, kind: str = "azure_vm") -> Any:
    return found.facts(name, kind).get("own_accelerator_count")


def test_a_flexible_set_that_says_how_many_counts_its_machines() -> None:
    fleet = ScaleSet("fleet", "flexible", H100, 2, more=FLEXIBLE)
    found = swept(fleet, member("fleet_1", fleet), member("fleet_2", fleet))
    assert own(found, "fleet", SET) == 16
    assert (own(found, "fleet_1"), own(found, "fleet_2")) == (0, 0)
    parent = found.named("fleet_1").parent_native_id
    assert parent.lower() == fleet.resource_id.lower()
    assert parent == found.named("fleet", SET).native_id


def test_the_machines_of_a_flexible_set_that_says_nothing_count_themselves() -> None:
    fleet = ScaleSet("fleet", "flexible", H100, 2, more=FLEXIBLE)
    document = {**fleet.document(), "sku": None}
    found = swept(member("fleet_1", fleet), also=[document])
    assert found.facts("fleet", SET).get("own_accelerator_count") is None
    assert own(found, "fleet_1") == 8


def test_a_flexible_set_of_cyclecloud_is_counted_by_its_machines_alone() -> None:
    fleet = ScaleSet("fleet", "flexible", H100, 2, more=FLEXIBLE, tags=NODE)
    found = swept(fleet, member("a", fleet, tags=NODE), member("b", fleet, tags=NODE))
    (cluster,) = [one for one in found.resources if one.kind == "cyclecloud_cluster"]
    assert cluster.native_id == ATLAS
    facts = found.facts("atlas-slurm", "cyclecloud_cluster")
    assert sum(one["current_count"] for one in facts["machine_groups"]) == 2
    assert (own(found, "fleet", SET), own(found, "a")) == (0, 0)


def test_nodes_of_aks_with_tags_of_cyclecloud_are_of_aks() -> None:
    path = f"/subscriptions/{RESEARCH.subscription_id}/resourceGroups/rg"
    aks = {
        "id": f"{path}/providers/Microsoft.ContainerService/managedClusters/serve",
        "name": "serve",
        "type": "Microsoft.ContainerService/managedClusters",
        "location": "swedencentral",
        "properties": {"nodeResourceGroup": "MC_rg_serve"},
    }
    nodes = ScaleSet("aks-1", "nodes", H100, 3, group="MC_rg_serve", tags=NODE)
    found = swept(nodes, also=[aks])
    assert found.named("aks-1", SET).parent_native_id == aks["id"]
    assert not [one for one in found.resources if one.kind == "cyclecloud_cluster"]


@pytest.mark.parametrize("times", [1, 2])
def test_when_what_could_count_a_machine_is_not_listed_nobody_says_that_it_stands_alone(
    times: int,
) -> None:
    """The first query asks for clusters and accounts, the second for scale sets."""
    fleet = ScaleSet("fleet", "flexible", H100, 2, more=FLEXIBLE)
    denied = Fault(
        operation="arm.graph.query",
        status=403,
        code="AuthorizationFailed",
        after=times - 1,
        times=1,
    )
    stored = swept(member("fleet_1", fleet), fault=denied).stored("fleet_1")
    assert stored.unreadable["counted_in"] == "AuthorizationFailed"
    assert stored.unreadable["own_accelerator_count"] == "AuthorizationFailed"


def test_a_cluster_of_which_a_list_was_not_whole_tells_no_machines() -> None:
    """The third query asks for machines."""
    nodes = ScaleSet("nodes", "an array", H100, 3, tags=NODE)
    denied = Fault(
        operation="arm.graph.query", status=403, code="AuthorizationFailed", after=2, times=1
    )
    found = swept(nodes, fault=denied)
    stored = found.stored("atlas-slurm", "cyclecloud_cluster")
    assert stored.unreadable["machine_count"] == "AuthorizationFailed"
    assert found.named("atlas-slurm", "cyclecloud_cluster").tags is None
