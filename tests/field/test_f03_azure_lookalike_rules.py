"""F03: rules by last access without tracking, and prefixes that are bare strings."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.collectors.azure_blob.mapping import blob_service, lifecycle
from app.domain.compliance import Verdict
from app.domain.derive import derive
from app.domain.facts import ABSENT, Fact, Present
from app.domain.object_store import ObjectStoreFacts
from app.domain.storage_accounts import AzureStorageAccountFacts
from app.domain.storage_azure import azure_circumstances
from app.domain.storage_judgement import judge_rules, leaves_hot, matched_containers
from tests.support.stores import account, containers

INPUT = json.loads(
    (Path(__file__).parent / "inputs" / "f03_azure_lookalike_rules.json").read_text("utf-8")
)
LIMIT = INPUT["policy"]["max_days_in_hot"]
CASES = {case["account"]: case for case in INPUT["accounts"]}


def fact(value: Any) -> Fact[Any]:
    return ABSENT if value is None else Present(value)


def facts(case: Any) -> AzureStorageAccountFacts:
    tracking = {"lastAccessTimeTrackingPolicy": case["lastAccessTimeTrackingPolicy"]}
    service = blob_service({"properties": tracking})
    rules = lifecycle({"properties": {"policy": {"rules": case["rules"]}}})
    return account(
        last_access_tracking_enabled=fact(service["last_access_tracking_enabled"]),
        lifecycle_rules=fact(rules["lifecycle_rules"]),
        **containers(*case["containers"]),
    )


def verdict(case: Any) -> Verdict:
    known = facts(case)
    at = azure_circumstances(known, None)
    return leaves_hot(known.lifecycle_rules, case["dataset"], LIMIT, at)


def derived(case: Any) -> ObjectStoreFacts:
    found, *_ = derive(facts(case))
    assert isinstance(found, ObjectStoreFacts)
    return found


def test_two_of_six_accounts_cool_their_dataset() -> None:
    assert {name: verdict(case).value for name, case in CASES.items()} == {
        "stacc01": "non_compliant",
        "stacc02": "compliant",
        "stacc03": "non_compliant",
        "stacc04": "compliant",
        "stacc05": "non_compliant",
        "stacc06": "non_compliant",
    }


def test_without_tracking_last_access_is_not_known_and_the_rule_acts_all_the_same() -> None:
    untracked = derived(CASES["stacc01"])
    assert untracked.last_access_known == Present(False)
    assert untracked.uses_last_access == Present(True)
    assert derived(CASES["stacc02"]).last_access_known == Present(True)


def test_a_bare_prefix_also_hits_the_sibling_container() -> None:
    case = CASES["stacc04"]
    rules = facts(case).lifecycle_rules
    assert isinstance(rules, Present)
    assert matched_containers(rules.value[0], case["containers"]) == ("images", "images-prod")
    at = azure_circumstances(facts(case), None)
    (judged,) = judge_rules(rules.value, case["dataset"], at=at)
    assert judged.matched_containers == ("images", "images-prod")


def case(dataset: str = "training/raw/", **changes: Any) -> dict[str, Any]:
    definition = {
        "filters": {"blobTypes": ["blockBlob"], **changes.get("filters", {})},
        "actions": {
            "baseBlob": changes.get(
                "base", {"tierToCool": {"daysAfterModificationGreaterThan": 30.0}}
            ),
            **changes.get("actions", {}),
        },
    }
    rule = {"name": "r", "type": "Lifecycle", "definition": definition}
    if "enabled" in changes:
        rule["enabled"] = changes["enabled"]
    return {
        "lastAccessTimeTrackingPolicy": changes.get("tracking"),
        "containers": ["training", "training-old"],
        "dataset": dataset,
        "rules": [rule],
    }


BY_ACCESS = {"tierToCold": {"daysAfterLastAccessTimeGreaterThan": 30}}
KIND = [
    (case(), Verdict.COMPLIANT),
    (case(enabled=True), Verdict.COMPLIANT),
    (case(enabled=False), Verdict.NON_COMPLIANT),
    (case("training"), Verdict.COMPLIANT),
    (case("training", filters={"prefixMatch": ["training/"]}), Verdict.COMPLIANT),
    (case("training", filters={"prefixMatch": ["training-"]}), Verdict.NON_COMPLIANT),
    (case(filters={"prefixMatch": ["training/raw"]}), Verdict.COMPLIANT),
    (case(filters={"prefixMatch": ["training/raw/2026"]}), Verdict.NON_COMPLIANT),
    (case(filters={"prefixMatch": ["Training/"]}), Verdict.NON_COMPLIANT),
    (case(filters={"prefixMatch": ["/training/"]}), Verdict.NON_COMPLIANT),
    (case(filters={"prefixMatch": ["logs/", "train"]}), Verdict.COMPLIANT),
    (case(filters={"blobTypes": ["appendBlob"]}), Verdict.NON_COMPLIANT),
    (
        case(filters={"blobIndexMatch": [{"name": "cold", "op": "==", "value": "yes"}]}),
        Verdict.NON_COMPLIANT,
    ),
    (case(base=BY_ACCESS), Verdict.NON_COMPLIANT),
    (case(base=BY_ACCESS, tracking={"enable": False}), Verdict.NON_COMPLIANT),
    (case(base=BY_ACCESS, tracking={"enable": True}), Verdict.COMPLIANT),
    (
        case(base={"tierToCool": {"daysAfterCreationGreaterThan": 31}}),
        Verdict.NON_COMPLIANT,
    ),
    (
        case(base={"tierToArchive": {"daysAfterLastTierChangeGreaterThan": 7}}),
        Verdict.NON_COMPLIANT,
    ),
    (case(base={"delete": {"daysAfterModificationGreaterThan": 20}}), Verdict.COMPLIANT),
    (
        case(base={}, actions={"version": {"tierToCool": {"daysAfterCreationGreaterThan": 1}}}),
        Verdict.NON_COMPLIANT,
    ),
    (
        case(base={}, actions={"snapshot": {"delete": {"daysAfterCreationGreaterThan": 1}}}),
        Verdict.NON_COMPLIANT,
    ),
]


@pytest.mark.parametrize(("given", "expected"), KIND)
def test_the_whole_kind(given: Any, expected: Verdict) -> None:
    assert verdict(given) is expected


@pytest.mark.parametrize(
    ("sku", "kind", "expected"),
    [
        ("Standard_LRS", "StorageV2", Verdict.COMPLIANT),
        ("Standard_RAGRS", "BlobStorage", Verdict.COMPLIANT),
        ("Standard_ZRS", "StorageV2", Verdict.NON_COMPLIANT),
        ("Standard_RAGZRS", "StorageV2", Verdict.NON_COMPLIANT),
        ("Premium_LRS", "BlockBlobStorage", Verdict.NON_COMPLIANT),
        ("Standard_LRS", "Storage", Verdict.NON_COMPLIANT),
    ],
)
def test_archive_counts_only_where_it_exists(sku: str, kind: str, expected: Verdict) -> None:
    base = {"tierToArchive": {"daysAfterModificationGreaterThan": 30}}
    rules = lifecycle({"properties": {"policy": {"rules": case(base=base)["rules"]}}})
    known = account(
        sku_name=Present(sku),
        account_kind=Present(kind),
        lifecycle_rules=fact(rules["lifecycle_rules"]),
    )
    at = azure_circumstances(known, None)
    assert leaves_hot(known.lifecycle_rules, "training/raw/", LIMIT, at) is expected
