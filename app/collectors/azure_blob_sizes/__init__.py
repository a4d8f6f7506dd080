"""Azure Monitor's daily sizes of storage accounts, by tier, as samples."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from app.collectors.azure_blob_sizes.sweep import OPERATIONS, Sweep
from app.collectors.azure_reading import open_reading
from app.domain.collecting import Collector, Connection, Observation, Provider


def collect(connection: Connection, now: datetime) -> Iterator[Observation]:
    """What the storage accounts of all subscriptions hold; see `Sweep`."""
    with open_reading(connection, OPERATIONS) as reading:
        yield from Sweep(reading, now).observations()


COLLECTOR = Collector(
    id="azure_blob_sizes",
    title="Azure Blob sizes by tier",
    provider=Provider.AZURE,
    kinds=(),
    every=timedelta(hours=24),
    grace=timedelta(hours=48),
    operations=OPERATIONS,
    collect=collect,
)
