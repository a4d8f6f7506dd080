"""Verdicts rest on facts that were read, are fresh and whole; all else is unknown."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.domain.compliance import Judgement, PolicyMode, Verdict
from app.domain.fact_schema import TRUNCATED
from app.policies.engine import (
    BATCH_ROWS,
    EffectivePolicy,
    EvaluationRow,
    Remedy,
    judge,
    remedy_for,
)
from tests.support.policies import document, effective, policy, row

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


def one(found: EvaluationRow, *policies: EffectivePolicy, kind: str = "s3_bucket") -> Judgement:
    (judged,) = judge(policies or [effective()], kind, [found], NOW)
    return judged


def test_a_kept_promise_says_on_what_it_rests() -> None:
    judged = one(row(versioning_on=True, bucket_region="eu-west-1"))
    assert (judged.verdict, judged.message, judged.reasons) == (Verdict.COMPLIANT, "", ())
    assert judged.used == {"facts.versioning_on": True}


def test_a_breach_names_the_resource_and_the_facts_read() -> None:
    judged = one(row("labels", versioning_on=False))
    assert (judged.verdict, judged.message) == (
        Verdict.NON_COMPLIANT,
        "labels keeps no versions.",
    )
    assert judged.used == {"facts.versioning_on": False}
    assert (judged.policy_id, judged.resource_id) == ("keeps-versions", "id-labels")
    assert judged.policy_version == policy().version


def test_an_instant_that_was_read_is_kept_as_text() -> None:
    young = "now - resource.created_at < duration('1d')"
    case = {"name": "of unknown age", "facts": {}, "expect": "unknown"}
    made = datetime(2025, 1, 10, 9, 0, tzinfo=UTC)
    rule = policy(**{"assert": young, "tests": [case]})
    found = row("old")
    judged = one(replace(found, resource={**found.resource, "created_at": made}), effective(rule))
    assert judged.verdict is Verdict.NON_COMPLIANT
    assert judged.used == {"resource.created_at": "2025-01-10T09:00:00+00:00"}


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (row(), "facts.versioning_on was not collected"),
        (row(absent=frozenset({"versioning_on"})), "facts.versioning_on is absent"),
        (
            row(unreadable={"versioning_on": "AccessDenied"}),
            "facts.versioning_on could not be read: AccessDenied",
        ),
        (row(versioning_on="yes"), "facts.versioning_on is not a bool"),
    ],
)
def test_what_was_not_read_is_unknown_and_says_why(found: EvaluationRow, reason: str) -> None:
    judged = one(found)
    assert judged.verdict is Verdict.UNKNOWN
    assert judged.reasons == (reason,)
    assert judged.message == f"Not judged: {reason}."


class TestStaleFacts:
    def test_do_not_carry_a_pass(self) -> None:
        old = row(versioning_on=True, stale=True, observed_at=NOW - timedelta(days=3, hours=5))
        judged = one(old)
        assert judged.verdict is Verdict.UNKNOWN
        assert judged.reasons == ("last read 3 d ago, grace passed",)
        assert judged.used == {"facts.versioning_on": True}

    def test_keep_a_breach(self) -> None:
        assert one(row(versioning_on=False, stale=True)).verdict is Verdict.NON_COMPLIANT

    def test_keep_their_own_reason_when_unknown_anyway(self) -> None:
        assert one(row(stale=True)).reasons == ("facts.versioning_on was not collected",)

    @pytest.mark.parametrize(
        ("age", "said"),
        [
            (timedelta(minutes=59), "59 min"),
            (timedelta(hours=1), "1 h"),
            (timedelta(hours=47), "1 d"),
        ],
    )
    def test_say_their_age(self, age: timedelta, said: str) -> None:
        judged = one(row(versioning_on=True, stale=True, observed_at=NOW - age))
        assert judged.reasons == (f"last read {said} ago, grace passed",)

    def test_of_unknown_age_are_stale_too(self) -> None:
        judged = one(row(versioning_on=True, stale=True))
        assert judged.reasons == ("last read too long ago, grace passed",)


@pytest.mark.parametrize("open_container", [True, False])
def test_a_cut_list_proves_neither_good_nor_bad(open_container: bool) -> None:
    private = effective(
        policy(
            applies_to=["azure_storage_account"],
            **{"assert": "facts.containers.all(c, c.public_access == 'None')"},
            tests=[
                {
                    "name": "closed",
                    "facts": {"containers": [{"name": "a", "public_access": "None"}]},
                    "expect": "compliant",
                }
            ],
        )
    )
    access = "Blob" if open_container else "None"
    facts: dict[str, Any] = {
        "containers": [{"name": "a", "public_access": access}],
        TRUNCATED: {"containers": 1200},
    }
    judged = one(row(**facts), private, kind="azure_storage_account")
    assert judged.verdict is Verdict.UNKNOWN
    assert judged.reasons == ("facts.containers holds only the first 1 of 1200 entries",)


def test_a_condition_that_is_not_met_is_not_applicable() -> None:
    asked = effective(
        policy(
            when="facts.holds_objects",
            tests=[{"name": "none", "facts": {"holds_objects": False}, "expect": "not_applicable"}],
        )
    )
    judged = one(row(holds_objects=False), asked)
    assert (judged.verdict, judged.message) == (Verdict.NOT_APPLICABLE, "")
    assert one(row(versioning_on=True), asked).verdict is Verdict.UNKNOWN


@pytest.mark.parametrize("mode", PolicyMode)
def test_only_policies_that_are_off_do_not_judge(mode: PolicyMode) -> None:
    judged = list(judge([replace_mode(mode)], "s3_bucket", [row(versioning_on=True)], NOW))
    assert len(judged) == (mode is not PolicyMode.OFF)


def replace_mode(mode: PolicyMode) -> EffectivePolicy:
    return replace(effective(), mode=mode)


def test_other_kinds_are_not_judged() -> None:
    assert list(judge([effective()], "azure_storage_account", [row()], NOW)) == []


LIMITED = policy(
    params={"days": {"type": "float", "default": 30, "doc": "Limit."}},
    **{"assert": "facts.cools_after_days <= params.days"},
    message="{facts.cools_after_days} d, limit {params.days} d",
    tests=[{"name": "soon", "facts": {"cools_after_days": 7}, "expect": "compliant"}],
)


def test_params_stand_over_the_defaults_and_in_the_message() -> None:
    late = row(cools_after_days=45)
    assert one(late, effective(LIMITED)).message == "45 d, limit 30 d"
    assert one(late, effective(LIMITED, days=60)).verdict is Verdict.COMPLIANT
    assert one(late, effective(LIMITED, days=40)).message == "45 d, limit 40 d"


def test_rows_come_in_order_and_each_by_each_policy() -> None:
    rows = (row(str(number), versioning_on=number % 2 == 0) for number in range(BATCH_ROWS + 7))
    judged = list(judge([effective(), effective(LIMITED)], "s3_bucket", rows, NOW))
    assert len(judged) == 2 * (BATCH_ROWS + 7)
    assert [found.resource_id for found in judged[:4]] == ["id-0", "id-0", "id-1", "id-1"]
    assert [found.verdict for found in judged[::2]][:3] == [
        Verdict.COMPLIANT,
        Verdict.NON_COMPLIANT,
        Verdict.COMPLIANT,
    ]
    assert {found.verdict for found in judged[1::2]} == {Verdict.UNKNOWN}


def test_rows_are_taken_as_they_are_needed() -> None:
    taken = []

    def stream() -> Iterator[EvaluationRow]:
        for number in range(3 * BATCH_ROWS):
            taken.append(number)
            yield row(str(number), versioning_on=True)

    judged = judge([effective()], "s3_bucket", stream(), NOW)
    next(judged)
    assert len(taken) == BATCH_ROWS


SPECIAL = policy(
    message=[
        {"when": "facts.versioning_status == 'Suspended'", "text": "{resource.name} is suspended."},
        {"text": "{resource.name} is off."},
    ],
    remedy=[
        {
            "when": "has(facts.object_lock_enabled) && facts.object_lock_enabled",
            "text": "Nothing to do.",
        },
        {"kind": "s3_bucket", "text": "Switch on {resource.name}.", "cli": "on {resource.name} {}"},
    ],
)


@pytest.mark.parametrize(
    ("found", "message"),
    [
        (row(versioning_on=False, versioning_status="Suspended"), "corpus is suspended."),
        (row(versioning_on=False), "corpus is off."),
        (
            row(versioning_on=False, unreadable={"versioning_status": "AccessDenied"}),
            "corpus is off.",
        ),
    ],
)
def test_the_first_message_whose_condition_is_met_is_said(
    found: EvaluationRow, message: str
) -> None:
    assert one(found, effective(SPECIAL)).message == message


def test_the_remedy_fits_the_resource() -> None:
    found = row(absent=frozenset({"object_lock_enabled"}))
    assert remedy_for(effective(SPECIAL), "s3_bucket", found, NOW) == Remedy(
        "Switch on corpus.", "on corpus {}"
    )
    locked = row(object_lock_enabled=True)
    assert remedy_for(effective(SPECIAL), "s3_bucket", locked, NOW).text == "Nothing to do."
    assert SPECIAL.remedy == "Nothing to do.\n\nSwitch on {resource.name}.\non {resource.name} {}"


def test_a_command_is_filled_with_what_is_known_and_names_what_is_not() -> None:
    remedy = [{"text": "Do.", "cli": "do {resource.account_id} {facts.size} {facts.flag} {x}"}]
    found = row(size="a b", flag=True)
    known = replace(found, resource={**found.resource, "account_id": "0815"})
    commands = [
        remedy_for(effective(policy(remedy=remedy)), "s3_bucket", one, NOW).cli
        for one in (known, found)
    ]
    assert commands == ["do 0815 'a b' FLAG {x}", "do ACCOUNT_ID 'a b' FLAG {x}"]


def test_a_hostile_name_cannot_break_out_of_a_command() -> None:
    hostile = row("x; rm -rf ~ '", absent=frozenset({"object_lock_enabled"}))
    remedy = remedy_for(effective(SPECIAL), "s3_bucket", hostile, NOW)
    assert remedy.cli == "on 'x; rm -rf ~ '\"'\"'' {}"


def test_hostile_markup_stays_text() -> None:
    judged = one(row("<img src=x onerror=alert(1)>{params.x}", versioning_on=False))
    assert judged.message == "<img src=x onerror=alert(1)>{params.x} keeps no versions."


def test_a_policy_that_changes_is_compiled_anew() -> None:
    strict = policy(
        **{"assert": "facts.versioning_on && facts.mfa_delete"},
        tests=[
            {
                "name": "both",
                "facts": {"versioning_on": True, "mfa_delete": True},
                "expect": "compliant",
            }
        ],
    )
    found = row(versioning_on=True, mfa_delete=False)
    assert one(found).verdict is Verdict.COMPLIANT
    assert one(found, effective(strict)).verdict is Verdict.NON_COMPLIANT
    assert document()["id"] == strict.id
