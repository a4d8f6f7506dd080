"""Azure Managed Lustre: capacity, health, the Blob container behind it, and what is exported."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from app.collectors.azure_lustre.operations import OPERATIONS
from app.collectors.azure_lustre.sweep import Sweep
from app.collectors.azure_reading import open_reading
from app.domain.azure_lustre import AzureLustreFileSystemFacts
from app.domain.collecting import Collector, Connection, Observation, Provider


def collect(connection: Connection, _now: datetime) -> Iterator[Observation]:
    """The file systems of all subscriptions; see `Sweep`."""
    with open_reading(connection, OPERATIONS) as reading:
        yield from Sweep(reading).observations()


COLLECTOR = Collector(
    id="azure_lustre",
    title="Azure Managed Lustre",
    provider=Provider.AZURE,
    kinds=(AzureLustreFileSystemFacts,),
    every=timedelta(minutes=30),
    grace=timedelta(hours=6),
    operations=OPERATIONS,
    collect=collect,
)
