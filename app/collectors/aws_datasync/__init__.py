"""AWS DataSync: what is copied from where to where, and whether that goes well."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from app.clouds.aws import open_clients
from app.collectors.aws_datasync.operations import OPERATIONS
from app.collectors.aws_datasync.sweep import Sweep
from app.collectors.aws_reading import AwsReading
from app.domain.collecting import Collector, Connection, Observation, Provider, Reach
from app.domain.datasync import DatasyncTaskFacts


def collect(connection: Connection, _now: datetime) -> Iterator[Observation]:
    """The tasks of one region; see `Sweep`."""
    with open_clients(connection) as clients:
        yield from Sweep(AwsReading(connection, clients, OPERATIONS)).observations()


COLLECTOR = Collector(
    id="aws_datasync",
    title="AWS DataSync tasks",
    provider=Provider.AWS,
    kinds=(DatasyncTaskFacts,),
    every=timedelta(hours=6),
    grace=timedelta(hours=24),
    operations=OPERATIONS,
    collect=collect,
    reach=Reach.REGION,
)
