"""Azure's words about AKS into ours."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.collectors.azure_aks import mapping
from app.collectors.azure_aks.operations import OPERATIONS
from app.domain.azure_aks import AgentPool, AksClusterFacts, OfferedVersion
from app.domain.facts import fact_names
from tests.collectors.azure_aks.answers import cluster, pools

WIRE = Path(__file__).parent / "wire"


def wire(name: str) -> Any:
    return json.loads((WIRE / name).read_text("utf-8"))


def pool(**properties: Any) -> AgentPool:
    (found,) = mapping.agent_pools(pools(**properties))["agent_pools"]
    assert isinstance(found, AgentPool)
    return found


def test_every_fact_is_fed_by_the_operation_that_it_names() -> None:
    fed = {name: one.name for one in OPERATIONS for name in one.feeds}
    assert set(fed) == set(fact_names(AksClusterFacts))
    for name, source in fed.items():
        assert AksClusterFacts.__dataclass_fields__[name].metadata["source"] == source


@pytest.mark.parametrize(
    "document", [wire("aks.cluster.get.json"), *wire("aks.clusters.list.json")["value"]]
)
def test_a_cluster_of_the_examples_is_understood(document: Any) -> None:
    found = mapping.cluster(document)
    assert (found["cluster_status"], found["kubernetes_version"]) == ("Succeeded", "1.9.6")
    assert found["agent_pool_names"] == ("nodepool1",)
    assert found["node_resource_group"] == "MC_rg1_clustername1_location1"
    assert (found["private_cluster"], found["local_accounts_disabled"]) == (False, False)
    assert found["power_state"] is None


def test_the_pools_of_the_examples_are_understood() -> None:
    (found,) = mapping.agent_pools(wire("aks.agentpools.list.json"))["agent_pools"]
    assert (found.name, found.machine_types, found.node_count) == (
        "agentpool1",
        ("Standard_DS1_v2",),
        3,
    )
    assert (found.autoscales, found.minimum_count, found.priority) == (None, None, "Regular")


def test_the_versions_of_the_examples_are_understood() -> None:
    found = mapping.offered_versions(wire("aks.versions.list.json"))["offered_versions"]
    assert found == (
        OfferedVersion("1.23", ("KubernetesOfficial",), is_preview=False),
        OfferedVersion("1.26", ("KubernetesOfficial",), is_preview=True),
    )


def test_a_region_without_any_version_is_no_answer() -> None:
    with pytest.raises(ValueError, match="without any version"):
        mapping.offered_versions({"values": []})


def test_the_settings_of_a_cluster() -> None:
    found = mapping.cluster(cluster())
    assert found["addons"] == ("azurepolicy",)
    assert found["storage_drivers"] == ("blob",)
    assert found["managed_prometheus"] is True
    assert (found["upgrade_channel"], found["node_image_channel"]) == ("patch", "NodeImage")
    assert found["authorized_networks"] == ("10/8",)
    assert found["sku_tier"] == "Standard"


def test_machines_made_outside_of_pools_are_told() -> None:
    auto = mapping.cluster(cluster(nodeProvisioningProfile={"mode": "Auto"}))
    assert auto["auto_provisioning"] is True
    assert mapping.cluster(cluster(nodeProvisioningProfile=None))["auto_provisioning"] is False


@pytest.mark.parametrize(
    ("properties", "driver"),
    [
        ({"gpuProfile": None}, "Install"),
        ({"gpuProfile": {"driver": "None"}}, "None"),
        ({"gpuProfile": None, "tags": {"skipgpudriverinstall": "True"}}, "None"),
    ],
)
def test_the_driver_is_installed_unless_somebody_says_no(properties: Any, driver: str) -> None:
    assert pool(**properties).gpu_driver == driver


def test_a_price_up_to_that_on_demand_is_no_limit() -> None:
    assert pool(spotMaxPrice=-1).spot_maximum_price is None
    assert pool(spotMaxPrice=2.5).spot_maximum_price == 2.5


def test_a_pool_of_single_machines_has_several_sizes() -> None:
    sizes = {"scale": {"manual": [{"size": "a", "count": 1}, {"size": "b", "count": 2}]}}
    assert pool(vmSize=None, virtualMachinesProfile=sizes).machine_types == ("a", "b")
    alone = {"scale": {"autoscale": {"size": "c", "minCount": 0, "maxCount": 3}}}
    assert pool(vmSize="", virtualMachinesProfile=alone).machine_types == ("c",)
