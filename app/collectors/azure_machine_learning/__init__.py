"""Azure Machine Learning: workspaces and hubs, and their computes, which are no VMs of yours."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from app.collectors.azure_machine_learning.operations import OPERATIONS
from app.collectors.azure_machine_learning.sweep import Sweep
from app.collectors.azure_reading import open_reading
from app.domain.azure_machine_learning import MlComputeFacts, MlWorkspaceFacts
from app.domain.collecting import Collector, Connection, Observation, Provider


def collect(connection: Connection, _now: datetime) -> Iterator[Observation]:
    """The workspaces and computes of all subscriptions; see `Sweep`."""
    with open_reading(connection, OPERATIONS) as reading:
        yield from Sweep(reading).observations()


COLLECTOR = Collector(
    id="azure_machine_learning",
    title="Azure Machine Learning",
    provider=Provider.AZURE,
    kinds=(MlWorkspaceFacts, MlComputeFacts),
    every=timedelta(hours=1),
    grace=timedelta(hours=6),
    operations=OPERATIONS,
    collect=collect,
)
