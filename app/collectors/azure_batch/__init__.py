"""Azure Batch: accounts with their quotas, and their pools, which need not be VMs of yours."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from app.collectors.azure_batch.operations import OPERATIONS
from app.collectors.azure_batch.sweep import Sweep
from app.collectors.azure_reading import open_reading
from app.domain.azure_batch import BatchAccountFacts, BatchPoolFacts
from app.domain.collecting import Collector, Connection, Observation, Provider


def collect(connection: Connection, _now: datetime) -> Iterator[Observation]:
    """The accounts and pools of all subscriptions; see `Sweep`."""
    with open_reading(connection, OPERATIONS) as reading:
        yield from Sweep(reading).observations()


COLLECTOR = Collector(
    id="azure_batch",
    title="Azure Batch",
    provider=Provider.AZURE,
    kinds=(BatchAccountFacts, BatchPoolFacts),
    every=timedelta(hours=1),
    grace=timedelta(hours=6),
    operations=OPERATIONS,
    collect=collect,
)
