"""What EC2 says of volumes, snapshots and images, in our words."""

from datetime import UTC, datetime
from typing import Any

import pytest

from app.collectors.aws_ec2 import volumes
from tests.collectors.aws_ec2.rows import image, snapshot, tagged, volume

GIB = 2**30


def test_an_unattached_volume() -> None:
    assert volumes.volume(volume()) == {
        "state": "available",
        "volume_type": "gp3",
        "size_bytes": 100 * GIB,
        "encrypted": True,
        "encryption_key_id": None,
        "availability_zone": "us-west-2a",
        "attached_to": (),
        "made_of_snapshot_id": None,
        "kubernetes_claim": None,
    }


@pytest.mark.parametrize(
    ("attachment", "found"),
    [
        ({"InstanceId": "i-1", "State": "attached"}, ("i-1",)),
        ({"InstanceId": "i-1", "State": "detaching"}, ("i-1",)),
        ({"InstanceId": "i-1", "State": "detached"}, ()),
        ({"AssociatedResource": "arn:aws:x", "State": "attached"}, ("arn:aws:x",)),
        ({"InstanceOwningService": "sagemaker.amazonaws.com"}, ("unknown",)),
    ],
)
def test_what_a_volume_is_attached_to(attachment: Any, found: tuple[str, ...]) -> None:
    assert volumes.volume(volume(Attachments=[attachment]))["attached_to"] == found


def test_a_claim_of_kubernetes_is_told_by_its_tags() -> None:
    tags = {"kubernetes.io/created-for/pvc/name": "cache"}
    named = volume(Tags=[{"Key": key, "Value": value} for key, value in tags.items()])
    assert volumes.volume(named)["kubernetes_claim"] == "/cache"


def test_a_plain_snapshot() -> None:
    found = volumes.snapshot(snapshot(FullSnapshotSizeInBytes=7))
    assert (found["volume_id"], found["is_copy"], found["kept_by"]) == ("vol-1", False, None)
    assert (found["volume_size_bytes"], found["full_size_bytes"]) == (100 * GIB, 7)


@pytest.mark.parametrize(
    "mark", [{"VolumeId": "vol-ffffffff"}, {"VolumeId": "vol-1", "TransferType": "standard"}]
)
def test_a_copied_snapshot_names_no_volume(mark: dict[str, Any]) -> None:
    found = volumes.snapshot(snapshot(**mark))
    assert (found["is_copy"], found["volume_id"]) == (True, None)


@pytest.mark.parametrize(
    ("tag", "keeper"),
    [
        ("aws__backup__source-resource", "aws_backup"),
        ("aws__dlm__lifecycle-policy-id", "lifecycle_manager"),
        ("backup", None),
    ],
)
def test_who_keeps_a_snapshot_is_told_by_tags_that_only_aws_sets(tag: str, keeper: Any) -> None:
    assert volumes.snapshot(snapshot(Tags=tagged(**{tag: "x"})))["kept_by"] == keeper


def test_an_image_of_two_snapshots_with_its_dates() -> None:
    found = volumes.image(
        image("snap-1", "snap-2", DeprecationTime="2027-01-02T03:04:00.000Z", LastLaunchedTime=None)
    )
    assert found["snapshot_ids"] == ("snap-1", "snap-2")
    assert found["size_bytes"] == 16 * GIB
    assert found["deprecated_at"] == datetime(2027, 1, 2, 3, 4, tzinfo=UTC)
    assert found["last_launched_at"] is None


def test_an_image_on_instance_storage_has_no_snapshots() -> None:
    disks = [{"DeviceName": "sdb", "VirtualName": "ephemeral0"}]
    found = volumes.image(image(BlockDeviceMappings=disks))
    assert (found["snapshot_ids"], found["size_bytes"]) == ((), 0)


@pytest.mark.parametrize(
    "disks",
    [
        [{"DeviceName": "sda", "Ebs": {"SnapshotId": "snap-1"}}],
        [
            {"DeviceName": "sda", "Ebs": {"SnapshotId": "snap-1", "VolumeSize": 8}},
            {"DeviceName": "sdb", "Ebs": {"SnapshotId": "snap-2", "VolumeSize": None}},
        ],
        [],
    ],
    ids=["its only disk", "one of two", "every disk"],
)
def test_a_disk_without_a_size_leaves_that_of_the_image_open(disks: list[dict[str, Any]]) -> None:
    found = volumes.image(image(RootDeviceType="ebs", BlockDeviceMappings=disks))
    assert found["size_bytes"] is None


@pytest.mark.parametrize("size", [None, "100", -1, True, 2**60, float("nan")])
def test_a_size_that_is_none_is_no_value(size: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        volumes.volume(volume(Size=size))


@pytest.mark.parametrize("text", ["yesterday", "2026-05-04", "2026-05-04T07:08:09"])
def test_a_date_without_a_zone_is_no_instant(text: str) -> None:
    with pytest.raises(ValueError, match=r"instant|isoformat"):
        volumes.image(image(DeprecationTime=text))
