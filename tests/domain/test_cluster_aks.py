"""An AKS cluster in the words of any cluster."""

from typing import Any

import pytest

from app.domain.azure_aks import AgentPool, PoolMachines
from app.domain.cluster import ClusterFacts
from app.domain.cluster_aks import KubernetesFacts
from app.domain.derive import derive
from app.domain.facts import Present, Unreadable
from tests.support.azure_clusters import agent_pool, aks_cluster

NOT_TOLD = Unreadable("NotTold")
DENIED = Unreadable("AuthorizationFailed")


def of_cluster(*pools: AgentPool, **facts: Any) -> ClusterFacts:
    known = {"agent_pools": pools} if pools else {}
    found, _ = derive(aks_cluster(**(known | facts)))
    assert isinstance(found, ClusterFacts)
    return found


def support(**facts: Any) -> object:
    _, found = derive(aks_cluster(**facts))
    assert isinstance(found, KubernetesFacts)
    return found.version_support


def test_machines_are_counted_against_what_is_meant_to_be() -> None:
    found = of_cluster(agent_pool(node_count=4), pool_machines=(PoolMachines("gpu", 3),))
    assert (found.orchestrator, found.machine_types) == (
        Present("aks"),
        Present(("Standard_ND96isr_H100_v5",)),
    )
    assert (found.machine_count, found.machine_target_count) == (Present(3), Present(4))
    assert (found.accelerator_count, found.accelerator_target_count) == (Present(24), Present(32))
    assert found.groups_below_target == Present(("gpu",))
    assert (found.groups_with_rdma, found.accelerator_models) == (
        Present(("gpu",)),
        Present(("NVIDIA H100",)),
    )


def test_a_pool_that_does_not_scale_stays_at_its_size() -> None:
    fixed = of_cluster(agent_pool(node_count=4, autoscales=False, minimum_count=None))
    silent = of_cluster(agent_pool(autoscales=None, minimum_count=None, maximum_count=None))
    for found, limits in ((fixed, (4, 4)), (silent, (None, None))):
        assert isinstance(found.machine_groups, Present)
        (group,) = found.machine_groups.value
        assert (group.minimum_count, group.maximum_count) == limits


@pytest.mark.parametrize(
    "facts",
    [
        {"power_state": "Stopped", "pool_machines": ()},
        {"agent_pools": (agent_pool(power_state="Stopped"),), "pool_machines": ()},
    ],
)
def test_what_is_stopped_has_no_machines_and_wants_none(facts: Any) -> None:
    found = of_cluster(**facts)
    assert (found.machine_count, found.machine_target_count) == (Present(0), Present(0))
    assert found.groups_below_target == Present(())


def test_evicted_machines_that_stay_are_not_counted() -> None:
    kept = agent_pool(priority="Spot", eviction_policy="Deallocate")
    found = of_cluster(kept)
    assert (found.machine_count, found.capacities) == (NOT_TOLD, Present(("spot",)))
    gone = agent_pool(priority="Spot", eviction_policy="Delete")
    assert of_cluster(gone).machine_count == Present(2)


def test_machines_that_could_not_be_listed_are_not_counted() -> None:
    found = of_cluster(pool_machines=(PoolMachines("gpu", None, "AuthorizationFailed"),))
    assert (found.machine_count, found.machine_target_count) == (NOT_TOLD, Present(2))


def test_machines_made_outside_of_pools_leave_no_sum() -> None:
    found = of_cluster(auto_provisioning=True)
    assert {found.machine_count, found.machine_target_count, found.accelerator_models} == {NOT_TOLD}
    assert isinstance(found.machine_groups, Present)


def test_pools_that_could_not_be_read_leave_all_unread() -> None:
    found = of_cluster(agent_pools=DENIED, pool_machines=DENIED)
    assert (found.machine_groups, found.machine_count, found.capacities) == (DENIED,) * 3


def test_a_cluster_that_has_no_pool_yet_tells_nothing_of_machines() -> None:
    found = of_cluster(agent_pools=(), pool_machines=())
    assert (found.machine_groups, found.machine_count) == (NOT_TOLD, NOT_TOLD)


def test_a_failed_pool_is_unhealthy() -> None:
    assert of_cluster(agent_pool(provisioning_state="Failed")).groups_unhealthy == Present(("gpu",))


@pytest.mark.parametrize("state", ["Creating", "Updating", "Upgrading", "Scaling", "Deleting"])
def test_how_a_change_of_a_pool_ends_is_not_known(state: str) -> None:
    found = of_cluster(agent_pool(provisioning_state=state))
    assert found.groups_unhealthy == Unreadable(f"Passing {state}")


def test_sizes_that_nobody_knows_have_unknown_accelerators() -> None:
    found = of_cluster(agent_pool(machine_types=("Standard_NX1",)))
    assert found.accelerator_count == Unreadable("UnknownMachineType")
    assert found.machine_count == Present(2)


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("1.34.1", "supported"),
        ("1.34", "supported"),
        ("1.30.9", "long_term"),
        ("1.36.0", "preview"),
        ("1.28.15", "none"),
        ("1.3", "none"),
    ],
)
def test_a_version_is_supported_while_the_region_offers_it(version: str, expected: str) -> None:
    assert support(kubernetes_version=version) == Present(expected)


def test_support_is_not_known_without_version_or_offer() -> None:
    assert support(offered_versions=DENIED) == DENIED
    assert support(kubernetes_version=DENIED) == DENIED


def needs(*pools: AgentPool) -> tuple[object, object]:
    _, found = derive(aks_cluster(agent_pools=pools))
    assert isinstance(found, KubernetesFacts)
    return found.groups_without_driver, found.groups_misdivided


def test_gpus_need_a_driver_and_parts_that_they_can_have() -> None:
    cut, t4 = {"gpu_instance_profile": "MIG1g"}, ("Standard_NC16as_T4_v3",)
    cpu = agent_pool("cpu", machine_types=("Standard_D8ds_v5",), gpu_driver="None")
    assert needs(agent_pool(), cpu) == (Present(()), Present(()))
    assert needs(agent_pool(gpu_driver="None", **cut)) == (Present(("gpu",)), Present(()))
    assert needs(agent_pool(machine_types=t4, **cut)) == (Present(()), Present(("gpu",)))
    odd = agent_pool(machine_types=("Standard_NX1",), gpu_driver="None", **cut)
    assert needs(odd) == (NOT_TOLD, NOT_TOLD)
