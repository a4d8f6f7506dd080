"""Builders of what is read of EC2; every argument has a default."""

from datetime import UTC, datetime
from typing import Any

from app.domain.ebs import EbsSnapshotFacts, EbsVolumeFacts, Ec2ImageFacts
from app.domain.ec2_capacity import Ec2CapacityReservationFacts
from app.domain.ec2_machines import Ec2InstanceFacts
from app.domain.facts import ABSENT, Present

LONG_AGO = datetime(2026, 2, 3, 4, 5, 6, tzinfo=UTC)


def machine(**facts: Any) -> Ec2InstanceFacts:
    """A machine with eight H100 that runs in a cluster since long ago."""
    known: dict[str, Any] = {
        "machine_type": Present("p5.48xlarge"),
        "state": Present("running"),
        "capacity": Present("on_demand"),
        "capacity_reservation_id": ABSENT,
        "image_id": Present("ami-1"),
        "launched_at": Present(LONG_AGO),
        "stopped_at": ABSENT,
        "availability_zone": Present("us-west-2a"),
        "cluster_name": Present("atlas"),
        "cluster_tag": Present("aws:eks:cluster-name"),
        "rdma_interfaces": Present(32),
        "metadata_endpoint": Present("enabled"),
        "metadata_tokens": Present("required"),
        "public_ip": ABSENT,
        "instance_profile": ABSENT,
        "accelerator_kind": Present("gpu"),
        "accelerator_model": Present("NVIDIA H100"),
        "accelerator_count": Present(8.0),
        "rdma_interfaces_possible": Present(32),
    }
    return Ec2InstanceFacts(**(known | facts))


def capacity_reservation(**facts: Any) -> Ec2CapacityReservationFacts:
    """An active reservation of two machines without an end, both used."""
    known: dict[str, Any] = {
        "reservation_type": Present("default"),
        "state": Present("active"),
        "machine_type": Present("p5.48xlarge"),
        "availability_zone": Present("us-west-2a"),
        "machine_count": Present(2),
        "available_machine_count": Present(0),
        "starts_at": Present(LONG_AGO),
        "ends_at": ABSENT,
        "match_criteria": Present("open"),
        "capacity_block_id": ABSENT,
        "unavailable_machine_count": ABSENT,
        "interconnect_status": ABSENT,
        "accelerator_kind": Present("gpu"),
        "accelerator_model": Present("NVIDIA H100"),
        "accelerators_per_machine": Present(8.0),
    }
    return Ec2CapacityReservationFacts(**(known | facts))


def volume(**facts: Any) -> EbsVolumeFacts:
    """An encrypted volume that a machine uses."""
    known: dict[str, Any] = {
        "state": Present("in-use"),
        "volume_type": Present("gp3"),
        "size_bytes": Present(2**30),
        "encrypted": Present(True),
        "encryption_key_id": ABSENT,
        "availability_zone": Present("us-west-2a"),
        "attached_to": Present(("i-1",)),
        "made_of_snapshot_id": ABSENT,
        "kubernetes_claim": ABSENT,
        "encryption_by_default": Present(True),
    }
    return EbsVolumeFacts(**(known | facts))


def orphan_volume(**facts: Any) -> EbsVolumeFacts:
    """An encrypted volume that nothing is attached to."""
    return volume(state=Present("available"), attached_to=Present(()), **facts)


def snapshot(**facts: Any) -> EbsSnapshotFacts:
    """An encrypted snapshot of a volume that is still there."""
    known: dict[str, Any] = {
        "state": Present("completed"),
        "storage_tier": Present("standard"),
        "volume_id": Present("vol-1"),
        "volume_size_bytes": Present(2**30),
        "full_size_bytes": Present(2**29),
        "encrypted": Present(True),
        "encryption_key_id": ABSENT,
        "is_copy": Present(False),
        "kept_by": ABSENT,
        "volume_exists": Present(True),
        "used_by_images": Present(()),
    }
    return EbsSnapshotFacts(**(known | facts))


def image(**facts: Any) -> Ec2ImageFacts:
    """An image without a date of deprecation."""
    known: dict[str, Any] = {
        "state": Present("available"),
        "is_public": Present(False),
        "deprecated_at": ABSENT,
        "last_launched_at": ABSENT,
        "architecture": Present("x86_64"),
        "platform": Present("Linux/UNIX"),
        "snapshot_ids": Present(("snap-1",)),
        "size_bytes": Present(2**30),
    }
    return Ec2ImageFacts(**(known | facts))
