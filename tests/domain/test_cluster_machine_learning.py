"""A compute of Azure Machine Learning in the words of any cluster, and the ways in."""

from typing import Any

import pytest

from app.domain.azure_machine_learning import MlWorkspaceFacts
from app.domain.cluster import ClusterFacts
from app.domain.derive import derive
from app.domain.facts import ABSENT, Present, Unreadable
from app.domain.service_access import ServiceAccessFacts
from tests.support.azure_clusters import ml_compute
from tests.support.documents import filled

NOT_TOLD = Unreadable("NotTold")


def of_compute(**facts: Any) -> ClusterFacts:
    (found,) = derive(ml_compute(**facts))
    assert isinstance(found, ClusterFacts)
    return found


def test_a_cluster_has_one_group_of_nodes() -> None:
    found = of_compute(current_nodes=1, target_nodes=2)
    assert (found.orchestrator, found.capacities) == (Present("azure_ml"), Present(("on_demand",)))
    assert (found.machine_count, found.machine_target_count) == (Present(1), Present(2))
    assert (found.accelerator_count, found.groups_with_rdma) == (Present(8), Present(("nodes",)))
    assert found.groups_below_target == Present(("nodes",))
    assert isinstance(found.machine_groups, Present)
    (group,) = found.machine_groups.value
    assert (group.minimum_count, group.maximum_count, group.status) == (0, 8, "Steady")


@pytest.mark.parametrize(
    ("priority", "expected"),
    [
        ("LowPriority", Present(("low_priority",))),
        ("Dedicated", Present(("on_demand",))),
        (ABSENT, NOT_TOLD),
    ],
)
def test_how_its_nodes_are_bought(priority: object, expected: object) -> None:
    assert of_compute(priority=priority).capacities == expected


@pytest.mark.parametrize(
    ("state", "machines"),
    [
        ("Running", Present(1)),
        ("JobRunning", Present(1)),
        ("SetupFailed", Present(1)),
        ("Stopped", Present(0)),
        ("Starting", NOT_TOLD),
        ("Stopping", NOT_TOLD),
        ("A new word", NOT_TOLD),
    ],
)
def test_an_instance_is_one_machine_until_it_is_stopped(state: str, machines: object) -> None:
    found = of_compute(compute_type="ComputeInstance", instance_state=state)
    assert (found.machine_count, found.machine_target_count) == (machines, machines)


def test_machines_of_what_is_attached_are_counted_elsewhere() -> None:
    found = of_compute(compute_type="Kubernetes")
    assert (found.machine_groups, found.machine_count) == (Present(()), Present(0))


def test_a_compute_that_was_not_understood_leaves_all_unread() -> None:
    odd = Unreadable("UnexpectedAnswer")
    found = of_compute(compute_type=odd)
    assert (found.machine_groups, found.machine_count) == (odd, odd)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("Enabled", Present(value=True)),
        ("Disabled", Present(value=False)),
        (ABSENT, Unreadable("NotReported")),
    ],
)
def test_a_workspace_is_open_unless_it_says_no(word: object, expected: object) -> None:
    (found,) = derive(filled(MlWorkspaceFacts, public_network_access=word))
    assert isinstance(found, ServiceAccessFacts)
    assert (found.open_to_internet, found.keys_accepted) == (expected, ABSENT)
