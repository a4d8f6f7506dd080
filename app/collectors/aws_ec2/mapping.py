"""EC2's answers to our facts of machines and capacity. Pure; odd answers raise."""

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from app.collectors.aws_reading import tags_of
from app.domain.ec2_capacity import CAPACITY_BLOCK
from app.domain.ec2_machines import cluster_of
from app.domain.machine_types import MachineType
from app.domain.quantities import machine_count

Answer = Mapping[str, Any]

_CAPACITY = {None: "on_demand", "spot": "spot", "capacity-block": "capacity_block"}
# EC2 user guide, Elastic Fabric Adapter: an efa-only interface carries no IP.
_RDMA = frozenset({"efa", "efa-only"})
# Such as "User initiated (2026-11-02 17:03:11 GMT)" (EC2 API: StateTransitionReason).
_SINCE = re.compile(r"\((\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) GMT\)")
_HALTED = frozenset({"stopping", "stopped"})


def tags(row: Answer) -> dict[str, str]:
    """The tags of a row, which are left out where there are none; TypeError for other things."""
    found = tags_of(row.get("Tags") or [])
    if not all(isinstance(part, str) for pair in found.items() for part in pair):
        raise TypeError("a tag is no text")
    return found


def moment(value: object) -> datetime | None:
    """An instant in UTC, from EC2's dates or ISO text; None stays None."""
    if value is None:
        return None
    found = datetime.fromisoformat(value) if isinstance(value, str) else value
    if not isinstance(found, datetime) or found.tzinfo is None:
        raise ValueError("no instant")
    return found.astimezone(UTC)


def instance(row: Answer) -> dict[str, Any]:
    """What DescribeInstances feeds of one machine; adapters of None were left out, not none."""
    cluster_name, cluster_tag = cluster_of(tags(row)) or (None, None)
    options = row.get("MetadataOptions") or {}
    profile = row.get("IamInstanceProfile") or {}
    lifecycle = row.get("InstanceLifecycle")
    return {
        "machine_type": row["InstanceType"],
        "state": row["State"]["Name"],
        "capacity": _CAPACITY.get(lifecycle, "unknown"),
        "capacity_reservation_id": row.get("CapacityReservationId") or None,
        "image_id": row["ImageId"],
        "launched_at": moment(row["LaunchTime"]),
        "stopped_at": _stopped_at(row),
        "availability_zone": row["Placement"]["AvailabilityZone"],
        "cluster_name": cluster_name,
        "cluster_tag": cluster_tag,
        "rdma_interfaces": _rdma_interfaces(row.get("NetworkInterfaces")),
        "metadata_endpoint": options.get("HttpEndpoint"),
        "metadata_tokens": options.get("HttpTokens"),
        "public_ip": row.get("PublicIpAddress") or None,
        "instance_profile": profile.get("Arn"),
    }


def _rdma_interfaces(interfaces: Sequence[Answer] | None) -> int | None:
    if interfaces is None:
        return None
    return sum(one.get("InterfaceType") in _RDMA for one in interfaces)


def first_launched_at(row: Answer) -> datetime | None:
    """When a machine was made: its primary interface is attached from then on, its last launch
    moves with each restart (EC2 API: Instance.LaunchTime). None where it has no interface.
    """
    for one in row.get("NetworkInterfaces", ()):
        attachment = one.get("Attachment", {})
        if attachment.get("DeviceIndex") == 0 and not attachment.get("NetworkCardIndex"):
            return moment(attachment.get("AttachTime"))
    return None


def _stopped_at(row: Answer) -> datetime | None:
    if row["State"]["Name"] not in _HALTED:
        return None
    since = _SINCE.search(row.get("StateTransitionReason") or "")
    return datetime.fromisoformat(since[1]).replace(tzinfo=UTC) if since else None


def accelerators(one: MachineType | None, names: Collection[str]) -> dict[str, Any]:
    """What the type of a machine feeds of these names; LookupError when nobody tells."""
    if one is None or one.accelerator_kind is None or one.accelerator_count is None:
        raise LookupError("nobody tells the accelerators of this type")
    known = {
        "accelerator_kind": one.accelerator_kind,
        "accelerator_model": one.accelerator_model,
        "accelerator_count": float(one.accelerator_count),
        "accelerators_per_machine": float(one.accelerator_count),
        "rdma_interfaces_possible": one.rdma_interfaces,
    }
    return {name: known[name] for name in names}


def reservation(row: Answer) -> dict[str, Any]:
    """What DescribeCapacityReservations feeds of one reservation."""
    return {
        # Old reservations do not say; only blocks need to (EC2 API: CapacityReservation).
        "reservation_type": row.get("ReservationType") or "default",
        "state": row["State"],
        "machine_type": row["InstanceType"],
        "availability_zone": row.get("AvailabilityZone"),
        "machine_count": _count(row["TotalInstanceCount"]),
        "available_machine_count": _count(row["AvailableInstanceCount"]),
        "starts_at": moment(row.get("StartDate")),
        "ends_at": moment(row.get("EndDate")),
        "match_criteria": row.get("InstanceMatchCriteria"),
        "capacity_block_id": row.get("CapacityBlockId") or None,
    }


def is_block(row: Answer) -> bool:
    """A reservation is (a part of) a capacity block."""
    return row.get("ReservationType") == CAPACITY_BLOCK


def broken_machines(row: Answer, statuses: Mapping[str, Answer]) -> dict[str, Any]:
    """What DescribeCapacityBlockStatus feeds of one reservation; absent for other reservations."""
    block = statuses.get(row.get("CapacityBlockId") or "")
    if block is None:
        return {"unavailable_machine_count": None, "interconnect_status": None}
    parts = {
        part["CapacityReservationId"]: part
        for part in block.get("CapacityReservationStatuses") or ()
    }
    own = parts.get(row["CapacityReservationId"])
    return {
        "unavailable_machine_count": _count(own["TotalUnavailableCapacity"]) if own else None,
        "interconnect_status": block.get("InterconnectStatus"),
    }


def _count(value: object) -> int:
    found = machine_count(value)
    if found is None:
        raise ValueError("a number is missing")
    return found
