"""A HyperPod cluster in the words of any cluster: sums are known only when every part is."""

from dataclasses import fields, replace
from typing import Any

import pytest

from app.domain.cluster import ClusterFacts
from app.domain.derive import derive
from app.domain.facts import ABSENT, Fact, Present, Unreadable, fact_names
from app.domain.hyperpod import HyperpodClusterFacts, InstanceGroup, TypeCount
from app.domain.machine_types import known_machine_type

DENIED = Unreadable("AccessDeniedException")
NOT_TOLD, UNKNOWN = Unreadable("NotTold"), Unreadable("UnknownMachineType")
KNOWN = ("ml.p5.48xlarge", "ml.p5.4xlarge", "ml.m5.2xlarge", "ml.g6f.large", "ml.trn2.48xlarge")


def group(name: str = "train", **more: Any) -> InstanceGroup:
    """Two machines with eight GPUs each, as wanted."""
    known: dict[str, Any] = {
        "machine_type": "ml.p5.48xlarge",
        "machine_types": ("ml.p5.48xlarge",),
        "type_counts": (),
        "current_count": 2,
        "target_count": 2,
        "minimum_count": None,
        "status": "InService",
        "capacity": "on_demand",
        "training_plan_arn": "",
        "script_s3_uri": "",
        "image_version_status": "",
        "slurm_node_type": "",
        "subnet_ids": (),
        "is_restricted": False,
    }
    if "machine_type" in more:
        known["machine_types"] = (more["machine_type"],)
    return InstanceGroup(name=name, **(known | more))


def mixed(*counts: tuple[str, int | None], **more: Any) -> InstanceGroup:
    """A group that may mix types and has so many of each."""
    return group(
        "mixed",
        **{
            "machine_type": "",
            "machine_types": tuple(name for name, _ in counts),
            "type_counts": tuple(TypeCount(*count) for count in counts),
            **more,
        },
    )


def cluster(groups: Fact[tuple[InstanceGroup, ...]], **more: Any) -> HyperpodClusterFacts:
    types = tuple(one for one in map(known_machine_type, KNOWN) if one)
    known: dict[str, Any] = dict.fromkeys(fact_names(HyperpodClusterFacts), ABSENT)
    known |= {"instance_groups": groups, "machine_type_details": Present(types)}
    return HyperpodClusterFacts(**(known | more))


def of(*groups: InstanceGroup, **more: Any) -> ClusterFacts:
    (found,) = derive(cluster(Present(groups), **more))
    assert isinstance(found, ClusterFacts)
    return found


def test_machines_and_accelerators_are_summed_over_the_groups() -> None:
    found = of(
        group(),
        group("one", machine_type="ml.p5.4xlarge", target_count=3),
        group("cpu", machine_type="ml.m5.2xlarge"),
    )
    assert (found.machine_count, found.machine_target_count) == (Present(6), Present(7))
    assert (found.accelerator_count, found.accelerator_target_count) == (Present(18), Present(19))
    assert found.accelerator_models == Present(("NVIDIA H100",))
    assert found.machine_types == Present(("ml.m5.2xlarge", "ml.p5.48xlarge", "ml.p5.4xlarge"))
    assert found.groups_with_rdma == Present(("train", "one"))
    assert found.groups_below_target == Present(("one",))


def test_parts_of_gpus_and_neuron_devices_count_in_whole_devices() -> None:
    found = of(group(machine_type="ml.g6f.large"), group("trn", machine_type="ml.trn2.48xlarge"))
    assert found.accelerator_count == Present(0.25 + 32)
    assert found.accelerator_models == Present(("AWS Trainium2", "NVIDIA L4"))


def test_a_group_that_mixes_types_is_counted_by_what_it_has() -> None:
    found = of(mixed(("ml.p5.48xlarge", 1), ("ml.p5.4xlarge", 1)))
    assert found.accelerator_count == Present(9)
    assert found.accelerator_target_count == NOT_TOLD  # of which types they will be nobody tells
    assert found.accelerator_models == Present(("NVIDIA H100",))


@pytest.mark.parametrize("counts", [(1, None), (1, 0)])
def test_a_mix_that_is_not_told_in_full_is_not_guessed(counts: tuple[int, int | None]) -> None:
    found = of(mixed(("ml.p5.48xlarge", counts[0]), ("ml.p5.4xlarge", counts[1])))
    assert found.accelerator_count == UNKNOWN
    assert found.machine_count == Present(2)


def test_a_type_that_nobody_knows_leaves_sums_of_accelerators_unknown() -> None:
    found = of(group(), group("new", machine_type="ml.p99.huge"))
    assert (found.accelerator_count, found.accelerator_target_count) == (UNKNOWN, UNKNOWN)
    assert (found.accelerator_models, found.groups_with_rdma) == (UNKNOWN, UNKNOWN)
    assert found.machine_count == Present(4)


def test_no_machines_of_an_unknown_type_have_no_accelerators() -> None:
    empty = group("new", machine_type="ml.p99.huge", current_count=0, target_count=0)
    assert of(group(), empty).accelerator_count == Present(16)


def test_a_count_that_is_not_told_is_not_zero() -> None:
    found = of(group(), group("b", current_count=None))
    assert (found.machine_count, found.accelerator_count) == (NOT_TOLD, NOT_TOLD)
    assert found.groups_below_target == NOT_TOLD
    assert found.machine_target_count == Present(4)


def test_one_group_below_target_is_known_whatever_another_does_not_tell() -> None:
    found = of(group(current_count=1), group("b", current_count=None))
    assert found.groups_below_target == Present(("train",))


@pytest.mark.parametrize(
    ("statuses", "unhealthy"),
    [
        (("InService", "Updating"), Unreadable("Passing Updating")),
        (("SystemUpdating", "Degraded"), Present(("g1",))),
        (("InService", "Sleeping"), Unreadable("UnknownState Sleeping")),
        (("InService", "InService"), Present(())),
        (("Degraded", "InService"), Present(("g0",))),
        (("Failed", "Degraded"), Present(("g0", "g1"))),
        (("InService", ""), NOT_TOLD),
        (("Degraded", ""), Present(("g0",))),
    ],
)
def test_health_is_what_aws_says(statuses: tuple[str, ...], unhealthy: Fact[Any]) -> None:
    groups = [group(f"g{at}", status=status) for at, status in enumerate(statuses)]
    assert of(*groups).groups_unhealthy == unhealthy


def test_capacities_are_told_each_once() -> None:
    found = of(
        group(capacity="training_plan"), group("b", capacity="spot"), group("c", capacity="spot")
    )
    assert found.capacities == Present(("spot", "training_plan"))


@pytest.mark.parametrize(
    ("arn", "orchestrator"),
    [(Present("arn"), Present("eks")), (ABSENT, Present("slurm")), (DENIED, DENIED)],
)
def test_what_places_work(arn: Fact[str], orchestrator: Fact[str]) -> None:
    assert of(group(), eks_cluster_arn=arn).orchestrator == orchestrator


def test_unread_groups_leave_all_that_follows_unread() -> None:
    (found,) = derive(cluster(DENIED, eks_cluster_arn=DENIED))
    assert {getattr(found, one.name) for one in fields(found)} == {DENIED}


def test_without_types_machines_are_counted_and_accelerators_are_not() -> None:
    found = of(group(), machine_type_details=DENIED)
    assert found.machine_count == Present(2)
    assert found.accelerator_count == UNKNOWN


def test_a_cluster_without_groups_has_nothing() -> None:
    found = of()
    assert (found.machine_count, found.accelerator_count) == (Present(0), Present(0))
    assert found.groups_unhealthy == Present(())


def test_restricted_groups_are_marked() -> None:
    groups = of(replace(group(), is_restricted=True)).machine_groups
    assert isinstance(groups, Present)
    assert [one.is_restricted for one in groups.value] == [True]
