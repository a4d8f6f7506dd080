"""EC2 and EBS: accelerated machines, reserved capacity, volumes, snapshots and images."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from app.clouds.aws import open_clients
from app.collectors.aws_ec2.machines import Machines
from app.collectors.aws_ec2.operations import OPERATIONS
from app.collectors.aws_ec2.storage import Storage
from app.collectors.aws_reading import AwsReading
from app.domain.collecting import Collector, Connection, Observation, Provider, Reach
from app.domain.ebs import EbsSnapshotFacts, EbsVolumeFacts, Ec2ImageFacts
from app.domain.ec2_capacity import Ec2CapacityReservationFacts
from app.domain.ec2_machines import Ec2InstanceFacts


def collect(connection: Connection, _now: datetime) -> Iterator[Observation]:
    """Everything of one account in one region; see `Machines` and `Storage`."""
    with open_clients(connection) as clients:
        reading = AwsReading(connection, clients, OPERATIONS)
        machines = Machines(reading)
        yield from machines.reservations()
        yield from machines.instances()
        yield from Storage(reading).observations()
        yield from reading.reports()


COLLECTOR = Collector(
    id="aws_ec2",
    title="Amazon EC2 machines, capacity and volumes",
    provider=Provider.AWS,
    kinds=(
        Ec2InstanceFacts,
        Ec2CapacityReservationFacts,
        EbsVolumeFacts,
        EbsSnapshotFacts,
        Ec2ImageFacts,
    ),
    every=timedelta(hours=1),
    grace=timedelta(hours=6),
    operations=OPERATIONS,
    collect=collect,
    reach=Reach.REGION,
)
