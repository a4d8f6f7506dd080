"""S3 buckets: where they lie and how they keep, copy, protect and delete data."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from app.clouds.aws import open_clients
from app.collectors.aws_s3.client import S3Client
from app.collectors.aws_s3.operations import OPERATIONS
from app.collectors.aws_s3.sweep import Sweep
from app.domain.collecting import (
    Collector,
    Connection,
    Observation,
    Provider,
    Reach,
)
from app.domain.storage import S3BucketFacts


def collect(connection: Connection, _now: datetime) -> Iterator[Observation]:
    """Everything about the buckets of one account; see `Sweep`."""
    with open_clients(connection) as clients:
        client = S3Client(clients, clients.identity().account_id)
        yield from Sweep(client, clients.config, connection.threads).observations()


COLLECTOR = Collector(
    id="aws_s3",
    title="Amazon S3 buckets",
    provider=Provider.AWS,
    kinds=(S3BucketFacts,),
    every=timedelta(hours=6),
    grace=timedelta(hours=24),
    operations=OPERATIONS,
    collect=collect,
    reach=Reach.ACCOUNT,
)
