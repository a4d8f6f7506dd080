"""F13: one denied bucket is unknown, keeps its finding, and costs the others nothing."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.collectors.aws_s3_words import lifecycle_rules
from app.domain.compliance import Change, Verdict, change_of
from app.domain.facts import ABSENT, Fact, Present, Unreadable
from app.domain.storage import LifecycleRule
from app.domain.storage_judgement import leaves_hot

INPUT = json.loads((Path(__file__).parent / "inputs" / "f13_sweep_denied.json").read_text("utf-8"))
POLICY = INPUT["policy"]
ANSWERS = INPUT["get_bucket_lifecycle_configuration"]
OPEN = {found["resource"]: found["id"] for found in INPUT["open_findings_before"]}


def known(answer: Any) -> Fact[tuple[LifecycleRule, ...]]:
    code = answer.get("Error", {}).get("Code")
    if code == "NoSuchLifecycleConfiguration":
        return ABSENT
    return Unreadable(code) if code else Present(lifecycle_rules(answer))


def verdict(answer: Any) -> Verdict:
    return leaves_hot(known(answer), POLICY["dataset_prefix"], POLICY["max_days_in_hot"])


def changes() -> dict[str, Change]:
    return {
        name: change_of(verdict(ANSWERS[name]), is_open=name in OPEN)
        for name in INPUT["buckets_in_order"]
    }


def test_every_bucket_gets_its_verdict() -> None:
    assert {name: verdict(answer).value for name, answer in ANSWERS.items()} == {
        "s1": "compliant",
        "s2": "unknown",
        "s3": "non_compliant",
        "s4": "compliant",
    }


def test_the_denied_finding_stays_the_healed_one_closes_and_a_new_one_opens() -> None:
    assert changes() == {
        "s1": Change.NONE,
        "s2": Change.NONE,
        "s3": Change.OPEN,
        "s4": Change.CLOSE,
    }
    closed = [OPEN[name] for name, change in changes().items() if change is Change.CLOSE]
    assert closed == ["fd-44"]


@pytest.mark.parametrize("code", ["AccessDenied", "InternalError", "PermanentRedirect", "Timeout"])
def test_no_error_ever_closes_a_finding(code: str) -> None:
    assert change_of(verdict({"Error": {"Code": code}}), is_open=True) is Change.NONE


@pytest.mark.parametrize(
    ("found", "is_open", "expected"),
    [
        (Verdict.NON_COMPLIANT, True, Change.PERSIST),
        (Verdict.NON_COMPLIANT, False, Change.OPEN),
        (Verdict.COMPLIANT, True, Change.CLOSE),
        (Verdict.NOT_APPLICABLE, True, Change.CLOSE),
        (Verdict.COMPLIANT, False, Change.NONE),
        (Verdict.UNKNOWN, False, Change.NONE),
    ],
)
def test_the_life_of_a_finding(found: Verdict, is_open: bool, expected: Change) -> None:
    assert change_of(found, is_open=is_open) is expected
