"""Azure NetApp Files: capacity pools and what of them is used, volumes and where copies lie."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from app.collectors.azure_netapp.operations import OPERATIONS
from app.collectors.azure_netapp.sweep import Sweep
from app.collectors.azure_reading import open_reading
from app.domain.azure_netapp import AzureNetappPoolFacts, AzureNetappVolumeFacts
from app.domain.collecting import Collector, Connection, Observation, Provider


def collect(connection: Connection, _now: datetime) -> Iterator[Observation]:
    """The pools and volumes of all subscriptions; see `Sweep`."""
    with open_reading(connection, OPERATIONS) as reading:
        yield from Sweep(reading).observations()


COLLECTOR = Collector(
    id="azure_netapp",
    title="Azure NetApp Files",
    provider=Provider.AZURE,
    kinds=(AzureNetappPoolFacts, AzureNetappVolumeFacts),
    every=timedelta(hours=6),
    grace=timedelta(hours=24),
    operations=OPERATIONS,
    collect=collect,
)
