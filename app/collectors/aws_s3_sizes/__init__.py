"""CloudWatch's daily sizes of S3 buckets, by storage type, as samples."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from app.clouds.aws import open_clients
from app.collectors.aws_metrics import OPERATIONS
from app.collectors.aws_reading import AwsReading
from app.collectors.aws_s3_sizes.sweep import Sweep
from app.domain.collecting import Collector, Connection, Observation, Provider, Reach


def collect(connection: Connection, now: datetime) -> Iterator[Observation]:
    """What the buckets of one region hold; see `Sweep`."""
    with open_clients(connection) as clients:
        yield from Sweep(AwsReading(connection, clients, OPERATIONS), now).observations()


COLLECTOR = Collector(
    id="aws_s3_sizes",
    title="S3 sizes by storage type",
    provider=Provider.AWS,
    kinds=(),
    every=timedelta(hours=24),
    grace=timedelta(hours=48),
    operations=OPERATIONS,
    collect=collect,
    reach=Reach.REGION,
)
