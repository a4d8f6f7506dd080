"""Sizes of storage accounts by tier, as the simulated Azure Monitor tells them."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from app.collectors.azure_blob_sizes import COLLECTOR
from app.collectors.azure_blob_sizes.sweep import target_of
from app.domain.collecting import Connection
from app.domain.samples import AZURE_STORAGE
from app.sandbox.azure_server import AzureServer
from tests.support.azure_fixtures import azure, azure_connection, tenant
from tests.support.samples import swept

__all__ = ["azure", "azure_connection", "tenant"]
Connect = Callable[..., Connection]
NOW = datetime(2026, 12, 1, 9, 2, tzinfo=UTC)


def test_each_tier_of_each_account_has_its_newest_size(azure_connection: Connect) -> None:
    result = swept(COLLECTOR, azure_connection(), NOW)
    sizes = result.of("stored_bytes", "stctthoraxweu")
    assert {tier for _, tier in sizes} == {"Hot", "Cool", "Cold", "Archive", "Standard", "Untiered"}
    assert all(len(values) == 1 for values in sizes.values())
    assert sizes["stctthoraxweu", "Hot"][0] > 0
    assert sizes["stctthoraxweu", "Untiered"] == (0.0,)
    assert result.of("object_count", "stctthoraxweu").keys() == sizes.keys()


def test_the_newest_size_is_that_of_the_last_hour_that_has_one(azure_connection: Connect) -> None:
    result = swept(COLLECTOR, azure_connection(), NOW)
    (seen,) = [
        one
        for one in result.seen
        if one.series.metric == "stored_bytes"
        and (one.series.subject_id, one.series.dimension) == ("stctthoraxweu", "Hot")
    ]
    assert seen.samples[0].at == NOW.replace(minute=0) - timedelta(hours=7)
    assert seen.series.period_seconds == 3600
    assert seen.series.subject_kind == AZURE_STORAGE


def test_accounts_of_files_alone_are_not_asked_for(
    azure: AzureServer, azure_connection: Connect
) -> None:
    result = swept(COLLECTOR, azure_connection(), NOW)
    subjects = {one.series.subject_id for one in result.seen}
    accounts = [azure.estate.at(place) for place in range(azure.estate.size)]
    assert subjects == {one.name for one in accounts if one.has_blobs}
    assert azure.calls.counts()["monitor.metrics.batch"] < 20


def test_an_account_that_failed_over_is_asked_for_where_it_was_made() -> None:
    row = {
        "id": "/subscriptions/S/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/A",
        "name": "A",
        "kind": "StorageV2",
        "location": "westeurope",
        "properties": {"primaryLocation": "northeurope"},
    }
    found = target_of(row)
    assert found is not None
    assert (found.endpoint_region, found.region_id) == ("westeurope", "northeurope")
    assert (found.subject_id, found.subscription) == ("a", "s")
    assert target_of({**row, "kind": "FileStorage"}) is None
    assert target_of({**row, "location": None}) is None
