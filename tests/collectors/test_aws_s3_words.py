from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from app.collectors.aws_s3_words import lifecycle_rules
from app.domain.storage import (
    AgeBasis,
    LifecycleAction,
    LifecycleRule,
    RuleEffect,
    RuleSubject,
)

ACCOUNT = "111111111111"


def rule(**given: Any) -> LifecycleRule:
    (found,) = lifecycle_rules({"Rules": [{"ID": "r", "Status": "Enabled", **given}]})
    return found


def action(effect: RuleEffect, subject: RuleSubject, **given: Any) -> LifecycleAction:
    days = given.pop("after_days", None)
    basis = given.pop("basis", AgeBasis.CREATION)
    return LifecycleAction(effect, subject, basis, days, **given)


@pytest.mark.parametrize(
    ("given", "prefixes", "tags", "minimum", "maximum"),
    [
        ({"Filter": {}}, (), {}, None, None),
        ({"Filter": {"Prefix": ""}}, (), {}, None, None),
        ({"Filter": {"Prefix": "raw/"}}, ("raw/",), {}, None, None),
        ({"Prefix": "old/"}, ("old/",), {}, None, None),
        ({"Prefix": ""}, (), {}, None, None),
        ({"Filter": {"Tag": {"Key": "k", "Value": "v"}}}, (), {"k": "v"}, None, None),
        ({"Filter": {"ObjectSizeGreaterThan": 0}}, (), {}, 0, None),
        ({"Filter": {"ObjectSizeLessThan": 2**40}}, (), {}, None, 2**40),
        (
            {
                "Filter": {
                    "And": {
                        "Prefix": "a/",
                        "Tags": [{"Key": "k", "Value": "v"}, {"Key": "l", "Value": ""}],
                        "ObjectSizeGreaterThan": 1,
                        "ObjectSizeLessThan": 9,
                    }
                }
            },
            ("a/",),
            {"k": "v", "l": ""},
            1,
            9,
        ),
    ],
)
def test_every_form_of_a_filter_is_kept_whole(
    given: dict[str, Any],
    prefixes: tuple[str, ...],
    tags: dict[str, str],
    minimum: int | None,
    maximum: int | None,
) -> None:
    found = rule(**given)
    assert (found.prefixes, found.tags) == (prefixes, tags)
    assert (found.minimum_size_bytes, found.maximum_size_bytes) == (minimum, maximum)


def test_a_disabled_rule_is_kept_and_says_so() -> None:
    assert not rule(Status="Disabled", Filter={}).enabled


def test_transitions_go_by_days_or_by_date() -> None:
    madrid = timezone(timedelta(hours=1))
    found = rule(
        Filter={},
        Transitions=[
            {"Days": 0, "StorageClass": "INTELLIGENT_TIERING"},
            {"Date": datetime(2027, 1, 1, 1, tzinfo=madrid), "StorageClass": "GLACIER"},
        ],
    )
    assert found.actions == (
        action(
            RuleEffect.TRANSITION,
            RuleSubject.CURRENT,
            after_days=0.0,
            storage_class="INTELLIGENT_TIERING",
        ),
        action(
            RuleEffect.TRANSITION,
            RuleSubject.CURRENT,
            storage_class="GLACIER",
            on_date=datetime(2027, 1, 1, tzinfo=UTC),
        ),
    )


def test_old_versions_move_and_go_and_some_may_be_spared() -> None:
    found = rule(
        Filter={},
        NoncurrentVersionTransitions=[
            {"NoncurrentDays": 30, "StorageClass": "GLACIER_IR", "NewerNoncurrentVersions": 2}
        ],
        NoncurrentVersionExpiration={"NoncurrentDays": 365, "NewerNoncurrentVersions": 5},
    )
    assert found.actions == (
        action(
            RuleEffect.TRANSITION,
            RuleSubject.NONCURRENT,
            basis=AgeBasis.REPLACEMENT,
            after_days=30.0,
            storage_class="GLACIER_IR",
            newer_versions_kept=2,
        ),
        action(
            RuleEffect.DELETE,
            RuleSubject.NONCURRENT,
            basis=AgeBasis.REPLACEMENT,
            after_days=365.0,
            newer_versions_kept=5,
        ),
    )


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (
            {"Expiration": {"Days": 20}},
            action(RuleEffect.DELETE, RuleSubject.CURRENT, after_days=20.0),
        ),
        (
            {"Expiration": {"Date": datetime(2027, 1, 1, tzinfo=UTC)}},
            action(
                RuleEffect.DELETE, RuleSubject.CURRENT, on_date=datetime(2027, 1, 1, tzinfo=UTC)
            ),
        ),
        (
            {"AbortIncompleteMultipartUpload": {"DaysAfterInitiation": 7}},
            action(
                RuleEffect.ABORT_MULTIPART,
                RuleSubject.CURRENT,
                basis=AgeBasis.START,
                after_days=7.0,
            ),
        ),
        (
            {"Expiration": {"ExpiredObjectDeleteMarker": True}},
            action(RuleEffect.OTHER, RuleSubject.CURRENT),
        ),
    ],
)
def test_only_an_expiration_of_data_counts_as_a_deletion(
    given: dict[str, Any], expected: LifecycleAction
) -> None:
    assert rule(Filter={}, **given).actions == (expected,)


def test_a_rule_whose_marker_clean_up_is_off_does_nothing() -> None:
    assert rule(Filter={}, Expiration={"ExpiredObjectDeleteMarker": False}).actions == ()


@pytest.mark.parametrize(
    "given",
    [
        {"Filter": {"ObjectAgeGreaterThan": 3}},
        {"Filter": {}, "Status": "Paused"},
        {"Filter": {}, "Transitions": [{"Days": 3}]},
        {"Filter": {}, "Transitions": [{"Days": -3, "StorageClass": "GLACIER"}]},
        {"Filter": {}, "Transitions": [{"Days": 10**400, "StorageClass": "GLACIER"}]},
        {"Filter": {"ObjectSizeGreaterThan": "1"}},
    ],
)
def test_a_rule_that_is_not_understood_is_no_rule_with_a_gap(given: dict[str, Any]) -> None:
    with pytest.raises((ValueError, KeyError)):
        rule(**given)
