"""Azure storage accounts: redundancy, versions, lifecycle, protection and copies of blobs."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from app.collectors.azure_blob.client import StorageClient
from app.collectors.azure_blob.operations import OPERATIONS
from app.collectors.azure_blob.sweep import Sweep
from app.collectors.azure_reading import open_azure
from app.domain.collecting import Collector, Connection, Observation, Provider
from app.domain.storage_accounts import AzureStorageAccountFacts


def collect(connection: Connection, now: datetime) -> Iterator[Observation]:
    """Everything about the storage accounts that the identity sees; see `Sweep`."""
    with open_azure(connection) as azure:
        sweep = Sweep(StorageClient(azure), azure.config, connection.threads, now)
        yield from sweep.observations()


COLLECTOR = Collector(
    id="azure_blob",
    title="Azure storage accounts",
    provider=Provider.AZURE,
    kinds=(AzureStorageAccountFacts,),
    every=timedelta(hours=6),
    grace=timedelta(hours=24),
    operations=OPERATIONS,
    collect=collect,
)
