"""Azure Monitor: use of machines and GPUs, space and traffic of file systems, as samples."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from app.collectors.azure_metrics.operations import OPERATIONS
from app.collectors.azure_metrics.sweep import Sweep
from app.collectors.azure_reading import open_reading
from app.domain.collecting import Collector, Connection, Observation, Provider


def collect(connection: Connection, now: datetime) -> Iterator[Observation]:
    """What was measured in all subscriptions in the last three hours; see `Sweep`."""
    with open_reading(connection, OPERATIONS) as reading:
        yield from Sweep(reading, now).observations()


COLLECTOR = Collector(
    id="azure_metrics",
    title="Azure Monitor metrics",
    provider=Provider.AZURE,
    kinds=(),
    every=timedelta(minutes=30),
    grace=timedelta(hours=2),
    operations=OPERATIONS,
    collect=collect,
)
