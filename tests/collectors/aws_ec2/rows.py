"""Rows of EC2's lists as boto3 gives them; every member has a default."""

from datetime import UTC, datetime
from typing import Any

MADE_AT = datetime(2026, 5, 4, 7, 8, 9, tzinfo=UTC)
Row = dict[str, Any]


def tagged(**tags: str) -> list[Row]:
    """Tags; a double underscore stands for a colon."""
    return [{"Key": key.replace("__", ":"), "Value": value} for key, value in tags.items()]


def instance(number: int = 1, kind: str = "p5.48xlarge", **more: Any) -> Row:
    """A running machine as launched, with one plain interface."""
    card = {"AttachTime": MADE_AT, "DeviceIndex": 0, "NetworkCardIndex": 0}
    return {
        "InstanceId": f"i-{number}",
        "InstanceType": kind,
        "ImageId": "ami-1",
        "State": {"Code": 16, "Name": "running"},
        "LaunchTime": MADE_AT,
        "Placement": {"AvailabilityZone": "us-west-2a"},
        "MetadataOptions": {"HttpEndpoint": "enabled", "HttpTokens": "required"},
        "NetworkInterfaces": [{"InterfaceType": "interface", "Attachment": card}],
        **more,
    }


def launch(*machines: Row) -> Row:
    """A reservation of RunInstances with its machines."""
    return {"ReservationId": "r-1", "Instances": list(machines)}


def reservation(**more: Any) -> Row:
    """A reservation of two machines without an end, both used."""
    return {
        "CapacityReservationId": "cr-1",
        "OwnerId": "123456789012",
        "InstanceType": "p5.48xlarge",
        "AvailabilityZone": "us-west-2a",
        "TotalInstanceCount": 2,
        "AvailableInstanceCount": 0,
        "State": "active",
        "StartDate": MADE_AT,
        "CreateDate": MADE_AT,
        "InstanceMatchCriteria": "open",
        "ReservationType": "default",
        **more,
    }


def block(**more: Any) -> Row:
    """A capacity block of four weeks."""
    return reservation(
        **{
            "ReservationType": "capacity-block",
            "CapacityBlockId": "cb-1",
            "EndDate": datetime(2026, 12, 24, 11, 30, tzinfo=UTC),
            **more,
        }
    )


def volume(number: int = 1, **more: Any) -> Row:
    """A volume that nothing is attached to."""
    return {
        "VolumeId": f"vol-{number}",
        "Size": 100,
        "VolumeType": "gp3",
        "State": "available",
        "AvailabilityZone": "us-west-2a",
        "CreateTime": MADE_AT,
        "Encrypted": True,
        "SnapshotId": "",
        "Attachments": [],
        **more,
    }


def snapshot(number: int = 1, **more: Any) -> Row:
    """A finished snapshot of vol-1."""
    return {
        "SnapshotId": f"snap-{number}",
        "VolumeId": "vol-1",
        "VolumeSize": 100,
        "State": "completed",
        "StorageTier": "standard",
        "StartTime": MADE_AT,
        "Encrypted": True,
        **more,
    }


def image(*snapshots: str, **more: Any) -> Row:
    """An image made of these snapshots."""
    disks = [
        {"DeviceName": "/dev/sda1", "Ebs": {"SnapshotId": one, "VolumeSize": 8}}
        for one in snapshots
    ]
    return {
        "ImageId": "ami-1",
        "Name": "base",
        "State": "available",
        "Public": False,
        "Architecture": "x86_64",
        "PlatformDetails": "Linux/UNIX",
        "CreationDate": "2026-05-04T07:08:09.000Z",
        "BlockDeviceMappings": disks,
        **more,
    }
