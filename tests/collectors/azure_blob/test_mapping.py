"""Azure's documents, recorded and from its own specification, become the right facts."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.clouds.azure_errors import failure_of
from app.collectors.azure_blob import mapping
from app.collectors.azure_blob.lifecycle import lifecycle_rules
from app.collectors.azure_blob.listing import known_account
from app.collectors.azure_blob.operations import (
    ABSENT_CODES,
    BY_NAME,
    GRAPH,
    LIFECYCLE,
)
from app.domain.collecting import Outcome
from app.domain.derive import derive
from app.domain.facts import ABSENT, Present, Unreadable
from app.domain.object_store import ObjectStoreFacts
from app.domain.replies import Reply, understood
from app.domain.storage import AgeBasis, LifecycleAction, RuleEffect, RuleSubject
from app.domain.storage_accounts import AzureStorageAccountFacts

WIRE = Path(__file__).parent / "wire"
CREATION, MODIFICATION = AgeBasis.CREATION, AgeBasis.MODIFICATION


def wire(name: str) -> Any:
    return json.loads((WIRE / name).read_text(encoding="utf-8"))


def facts_of(document: dict[str, Any], **others: Any) -> AzureStorageAccountFacts:
    """The facts of an account's document; everything else absent unless given."""
    _, found = understood(Reply(Outcome.ANSWERED, document), BY_NAME[GRAPH].feeds, mapping.account)
    rest = dict.fromkeys(
        (name for operation in BY_NAME.values() for name in operation.feeds), ABSENT
    )
    return AzureStorageAccountFacts(**{**rest, **found, **others})


def derived(facts: AzureStorageAccountFacts) -> ObjectStoreFacts:
    found = derive(facts)[0]
    assert isinstance(found, ObjectStoreFacts)
    return found


def actions(name: str) -> list[LifecycleAction]:
    rules = mapping.lifecycle(wire(name))["lifecycle_rules"]
    return [action for rule in rules for action in rule.actions]


def test_recorded_accounts_of_a_real_tenant_rest_in_one_region() -> None:
    for document in wire("recorded.storage.accounts.list.json")["value"]:
        store = derived(facts_of(document))
        assert isinstance(store.rest_places, Present)
        assert [place.region_id for place in store.rest_places.value] == [document["location"]]
        assert store.encryption == Present("provider_key")


def test_a_geo_redundant_account_rests_in_two_regions() -> None:
    for document in wire("storage.accounts.list.json")["value"]:
        places = derived(facts_of(document)).rest_places
        assert isinstance(places, Present)
        primary, pair = places.value
        assert (primary.role, pair.role) == ("primary", "geo_pair")
        assert not pair.readable  # GRS, not RA-GRS
        # Microsoft's own staging regions are in no table, so they stay unknown places.
        if "stage" not in document["location"]:
            properties = document["properties"]
            assert primary.region_id == properties["primaryLocation"]
            assert pair.region_id == properties["secondaryLocation"]


def test_a_key_of_the_customer_is_told_from_one_of_microsoft() -> None:
    assert derived(facts_of(wire("storage.account.get.cmk.json"))).encryption == Present(
        "customer_key"
    )


def test_recorded_blob_service_of_a_real_account_keeps_deleted_blobs_a_week() -> None:
    found = mapping.blob_service(wire("recorded.storage.blob_services.json"))
    assert found == {
        "versioning_enabled": None,
        "blob_soft_delete_days": 7,
        "container_soft_delete_days": None,
        "change_feed_enabled": None,
        "change_feed_days": None,
        "last_access_tracking_enabled": None,
        "restore_days": None,
        "restorable_since": None,
    }


def test_recorded_rules_of_a_real_account_delete_after_three_days_sent_as_a_float() -> None:
    assert actions("recorded.storage.management_policy.json") == [
        LifecycleAction(RuleEffect.DELETE, RuleSubject.CURRENT, MODIFICATION, 3.0)
    ]


def test_recorded_404_of_a_real_account_states_that_there_are_no_rules() -> None:
    document = wire("recorded.storage.management_policy.404.json")
    assert document["error"]["code"] in ABSENT_CODES[LIFECYCLE]


def test_versions_and_snapshots_age_from_when_they_were_made() -> None:
    found = actions("storage.management_policy.versions_snapshots.json")
    bases = {(action.subject, action.basis) for action in found}
    assert bases == {
        (RuleSubject.CURRENT, MODIFICATION),
        (RuleSubject.NONCURRENT, CREATION),
        (RuleSubject.SNAPSHOT, CREATION),
    }


def test_the_cold_tier_is_a_tier_of_its_own() -> None:
    classes = {a.storage_class for a in actions("storage.management_policy.cold_tier.json")}
    assert classes == {"Cool", "Cold", "Archive", None}


def test_switches_beside_the_actions_are_no_actions() -> None:
    found = actions("storage.management_policy.last_access.json")
    assert {a.basis for a in found if a.subject is RuleSubject.CURRENT} == {AgeBasis.LAST_ACCESS}
    assert all(action.effect is not RuleEffect.OTHER for action in found)


def test_a_rule_is_on_unless_it_says_otherwise() -> None:
    rule = {"name": "r", "definition": {"filters": {"blobTypes": ["blockBlob"]}, "actions": {}}}
    (silent,) = lifecycle_rules({"rules": [rule]})
    (off,) = lifecycle_rules({"rules": [{**rule, "enabled": False}]})
    assert (silent.enabled, off.enabled) == (True, False)


def test_tag_filters_narrow_a_rule_whatever_their_operator() -> None:
    match = [
        {"name": "stage", "op": "==", "value": "done"},
        {"name": "kind", "op": ">", "value": "b"},
    ]
    definition = {"filters": {"blobIndexMatch": match}, "actions": {}}
    (rule,) = lifecycle_rules({"rules": [{"name": "r", "definition": definition}]})
    assert rule.tags == {"stage": "done", "kind": "> b"}


def test_inventories_are_named_with_how_often_and_what() -> None:
    (found,) = mapping.inventory(wire("storage.inventory_policy.list.json"))[
        "inventory_configurations"
    ]
    assert (found.enabled, found.frequency, found.format) == (True, "daily", "csv")
    assert found.includes_versions
    assert mapping.inventory({"value": []}) == {"inventory_configurations": None}


def test_containers_are_counted_beyond_those_that_are_kept() -> None:
    one = wire("storage.containers.list.json")["value"][0]
    found = mapping.containers([one] * (mapping.MOST_CONTAINERS + 1))
    assert found["container_count"] == mapping.MOST_CONTAINERS + 1
    assert len(found["containers"]) == mapping.MOST_CONTAINERS
    assert found["containers"][0].public_access == "Container"


@given(st.sampled_from(["isHnsEnabled", "allowBlobPublicAccess"]), st.sampled_from(["true", 1, {}]))
def test_a_switch_that_is_neither_true_nor_false_is_unreadable(name: str, value: object) -> None:
    document = {"location": "eastus", "properties": {name: value}}
    facts = facts_of(document)
    assert isinstance(facts.hierarchical_namespace, Unreadable)
    assert isinstance(facts.sku_name, Unreadable)


@pytest.mark.parametrize(
    "document", [{}, {"properties": {}}, {"value": "text"}, {"properties": []}]
)
def test_a_document_of_another_shape_is_a_failed_reply(document: dict[str, Any]) -> None:
    reply, found = understood(
        Reply(Outcome.ANSWERED, document), ("lifecycle_rules",), mapping.lifecycle
    )
    assert reply.outcome is Outcome.FAILED
    assert isinstance(found["lifecycle_rules"], Unreadable)


def test_an_account_made_anew_has_another_beginning() -> None:
    first = {
        "id": "/Subscriptions/S/resourceGroups/G/providers/Microsoft.Storage/storageAccounts/A",
        "name": "A",
        "location": "eastus",
        "properties": {"creationTime": "2026-01-01T00:00:00Z"},
    }
    again = {**first, "properties": {"creationTime": "2026-02-01T00:00:00Z"}}
    assert known_account(first, "s").id == known_account(again, "s").id
    assert known_account(first, "s").created_at != known_account(again, "s").created_at


def test_the_error_form_of_resource_manager_gives_its_code() -> None:
    import httpx2  # noqa: PLC0415 - one test builds an answer by hand

    body = (WIRE / "recorded.storage.management_policy.404.json").read_bytes()
    found = failure_of(httpx2.Response(404, content=body))
    assert (found.code, found.http_status, found.denied) == (
        "ManagementPolicyNotFound",
        404,
        False,
    )


def test_a_published_retention_is_still_unlocked() -> None:
    found = mapping.retention(wire("storage.container.immutability.get.json"))
    assert found == {"state": "Unlocked", "days": 5}


@pytest.mark.parametrize(
    "policy", [{}, {"properties": {}}, {"properties": {"state": 3}}, {"properties": None}, "x"]
)
def test_a_retention_of_another_shape_is_none(policy: Any) -> None:
    with pytest.raises((LookupError, TypeError, ValueError)):
        mapping.retention(policy)


def test_the_retention_of_an_account_counts_only_where_versions_are_immutable() -> None:
    policy = {"state": "Locked", "immutabilityPeriodSinceCreationInDays": 30}

    def stated(*, enabled: bool) -> Any:
        versions = {"enabled": enabled, "immutabilityPolicy": policy}
        document = {"properties": {"immutableStorageWithVersioning": versions}}
        found = mapping.account(document)
        return found["account_retention_state"], found["account_retention_days"]

    assert stated(enabled=True) == ("Locked", 30)
    assert stated(enabled=False) == (None, None)


def test_a_container_with_the_key_of_its_account_has_no_scope() -> None:
    row = wire("storage.containers.list.json")["value"][0]

    def scope(name: str | None) -> Any:
        properties = {**row["properties"], "defaultEncryptionScope": name}
        found = mapping.containers([{**row, "properties": properties}])["containers"]
        return found[0].default_encryption_scope

    assert (scope("$account-encryption-key"), scope(None), scope("patients")) == (
        None,
        None,
        "patients",
    )


def test_scopes_are_told_with_their_state() -> None:
    rows = [
        {"name": "a", "properties": {"source": "Microsoft.KeyVault", "state": "Enabled"}},
        {"name": "b", "properties": {"source": "Microsoft.Storage", "state": "Disabled"}},
    ]
    found = mapping.encryption_scopes(rows)["encryption_scopes"]
    assert [(one.name, one.enabled) for one in found] == [("a", True), ("b", False)]
    assert mapping.encryption_scopes([]) == {"encryption_scopes": None}


NOW = datetime(2026, 12, 1, 12, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("last", "hours"),
    [
        ("2026-12-01T12:26:00Z", 0),
        ("2026-12-01T09:29:00.1234567Z", 3),
        ("2026-12-01T13:00:00Z", 0),  # their clock is ahead of ours
        (None, None),
    ],
)
def test_a_geo_copy_is_behind_by_whole_hours(last: str | None, hours: int | None) -> None:
    stats = {"status": "Live", "lastSyncTime": last}
    found = mapping.geo_copy({"properties": {"geoReplicationStats": stats}}, NOW)
    assert found == {"geo_copy_status": "Live", "geo_copy_behind_hours": hours}


def test_a_document_without_what_was_asked_for_is_no_answer() -> None:
    with pytest.raises(LookupError):
        mapping.geo_copy({"properties": {}}, NOW)


@pytest.mark.parametrize(
    ("name", "is_geo"),
    [
        ("Standard_LRS", False),
        ("Standard_ZRS", False),
        ("Standard_GRS", True),
        ("Standard_RAGRS", True),
        ("Standard_GZRS", True),
        ("Standard_RAGZRS", True),
        ("StandardV2_GRS", True),
        ("Premium_LRS", False),
    ],
)
def test_redundancy_says_whether_there_is_a_copy_elsewhere(name: str, is_geo: bool) -> None:
    assert mapping.is_geo_redundant(name) is is_geo
