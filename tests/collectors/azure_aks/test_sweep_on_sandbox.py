"""A sweep of AKS over the simulated tenant."""

from collections.abc import Callable

import pytest

from app.collectors.azure_aks import COLLECTOR
from app.collectors.azure_aks.operations import MACHINES, POOLS, VERSIONS
from app.collectors.azure_reading import GRAPH
from app.domain.azure_aks import AksClusterFacts, PoolMachines
from app.domain.collecting import Connection, ListingDone, ResourceSeen, ScopeReport
from app.domain.facts import Present, Unreadable
from app.sandbox.azure.story_aks import CLUSTERS
from app.sandbox.azure_server import AzureServer
from app.sandbox.story import SUBSCRIPTIONS
from tests.support.azure_fixtures import azure, azure_connection, tenant
from tests.support.azure_sweeps import Swept, swept

__all__ = ["azure", "azure_connection", "tenant"]

Make = Callable[..., Connection]
KIND = AksClusterFacts.KIND


@pytest.fixture
def found(azure_connection: Make) -> Swept:
    return swept(COLLECTOR, azure_connection())


def facts(found: Swept, name: str) -> AksClusterFacts:
    known = found.resources[KIND, name].facts
    assert isinstance(known, AksClusterFacts)
    return known


def test_every_cluster_is_found_where_it_lies(found: Swept) -> None:
    assert found.names(KIND) == {one.name for one in CLUSTERS}
    train = found.resources[KIND, "aks-atlas-train"]
    assert (train.region_id, train.tags and train.tags["workload-phase"]) == (
        "swedencentral",
        "training",
    )
    assert "resourcegroups/rg-aks-atlas-train" in train.immutable_id
    done = {key: (one.complete, one.is_lagging) for key, one in found.listings.items()}
    assert done == {(KIND, one.subscription_id): (True, True) for one in SUBSCRIPTIONS}


def test_it_streams_resources_then_lists_then_reports(found: Swept) -> None:
    assert [*dict.fromkeys(found.order)] == [ResourceSeen, ListingDone, ScopeReport]


def test_the_pools_and_their_machines_are_read(found: Swept) -> None:
    known = facts(found, "aks-atlas-train")
    assert isinstance(known.agent_pools, Present)
    assert [one.name for one in known.agent_pools.value] == ["system", "h100", "spot"]
    assert known.pool_machines == Present(
        (PoolMachines("system", 3), PoolMachines("h100", 3), PoolMachines("spot", 1))
    )


def test_pools_that_may_not_be_read_cost_what_they_feed(found: Swept) -> None:
    known = facts(found, "aks-lab")
    denied = Unreadable("AuthorizationFailed")
    assert (known.agent_pools, known.pool_machines) == (denied, denied)
    assert known.agent_pool_names == Present(("system",))
    assert known.power_state == Present("Stopped")


def test_versions_are_asked_for_once_a_region(found: Swept) -> None:
    assert found.calls(VERSIONS) == len({(c.subscription, c.region) for c in CLUSTERS})
    assert found.calls(POOLS) == len(CLUSTERS)
    assert found.calls(MACHINES) == sum(len(c.pools) for c in CLUSTERS if not c.hides_pools)


def test_a_cluster_that_was_deleted_is_not_seen(azure: AzureServer, azure_connection: Make) -> None:
    azure.held.hide(CLUSTERS[0].resource_id)
    after = swept(COLLECTOR, azure_connection())
    assert CLUSTERS[0].name not in after.names(KIND)
    assert all(one.complete for one in after.listings.values())


def test_calls_that_are_switched_off_are_not_made(azure_connection: Make) -> None:
    after = swept(COLLECTOR, azure_connection(operations=[GRAPH]))
    known = facts(after, "aks-prep")
    skipped = Unreadable("SkippedByConfiguration")
    assert (known.agent_pools, known.pool_machines, known.offered_versions) == (skipped,) * 3
    assert known.private_cluster == Present(True)
