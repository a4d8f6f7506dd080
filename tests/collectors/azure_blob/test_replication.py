"""Object replication as both of its ends list it."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.collectors.azure_blob import replication
from app.collectors.azure_blob.replication import Place

WIRE = Path(__file__).parent / "wire"
FAR = "/subscriptions/AAAA/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/far"
NEAR = "/subscriptions/BBBB/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/near"


def policy(source: str = NEAR, destination: str = FAR, **rules: Any) -> dict[str, Any]:
    rule = {
        "ruleId": "r",
        "sourceContainer": "raw",
        "destinationContainer": "copy",
        "filters": {"prefixMatch": ["a", "b"]},
    }
    properties = {"sourceAccount": source, "destinationAccount": destination, "rules": [rule]}
    return {"name": "p", "properties": {**properties, **rules}}


def test_a_policy_listed_without_rules_still_is_a_copy_in_an_unknown_place() -> None:
    listed = json.loads((WIRE / "storage.object_replication.list.json").read_text("utf-8"))["value"]
    places = {
        "destAccount1": Place("westus", account_id="aaaa"),
        "destAccount2": Place(None, "UnknownDestination"),
    }
    ours = [one for one in listed if replication.is_source(one, "/x/storageAccounts/STO2527")]
    found = replication.replication_rules(ours, places)
    assert [(one.destination_region_id, one.destination_code) for one in found] == [
        ("westus", ""),
        (None, "UnknownDestination"),
    ]
    assert [one.destination_account_id for one in found] == ["aaaa", "unknown"]
    assert not [one for one in listed if replication.is_source(one, "/x/storageAccounts/other")]


def test_rules_name_container_prefix_and_foreign_subscription() -> None:
    found = replication.replication_rules([policy()], {FAR: Place(None, "ResourceNotFound")})
    assert [(one.prefix, one.destination_account_id) for one in found] == [
        ("raw/a", "aaaa"),
        ("raw/b", "aaaa"),
    ]


def test_the_destination_knows_that_it_is_one_and_of_whom() -> None:
    assert replication.is_destination(policy(), FAR.lower())
    assert not replication.is_destination(policy(), NEAR)
    (found,) = replication.replication_origins([policy()], {NEAR: "bbbb"})
    assert (found.policy_id, found.source, found.source_account_id) == ("p", NEAR, "bbbb")
    assert found.containers == ("copy",)


def test_a_bare_name_of_an_old_policy_is_the_account_of_that_name() -> None:
    old = policy(source="NEAR", destination="far")
    assert replication.is_source(old, NEAR)
    assert replication.is_destination(old, FAR)
    (found,) = replication.replication_origins([old], {"NEAR": None})
    assert found.source_account_id is None


@pytest.mark.parametrize("rules", [{"x": 1}, "rules", 3, [{}], [None]])
def test_rules_of_another_shape_are_no_origins(rules: Any) -> None:
    with pytest.raises((LookupError, TypeError, ValueError)):
        replication.replication_origins([policy(rules=rules)], {NEAR: None})
