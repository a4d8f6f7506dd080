"""An EKS cluster in the words of any cluster: what EKS does not tell is not told here."""

from typing import Any

import pytest

from app.domain.cluster import ClusterFacts
from app.domain.derive import derive
from app.domain.eks import HealthIssue
from app.domain.facts import ABSENT, Present, Unreadable
from tests.support.clusters import eks_cluster, nodegroup, types, unread_nodegroup

NOT_TOLD = Unreadable("NotTold")
DENIED = Unreadable("AccessDeniedException")
FOLLOWING_MACHINES = (
    "machine_types",
    "machine_target_count",
    "accelerator_target_count",
    "accelerator_models",
    "capacities",
    "groups_with_rdma",
)


def of_cluster(*groups: Any, **facts: Any) -> ClusterFacts:
    """The derived facts of a cluster with these node groups."""
    known = {"nodegroups": Present(groups)} if groups else {}
    (found,) = derive(eks_cluster(**(known | facts)))
    assert isinstance(found, ClusterFacts)
    return found


def following(found: ClusterFacts) -> set[object]:
    return {getattr(found, name) for name in FOLLOWING_MACHINES}


def test_targets_are_known_and_counts_are_not() -> None:
    found = of_cluster(nodegroup(desired_size=2), nodegroup("b", desired_size=3))
    assert found.machine_target_count == Present(5)
    assert found.accelerator_target_count == Present(40)
    assert (found.machine_count, found.accelerator_count) == (NOT_TOLD, NOT_TOLD)
    assert found.groups_below_target == NOT_TOLD
    assert isinstance(found.machine_groups, Present)
    assert {group.current_count for group in found.machine_groups.value} == {None}


def test_a_group_is_told_in_the_words_of_any_cluster() -> None:
    found = of_cluster(nodegroup(capacity_type="CAPACITY_BLOCK"))
    assert isinstance(found.machine_groups, Present)
    (group,) = found.machine_groups.value
    assert (group.capacity, group.machine_type, group.accelerator_model) == (
        "capacity_block",
        "p5.48xlarge",
        "NVIDIA H100",
    )
    assert (group.accelerator_count, group.rdma_interfaces) == (8, 32)
    assert (group.minimum_count, group.target_count, group.maximum_count) == (0, 2, 8)


def test_models_capacities_types_and_rdma_are_of_all_groups() -> None:
    found = of_cluster(
        nodegroup(),
        nodegroup("cpu", capacity_type="SPOT", machine_types=("r7i.24xlarge",)),
        machine_type_details=types("p5.48xlarge", "r7i.24xlarge"),
    )
    assert found.machine_types == Present(("p5.48xlarge", "r7i.24xlarge"))
    assert found.accelerator_models == Present(("NVIDIA H100",))
    assert found.capacities == Present(("on_demand", "spot"))
    assert found.groups_with_rdma == Present(("gpu",))


def test_one_unread_group_leaves_all_sums_unread_and_the_others_as_they_are() -> None:
    found = of_cluster(nodegroup(), unread_nodegroup())
    assert following(found) == {DENIED}
    assert found.groups_unhealthy == DENIED
    assert isinstance(found.machine_groups, Present)
    read, unread = found.machine_groups.value
    assert (read.target_count, read.code) == (2, "")
    assert (unread.name, unread.target_count, unread.code) == ("hidden", None, DENIED.code)
    assert (unread.accelerator_count, unread.rdma_interfaces) == (None, None)


def test_no_node_group_is_not_to_say_no_machine() -> None:
    found = of_cluster(nodegroups=ABSENT, machine_type_details=ABSENT)
    assert following(found) == {NOT_TOLD}
    assert found.machine_groups == NOT_TOLD
    assert found.machine_count == NOT_TOLD


def test_auto_mode_makes_machines_that_no_group_counts() -> None:
    found = of_cluster(nodegroup(), auto_mode=Present(True))
    assert following(found) == {NOT_TOLD}
    assert isinstance(found.machine_groups, Present)


def test_unread_groups_leave_all_that_follows_unread() -> None:
    found = of_cluster(nodegroups=DENIED, machine_type_details=DENIED)
    assert following(found) == {DENIED}
    assert (found.machine_groups, found.groups_unhealthy) == (DENIED, DENIED)


@pytest.mark.parametrize(
    ("group", "why"),
    [
        (nodegroup(machine_types=None), NOT_TOLD),
        (nodegroup(machine_types=("p5.48xlarge", "m5.large")), NOT_TOLD),
        (nodegroup(machine_types=("x99.large",)), Unreadable("UnknownMachineType")),
    ],
    ids=["told by its launch template", "types that differ", "a type nobody knows"],
)
def test_accelerators_of_unknown_machines_are_not_known(group: Any, why: Unreadable) -> None:
    found = of_cluster(group, machine_type_details=types("p5.48xlarge", "m5.large"))
    assert found.accelerator_target_count == why
    assert (found.accelerator_models, found.groups_with_rdma) == (why, why)
    assert found.machine_target_count == Present(2)


def test_a_launch_template_that_alone_tells_the_types_leaves_them_untold() -> None:
    found = of_cluster(nodegroup(), nodegroup("template", machine_types=None))
    assert found.machine_types == NOT_TOLD


def test_types_that_agree_count_as_one() -> None:
    group = nodegroup(machine_types=("m5.large", "m5.xlarge"))
    found = of_cluster(group, machine_type_details=types("m5.large", "m5.xlarge"))
    assert found.accelerator_target_count == Present(0)
    assert found.machine_types == Present(("m5.large", "m5.xlarge"))


@pytest.mark.parametrize("missing", [{"desired_size": None}, {"capacity_type": None}])
def test_what_a_group_leaves_out_is_not_told(missing: dict[str, Any]) -> None:
    found = of_cluster(nodegroup(**missing))
    wanted = "machine_target_count" if "desired_size" in missing else "capacities"
    assert getattr(found, wanted) == NOT_TOLD


@pytest.mark.parametrize(
    "bad",
    [
        {"status": "DEGRADED"},
        {"status": "CREATE_FAILED"},
        {"health_issues": (HealthIssue("NodeCreationFailure", ""),)},
        {"status": "UPDATING", "health_issues": (HealthIssue("NodeCreationFailure", ""),)},
    ],
)
def test_a_group_with_a_fault_is_unhealthy(bad: dict[str, Any]) -> None:
    found = of_cluster(nodegroup(), nodegroup("bad", **bad))
    assert found.groups_unhealthy == Present(("bad",))


@pytest.mark.parametrize("status", ["CREATING", "UPDATING", "DELETING"])
def test_how_a_change_of_a_group_ends_is_not_known(status: str) -> None:
    found = of_cluster(nodegroup(), nodegroup("new", status=status))
    assert found.groups_unhealthy == Unreadable(f"Passing {status}")


def test_a_sick_group_is_known_beside_one_that_could_not_be_read() -> None:
    found = of_cluster(nodegroup("bad", status="DEGRADED"), unread_nodegroup())
    assert found.groups_unhealthy == Present(("bad",))


def test_a_group_without_machines_needs_none_of_its_types_known() -> None:
    found = of_cluster(nodegroup(machine_types=None, desired_size=0))
    assert found.accelerator_target_count == Present(0)
