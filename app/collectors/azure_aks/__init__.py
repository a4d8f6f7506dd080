"""Azure Kubernetes Service: clusters, their agent pools and machines, and supported versions."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from app.collectors.azure_aks.operations import OPERATIONS
from app.collectors.azure_aks.sweep import Sweep
from app.collectors.azure_reading import open_reading
from app.domain.azure_aks import AksClusterFacts
from app.domain.collecting import Collector, Connection, Observation, Provider


def collect(connection: Connection, _now: datetime) -> Iterator[Observation]:
    """The clusters of all subscriptions; see `Sweep`."""
    with open_reading(connection, OPERATIONS) as reading:
        yield from Sweep(reading).observations()


COLLECTOR = Collector(
    id="azure_aks",
    title="Azure Kubernetes Service",
    provider=Provider.AZURE,
    kinds=(AksClusterFacts,),
    every=timedelta(hours=1),
    grace=timedelta(hours=6),
    operations=OPERATIONS,
    collect=collect,
)
