"""Volumes, snapshots and machine images that an account keeps, and whether anything needs them."""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from app.domain.facts import ABSENT, Absent, Fact, FactDocument, Present, Unreadable, fact

_VOLUMES = "ec2:DescribeVolumes"
_SNAPSHOTS = "ec2:DescribeSnapshots"
_IMAGES = "ec2:DescribeImages"
_DEFAULT = "ec2:GetEbsEncryptionByDefault"
GIB = 2**30
_UNUSED = "available"  # EC2's word for a volume that nothing is attached to


@dataclass(frozen=True, slots=True)
class EbsVolumeFacts(FactDocument):
    """A volume of EBS."""

    KIND: ClassVar[str] = "ebs_volume"
    AREA: ClassVar[str] = "volumes"

    state: Fact[str] = fact("creating, available, in-use, deleting, deleted or error.", _VOLUMES)
    volume_type: Fact[str] = fact("gp3, io2, st1, …", _VOLUMES)
    size_bytes: Fact[int] = fact("Its size, which is what is paid for.", _VOLUMES)
    encrypted: Fact[bool] = fact("Its bytes are encrypted at rest.", _VOLUMES)
    encryption_key_id: Fact[str] = fact("ARN of its KMS key; absent without one.", _VOLUMES)
    availability_zone: Fact[str] = fact("Its zone.", _VOLUMES)
    attached_to: Fact[tuple[str, ...]] = fact(
        "Instances it is attached to, or ARNs of what AWS manages.", _VOLUMES
    )
    made_of_snapshot_id: Fact[str] = fact(
        "The snapshot it was made of; absent when it began empty.", _VOLUMES
    )
    kubernetes_claim: Fact[str] = fact(
        "The claim of Kubernetes it was made for, as namespace/name; absent without one.", _VOLUMES
    )
    encryption_by_default: Fact[bool] = fact(
        "New volumes of its account and region are encrypted whatever is asked.", _DEFAULT
    )


@dataclass(frozen=True, slots=True)
class EbsSnapshotFacts(FactDocument):
    """A snapshot of a volume."""

    KIND: ClassVar[str] = "ebs_snapshot"
    AREA: ClassVar[str] = "volumes"

    state: Fact[str] = fact("pending, completed, error, recoverable or recovering.", _SNAPSHOTS)
    storage_tier: Fact[str] = fact("standard or archive.", _SNAPSHOTS)
    volume_id: Fact[str] = fact(
        "The volume it was taken of; absent for a copy, which names none.", _SNAPSHOTS
    )
    volume_size_bytes: Fact[int] = fact("Size of that volume.", _SNAPSHOTS)
    full_size_bytes: Fact[int] = fact(
        "All blocks it refers to. It is not what is paid for: blocks are shared with other "
        "snapshots.",
        _SNAPSHOTS,
    )
    encrypted: Fact[bool] = fact("Its bytes are encrypted at rest.", _SNAPSHOTS)
    encryption_key_id: Fact[str] = fact("ARN of its KMS key; absent without one.", _SNAPSHOTS)
    is_copy: Fact[bool] = fact("It was copied from another snapshot.", _SNAPSHOTS)
    kept_by: Fact[str] = fact(
        "aws_backup or lifecycle_manager, which made it and will delete it; absent when neither "
        "did.",
        _SNAPSHOTS,
    )
    volume_exists: Fact[bool] = fact(
        "The volume it was taken of is still there; absent for a copy.", _VOLUMES
    )
    used_by_images: Fact[tuple[str, ...]] = fact("Own machine images that need it.", _IMAGES)


@dataclass(frozen=True, slots=True)
class Ec2ImageFacts(FactDocument):
    """A machine image (AMI) that the account owns."""

    KIND: ClassVar[str] = "ec2_image"
    AREA: ClassVar[str] = "volumes"

    state: Fact[str] = fact("available, pending, disabled, failed, …", _IMAGES)
    is_public: Fact[bool] = fact("Every account may launch it.", _IMAGES)
    deprecated_at: Fact[datetime] = fact(
        "From when on it counts as deprecated; absent without such a date.", _IMAGES
    )
    last_launched_at: Fact[datetime] = fact(
        "Its last launch, told a day late; absent when none is known.", _IMAGES
    )
    architecture: Fact[str] = fact("x86_64, arm64, …", _IMAGES)
    platform: Fact[str] = fact("Its operating system in the words of the bill.", _IMAGES)
    snapshot_ids: Fact[tuple[str, ...]] = fact("Snapshots it consists of.", _IMAGES)
    size_bytes: Fact[int] = fact("Size of the volumes that a launch makes of them.", _IMAGES)


@dataclass(frozen=True, slots=True)
class BlockStorageFacts(FactDocument):
    """What follows for a volume or snapshot."""

    KIND: ClassVar[str] = "block_storage"

    is_orphan: Fact[bool] = fact(
        "A volume that nothing is attached to; a snapshot whose volume is gone and that no own "
        "image uses. Absent for a copied snapshot, whose volume EC2 does not tell.",
        "derived",
    )


def volume_use(volume: EbsVolumeFacts) -> BlockStorageFacts:
    """Whether a volume is unattached. One that is being made or deleted is no orphan."""
    state, attached = volume.state, volume.attached_to
    if isinstance(state, Present) and isinstance(attached, Present):
        return BlockStorageFacts(Present(state.value == _UNUSED and not attached.value))
    return BlockStorageFacts(_first_gap(state, attached))


def snapshot_use(snapshot: EbsSnapshotFacts) -> BlockStorageFacts:
    """Whether nothing needs a snapshot any more; unreadable unless both lists were whole."""
    volume, images = snapshot.volume_exists, snapshot.used_by_images
    needed = volume == Present(True) or (isinstance(images, Present) and bool(images.value))
    if needed:
        return BlockStorageFacts(Present(False))
    if isinstance(volume, Present) and isinstance(images, Present):
        return BlockStorageFacts(Present(True))
    return BlockStorageFacts(_first_gap(volume, images))


def _first_gap(*inputs: Fact[str] | Fact[bool] | Fact[tuple[str, ...]]) -> Absent | Unreadable:
    """Why no answer is possible: an input that could not be read, else that there is none."""
    return next((one for one in inputs if isinstance(one, Unreadable)), ABSENT)
