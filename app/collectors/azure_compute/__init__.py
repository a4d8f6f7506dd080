"""Azure's machines: virtual machines, scale sets, CycleCloud's clusters, quotas and sizes."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from app.collectors.azure_compute.operations import OPERATIONS
from app.collectors.azure_compute.sweep import Sweep
from app.collectors.azure_reading import open_reading
from app.domain.azure_compute_regions import AzureComputeRegionFacts
from app.domain.azure_machines import AzureVmFacts, AzureVmScaleSetFacts
from app.domain.collecting import Collector, Connection, Observation, Provider
from app.domain.cyclecloud import CycleCloudClusterFacts


def collect(connection: Connection, _now: datetime) -> Iterator[Observation]:
    """The machines of all subscriptions of the connection; see `Sweep`."""
    with open_reading(connection, OPERATIONS) as reading:
        yield from Sweep(reading).observations()


COLLECTOR = Collector(
    id="azure_compute",
    title="Azure virtual machines, scale sets and CycleCloud clusters",
    provider=Provider.AZURE,
    kinds=(
        AzureVmFacts,
        AzureVmScaleSetFacts,
        CycleCloudClusterFacts,
        AzureComputeRegionFacts,
    ),
    every=timedelta(hours=1),
    grace=timedelta(hours=6),
    operations=OPERATIONS,
    collect=collect,
)
