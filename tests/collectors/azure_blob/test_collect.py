"""A whole sweep against a simulated tenant: one bad cell costs one cell, nothing is invented."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

import pytest

from app.collectors.azure_blob import COLLECTOR
from app.collectors.azure_blob.operations import CONTAINERS, GRAPH, LIST
from app.collectors.azure_subscriptions import identity
from app.domain.blob_protection import blob_protection
from app.domain.collecting import (
    Connection,
    ListingDone,
    Outcome,
    ResourceSeen,
    ScopeReport,
)
from app.domain.facts import ABSENT, Present, Unreadable
from app.domain.storage_accounts import AzureStorageAccountFacts, ContainerRetention
from app.kit.errors import CollectorError
from app.sandbox.azure.estate import Change
from app.sandbox.azure_server import AzureServer
from app.sandbox.faults import Effect, Fault
from tests.support.azure_fixtures import azure, azure_connection, tenant

__all__ = ["azure", "azure_connection", "tenant"]
Connect = Callable[..., Connection]
NOW = datetime(2026, 11, 30, 9, 38, tzinfo=UTC)


@dataclass
class Result:
    """What one sweep said, sorted."""

    seen: dict[str, ResourceSeen] = field(default_factory=dict)
    lists: list[ListingDone] = field(default_factory=list)
    reports: list[ScopeReport] = field(default_factory=list)

    def facts(self, name: str) -> AzureStorageAccountFacts:
        found = self.seen[name].facts
        assert isinstance(found, AzureStorageAccountFacts)
        return found

    def total(self, operation: str, outcome: Outcome) -> int:
        return sum(
            getattr(one, outcome.value) for one in self.reports if one.operation == operation
        )


def sweep(connection: Connection) -> Result:
    result = Result()
    for observation in COLLECTOR.collect(connection, NOW):
        match observation:
            case ResourceSeen():
                assert observation.name not in result.seen, "seen twice"
                result.seen[observation.name] = observation
            case ListingDone():
                result.lists.append(observation)
            case ScopeReport():
                result.reports.append(observation)
    return result


def test_every_account_of_every_subscription_is_read_once(
    azure: AzureServer, azure_connection: Connect
) -> None:
    result = sweep(azure_connection())
    assert len(result.seen) == azure.estate.size
    assert all(one.complete for one in result.lists)
    assert {one.scope for one in result.lists} == {
        one.sub_account_id for one in result.seen.values()
    }
    assert result.total(GRAPH, Outcome.FAILED) == 0


def test_accounts_are_read_by_few_queries_and_six_calls_each(
    azure: AzureServer, azure_connection: Connect
) -> None:
    sweep(azure_connection())
    calls = azure.calls.counts()
    assert calls["arm.graph.query"] == 1
    accounts = [azure.estate.at(place) for place in range(azure.estate.size)]
    blobs = sum(one.has_blobs for one in accounts)
    for name in ("managementPolicies.get", "encryptionScopes.list", "blobServices.get"):
        assert calls[f"arm.{name}"] == blobs
    geo = sum(one.is_geo for one in accounts)
    assert geo <= calls["arm.storageAccounts.get"] < geo + 5  # those, and destinations
    held = [box for one in accounts for box in one.containers if box.retention_days is not None]
    assert calls["arm.immutabilityPolicies.get"] == len(held)


def test_both_ends_of_object_replication_know_of_it(azure_connection: Connect) -> None:
    result = sweep(azure_connection())
    source, destination = result.facts("stspeechswc"), result.facts("stspeechweu")
    assert source.replication_origins == ABSENT
    assert isinstance(destination.replication_origins, Present)
    (origin,) = destination.replication_origins.value
    assert origin.source_account_id == result.seen["stspeechswc"].sub_account_id
    assert origin.containers == ("speech-replica",)
    assert destination.replication_rules == ABSENT


def test_a_retention_is_locked_or_not_and_the_account_may_have_its_own(
    azure_connection: Connect,
) -> None:
    facts = sweep(azure_connection()).facts("stretainneu")
    assert facts.container_retentions == Present(
        (
            ContainerRetention("consents", "Locked", 3650, ""),
            ContainerRetention("slides", "Unlocked", 3650, ""),
        )
    )
    assert facts.account_retention_state == Present("Unlocked")


def test_a_retention_that_could_not_be_read_is_one_of_unknown_state(
    azure: AzureServer, azure_connection: Connect
) -> None:
    azure.faults.add(Fault(path="slides/immutabilityPolicies", status=403, code="Denied"))
    facts = sweep(azure_connection()).facts("stretainneu")
    assert isinstance(facts.container_retentions, Present)
    assert facts.container_retentions.value[1] == ContainerRetention("slides", None, None, "Denied")
    assert blob_protection(facts).unlocked_containers == Unreadable("Denied")


def test_a_geo_copy_that_is_days_behind_says_so(azure_connection: Connect) -> None:
    result = sweep(azure_connection())
    assert result.facts("ststalepairweu").geo_copy_status == Present("Unavailable")
    assert result.facts("stspeechweu").geo_copy_behind_hours == Present(0)
    assert result.facts("stspeechswc").geo_copy_status == ABSENT


def test_an_unread_geo_copy_costs_its_own_facts_alone(
    azure: AzureServer, azure_connection: Connect
) -> None:
    azure.faults.add(Fault(path="geoReplicationStats", status=403, code="AuthorizationFailed"))
    facts = sweep(azure_connection()).facts("stspeechweu")
    assert facts.geo_copy_status == Unreadable("AuthorizationFailed")
    assert facts.sku_name == Present("Standard_GRS")


def test_a_container_that_is_gone_when_its_retention_is_asked_for_has_none(
    azure: AzureServer, azure_connection: Connect
) -> None:
    azure.faults.add(
        Fault(path="evidence/immutabilityPolicies", status=404, code="ContainerNotFound")
    )
    assert sweep(azure_connection()).facts("stevidenceswc").container_retentions == ABSENT


def test_a_denied_cell_is_unreadable_and_the_rest_of_the_account_stays(
    azure: AzureServer, azure_connection: Connect
) -> None:
    name = azure.estate.at(0).name
    azure.faults.add(
        Fault(path=f"{name}/managementPolicies", status=403, code="AuthorizationFailed")
    )
    facts = sweep(azure_connection()).facts(name)
    assert facts.lifecycle_rules == Unreadable("AuthorizationFailed")
    assert isinstance(facts.sku_name, Present)


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (Fault(status=500, code="InternalError"), "InternalError"),
        (Fault(effect=Effect.MALFORMED), "MalformedAnswer"),
        (Fault(status=404, code="ResourceNotFound"), "ResourceNotFound"),
    ],
)
def test_a_failed_read_never_becomes_no_rules(
    azure: AzureServer, azure_connection: Connect, fault: Fault, code: str
) -> None:
    name = azure.estate.at(0).name
    azure.faults.add(replace(fault, path=f"{name}/managementPolicies"))
    facts = sweep(azure_connection(operations=["storage:managementPolicies/read"])).facts(name)
    assert facts.lifecycle_rules == Unreadable(code)
    assert facts.versioning_enabled == Unreadable("SkippedByConfiguration")


def test_the_404_that_states_an_absence_is_absent(
    azure: AzureServer, azure_connection: Connect
) -> None:
    azure.faults.add(Fault(path="managementPolicies", status=404, code="ManagementPolicyNotFound"))
    assert sweep(azure_connection()).facts(azure.estate.at(0).name).lifecycle_rules == ABSENT


def test_a_list_of_containers_that_does_not_end_is_unreadable(
    azure: AzureServer, azure_connection: Connect
) -> None:
    azure.faults.add(Fault(path="/containers", effect=Effect.REPEATED_NEXT))
    result = sweep(azure_connection())
    assert result.facts(azure.estate.at(0).name).containers == Unreadable("RepeatedToken")
    assert result.total(CONTAINERS, Outcome.FAILED) > 0


def test_when_the_list_of_a_subscription_is_denied_nothing_of_it_may_be_called_gone(
    azure: AzureServer, azure_connection: Connect
) -> None:
    scope = azure.estate.at(0).subscription.subscription_id
    azure.faults.add(
        Fault(path=f"{scope}/providers/Microsoft.Storage", status=403, code="AuthorizationFailed")
    )
    result = sweep(azure_connection())
    ends = {one.scope: (one.complete, one.code) for one in result.lists}
    assert ends.pop(scope) == (False, "AuthorizationFailed")
    assert set(ends.values()) == {(True, "")}
    # Resource Graph still shows its accounts.
    assert len(result.seen) == azure.estate.size


def test_accounts_that_resource_graph_does_not_know_yet_are_asked_for_one_by_one(
    azure: AzureServer, azure_connection: Connect
) -> None:
    azure.faults.add(Fault(path="ResourceGraph", status=403, code="AuthorizationFailed"))
    result = sweep(azure_connection())
    assert len(result.seen) == azure.estate.size
    assert isinstance(result.facts(azure.estate.at(0).name).sku_name, Present)
    assert result.total(GRAPH, Outcome.DENIED) == 1


def test_a_deleted_account_is_not_seen_and_one_made_anew_is_another(
    azure: AzureServer, azure_connection: Connect
) -> None:
    name = azure.estate.at(0).name
    before = sweep(azure_connection()).seen[name]
    azure.estate.change(Change(name))
    assert name not in sweep(azure_connection()).seen
    azure.estate.change(Change(name, made_again_at=datetime(2026, 11, 29, tzinfo=UTC)))
    after = sweep(azure_connection()).seen[name]
    assert after.native_id == before.native_id
    assert after.immutable_id != before.immutable_id


def test_a_subscription_out_of_sight_is_said_and_the_others_are_read(
    azure: AzureServer, azure_connection: Connect
) -> None:
    hidden = "00000000-0000-4000-8000-000000000000"
    visible = azure.estate.at(0).subscription.subscription_id
    result = sweep(azure_connection(subscriptions=[hidden, visible]))
    ends = {one.scope: (one.complete, one.code) for one in result.lists}
    assert ends == {hidden: (False, "SubscriptionNotVisible"), visible: (True, "")}
    assert result.total(LIST, Outcome.SKIPPED) == 1


def test_no_visible_subscription_is_a_failure_and_no_empty_estate(
    azure: AzureServer, azure_connection: Connect
) -> None:
    azure.faults.add(Fault(path="^/subscriptions[?]", status=200, body='{"value": []}'))
    with pytest.raises(CollectorError) as caught:
        sweep(azure_connection())
    assert (caught.value.code, caught.value.permanent) == ("NoSubscriptions", True)


def test_the_test_of_a_connection_names_the_subscriptions(azure_connection: Connect) -> None:
    status = identity(azure_connection())
    assert len(status.scopes) == 3
    assert "Cierzo Platform" in status.detail["subscriptions"].values()


def test_throttled_calls_are_counted_and_their_facts_kept(
    azure: AzureServer, azure_connection: Connect
) -> None:
    azure.faults.add(
        Fault(path="managementPolicies", status=429, times=2, headers={"Retry-After": "0"})
    )
    result = sweep(azure_connection())
    assert sum(one.throttled for one in result.reports) == 2
    assert not isinstance(result.facts(azure.estate.at(0).name).lifecycle_rules, Unreadable)


def test_a_retention_that_the_list_tells_is_not_asked_for(
    azure: AzureServer, azure_connection: Connect
) -> None:
    told = {"properties": {"immutabilityPeriodSinceCreationInDays": 7, "state": "Locked"}}
    rows = [
        {"name": "told", "properties": {"hasImmutabilityPolicy": True, "immutabilityPolicy": told}},
        {"name": "odd", "properties": {"hasImmutabilityPolicy": True, "immutabilityPolicy": "x"}},
        {"name": "free", "properties": {"hasImmutabilityPolicy": False}},
    ]
    body = json.dumps({"value": rows})
    azure.faults.add(Fault(path="stretainneu/.*/containers", status=200, body=body))
    facts = sweep(azure_connection()).facts("stretainneu")
    assert facts.container_retentions == Present(
        (
            ContainerRetention("told", "Locked", 7, ""),
            ContainerRetention("odd", None, None, "UnexpectedAnswer"),
        )
    )


def test_only_so_many_retentions_are_asked_for_and_the_rest_is_said(
    azure_connection: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.collectors.azure_blob.reading.MOST_RETENTIONS", 1)
    facts = sweep(azure_connection()).facts("stretainneu")
    assert isinstance(facts.container_retentions, Present)
    assert [one.code for one in facts.container_retentions.value] == ["", "TooManyContainers"]


def test_an_operation_that_is_switched_off_leaves_its_facts_unread(
    azure_connection: Connect,
) -> None:
    wanted = ["storage:blobServices/containers/read"]
    facts = sweep(azure_connection(operations=wanted)).facts("stretainneu")
    assert isinstance(facts.container_retentions, Present)
    assert {one.code for one in facts.container_retentions.value} == {"SkippedByConfiguration"}
    assert facts.encryption_scopes == Unreadable("SkippedByConfiguration")
