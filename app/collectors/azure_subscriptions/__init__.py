"""Azure subscriptions: state, management groups, regions with pairs and zones, providers."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from app.collectors.azure_reading import open_azure, open_reading
from app.collectors.azure_scopes import list_subscriptions
from app.collectors.azure_subscriptions.operations import OPERATIONS
from app.collectors.azure_subscriptions.sweep import Sweep
from app.domain.azure_subscriptions import AzureSubscriptionFacts
from app.domain.collecting import (
    Collector,
    Connection,
    ConnectionStatus,
    Observation,
    Provider,
)


def collect(connection: Connection, _now: datetime) -> Iterator[Observation]:
    """The subscriptions that the settings cover; see `Sweep`."""
    with open_reading(connection, OPERATIONS) as reading:
        yield from Sweep(reading).observations()


def identity(connection: Connection) -> ConnectionStatus:
    """Which subscriptions the identity sees. An empty list is an answer: no role is assigned."""
    with open_azure(connection) as azure:
        found = list_subscriptions(azure)
        given = azure.config.credentials
        who = given.client_id or given.mode.value
        tenant = str(found[0].get("tenantId") or "") if found else given.tenant_id
        names = {str(one["subscriptionId"]): str(one.get("displayName", "")) for one in found}
        return ConnectionStatus(who, tuple(names), {"tenant_id": tenant, "subscriptions": names})


COLLECTOR = Collector(
    id="azure_subscriptions",
    title="Azure subscriptions",
    provider=Provider.AZURE,
    kinds=(AzureSubscriptionFacts,),
    every=timedelta(hours=6),
    grace=timedelta(hours=24),
    operations=OPERATIONS,
    collect=collect,
)
