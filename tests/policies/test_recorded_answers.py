"""Answers of a real Azure, and published ones, go through mapping, derivation and policies."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from app.collectors.azure_blob import mapping
from app.domain.derive import derive
from app.domain.fact_schema import to_fact_set
from app.domain.facts import ABSENT, Present
from app.domain.object_store import ObjectStoreFacts
from app.domain.storage_accounts import AzureStorageAccountFacts
from app.domain.storage_places import region_ids
from app.policies.engine import EffectivePolicy, EvaluationRow, judge
from app.policies.registry import built_in
from tests.support.stores import account

WIRE = Path(__file__).parents[1] / "sandbox" / "wire"
NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


def recorded(name: str) -> Any:
    return json.loads((WIRE / f"recorded.storage.{name}.json").read_text("utf-8"))


ACCOUNTS = {one["name"]: one for one in recorded("accounts.list")["value"]}


def store(document: Any, **facts: Any) -> AzureStorageAccountFacts:
    """An account as answered, with the blob service and the lifecycle rules of the recordings."""
    stated = mapping.account(document)
    stated |= mapping.blob_service(recorded("blob_services"))
    stated |= mapping.lifecycle(recorded("management_policy"))
    known = {name: ABSENT if value is None else Present(value) for name, value in stated.items()}
    return account(**(known | facts))


def derived(document: Any, **facts: Any) -> ObjectStoreFacts:
    found = derive(store(document, **facts), NOW)[0]
    assert isinstance(found, ObjectStoreFacts)
    return found


def verdicts(document: AzureStorageAccountFacts) -> dict[str, str]:
    facts = to_fact_set(document, *derive(document, NOW))
    row = EvaluationRow("r", {"name": "recorded"}, facts, stale=False)
    policies = [EffectivePolicy(one, one.mode, {}) for one in built_in().values()]
    return {
        found.policy_id: found.verdict.value for found in judge(policies, document.KIND, [row], NOW)
    }


@pytest.mark.parametrize("name", ACCOUNTS)
def test_every_real_account_rests_where_it_says(name: str) -> None:
    properties = ACCOUNTS[name]["properties"]
    places = derived(ACCOUNTS[name]).rest_places
    assert isinstance(places, Present)
    said = [properties["primaryLocation"], properties.get("secondaryLocation")]
    assert region_ids(places.value) == tuple(region for region in said if region)
    assert all(place.zone for place in places.value)


@pytest.mark.parametrize("name", ACCOUNTS)
def test_a_real_rule_that_deletes_after_three_days_is_seen(name: str) -> None:
    facts = derived(ACCOUNTS[name])
    assert facts.deletes_everything == Present(True)
    assert facts.deletes_current_after_days == Present(3.0)
    assert facts.deleted_data_kept_days == Present(7)
    judged = verdicts(store(ACCOUNTS[name]))
    assert judged["destructive-rule-guard"] == "non_compliant"
    assert judged["soft-delete-on"] == "compliant"
    assert judged["versioning-on"] == "non_compliant"


@pytest.mark.parametrize("name", ACCOUNTS)
def test_a_missing_management_policy_is_absent_and_cools_nothing(name: str) -> None:
    judged = verdicts(store(ACCOUNTS[name], lifecycle_rules=ABSENT))
    assert judged["data-cools-in-time"] == "non_compliant"
    assert judged["destructive-rule-guard"] == "compliant"


def examples() -> list[Any]:
    """Accounts in the examples that Microsoft publishes; recorded ones are all local."""
    text = (WIRE / "storage.accounts.list.json").read_text("utf-8")
    listed: list[Any] = json.loads(text)["value"]
    return listed


@pytest.mark.parametrize("document", examples(), ids=lambda one: one["name"])
def test_a_geo_redundant_account_has_two_regions(document: Any) -> None:
    places = derived(document).rest_places
    assert isinstance(places, Present)
    assert [place.role for place in places.value] == ["primary", "geo_pair"]
    for place in places.value:
        staged = "(stage)" in place.code
        assert place.region_id is None if staged else place.zone == "US"
    expected = "unknown" if "(stage)" in document["location"] else "compliant"
    assert verdicts(store(document))["replication-region-allowed"] == expected
