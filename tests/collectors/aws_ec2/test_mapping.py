"""What EC2 says of machines and capacity, in our words."""

from datetime import UTC, datetime
from typing import Any

import pytest

from app.collectors.aws_ec2 import mapping
from app.domain.ec2_machines import cluster_of
from app.domain.machine_types import MachineType
from tests.collectors.aws_ec2.rows import MADE_AT, block, instance, reservation, tagged


def test_a_plain_machine() -> None:
    assert mapping.instance(instance()) == {
        "machine_type": "p5.48xlarge",
        "state": "running",
        "capacity": "on_demand",
        "capacity_reservation_id": None,
        "image_id": "ami-1",
        "launched_at": MADE_AT,
        "stopped_at": None,
        "availability_zone": "us-west-2a",
        "cluster_name": None,
        "cluster_tag": None,
        "rdma_interfaces": 0,
        "metadata_endpoint": "enabled",
        "metadata_tokens": "required",
        "public_ip": None,
        "instance_profile": None,
    }


@pytest.mark.parametrize(
    ("lifecycle", "capacity"),
    [
        ({}, "on_demand"),
        ({"InstanceLifecycle": "spot"}, "spot"),
        ({"InstanceLifecycle": "capacity-block"}, "capacity_block"),
        ({"InstanceLifecycle": "something-new"}, "unknown"),
    ],
)
def test_how_a_machine_is_bought(lifecycle: dict[str, Any], capacity: str) -> None:
    assert mapping.instance(instance(**lifecycle))["capacity"] == capacity


@pytest.mark.parametrize(
    ("tags", "found"),
    [
        ({}, None),
        ({"Name": "gpu-node-of-a-cluster"}, None),
        ({"aws:eks:cluster-name": "a"}, ("a", "aws:eks:cluster-name")),
        ({"eks:cluster-name": "a"}, ("a", "eks:cluster-name")),
        ({"kubernetes.io/cluster/a": "owned"}, ("a", "kubernetes.io/cluster/a")),
        ({"kubernetes.io/cluster/": "owned"}, None),
        ({"parallelcluster:cluster-name": "a"}, ("a", "parallelcluster:cluster-name")),
        ({"aws:pcs:cluster-id": "pcs_1"}, ("pcs_1", "aws:pcs:cluster-id")),
        ({"karpenter.sh/nodepool": "gpu"}, ("gpu", "karpenter.sh/nodepool")),
        ({"qumulo:deployment": "hub"}, ("hub", "qumulo:deployment")),
        ({"eks:cluster-name": ""}, None),
        (
            {"karpenter.sh/nodepool": "gpu", "kubernetes.io/cluster/a": "owned"},
            ("a", "kubernetes.io/cluster/a"),
        ),
    ],
)
def test_the_cluster_is_told_by_tags_and_never_by_a_name(
    tags: dict[str, str], found: tuple[str, str] | None
) -> None:
    assert cluster_of(tags) == found


def test_only_fast_interfaces_count() -> None:
    kinds = ("efa", "efa-only", "interface", "trunk")
    row = instance(NetworkInterfaces=[{"InterfaceType": kind} for kind in kinds])
    assert mapping.instance(row)["rdma_interfaces"] == 2


def test_adapters_are_not_none_where_no_list_of_interfaces_is_told() -> None:
    row = instance()
    del row["NetworkInterfaces"]
    assert mapping.instance(row)["rdma_interfaces"] is None


def test_a_stopped_machine_tells_since_when_in_its_reason() -> None:
    row = instance(
        State={"Code": 80, "Name": "stopped"},
        StateTransitionReason="User initiated (2026-06-30 17:03:11 GMT)",
    )
    assert mapping.instance(row)["stopped_at"] == datetime(2026, 6, 30, 17, 3, 11, tzinfo=UTC)
    assert mapping.instance({**row, "StateTransitionReason": ""})["stopped_at"] is None
    running = {**row, "State": {"Code": 16, "Name": "running"}}
    assert mapping.instance(running)["stopped_at"] is None


def test_a_machine_is_as_old_as_its_primary_interface() -> None:
    started_again = datetime(2026, 11, 1, tzinfo=UTC)
    assert mapping.first_launched_at(instance(LaunchTime=started_again)) == MADE_AT
    assert mapping.first_launched_at(instance(NetworkInterfaces=[])) is None


def of_type(**known: Any) -> MachineType:
    plain: dict[str, Any] = {
        "id": "x",
        "accelerator_kind": "gpu",
        "accelerator_model": "NVIDIA H100",
        "accelerator_count": 8,
        "accelerator_memory_bytes": None,
        "vcpu_count": None,
        "memory_bytes": None,
        "rdma_interfaces": 32,
        "source": "table",
    }
    return MachineType(**{**plain, **known})


def test_the_type_tells_the_accelerators() -> None:
    names = ("accelerator_count", "rdma_interfaces_possible")
    assert mapping.accelerators(of_type(), names) == {
        "accelerator_count": 8.0,
        "rdma_interfaces_possible": 32,
    }


@pytest.mark.parametrize("one", [None, of_type(accelerator_kind=None, accelerator_count=None)])
def test_a_type_of_which_nobody_tells_has_no_count_of_zero(one: MachineType | None) -> None:
    with pytest.raises(LookupError):
        mapping.accelerators(one, ("accelerator_count",))


def test_a_reservation_without_an_end() -> None:
    found = mapping.reservation(reservation(AvailableInstanceCount=1))
    assert (found["reservation_type"], found["ends_at"], found["capacity_block_id"]) == (
        "default",
        None,
        None,
    )
    assert (found["machine_count"], found["available_machine_count"]) == (2, 1)


@pytest.mark.parametrize("count", [None, "2", True, -1, 1.5, 10**20])
def test_a_count_that_is_none_is_no_value(count: Any) -> None:
    with pytest.raises(ValueError, match=r"number|whole"):
        mapping.reservation(reservation(TotalInstanceCount=count))


def test_broken_machines_of_a_block_are_those_of_its_reservation() -> None:
    parts = [
        {"CapacityReservationId": "cr-1", "TotalUnavailableCapacity": 1},
        {"CapacityReservationId": "cr-2", "TotalUnavailableCapacity": 7},
    ]
    status = {"CapacityReservationStatuses": parts, "InterconnectStatus": "impaired"}
    assert mapping.broken_machines(block(), {"cb-1": status}) == {
        "unavailable_machine_count": 1,
        "interconnect_status": "impaired",
    }
    none = {"unavailable_machine_count": None, "interconnect_status": None}
    assert mapping.broken_machines(reservation(), {"cb-1": status}) == none


def test_tags_of_another_shape_are_none() -> None:
    assert mapping.tags({"Tags": tagged(a="b")}) == {"a": "b"}
    assert mapping.tags({}) == {}
    for odd in ("x", [None], [{"Key": "a"}], [{"Key": "a", "Value": 1}], 7):
        with pytest.raises((TypeError, LookupError)):
            mapping.tags({"Tags": odd})
