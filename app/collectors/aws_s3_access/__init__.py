"""What stands beside the buckets of a region: access points, directory buckets, Storage Lens."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from app.clouds.aws import open_clients
from app.collectors.aws_reading import AwsReading
from app.collectors.aws_s3_access.operations import ABSENT_CODES, NOT_EVERYWHERE, OPERATIONS
from app.collectors.aws_s3_access.sweep import Sweep
from app.domain.access_points import S3AccessPointFacts
from app.domain.collecting import Collector, Connection, Observation, Provider, Reach
from app.domain.directory_buckets import S3DirectoryBucketFacts
from app.domain.storage_lens import S3StorageLensFacts


def collect(connection: Connection, _now: datetime) -> Iterator[Observation]:
    """One region of one account; see `Sweep`."""
    with open_clients(connection) as clients:
        reading = AwsReading(
            connection,
            clients,
            OPERATIONS,
            absent=ABSENT_CODES,
            not_everywhere=NOT_EVERYWHERE,
        )
        yield from Sweep(reading).observations()


COLLECTOR = Collector(
    id="aws_s3_access",
    title="Amazon S3 access points, directory buckets and Storage Lens",
    provider=Provider.AWS,
    kinds=(S3AccessPointFacts, S3DirectoryBucketFacts, S3StorageLensFacts),
    every=timedelta(hours=6),
    grace=timedelta(hours=24),
    operations=OPERATIONS,
    collect=collect,
    reach=Reach.REGION,
)
