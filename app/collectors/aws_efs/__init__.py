"""Amazon EFS: shared file systems, what of them cools, and where their copies lie."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from app.clouds.aws import open_clients
from app.collectors.aws_efs.operations import ABSENT_CODES, OPERATIONS
from app.collectors.aws_efs.sweep import Sweep
from app.collectors.aws_reading import AwsReading
from app.domain.collecting import Collector, Connection, Observation, Provider, Reach
from app.domain.efs import EfsFileSystemFacts


def collect(connection: Connection, _now: datetime) -> Iterator[Observation]:
    """The file systems of one region; see `Sweep`."""
    with open_clients(connection) as clients:
        reading = AwsReading(connection, clients, OPERATIONS, absent=ABSENT_CODES)
        yield from Sweep(reading).observations()


COLLECTOR = Collector(
    id="aws_efs",
    title="Amazon EFS file systems",
    provider=Provider.AWS,
    kinds=(EfsFileSystemFacts,),
    every=timedelta(hours=6),
    grace=timedelta(hours=24),
    operations=OPERATIONS,
    collect=collect,
    reach=Reach.REGION,
)
