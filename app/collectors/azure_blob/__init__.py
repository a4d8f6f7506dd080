"""Azure storage accounts: redundancy, versions, lifecycle, protection and copies of blobs."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from app.clouds.azure import AzureClient
from app.collectors.azure_blob.client import StorageClient, items
from app.collectors.azure_blob.operations import BY_NAME, OPERATIONS
from app.collectors.azure_blob.sweep import Sweep
from app.domain.collecting import (
    Collector,
    Connection,
    ConnectionStatus,
    Observation,
    Provider,
)
from app.domain.storage import AzureStorageAccountFacts
from app.kit.errors import CollectorError, InvalidInputError


def collect(connection: Connection, _now: datetime) -> Iterator[Observation]:
    """Everything about the storage accounts that the identity sees; see `Sweep`."""
    with _client(connection) as azure:
        sweep = Sweep(StorageClient(azure), azure.config, connection.threads)
        yield from sweep.observations()


def identity(connection: Connection) -> ConnectionStatus:
    """Which subscriptions the identity sees. An empty list is an answer: no role is assigned."""
    with _client(connection) as azure:
        pages = StorageClient(azure).subscriptions()
        found = [item for page in pages for item in items(page)]
        given = azure.config.credentials
        who = given.client_id or given.mode.value
        tenant = str(found[0].get("tenantId") or "") if found else given.tenant_id
        names = {str(item["subscriptionId"]): str(item.get("displayName", "")) for item in found}
        return ConnectionStatus(who, tuple(names), {"tenant_id": tenant, "subscriptions": names})


@contextmanager
def _client(connection: Connection) -> Iterator[AzureClient]:
    try:
        azure = AzureClient(connection)
        _check_operations(azure.config.operations)
    except InvalidInputError as error:
        raise CollectorError(
            error.detail, code="InvalidConfiguration", permanent=True, mend=error.mend
        ) from error
    try:
        yield azure
    finally:
        azure.close()


def _check_operations(wanted: tuple[str, ...]) -> None:
    unknown = sorted(set(wanted) - set(BY_NAME))
    if unknown:
        raise InvalidInputError(
            f"operations: unknown {', '.join(unknown)}; known are {', '.join(BY_NAME)}."
        )


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
