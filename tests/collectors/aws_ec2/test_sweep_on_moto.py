"""The collector on moto, which runs machines and keeps volumes as EC2 does."""

from typing import Any

from app.domain.collecting import Cell
from tests.collectors.aws_ec2.conftest import REGION, Sweep
from tests.support.aws_fixtures import MakeConnection
from tests.support.aws_shapes import fixture
from tests.support.aws_wire import AwsWire

_IMAGE = "ami-12c6146b"  # one that moto always has


def test_machines_volumes_and_snapshots_of_moto(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep, here: Cell
) -> None:
    ec2 = aws.client("ec2", REGION)
    ids = run(ec2, "p5.48xlarge", "gpu"), run(ec2, "m5.large", "web")
    made = ec2.create_volume(AvailabilityZone=f"{REGION}a", Size=7, Encrypted=True)
    ec2.create_snapshot(VolumeId=made["VolumeId"])
    aws.faults = [fixture("ec2", "DescribeCapacityReservations", {"CapacityReservations": []})]
    swept = sweep(connection(cell=here))
    assert swept.present("gpu")["accelerator_count"] == 8
    assert swept.seen["gpu"].native_id.endswith(f"instance/{ids[0]}")
    assert "web" not in swept.seen
    assert swept.present(made["VolumeId"])["is_orphan"] is True
    assert swept.present(made["VolumeId"])["encrypted"] is True
    snapshots = [one for one in swept.seen.values() if one.kind == "ebs_snapshot"]
    assert swept.present(snapshots[-1].name)["volume_exists"] is True


def test_a_machine_that_was_stopped_and_one_that_was_terminated(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep, here: Cell
) -> None:
    ec2 = aws.client("ec2", REGION)
    ec2.stop_instances(InstanceIds=[run(ec2, "g5.12xlarge", "asleep")])
    ec2.terminate_instances(InstanceIds=[run(ec2, "g5.12xlarge", "dead")])
    aws.faults = [fixture("ec2", "DescribeCapacityReservations", {"CapacityReservations": []})]
    swept = sweep(connection(cell=here))
    assert "dead" not in swept.seen
    assert swept.present("asleep")["state"] == "stopped"


def run(ec2: Any, kind: str, name: str) -> str:
    """Launches one machine; its id."""
    tags = [{"ResourceType": "instance", "Tags": [{"Key": "Name", "Value": name}]}]
    made = ec2.run_instances(
        ImageId=_IMAGE, InstanceType=kind, MinCount=1, MaxCount=1, TagSpecifications=tags
    )
    return str(made["Instances"][0]["InstanceId"])
