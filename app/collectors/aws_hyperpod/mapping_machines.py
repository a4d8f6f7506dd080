"""AWS's words for HyperPod nodes and training plans into ours. Pure; see `mapping`."""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from app.domain.cluster_groups import UNKNOWN_TYPE
from app.domain.facts import ABSENT, Fact, Present, Unreadable
from app.domain.machine_types import MachineType
from app.domain.quantities import machine_count
from app.domain.training_plan import ReservedCapacity

Answer = Mapping[str, Any]


def listed_node(row: Answer, cluster_arn: str, cluster_name: str) -> Answer:
    """One entry of ListClusterNodes. One that is still being made has no instance yet."""
    return {
        "cluster_arn": cluster_arn,
        "cluster_name": cluster_name,
        "instance_group": row["InstanceGroupName"],
        "instance_id": row.get("InstanceId") or None,
        "machine_type": row["InstanceType"],
        "node_status": row["InstanceStatus"]["Status"],
        "status_message": row["InstanceStatus"].get("Message") or None,
        "launched_at": row.get("LaunchTime"),
        "ultra_server_id": row.get("UltraServerInfo", {}).get("Id"),
        "image_version_status": row.get("ImageVersionStatus"),
    }


def described_node(answer: Answer) -> Answer:
    """DescribeClusterNode; a node that is still being made stands nowhere yet."""
    details = answer["NodeDetails"]
    placement = details.get("Placement", {})
    return {
        "availability_zone": placement.get("AvailabilityZone") or None,
        "availability_zone_id": placement.get("AvailabilityZoneId") or None,
        "capacity_type": details.get("CapacityType"),
        "private_ip": details.get("PrivatePrimaryIp") or None,
    }


def machine_facts(found: MachineType | None) -> dict[str, Fact[Any]]:
    """What a machine holds by its type; nothing of it is known of a type that nobody knows."""
    unknown = Unreadable(UNKNOWN_TYPE)

    def told(value: object) -> Fact[Any]:
        return unknown if value is None else Present(value)

    none = found is not None and found.accelerator_kind == ""
    memory = found.accelerator_memory_bytes if found else None
    return {
        "accelerator_kind": told(found and found.accelerator_kind),
        "accelerator_model": unknown
        if found is None or found.accelerator_kind is None
        else Present(found.accelerator_model),
        "accelerator_count": told(found.accelerator_count if found else None),
        "accelerator_memory_bytes": ABSENT if none else told(memory),
        "vcpu_count": told(found.vcpu_count if found else None),
        "memory_bytes": told(found.memory_bytes if found else None),
        "rdma_interfaces": told(found.rdma_interfaces if found else None),
    }


def listed_plan(row: Answer) -> Answer:
    """One entry of ListTrainingPlans."""
    return {
        "plan_status": row["Status"],
        "plan_status_message": row.get("StatusMessage") or None,
        "starts_at": row.get("StartTime"),
        "ends_at": row.get("EndTime"),
        "upfront_fee": _amount(row.get("UpfrontFee")),
        "currency": row.get("CurrencyCode"),
        "total_machine_count": machine_count(row.get("TotalInstanceCount")),
        "available_machine_count": machine_count(row.get("AvailableInstanceCount")),
        "in_use_machine_count": machine_count(row.get("InUseInstanceCount")),
        "ultra_server_count": machine_count(row.get("TotalUltraServerCount")),
        "target_resources": tuple(row["TargetResources"]) if "TargetResources" in row else None,
        "reserved_capacities": tuple(map(_capacity, row["ReservedCapacitySummaries"]))
        if "ReservedCapacitySummaries" in row
        else None,
    }


def described_plan(answer: Answer) -> Answer:
    """DescribeTrainingPlan: what the list does not tell."""
    return {
        "unhealthy_machine_count": machine_count(answer.get("UnhealthyInstanceCount")),
        "spare_machine_count": machine_count(answer.get("AvailableSpareInstanceCount")),
    }


def _capacity(row: Answer) -> ReservedCapacity:
    return ReservedCapacity(
        kind=row.get("ReservedCapacityType", ""),
        machine_type=row["InstanceType"],
        machine_count=machine_count(row["TotalInstanceCount"]),
        status=row["Status"],
        availability_zone=row.get("AvailabilityZone", ""),
        starts_at=row.get("StartTime"),
        ends_at=row.get("EndTime"),
    )


def _amount(text: str | None) -> str | None:
    """The API writes money as text; only what is a number of at least 0 is taken for money."""
    if text is None:
        return None
    try:
        found = Decimal(text)
    except (InvalidOperation, TypeError) as error:
        raise ValueError("the fee is no number") from error
    if not found.is_finite() or found < 0:
        raise ValueError("the fee is no amount")
    return text
