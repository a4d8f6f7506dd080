"""Sweeps over the simulated tenant's subscriptions."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import pytest

from app.collectors.azure_subscriptions import COLLECTOR, identity
from app.collectors.azure_subscriptions.operations import LOCATIONS, PROVIDERS
from app.domain.azure_subscriptions import AzureSubscriptionFacts
from app.domain.collecting import (
    Connection,
    ListingDone,
    Observation,
    ResourceSeen,
    ScopeReport,
)
from app.domain.facts import ABSENT, Present, Unreadable
from app.sandbox.azure_server import AzureServer
from app.sandbox.faults import Fault
from app.sandbox.story import AMERICAS, PLATFORM, RESEARCH, SUBSCRIPTIONS, TENANT_ID
from tests.support.azure_fixtures import azure, azure_connection, tenant

__all__ = ["azure", "azure_connection", "tenant"]
NOW = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
Connect = Callable[..., Connection]


def swept(connection: Connection) -> tuple[dict[str, AzureSubscriptionFacts], list[Observation]]:
    every = list(COLLECTOR.collect(connection, NOW))
    return dict(_facts(every)), every


def _facts(every: list[Observation]) -> Iterator[tuple[str, AzureSubscriptionFacts]]:
    for one in every:
        if isinstance(one, ResourceSeen):
            assert isinstance(one.facts, AzureSubscriptionFacts)
            yield one.sub_account_id, one.facts


def test_every_subscription_is_read_with_all_that_is_known_of_it(
    azure: AzureServer, azure_connection: Connect
) -> None:
    facts, every = swept(azure_connection())
    assert set(facts) == {each.subscription_id for each in SUBSCRIPTIONS}
    platform = facts[PLATFORM.subscription_id]
    assert platform.account_state == Present("Enabled")
    assert platform.tenant_id == Present(TENANT_ID)
    assert platform.management_groups == Present(("cierzo",))
    assert platform.unregistered_providers == Present(("Microsoft.StorageCache", "Qumulo.Storage"))
    assert facts[RESEARCH.subscription_id].unregistered_providers == ABSENT
    assert all(one.complete for one in every if isinstance(one, ListingDone))
    assert azure.calls.counts()["arm.graph.query"] == 1


def test_zone_one_is_another_building_in_another_subscription(azure_connection: Connect) -> None:
    facts, _ = swept(azure_connection())
    found = set()
    for each in (PLATFORM, RESEARCH):
        locations = facts[each.subscription_id].locations
        assert isinstance(locations, Present)
        found |= {one.zones[0] for one in locations.value if one.region_id == "westeurope"}
    assert len(found) == 2


@pytest.mark.parametrize(
    ("path", "operation", "lost"),
    [
        ("/locations", LOCATIONS, "enabled_regions"),
        ("/providers", PROVIDERS, "registered_providers"),
    ],
)
def test_a_refused_question_costs_its_own_facts_of_one_subscription(
    azure: AzureServer, azure_connection: Connect, path: str, operation: str, lost: str
) -> None:
    where = AMERICAS.subscription_id + path
    azure.faults.add(Fault(path=where, status=403, code="AuthorizationFailed"))
    facts, every = swept(azure_connection())
    assert getattr(facts[AMERICAS.subscription_id], lost) == Unreadable("AuthorizationFailed")
    assert isinstance(getattr(facts[RESEARCH.subscription_id], lost), Present)
    denied = [one for one in every if isinstance(one, ScopeReport) and one.denied]
    assert [(one.scope, one.operation) for one in denied] == [(AMERICAS.subscription_id, operation)]


def test_groups_that_cannot_be_read_are_unknown_and_not_none(
    azure: AzureServer, azure_connection: Connect
) -> None:
    azure.faults.add(Fault(operation="arm.graph.query", status=403, code="AccessDenied"))
    facts, _ = swept(azure_connection())
    assert {one.management_groups for one in facts.values()} == {Unreadable("AccessDenied")}


def test_the_identity_is_told_with_its_subscriptions(azure_connection: Connect) -> None:
    found = identity(azure_connection())
    assert found.identity == "static_token"
    assert set(found.scopes) == {each.subscription_id for each in SUBSCRIPTIONS}
    assert found.detail["tenant_id"] == TENANT_ID
