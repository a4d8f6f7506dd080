"""F13 through the product: one denied bucket costs one cell, not the sweep and not its finding."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.orm import Session

from app.collectors.aws_s3_words import lifecycle_rules
from app.domain.access import SYSTEM
from app.domain.facts import ABSENT, Fact, Present, Unreadable
from app.domain.storage import LifecycleRule
from app.store.queries import compliance, sweeps
from tests import build
from tests.build import ACCOUNT, Cloud
from tests.support.stores import bucket, rule, rules

INPUT = json.loads((Path(__file__).parent / "inputs" / "f13_sweep_denied.json").read_text("utf-8"))
ANSWERS: dict[str, Any] = INPUT["get_bucket_lifecycle_configuration"]
OPEN_BEFORE = {found["resource"] for found in INPUT["open_findings_before"]}
POLICY = "data-cools-in-time"
LATER = build.NOW.replace(hour=20)


def fact(answer: dict[str, Any]) -> Fact[tuple[LifecycleRule, ...]]:
    code = answer.get("Error", {}).get("Code")
    if code is None:
        return Present(lifecycle_rules(answer))
    return ABSENT if code == "NoSuchLifecycleConfiguration" else Unreadable(code)


def swept(cloud: Cloud, answers: Mapping[str, Fact[tuple[LifecycleRule, ...]]]) -> None:
    cloud.resources = [
        build.seen(name, facts=bucket(lifecycle_rules=answer)) for name, answer in answers.items()
    ]
    denied = sum(isinstance(answer, Unreadable) for answer in answers.values())
    cloud.reports = [
        build.report(
            scope=ACCOUNT,
            operation="s3:GetBucketLifecycleConfiguration",
            asked=len(answers),
            answered=sum(isinstance(answer, Present) for answer in answers.values()),
            absent=sum(answer is ABSENT for answer in answers.values()),
            denied=denied,
            code="AccessDenied" if denied else "",
        )
    ]


@pytest.fixture
def findings(session: Session, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Sweeps what was before, then the input; the number of the finding that was open on each."""
    cloud = Cloud()
    build.play(monkeypatch, build.collector(cloud))
    build.only(monkeypatch, POLICY)
    connection = build.connection(session)
    before = {name: ABSENT if name in OPEN_BEFORE else rules(rule()) for name in ANSWERS}
    swept(cloud, before)
    assert build.sweep(build.within(session), connection.id) == "complete"
    build.evaluate(session)
    opened = compliance.search_findings(session, access=SYSTEM).items
    swept(cloud, {name: fact(ANSWERS[name]) for name in INPUT["buckets_in_order"]})
    build.sweep(build.within(session), connection.id, now=LATER)
    build.evaluate(session, now=LATER)
    return {item.resource_name: item.id for item in opened}


def test_the_sweep_is_partial_with_three_answers_and_one_error(
    session: Session, findings: dict[str, str]
) -> None:
    assert set(findings) == OPEN_BEFORE
    newest = sweeps.list_sweeps(session, access=SYSTEM).items[0]
    (scope,) = sweeps.get_sweep(session, access=SYSTEM, sweep_id=newest.id).scopes
    assert newest.state == "partial"
    assert (scope.answered + scope.absent, scope.denied) == (3, 1)


def test_every_bucket_has_its_verdict(session: Session, findings: dict[str, str]) -> None:
    assert findings
    page = compliance.search_verdicts(session, access=SYSTEM, policy_id=POLICY)
    assert {item.resource_name: item.verdict for item in page.items} == {
        "s1": "compliant",
        "s2": "unknown",
        "s3": "non_compliant",
        "s4": "compliant",
    }


def test_the_denied_finding_stays_the_healed_is_resolved_a_new_one_opens(
    session: Session, findings: dict[str, str]
) -> None:
    everything = compliance.search_findings(
        session, access=SYSTEM, where=compliance.FindingFilter(state="all")
    )
    by_name = {item.resource_name: item for item in everything.items}
    assert {name: item.state for name, item in by_name.items()} == {
        "s2": "open",
        "s3": "open",
        "s4": "resolved",
    }
    assert by_name["s2"].id == findings["s2"]
    assert (by_name["s4"].id, by_name["s4"].close_reason) == (findings["s4"], "compliant")
    assert by_name["s3"].id not in findings.values()


def test_the_reason_of_the_unknown_is_the_error(session: Session, findings: dict[str, str]) -> None:
    assert findings
    (item,) = compliance.search_verdicts(
        session, access=SYSTEM, policy_id=POLICY, verdict="unknown"
    ).items
    assert "AccessDenied" in " ".join(item.reasons)
