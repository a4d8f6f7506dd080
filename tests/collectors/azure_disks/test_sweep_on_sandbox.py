"""The story's disks: all of them, and what becomes of them when Resource Graph fails."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from app.collectors.azure_disks import COLLECTOR
from app.domain.azure_disks import AzureDiskFacts
from app.domain.collecting import Connection, ListingDone, ResourceSeen
from app.domain.facts import Present
from app.kit.errors import AtalayaError
from app.sandbox.azure import story_compute
from app.sandbox.azure_server import AzureServer
from app.sandbox.faults import Effect, Fault
from tests.support.azure_fixtures import azure, azure_connection, tenant

__all__ = ["azure", "azure_connection", "tenant"]
NOW = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
Connect = Callable[..., Connection]


def test_every_disk_is_seen_once(azure: AzureServer, azure_connection: Connect) -> None:
    azure.calls.clear()
    seen = list(COLLECTOR.collect(azure_connection(), NOW))
    disks = {one.name: one for one in seen if isinstance(one, ResourceSeen)}
    assert set(disks) == {one.name for one in (*story_compute.DISKS, *story_compute.SYSTEMS)}
    assert azure.calls.counts()["arm.graph.query"] == 1
    shared = disks["disk-ct-thorax-shared"].facts
    assert isinstance(shared, AzureDiskFacts)
    assert isinstance(shared.attached_to, Present)
    assert len(shared.attached_to.value) == 2
    assert all(one.complete for one in seen if isinstance(one, ListingDone))


QUERY = "arm.graph.query"


@pytest.mark.parametrize(
    "fault",
    [
        Fault(operation=QUERY, status=403, code="AuthorizationFailed"),
        Fault(operation=QUERY, status=400, code="InvalidQuery"),
        Fault(operation=QUERY, effect=Effect.MALFORMED),
        Fault(operation=QUERY, effect=Effect.REPEATED_NEXT),
    ],
    ids=["denied", "refused", "malformed", "in circles"],
)
def test_no_disk_is_gone_because_the_list_failed(
    azure: AzureServer, azure_connection: Connect, fault: Fault
) -> None:
    azure.faults.add(fault)
    try:
        seen = list(COLLECTOR.collect(azure_connection(), NOW))
    except AtalayaError:
        return  # nothing at all could be read
    lists = [one for one in seen if isinstance(one, ListingDone)]
    assert lists
    assert not any(one.complete for one in lists)
