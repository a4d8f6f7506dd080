"""What AWS says of clusters and shares, in our words."""

from typing import Any

import pytest

from app.collectors.aws_hyperpod import mapping
from app.domain.hyperpod import InstanceGroup, TypeCount
from tests.collectors.aws_hyperpod.conftest import cluster, group


def one(**more: Any) -> InstanceGroup:
    """The group that is made of this one."""
    (found,) = mapping.described_cluster(cluster(group(**more)))["instance_groups"]
    assert isinstance(found, InstanceGroup)
    return found


def without(row: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in names}


def test_a_flexible_group_has_types_instead_of_one() -> None:
    types = ["ml.p5.48xlarge", "ml.p5e.48xlarge"]
    row = without(group(), "InstanceType") | {
        "InstanceRequirements": {
            "CurrentInstanceTypes": types[:1],
            "DesiredInstanceTypes": types,
        },
        "InstanceTypeDetails": [{"InstanceType": types[0], "CurrentCount": 2}],
    }
    (found,) = mapping.described_cluster(cluster(row))["instance_groups"]
    assert (found.machine_type, found.machine_types) == ("", tuple(types))
    assert found.type_counts == (TypeCount("ml.p5.48xlarge", 2),)
    assert mapping.machine_types_of([found]) == set(types)


def test_restricted_groups_are_groups_too() -> None:
    answer = cluster(group("open"), RestrictedInstanceGroups=[without(group("shut"), "Status")])
    found = mapping.described_cluster(answer)["instance_groups"]
    assert [(one.name, one.is_restricted, one.status) for one in found] == [
        ("open", False, "InService"),
        ("shut", True, ""),
    ]


@pytest.mark.parametrize(
    ("more", "capacity"),
    [
        ({}, "on_demand"),
        ({"CapacityRequirements": {"OnDemand": {}}}, "on_demand"),
        ({"CapacityRequirements": {"Spot": {}}}, "spot"),
        ({"CapacityRequirements": {}}, "unknown"),  # a way that is new to us
        ({"TrainingPlanArn": "arn"}, "training_plan"),
    ],
)
def test_how_machines_are_bought(more: dict[str, Any], capacity: str) -> None:
    assert one(**more).capacity == capacity


def test_counts_that_are_not_told_are_not_zero() -> None:
    row = without(group(), "CurrentCount", "TargetCount")
    (found,) = mapping.described_cluster(cluster(row))["instance_groups"]
    assert (found.current_count, found.target_count, found.minimum_count) == (None, None, None)


@pytest.mark.parametrize("count", ["2", -1, 1.5, True, 10**30])
def test_what_is_no_number_of_machines_is_no_answer(count: object) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - whichever way it is none
        one(CurrentCount=count)


@pytest.mark.parametrize(
    ("uri", "bucket"),
    [
        ("s3://sagemaker-scripts/a/b/", "sagemaker-scripts"),
        ("s3://sagemaker-scripts", "sagemaker-scripts"),
        ("https://sagemaker-scripts.s3.us-west-2.amazonaws.com/a", "sagemaker-scripts"),
        ("https://my.scripts.s3.amazonaws.com/a", "my.scripts"),
        ("https://sagemaker-scripts.s3-us-west-2.amazonaws.com/a", "sagemaker-scripts"),
        ("https://s3.us-west-2.amazonaws.com/sagemaker-scripts/a", "sagemaker-scripts"),
        ("https://s3.cn-north-1.amazonaws.com.cn/sagemaker-scripts/a", "sagemaker-scripts"),
        ("https://store.example.org/a", "store.example.org"),
    ],
)
def test_scripts_lie_in_a_bucket_however_it_is_named(uri: str, bucket: str) -> None:
    assert mapping.script_bucket(uri) == bucket


@pytest.mark.parametrize("uri", ["", "sagemaker-scripts", "ftp://x/y", "s3:///x", "s3://"])
def test_what_is_no_address_names_no_bucket(uri: str) -> None:
    with pytest.raises(ValueError, match="address"):
        mapping.script_bucket(uri)


def test_a_group_without_scripts_has_no_bucket_and_others_are_named_once() -> None:
    answer = cluster(group("a"), group("b"), without(group("c"), "LifeCycleConfig"))
    assert mapping.described_cluster(answer)["lifecycle_script_buckets"] == ("sagemaker-scripts",)


def test_modes_that_were_never_set_are_absent() -> None:
    found = mapping.described_cluster(without(cluster(group()), "NodeRecovery"))
    for name in (
        "node_recovery",
        "node_provisioning_mode",
        "autoscaling_mode",
        "tiered_storage_mode",
        "eks_cluster_arn",
        "failure_message",
        "subnet_ids",
    ):
        assert found[name] is None, name


def test_file_systems_are_told_with_their_group() -> None:
    storage = [
        {"EbsVolumeConfig": {"VolumeSizeInGB": 500}},
        {"FsxLustreConfig": {"DnsName": "fs-1.fsx", "MountName": "abc", "MountPath": "/fsx"}},
        {"FsxOpenZfsConfig": {"DnsName": "fs-2.fsx"}},
    ]
    found = mapping.described_cluster(cluster(group(InstanceStorageConfigs=storage)))
    assert [
        (one.group, one.kind, one.dns_name, one.mount_name, one.mount_path)
        for one in found["file_system_mounts"]
    ] == [
        ("workers", "lustre", "fs-1.fsx", "abc", "/fsx"),
        ("workers", "openzfs", "fs-2.fsx", "", ""),
    ]


def quota(**more: Any) -> dict[str, Any]:
    """An entry of ListComputeQuotas."""
    return {"Name": "share", "Status": "Created", "ComputeQuotaTarget": {"TeamName": "a"}, **more}


def test_a_share_that_says_little_is_not_guessed() -> None:
    (found,) = mapping.quotas([quota()])["compute_quotas"]
    assert (found.team, found.is_enabled, found.resources) == ("a", None, ())
    assert (found.borrow_limit_percent, found.fair_share_weight) == (None, None)


def test_a_share_of_parts_of_gpus() -> None:
    part = {"Type": "mig-1g.18gb", "Count": 7}
    config = {
        "ComputeQuotaResources": [{"InstanceType": "ml.p5e.48xlarge", "AcceleratorPartition": part}]
    }
    row = quota(ComputeQuotaConfig=config, ActivationState="Disabled")
    (found,) = mapping.quotas([row])["compute_quotas"]
    assert found.is_enabled is False
    (resource,) = found.resources
    assert (resource.partition_type, resource.partition_count) == ("mig-1g.18gb", 7)
    assert (resource.machine_count, resource.accelerator_count) == (None, None)


def test_a_state_that_is_new_is_no_answer() -> None:
    with pytest.raises(KeyError):
        mapping.quotas([quota(ActivationState="Perhaps")])


@pytest.mark.parametrize(
    ("answer", "new"),
    [
        ({}, False),
        ({"Orchestrator": {"Slurm": {}}}, False),
        ({"Orchestrator": {"Eks": {}}}, False),
        ({"Orchestrator": {}}, True),
    ],
)
def test_an_orchestrator_that_is_new_is_not_taken_for_slurm(answer: Any, new: bool) -> None:
    assert mapping.has_new_orchestrator(answer) is new
