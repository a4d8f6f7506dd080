"""A word that Azure may say one day, and we do not know, makes unknown: never a pass."""

from typing import Any

import pytest

from app.collectors.azure_blob import mapping
from app.collectors.azure_blob.lifecycle import lifecycle_rules
from app.domain.compliance import Verdict
from app.domain.facts import Present
from app.domain.storage_judgement import leaves_hot

DEFINITION: dict[str, Any] = {
    "filters": {"blobTypes": ["blockBlob"]},
    "actions": {"baseBlob": {"tierToCool": {"daysAfterModificationGreaterThan": 5}}},
}
RULE: dict[str, Any] = {"name": "cool", "enabled": True, "definition": DEFINITION}


def test_a_filter_that_is_not_known_makes_the_rules_unreadable() -> None:
    filters = {**DEFINITION["filters"], "blobOwnerMatch": ["ana"]}
    rule = {**RULE, "definition": {**DEFINITION, "filters": filters}}
    with pytest.raises(ValueError, match="blobOwnerMatch"):
        lifecycle_rules({"rules": [RULE, rule]})


@pytest.mark.parametrize("word", ["false", "true", 0, 1, "", []])
def test_a_rule_whose_switch_is_no_truth_value_is_unreadable(word: object) -> None:
    with pytest.raises(ValueError, match="enabled is neither true nor false"):
        lifecycle_rules({"rules": [{**RULE, "enabled": word}]})


@pytest.mark.parametrize(
    ("policy", "name"),
    [
        ("lastAccessTimeTrackingPolicy", "enable"),
        ("deleteRetentionPolicy", "enabled"),
        ("containerDeleteRetentionPolicy", "enabled"),
        ("restorePolicy", "enabled"),
        ("changeFeed", "enabled"),
    ],
)
@pytest.mark.parametrize("word", ["false", "true", 1])
def test_a_protection_whose_switch_is_no_truth_value_is_unreadable(
    policy: str, name: str, word: object
) -> None:
    with pytest.raises(ValueError, match="neither true nor false"):
        mapping.blob_service({"properties": {policy: {name: word, "days": 7}}})


def test_an_inventory_whose_switch_is_no_truth_value_is_unreadable() -> None:
    definition = {"schedule": "Daily", "format": "Csv"}
    rule = {"name": "all", "enabled": "false", "definition": definition}
    policy = {"enabled": True, "rules": [rule]}
    with pytest.raises(ValueError, match="neither true nor false"):
        mapping.inventory({"value": [{"properties": {"policy": policy}}]})


@pytest.mark.parametrize(
    ("condition", "fault"),
    [
        ({"daysAfterModificationGreaterThan": 5, "sizeGreaterThan": 1}, "sizeGreaterThan"),
        (
            {"daysAfterModificationGreaterThan": 5, "daysAfterLastAccessTimeGreaterThan": 9},
            "two ages",
        ),
        ({"daysAfterModificationGreaterThan": -1}, "no amount"),
        ({"daysAfterModificationGreaterThan": True}, "no amount"),
        ({"daysAfterModificationGreaterThan": "5"}, "no amount"),
        ({"daysAfterModificationGreaterThan": 1e300}, "no amount"),
    ],
)
def test_a_condition_that_is_not_understood_makes_the_rules_unreadable(
    condition: dict[str, Any], fault: str
) -> None:
    actions = {"baseBlob": {"tierToCool": condition}}
    with pytest.raises(ValueError, match=fault):
        lifecycle_rules({"rules": [{**RULE, "definition": {**DEFINITION, "actions": actions}}]})


@pytest.mark.parametrize("name", ["prefixMatch", "blobTypes"])
def test_a_filter_that_is_a_word_and_no_list_makes_the_rules_unreadable(name: str) -> None:
    definition = {**DEFINITION, "filters": {name: "training/"}}
    with pytest.raises(ValueError, match=name):
        lifecycle_rules({"rules": [{**RULE, "definition": definition}]})


def test_a_tier_that_came_after_us_is_judged_as_unknown() -> None:
    actions = {"baseBlob": {"tierToFrozen": {"daysAfterModificationGreaterThan": 5}}}
    rules = lifecycle_rules({"rules": [{**RULE, "definition": {**DEFINITION, "actions": actions}}]})
    assert leaves_hot(Present(rules), "training/", 30) is Verdict.UNKNOWN
