"""EC2's answers to our facts of volumes, snapshots and images. Pure."""

from collections.abc import Mapping
from typing import Any

from app.collectors.aws_ec2.mapping import moment, tags
from app.domain.ebs import GIB
from app.domain.quantities import size_bytes

Answer = Mapping[str, Any]

# What EC2 writes for the volume of a copied snapshot. It "should not be used for any purpose"
# (EC2 API: Snapshot.VolumeId), so that nothing follows from its absence.
_NO_VOLUME = "vol-ffffffff"
_CLAIM, _NAMESPACE = "kubernetes.io/created-for/pvc/name", "kubernetes.io/created-for/pvc/namespace"
# AWS sets these; nobody else may (tags that begin with aws: are reserved).
_KEEPERS = {
    "aws:backup:source-resource": "aws_backup",
    "aws:dlm:lifecycle-policy-id": "lifecycle_manager",
}
# An attachment that is over, while EC2 still lists it.
_DETACHED = "detached"


def volume(row: Answer) -> dict[str, Any]:
    """What DescribeVolumes feeds of one volume."""
    attachments = [one for one in row.get("Attachments") or () if one.get("State") != _DETACHED]
    return {
        "state": row["State"],
        "volume_type": row["VolumeType"],
        "size_bytes": _gib(row["Size"]),
        "encrypted": row["Encrypted"],
        "encryption_key_id": row.get("KmsKeyId") or None,
        "availability_zone": row.get("AvailabilityZone"),
        "attached_to": tuple(
            # What AWS manages, such as a node of HyperPod, is no instance of the account.
            one.get("InstanceId") or one.get("AssociatedResource") or "unknown"
            for one in attachments
        ),
        "made_of_snapshot_id": row.get("SnapshotId") or None,
        "kubernetes_claim": _claim(tags(row)),
    }


def encryption_by_default(answer: Answer) -> dict[str, Any]:
    """What GetEbsEncryptionByDefault feeds."""
    return {"encryption_by_default": answer["EbsEncryptionByDefault"]}


def snapshot(row: Answer) -> dict[str, Any]:
    """What DescribeSnapshots feeds of one snapshot."""
    copied = is_copy(row)
    found = tags(row)
    return {
        "state": row["State"],
        "storage_tier": row.get("StorageTier"),
        "volume_id": None if copied else row["VolumeId"],
        "volume_size_bytes": _gib(row["VolumeSize"]),
        "full_size_bytes": size_bytes(row.get("FullSnapshotSizeInBytes")),
        "encrypted": row["Encrypted"],
        "encryption_key_id": row.get("KmsKeyId") or None,
        "is_copy": copied,
        "kept_by": next((word for key, word in _KEEPERS.items() if key in found), None),
    }


def is_copy(row: Answer) -> bool:
    """A snapshot was copied from another; only copies have a TransferType (EC2 API: Snapshot)."""
    return row["VolumeId"] == _NO_VOLUME or bool(row.get("TransferType"))


def image(row: Answer) -> dict[str, Any]:
    """What DescribeImages feeds of one image; a size of None was left out, which is not 0."""
    return {
        "state": row["State"],
        "is_public": row["Public"],
        "deprecated_at": moment(row.get("DeprecationTime")),
        "last_launched_at": moment(row.get("LastLaunchedTime")),
        "architecture": row.get("Architecture"),
        "platform": row.get("PlatformDetails"),
        "snapshot_ids": snapshots_of(row),
        "size_bytes": _image_size(row),
    }


def _image_size(row: Answer) -> int | None:
    """Bytes of all its disks; None when the answer leaves the size of one out, or all disks.

    An image whose root is a volume has at least that one (EC2 API: Image.RootDeviceType).
    """
    sizes = [disk.get("VolumeSize") for disk in _disks(row)]
    if None in sizes or (not sizes and row.get("RootDeviceType") == "ebs"):
        return None
    return sum(_gib(size) for size in sizes)


def snapshots_of(row: Answer) -> tuple[str, ...]:
    """The snapshots that an image consists of; one on instance storage has none."""
    return tuple(disk["SnapshotId"] for disk in _disks(row) if disk.get("SnapshotId"))


def _disks(row: Answer) -> list[Answer]:
    mappings = row.get("BlockDeviceMappings") or ()
    return [one["Ebs"] for one in mappings if one.get("Ebs")]


def _claim(found: Mapping[str, str]) -> str | None:
    name = found.get(_CLAIM)
    return f"{found.get(_NAMESPACE, '')}/{name}" if name else None


def _gib(value: Any) -> int:  # noqa: ANN401 - whatever the answer holds
    """GiB as bytes; TypeError or ValueError for what is no size."""
    size = size_bytes(value)
    if size is None:
        raise TypeError("a size is missing")
    return size_bytes(size * GIB) or 0
