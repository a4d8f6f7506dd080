"""The volumes, snapshots and machine images of the story."""

from datetime import UTC, datetime
from typing import Any

from app.sandbox.aws.answers import Json
from app.sandbox.aws.held import Held, an_id, in_fra, in_pdx, tag_list
from app.sandbox.story import (
    AWS_RESEARCH,
    AWS_TRAINING,
    CT_THORAX,
    FRA,
    PDX,
    WEBTEXT,
    AwsAccount,
    created_at,
)

ENCRYPTED_BY_DEFAULT = (AWS_TRAINING, PDX)
_COPIED_OF = "vol-ffffffff"  # what EC2 writes for the volume of a copy


def _key(account: AwsAccount, region: str) -> str:
    return f"arn:aws:kms:{region}:{account.account_id}:key/0d7c9b1e-0000-4000-8000-0000000000ec"


def _volume(name: str, gib: int, zone: str, machine: str = "", **more: Any) -> Json:  # noqa: ANN401 - members of DescribeVolumes
    volume_id, since = an_id("vol", name), created_at(name)
    attachment = {
        "VolumeId": volume_id,
        "InstanceId": an_id("i", machine),
        "State": "attached",
        "Device": "/dev/sda1",
        "AttachTime": since,
        "DeleteOnTermination": True,
    }
    return {
        "VolumeId": volume_id,
        "Size": gib,
        "VolumeType": "gp3",
        "State": "in-use" if machine else "available",
        "AvailabilityZone": zone,
        "CreateTime": since,
        "Encrypted": True,
        "SnapshotId": "",
        "Attachments": [attachment] if machine else [],
        "Tags": tag_list(name, {}),
        **more,
    }


_CLAIM = {
    "kubernetes.io/created-for/pvc/namespace": "atlas",
    "kubernetes.io/created-for/pvc/name": "tokenizer-cache",
}
VOLUMES: tuple[Held, ...] = (
    in_fra(
        "forgotten-notebook-root",
        "attached, never encrypted",
        _volume(
            "forgotten-notebook-root", 500, "eu-central-1a", "forgotten-notebook", Encrypted=False
        ),
    ),
    in_fra(
        "scratch-2024",
        "2 TiB that nothing is attached to, not encrypted, from a machine long gone",
        _volume(
            "scratch-2024",
            2048,
            "eu-central-1a",
            Encrypted=False,
            Tags=tag_list("scratch-2024", CT_THORAX.tags(role="scratch")),
        ),
    ),
    in_pdx(
        "pcs-trainium-1-root",
        "attached, encrypted with a key of the account",
        _volume(
            "pcs-trainium-1-root",
            1000,
            "us-west-2b",
            "pcs-trainium-1",
            KmsKeyId=_key(AWS_TRAINING, PDX),
            SnapshotId=an_id("snap", "atlas-train-root"),
        ),
    ),
    in_pdx(
        "pvc-tokenizer-cache",
        "unattached, but made for a claim of Kubernetes that may come back",
        _volume(
            "pvc-tokenizer-cache",
            200,
            "us-west-2a",
            Tags=tag_list("pvc-tokenizer-cache", {**WEBTEXT.tags(), **_CLAIM}),
        ),
    ),
)


def _snapshot(name: str, gib: int, volume_id: str, **more: Any) -> Json:  # noqa: ANN401 - members of DescribeSnapshots
    return {
        "SnapshotId": an_id("snap", name),
        "VolumeId": volume_id,
        "VolumeSize": gib,
        "FullSnapshotSizeInBytes": gib * 2**29,
        "State": "completed",
        "Progress": "100%",
        "StorageTier": "standard",
        "StartTime": created_at(name),
        "Encrypted": True,
        "Tags": tag_list(name, {}),
        **more,
    }


_GONE = an_id("vol", "a machine long gone")
_OF_BACKUP = f"arn:aws:ec2:{FRA}:{AWS_RESEARCH.account_id}:volume/{_GONE}"
SNAPSHOTS: tuple[Held, ...] = (
    in_fra(
        "scratch-2023-last",
        "its volume is gone and no image needs it",
        _snapshot("scratch-2023-last", 4096, _GONE, Encrypted=False),
    ),
    in_fra(
        "notebook-base-root",
        "its volume is gone, but an image needs it",
        _snapshot("notebook-base-root", 100, _GONE),
    ),
    in_fra(
        "forgotten-notebook-weekly",
        "its volume is still there",
        _snapshot(
            "forgotten-notebook-weekly",
            500,
            an_id("vol", "forgotten-notebook-root"),
            Encrypted=False,
        ),
    ),
    in_fra(
        "ct-thorax-vault",
        "its volume is gone, and AWS Backup keeps it on purpose, in the archive tier",
        _snapshot(
            "ct-thorax-vault",
            2048,
            _GONE,
            StorageTier="archive",
            Tags=tag_list("ct-thorax-vault", {"aws:backup:source-resource": _OF_BACKUP}),
        ),
    ),
    in_pdx(
        "atlas-train-root",
        "copied from another region, so that it names no volume; an image needs it",
        _snapshot("atlas-train-root", 300, _COPIED_OF, TransferType="standard"),
    ),
)


def _image(name: str, snapshot: str, gib: int, made_at: datetime, **more: Any) -> Json:  # noqa: ANN401 - members of DescribeImages
    disk = {"SnapshotId": an_id("snap", snapshot), "VolumeSize": gib, "VolumeType": "gp3"}
    return {
        "ImageId": an_id("ami", name),
        "Name": name,
        "State": "available",
        "Public": False,
        "Architecture": "x86_64",
        "PlatformDetails": "Linux/UNIX",
        "RootDeviceType": "ebs",
        "CreationDate": _iso(made_at),
        "BlockDeviceMappings": [{"DeviceName": "/dev/sda1", "Ebs": disk}],
        **more,
    }


def _iso(instant: datetime) -> str:
    """A date as DescribeImages writes it: text with milliseconds."""
    return instant.strftime("%Y-%m-%dT%H:%M:%S.000Z")


IMAGES: tuple[Held, ...] = (
    in_fra(
        "notebook-base",
        "deprecated, more than two years old, its last launch known",
        _image(
            "notebook-base",
            "notebook-base-root",
            100,
            datetime(2024, 2, 6, 8, 14, 2, tzinfo=UTC),
            DeprecationTime="2026-02-06T08:14:00.000Z",
            LastLaunchedTime="2026-03-02T09:51:40Z",
        ),
    ),
    in_pdx(
        "atlas-train",
        "the image of this year's training machines",
        _image("atlas-train", "atlas-train-root", 300, datetime(2026, 9, 7, 6, 2, 51, tzinfo=UTC)),
    ),
)
HELD: tuple[Held, ...] = (*VOLUMES, *SNAPSHOTS, *IMAGES)
