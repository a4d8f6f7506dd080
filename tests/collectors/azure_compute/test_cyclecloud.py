"""What nodes of CycleCloud tell of their cluster when they are put together."""

from dataclasses import replace
from typing import Any

import pytest

from app.collectors.azure_compute.cyclecloud import Cluster, Clusters, Node, cluster_of
from app.domain.azure_machine_types import azure_machine_type
from app.domain.cyclecloud import CycleCloudClusterFacts, cyclecloud_cluster
from app.domain.facts import Present, Unreadable

ID = "/subscriptions/s/cyclecloud/sites/7c6f/clusters/atlas"
H100, T4 = "Standard_ND96isr_H100_v5", "Standard_NC4as_T4_v3"


def node(array: str = "hpc", size: str = H100, count: int | None = 1, **tags: str) -> Node:
    """A node of an array in West Europe."""
    path = f"/sites/7c6f/clusters/atlas/nodearrays/{array}"
    told = {"CycleCloudCluster": "/sites/7c6f/clusters/atlas", "Team": "atlas"}
    placed = {"CycleCloudNodeArray": path} if array else {}
    return Node(
        tags={**told, **placed, **tags},
        machine_type=size,
        count=count,
        capacity="on_demand",
        region_id="westeurope",
        image_name="",
        known=azure_machine_type(size),
    )


def derived(cluster: Cluster) -> Any:
    return cyclecloud_cluster(
        CycleCloudClusterFacts(
            site=Present(cluster.site),
            owner=Present(cluster.owner),
            scheduler=Present(cluster.scheduler),
            node_arrays=Present(cluster.arrays),
        )
    )


def test_nodes_of_one_array_are_one_group() -> None:
    found = cluster_of(ID, [node(), node(), node("htc", T4, count=5)])
    assert [(one.name, one.machine_type, one.current_count) for one in found.arrays] == [
        ("hpc", H100, 2),
        ("htc", T4, 5),
    ]
    facts = derived(found)
    assert facts.accelerator_count == Present(21.0)
    assert facts.groups_with_rdma == Present(("hpc",))


def test_a_head_node_stands_under_its_own_name() -> None:
    found = cluster_of(ID, [node("", "Standard_D8s_v5", Name="scheduler")])
    assert [one.name for one in found.arrays] == ["scheduler"]


def test_an_array_of_several_sizes_names_them_and_tells_no_accelerators() -> None:
    (group,) = cluster_of(ID, [node(), node(size=T4)]).arrays
    assert (group.machine_type, group.machine_types) == ("", (T4, H100))
    assert group.accelerator_count is None


def test_an_array_bought_in_two_ways_tells_neither() -> None:
    (group,) = cluster_of(ID, [node(), replace(node(), capacity="spot")]).arrays
    assert group.capacity == "unknown"


def test_a_node_whose_state_is_unread_leaves_the_number_unread() -> None:
    unread = replace(node(), count=None, code="AuthorizationFailed")
    found = cluster_of(ID, [node(), unread])
    assert (found.arrays[0].current_count, found.arrays[0].code) == (None, "AuthorizationFailed")
    assert derived(found).machine_count == Unreadable("AuthorizationFailed")


def test_how_many_are_meant_to_be_is_known_to_cyclecloud_alone() -> None:
    facts = derived(cluster_of(ID, [node()]))
    assert isinstance(facts.machine_target_count, Unreadable)
    assert isinstance(facts.groups_below_target, Unreadable)


@pytest.mark.parametrize(
    ("name", "tags", "image", "scheduler"),
    [
        ("atlas-slurm", {}, "", "slurm"),
        ("atlas", {"Scheduler": "OpenPBS"}, "", "pbs"),
        ("atlas-slurm", {"scheduler": "sge"}, "", "grid_engine"),
        ("atlas", {}, "/x/galleries/own/images/slurm-node/versions/1", "slurm"),
        ("atlas", {}, "microsoft-dsvm:ubuntu-hpc:2204", "unknown"),
        ("grid_engine-lab", {}, "", "unknown"),
        ("gridengine-lab", {}, "", "grid_engine"),
        ("slurm-to-pbs", {}, "", "unknown"),
        ("slurmish", {}, "", "unknown"),
    ],
)
def test_a_scheduler_is_told_by_tag_name_or_image(
    name: str, tags: dict[str, str], image: str, scheduler: str
) -> None:
    plain = node()
    one = replace(plain, image_name=image, tags={**plain.tags, **tags})
    found = cluster_of(f"/subscriptions/s/cyclecloud/sites/1/clusters/{name}", [one])
    assert found.scheduler == scheduler
    orchestrator = derived(found).orchestrator
    expected = Unreadable("NotTold") if scheduler == "unknown" else Present(scheduler)
    assert orchestrator == expected


def test_a_cluster_has_the_tags_that_all_its_nodes_have() -> None:
    found = cluster_of(ID, [node(phase="training", LaunchTime="1"), node("htc", T4, owner="x")])
    assert found.tags == {"CycleCloudCluster": "/sites/7c6f/clusters/atlas", "Team": "atlas"}


def test_a_cluster_in_two_regions_lies_in_none() -> None:
    far = replace(node(), region_id="swedencentral")
    assert cluster_of(ID, [node(), far]).region_id == ""


def test_nodes_are_put_together_by_their_cluster() -> None:
    clusters = Clusters()
    clusters.add(ID, node())
    clusters.add("/subscriptions/s/cyclecloud/sites/1/clusters/b", node())
    clusters.add(ID, node())
    assert [(one.name, one.arrays[0].current_count) for one in clusters.found()] == [
        ("b", 1),
        ("atlas", 2),
    ]
