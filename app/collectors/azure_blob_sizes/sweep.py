"""One sweep of all subscriptions: the newest size and number of blobs of each account, by tier."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from app.collectors import azure_metrics_batch
from app.collectors.azure_measures import Measure, Measured, Target
from app.collectors.azure_metrics_batch import read_samples
from app.collectors.azure_questions import Row
from app.collectors.azure_reading import GRAPH, AzureReading
from app.collectors.azure_scopes import SUBSCRIPTIONS
from app.collectors.azure_words import region, subscription_of
from app.domain.collecting import ListingDone, Observation, Operation
from app.domain.samples import AZURE_STORAGE, SERIES, Unit, window

OPERATIONS = (
    SUBSCRIPTIONS,
    Operation(
        GRAPH,
        "Microsoft.Storage/storageAccounts/read",
        (),
        "Finds the storage accounts, in few calls.",
    ),
    *azure_metrics_batch.OPERATIONS,
)
ACCOUNTS = "microsoft.storage/storageaccounts"
# Told for each hour and made anew once a day (Azure, monitoring data reference of Blob storage), so
# the newest hour that has a value is read. Not split by type of blob: since 2026-07 small block
# blobs are a type of their own, and one type would leave them out.
BLOBS = Measured(
    "Microsoft.Storage/storageAccounts/blobServices",
    AZURE_STORAGE,
    (
        Measure("BlobCapacity", "stored_bytes", Unit.BYTES, ("Tier",)),
        Measure("BlobCount", "object_count", Unit.COUNT, ("Tier",)),
    ),
    intervals=(("PT1H", 3600),),
    only_newest=True,
)
LOOK_BACK = timedelta(days=3)
_FILES_ONLY = "filestorage"


class Sweep:
    """Reads one connection once."""

    def __init__(self, reading: AzureReading, now: datetime) -> None:
        self._reading, self._now = reading, now

    def observations(self) -> Iterator[Observation]:
        """Samples, then whether all accounts were found, then the coverage."""
        reading = self._reading
        found = [target_of(row) for row in reading.inventory(ACCOUNTS)]
        targets = [target for target in found if target]
        spans = {3600: window(self._now, LOOK_BACK, 3600)}
        yield from read_samples(reading, BLOBS, targets, spans)
        for subscription in reading.subscriptions:
            code = reading.cut_of(ACCOUNTS, subscription)
            yield ListingDone(SERIES, subscription, complete=not code, code=code)
        yield from reading.reports()


def target_of(row: Row) -> Target | None:
    """The blob service of an account; None for one of file shares alone.

    The name of an account is one in all the world, while its id is spelled in several ways, so its
    samples are filed under the name. After a failover it lies elsewhere than where it was made.
    """
    account_id, place = str(row["id"]), region(row.get("location"))
    if not place or str(row.get("kind", "")).lower() == _FILES_ONLY:
        return None
    properties = row.get("properties") or {}
    primary = properties.get("primaryLocation") if isinstance(properties, dict) else None
    return Target(
        resource_id=f"{account_id}/blobServices/default",
        subject_id=str(row["name"]).lower(),
        subscription=subscription_of(account_id),
        endpoint_region=place,
        region_id=region(primary) or place,
    )
