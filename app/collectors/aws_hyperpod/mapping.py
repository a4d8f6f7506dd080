"""AWS's words for HyperPod clusters and their quotas into ours. Pure.

Answers come as botocore parses them. Each function returns values by fact name; None states that
there is none. What AWS leaves out of a part of a cluster is '' or None there.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlsplit

from app.domain.hyperpod import (
    ComputeQuota,
    FileSystemMount,
    InstanceGroup,
    QuotaResource,
    SchedulerConfig,
    TypeCount,
)
from app.domain.quantities import machine_count

Answer = Mapping[str, Any]

_MOST_PERCENT = 100
_SCRIPTS = re.compile(r"(https|s3)://([^/]+)/?(.*)")  # SageMaker API: ClusterLifeCycleConfig
_PATH_STYLE = re.compile(r"s3[.-][a-z0-9.-]*amazonaws\.com(\.cn)?")
_HOST_STYLE = re.compile(r"(.+?)\.s3[.-][a-z0-9.-]*amazonaws\.com(\.cn)?")


def listed_cluster(row: Answer) -> Answer:
    """One entry of ListClusters."""
    return {"cluster_status": row["ClusterStatus"]}


def described_cluster(answer: Answer) -> Answer:
    """DescribeCluster. A mode that is missing was never set."""
    groups = tuple(_groups(answer))
    orchestrator = answer.get("Orchestrator", {})
    scaling, tiers = answer.get("AutoScaling", {}), answer.get("TieredStorageConfig", {})
    return {
        "failure_message": answer.get("FailureMessage") or None,
        "instance_groups": groups,
        "eks_cluster_arn": orchestrator["Eks"]["ClusterArn"] if "Eks" in orchestrator else None,
        "slurm_strategy": orchestrator.get("Slurm", {}).get("SlurmConfigStrategy"),
        "node_recovery": answer.get("NodeRecovery"),
        "node_provisioning_mode": answer.get("NodeProvisioningMode"),
        "autoscaling_mode": scaling.get("Mode"),
        "autoscaling_status": scaling.get("Status"),
        "tiered_storage_mode": tiers.get("Mode"),
        "tiered_storage_memory_percent": _percent(tiers.get("InstanceMemoryAllocationPercentage")),
        "subnet_ids": tuple(answer["VpcConfig"]["Subnets"]) if "VpcConfig" in answer else None,
        "file_system_mounts": tuple(_mounts(answer)),
        "training_plan_arns": _distinct(group.training_plan_arn for group in groups),
        "lifecycle_script_buckets": _distinct(
            script_bucket(group.script_s3_uri) for group in groups if group.script_s3_uri
        ),
    }


def has_new_orchestrator(answer: Answer) -> bool:
    """DescribeCluster names what places work, and it is neither EKS nor Slurm."""
    named = answer.get("Orchestrator")
    return isinstance(named, Mapping) and not named.keys() & {"Eks", "Slurm"}


def script_bucket(uri: str) -> str:
    """The bucket of a lifecycle script's address; ValueError for what is no such address."""
    found = _SCRIPTS.fullmatch(uri)
    if not found:
        raise ValueError("not the address of a script")
    scheme, host, path = found.groups()
    if scheme == "s3":
        return host
    if _PATH_STYLE.fullmatch(host):
        return path.partition("/")[0]
    named = _HOST_STYLE.fullmatch(host)
    return named[1] if named else str(urlsplit(uri).hostname)


def machine_types_of(groups: Iterable[InstanceGroup]) -> set[str]:
    """Every type that the machines of the groups have or may have."""
    return {name for group in groups for name in (group.machine_type, *group.machine_types) if name}


def quotas(rows: Iterable[Answer]) -> Answer:
    """The shares of one cluster, as ListComputeQuotas or DescribeComputeQuota tells each."""
    return {"compute_quotas": tuple(map(_quota, rows))}


def scheduler_configs(rows: Iterable[Answer]) -> Answer:
    """ListClusterSchedulerConfigs, the rows of one cluster."""
    return {"scheduler_configs": tuple(SchedulerConfig(row["Name"], row["Status"]) for row in rows)}


def _groups(answer: Answer) -> Iterable[InstanceGroup]:
    yield from (_group(row) for row in answer["InstanceGroups"])
    restricted = answer.get("RestrictedInstanceGroups", ())
    yield from (_group(row, is_restricted=True) for row in restricted)


def _group(row: Answer, *, is_restricted: bool = False) -> InstanceGroup:
    """One group. A flexible one has no type of its own, but types it may have and has."""
    details = row.get("InstanceTypeDetails", ())
    wanted = row.get("InstanceRequirements", {})
    one = row.get("InstanceType", "")
    allowed = (
        one,
        *wanted.get("CurrentInstanceTypes", ()),
        *wanted.get("DesiredInstanceTypes", ()),
        *(detail["InstanceType"] for detail in details),
    )
    return InstanceGroup(
        name=row["InstanceGroupName"],
        machine_type=one,
        machine_types=_distinct(allowed),
        type_counts=tuple(
            TypeCount(detail["InstanceType"], machine_count(detail.get("CurrentCount")))
            for detail in details
        ),
        current_count=machine_count(row.get("CurrentCount")),
        target_count=machine_count(row.get("TargetCount")),
        minimum_count=machine_count(row.get("MinCount")),
        status=row.get("Status", ""),
        capacity=_capacity(row),
        training_plan_arn=row.get("TrainingPlanArn", ""),
        script_s3_uri=row.get("LifeCycleConfig", {}).get("SourceS3Uri", ""),
        image_version_status=row.get("ImageVersionStatus", ""),
        slurm_node_type=row.get("SlurmConfig", {}).get("NodeType", ""),
        subnet_ids=tuple(row.get("OverrideVpcConfig", {}).get("Subnets", ())),
        is_restricted=is_restricted,
    )


def _capacity(row: Answer) -> str:
    """A group says nothing when its machines are bought on demand.

    One that says something new is bought in a way that we do not know.
    """
    if row.get("TrainingPlanArn"):
        return "training_plan"
    wanted = row.get("CapacityRequirements")
    if wanted is None or "OnDemand" in wanted:
        return "on_demand"
    return "spot" if "Spot" in wanted else "unknown"


def _mounts(answer: Answer) -> Iterable[FileSystemMount]:
    for row in (*answer["InstanceGroups"], *answer.get("RestrictedInstanceGroups", ())):
        for storage in row.get("InstanceStorageConfigs", ()):
            for kind, member in (("lustre", "FsxLustreConfig"), ("openzfs", "FsxOpenZfsConfig")):
                if member in storage:
                    yield _mount(row["InstanceGroupName"], kind, storage[member])


def _mount(group: str, kind: str, found: Answer) -> FileSystemMount:
    return FileSystemMount(
        group=group,
        kind=kind,
        dns_name=found["DnsName"],
        mount_name=found.get("MountName", ""),
        mount_path=found.get("MountPath", ""),
    )


def _quota(row: Answer) -> ComputeQuota:
    config, target = row.get("ComputeQuotaConfig", {}), row["ComputeQuotaTarget"]
    sharing, state = config.get("ResourceSharingConfig", {}), row.get("ActivationState")
    return ComputeQuota(
        name=row["Name"],
        team=target["TeamName"],
        status=row["Status"],
        is_enabled=None if state is None else {"Enabled": True, "Disabled": False}[state],
        resources=tuple(map(_resource, config.get("ComputeQuotaResources", ()))),
        sharing=sharing.get("Strategy", ""),
        borrow_limit_percent=machine_count(sharing.get("BorrowLimit")),
        preemption=config.get("PreemptTeamTasks", ""),
        fair_share_weight=machine_count(target.get("FairShareWeight")),
    )


def _resource(row: Answer) -> QuotaResource:
    part = row.get("AcceleratorPartition", {})
    return QuotaResource(
        machine_type=row["InstanceType"],
        machine_count=machine_count(row.get("Count")),
        accelerator_count=machine_count(row.get("Accelerators")),
        vcpu_count=row.get("VCpu"),
        memory_gib=row.get("MemoryInGiB"),
        partition_type=part.get("Type", ""),
        partition_count=machine_count(part.get("Count")),
    )


def _percent(value: object) -> int | None:
    found = machine_count(value)
    if found is not None and found > _MOST_PERCENT:
        raise ValueError("more than all of it")
    return found


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({name for name in names if name}))
