"""Azure AI services and Foundry: accounts, the models that they serve, and their projects."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from app.collectors.azure_ai.operations import OPERATIONS
from app.collectors.azure_ai.sweep import Sweep
from app.collectors.azure_reading import open_reading
from app.domain.azure_ai import AiAccountFacts
from app.domain.collecting import Collector, Connection, Observation, Provider


def collect(connection: Connection, _now: datetime) -> Iterator[Observation]:
    """The accounts of all subscriptions; see `Sweep`."""
    with open_reading(connection, OPERATIONS) as reading:
        yield from Sweep(reading).observations()


COLLECTOR = Collector(
    id="azure_ai",
    title="Azure AI services and Foundry",
    provider=Provider.AZURE,
    kinds=(AiAccountFacts,),
    every=timedelta(hours=6),
    grace=timedelta(hours=24),
    operations=OPERATIONS,
    collect=collect,
)
