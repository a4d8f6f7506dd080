"""Amazon FSx: what training jobs read and write, what it is linked with, and how it is kept."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from app.clouds.aws import open_clients
from app.collectors.aws_fsx.operations import OPERATIONS
from app.collectors.aws_fsx.sweep import Sweep
from app.collectors.aws_reading import AwsReading
from app.domain.collecting import Collector, Connection, Observation, Provider, Reach
from app.domain.fsx import FsxFileCacheFacts, FsxFileSystemFacts


def collect(connection: Connection, _now: datetime) -> Iterator[Observation]:
    """The file systems and caches of one region; see `Sweep`."""
    with open_clients(connection) as clients:
        yield from Sweep(AwsReading(connection, clients, OPERATIONS)).observations()


COLLECTOR = Collector(
    id="aws_fsx",
    title="Amazon FSx file systems",
    provider=Provider.AWS,
    kinds=(FsxFileSystemFacts, FsxFileCacheFacts),
    every=timedelta(hours=6),
    grace=timedelta(hours=24),
    operations=OPERATIONS,
    collect=collect,
    reach=Reach.REGION,
)
