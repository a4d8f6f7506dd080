"""F01: a lifecycle configuration that exists is not yet one that moves this data."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.collectors.aws_s3_words import lifecycle_rules
from app.domain.compliance import Verdict
from app.domain.facts import Fact, Present
from app.domain.storage import LifecycleRule
from app.domain.storage_judgement import judge_rules, leaves_hot

INPUT = json.loads(
    (Path(__file__).parent / "inputs" / "f01_s3_lookalike_rules.json").read_text("utf-8")
)
LIMIT = INPUT["policy"]["max_days_in_hot"]
PREFIX = INPUT["policy"]["dataset_prefix"]
GOOD = {"lc-good-empty-filter", "lc-good-string-prefix", "lc-good-legacy-prefix"}


def verdict(answer: Any, prefix: str = PREFIX, limit_days: float = LIMIT) -> Verdict:
    known: Fact[tuple[LifecycleRule, ...]] = Present(lifecycle_rules(answer))
    return leaves_hot(known, prefix, limit_days)


def test_three_of_nine_configurations_cool_the_dataset() -> None:
    found = {name: verdict(answer) for name, answer in INPUT["lifecycle_by_bucket"].items()}
    assert {name for name, one in found.items() if one is Verdict.COMPLIANT} == GOOD
    assert sum(one is Verdict.NON_COMPLIANT for one in found.values()) == 6


def test_each_refused_rule_says_why() -> None:
    reasons = {
        name: judge_rules(lifecycle_rules(answer), PREFIX, limit_days=LIMIT)[0].reason
        for name, answer in INPUT["lifecycle_by_bucket"].items()
        if name not in GOOD
    }
    assert reasons == {
        "lc-disabled": "The rule is disabled.",
        "lc-other-prefix": "Its prefixes do not cover the data.",
        "lc-abort-only": "It neither moves nor deletes current objects.",
        "lc-too-late": "It acts after 90 days; the limit is 30.",
        "lc-noncurrent-only": "It acts on old versions or snapshots only.",
        "lc-sibling": "Its prefixes do not cover the data.",
    }


def rule(**changes: Any) -> dict[str, Any]:
    known = {
        "ID": "r",
        "Status": "Enabled",
        "Filter": {},
        "Transitions": [{"Days": 30, "StorageClass": "GLACIER_IR"}],
    }
    merged = known | changes
    return {"Rules": [{key: value for key, value in merged.items() if value is not None}]}


KIND = [
    (rule(), Verdict.COMPLIANT),
    (rule(Filter=None, Prefix=""), Verdict.COMPLIANT),
    (rule(Filter={"Prefix": "d"}), Verdict.COMPLIANT),
    (rule(Filter={"And": {"Prefix": "datasets/", "ObjectSizeGreaterThan": 0}}), Verdict.COMPLIANT),
    (rule(Transitions=[{"Days": 31, "StorageClass": "GLACIER"}]), Verdict.NON_COMPLIANT),
    (rule(Transitions=None, Expiration={"Days": 30}), Verdict.COMPLIANT),
    (rule(Transitions=None, Expiration={"Days": 31}), Verdict.NON_COMPLIANT),
    (
        rule(Transitions=None, Expiration={"ExpiredObjectDeleteMarker": True}),
        Verdict.NON_COMPLIANT,
    ),
    (
        rule(
            Transitions=[
                {"Days": 90, "StorageClass": "GLACIER"},
                {"Days": 30, "StorageClass": "STANDARD_IA"},
            ]
        ),
        Verdict.COMPLIANT,
    ),
    (
        rule(
            Transitions=None,
            NoncurrentVersionTransitions=[{"NoncurrentDays": 1, "StorageClass": "GLACIER"}],
        ),
        Verdict.NON_COMPLIANT,
    ),
    (rule(Filter={"Tag": {"Key": "class", "Value": "cold"}}), Verdict.NON_COMPLIANT),
    (
        rule(Filter={"And": {"Prefix": "", "Tags": [{"Key": "a", "Value": "b"}]}}),
        Verdict.NON_COMPLIANT,
    ),
    (rule(Filter={"ObjectSizeLessThan": 1_000_000}), Verdict.NON_COMPLIANT),
    (rule(Filter={"ObjectSizeGreaterThan": 1_000_000_000}), Verdict.NON_COMPLIANT),
    (rule(Filter={"Prefix": "Datasets/"}), Verdict.NON_COMPLIANT),
    (rule(Filter={"Prefix": "/datasets/"}), Verdict.NON_COMPLIANT),
    (rule(Filter={"Prefix": "datasets/corpus-a/"}), Verdict.COMPLIANT),
    (rule(Filter={"Prefix": "datasets/corpus-ab"}), Verdict.NON_COMPLIANT),
    (rule(Status="Disabled"), Verdict.NON_COMPLIANT),
    ({"Rules": []}, Verdict.NON_COMPLIANT),
    ({"Rules": rule(Status="Disabled")["Rules"] + rule()["Rules"]}, Verdict.COMPLIANT),
]


@pytest.mark.parametrize(("answer", "expected"), KIND)
def test_the_whole_kind(answer: Any, expected: Verdict) -> None:
    assert verdict(answer) is expected
