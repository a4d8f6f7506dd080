"""CloudWatch: use of GPUs and free space of file systems, as samples."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from app.clouds.aws import open_clients
from app.collectors.aws_cloudwatch.operations import OPERATIONS
from app.collectors.aws_cloudwatch.sweep import Sweep
from app.collectors.aws_reading import AwsReading
from app.domain.collecting import Collector, Connection, Observation, Provider, Reach


def collect(connection: Connection, now: datetime) -> Iterator[Observation]:
    """What was measured in one region in the last three hours; see `Sweep`."""
    with open_clients(connection) as clients:
        yield from Sweep(AwsReading(connection, clients, OPERATIONS), now).observations()


COLLECTOR = Collector(
    id="aws_cloudwatch",
    title="CloudWatch metrics",
    provider=Provider.AWS,
    kinds=(),
    every=timedelta(minutes=15),
    grace=timedelta(hours=1),
    operations=OPERATIONS,
    collect=collect,
    reach=Reach.REGION,
)
