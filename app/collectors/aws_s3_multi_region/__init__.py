"""S3 Multi-Region Access Points: one name for buckets of several regions."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from app.clouds.aws import open_clients
from app.collectors.aws_reading import AwsReading
from app.collectors.aws_s3_multi_region.operations import ABSENT_CODES, OPERATIONS
from app.collectors.aws_s3_multi_region.sweep import Sweep
from app.domain.access_points import S3MultiRegionAccessPointFacts
from app.domain.collecting import Collector, Connection, Observation, Provider, Reach


def collect(connection: Connection, _now: datetime) -> Iterator[Observation]:
    """Those of one account; see `Sweep`."""
    with open_clients(connection) as clients:
        reading = AwsReading(connection, clients, OPERATIONS, absent=ABSENT_CODES)
        yield from Sweep(reading).observations()


COLLECTOR = Collector(
    id="aws_s3_multi_region",
    title="Amazon S3 Multi-Region Access Points",
    provider=Provider.AWS,
    kinds=(S3MultiRegionAccessPointFacts,),
    every=timedelta(hours=6),
    grace=timedelta(hours=24),
    operations=OPERATIONS,
    collect=collect,
    reach=Reach.ACCOUNT,
)
