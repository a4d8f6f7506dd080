from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from app.collectors.aws_s3 import mapping
from app.collectors.aws_s3.lifecycle import lifecycle_rules
from app.collectors.aws_s3.mapping import Place, bucket_name, region_in_arn, region_of
from app.domain.storage import (
    AgeBasis,
    InventoryConfiguration,
    LifecycleAction,
    LifecycleRule,
    ReplicationRule,
    RuleEffect,
    RuleSubject,
)

ACCOUNT = "111111111111"


def rule(**given: Any) -> LifecycleRule:
    (found,) = lifecycle_rules({"Rules": [{"ID": "r", "Status": "Enabled", **given}]})
    return found


def action(effect: RuleEffect, subject: RuleSubject, **given: Any) -> LifecycleAction:
    days = given.pop("after_days", None)
    return LifecycleAction(effect, subject, AgeBasis.CREATION, days, **given)


@pytest.mark.parametrize(
    ("constraint", "region"),
    [
        (None, "us-east-1"),
        ("", "us-east-1"),
        ("EU", "eu-west-1"),
        ("eu-west-1", "eu-west-1"),
        ("mx-central-1", "mx-central-1"),
    ],
)
def test_a_location_constraint_names_a_region(constraint: str | None, region: str) -> None:
    assert region_of(constraint) == region
    assert mapping.location({"LocationConstraint": constraint}) == {"bucket_region": region}


def test_a_location_answer_without_a_constraint_is_no_virginia() -> None:
    with pytest.raises(KeyError):
        mapping.location({})


@pytest.mark.parametrize(
    ("answer", "status", "mfa"),
    [
        ({}, None, None),
        ({"Status": "Enabled"}, "Enabled", None),
        ({"Status": "Suspended", "MFADelete": "Disabled"}, "Suspended", False),
        ({"Status": "Enabled", "MFADelete": "Enabled"}, "Enabled", True),
    ],
)
def test_versioning_keeps_never_suspended_and_enabled_apart(
    answer: dict[str, str], status: str | None, mfa: bool | None
) -> None:
    assert mapping.versioning(answer) == {"versioning_status": status, "mfa_delete": mfa}


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
            after_days=30.0,
            storage_class="GLACIER_IR",
            newer_versions_kept=2,
        ),
        action(RuleEffect.DELETE, RuleSubject.NONCURRENT, after_days=365.0, newer_versions_kept=5),
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
            action(RuleEffect.ABORT_MULTIPART, RuleSubject.CURRENT, after_days=7.0),
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


def test_the_default_minimum_size_is_absent_where_s3_does_not_state_it() -> None:
    plain = mapping.lifecycle({"Rules": []})
    assert plain == {"lifecycle_rules": (), "transition_default_minimum_object_size": None}
    stated = mapping.lifecycle(
        {"Rules": [], "TransitionDefaultMinimumObjectSize": "varies_by_storage_class"}
    )
    assert stated["transition_default_minimum_object_size"] == "varies_by_storage_class"


@pytest.mark.parametrize(
    ("default", "algorithm", "key"),
    [
        ({"SSEAlgorithm": "AES256"}, "AES256", None),
        ({"SSEAlgorithm": "aws:kms", "KMSMasterKeyID": "arn:k"}, "aws:kms", "arn:k"),
        ({"SSEAlgorithm": "aws:kms"}, "aws:kms", None),
        ({}, None, None),
    ],
)
def test_default_encryption(
    default: dict[str, str], algorithm: str | None, key: str | None
) -> None:
    rules = [{"ApplyServerSideEncryptionByDefault": default, "BucketKeyEnabled": True}]
    answer = {"ServerSideEncryptionConfiguration": {"Rules": rules}}
    assert mapping.encryption(answer) == {
        "encryption_algorithm": algorithm,
        "encryption_key_id": key,
    }


def test_public_access_is_blocked_only_by_all_four_switches() -> None:
    switches = dict.fromkeys(mapping._BLOCK_SWITCHES, True)
    blocked = {"public_access_blocked": True}
    assert mapping.public_access_block({"PublicAccessBlockConfiguration": switches}) == blocked
    for name in switches:
        for weaker in (switches | {name: False}, {k: v for k, v in switches.items() if k != name}):
            found = mapping.public_access_block({"PublicAccessBlockConfiguration": weaker})
            assert found == {"public_access_blocked": False}


def test_object_lock_counts_days_or_years() -> None:
    def locked(retention: dict[str, Any]) -> Any:
        rules = {"Rule": {"DefaultRetention": retention}} if retention else {}
        lock = {"ObjectLockEnabled": "Enabled", **rules}
        found = mapping.object_lock({"ObjectLockConfiguration": lock})
        return tuple(found.values())

    assert locked({"Mode": "COMPLIANCE", "Days": 30}) == (True, "COMPLIANCE", 30)
    assert locked({"Mode": "GOVERNANCE", "Years": 2}) == (True, "GOVERNANCE", 730)
    assert locked({}) == (True, None, None)


def test_tags_keep_their_text_whatever_it_is() -> None:
    hostile = {"=cmd()": "<script>alert(1)</script>", "ñ": ""}
    tag_set = [{"Key": key, "Value": value} for key, value in hostile.items()]
    assert mapping.tagging({"TagSet": tag_set}) == {"bucket_tags": hostile}


def test_inventories() -> None:
    one = {
        "Id": "weekly",
        "IsEnabled": True,
        "IncludedObjectVersions": "All",
        "Schedule": {"Frequency": "Weekly"},
        "Filter": {"Prefix": "corpus/"},
        "Destination": {"S3BucketDestination": {"Bucket": "arn:aws:s3:::inv", "Format": "Parquet"}},
    }
    found = mapping.inventory({"InventoryConfigurationList": [one]})["inventory_configurations"]
    assert found == (InventoryConfiguration("weekly", True, "Weekly", "Parquet", "corpus/", True),)
    assert mapping.inventory({"IsTruncated": False}) == {"inventory_configurations": None}


def replicated(place: Place, **given: Any) -> ReplicationRule:
    destination = {"Bucket": "arn:aws:s3:::copy", **given.pop("Destination", {})}
    rules = [{"ID": "dr", "Status": "Enabled", "Destination": destination, **given}]
    answer = {"ReplicationConfiguration": {"Role": "r", "Rules": rules}}
    assert mapping.replication_destinations(answer) == {"arn:aws:s3:::copy"}
    found = mapping.replication(answer, {"arn:aws:s3:::copy": place}, ACCOUNT)
    (one,) = found["replication_rules"]
    assert isinstance(one, ReplicationRule)
    return one


@pytest.mark.parametrize(
    ("given", "prefix"),
    [
        ({"Filter": {"Prefix": "pii/"}}, "pii/"),
        ({"Filter": {"And": {"Prefix": "a/", "Tags": []}}}, "a/"),
        ({"Filter": {"Tag": {"Key": "k", "Value": "v"}}}, ""),
        ({"Filter": {}}, ""),
        ({"Prefix": "old/"}, "old/"),
        ({"Prefix": ""}, ""),
    ],
)
def test_replication_knows_both_generations_of_filters(given: dict[str, Any], prefix: str) -> None:
    assert replicated(Place("eu-west-1", ours=True), **given).prefix == prefix


def test_a_disabled_replication_is_kept_because_its_copies_stay() -> None:
    assert not replicated(Place("eu-west-1"), Status="Disabled", Filter={}).enabled


@pytest.mark.parametrize(
    ("named", "ours", "account"),
    [
        (None, True, None),
        (ACCOUNT, True, None),
        ("222222222222", False, "222222222222"),
        (None, False, mapping.UNKNOWN_ACCOUNT),
    ],
)
def test_the_account_of_a_copy_is_ours_another_or_unknown(
    named: str | None, ours: bool, account: str | None
) -> None:
    destination = {"Account": named, "StorageClass": "STANDARD_IA"} if named else {}
    found = replicated(Place("eu-west-1", ours=ours), Filter={}, Destination=destination)
    assert found.destination_account_id == account


def test_a_copy_whose_place_was_denied_is_still_a_copy() -> None:
    found = replicated(Place(None, "AccessDenied"), Filter={})
    assert (found.destination, found.destination_region_id) == ("copy", None)
    assert found.destination_code == "AccessDenied"


def test_names_and_regions_in_arns() -> None:
    outpost = "arn:aws:s3-outposts:eu-south-2:123456789012:outpost/op-1/bucket/copy"
    assert (bucket_name(outpost), region_in_arn(outpost)) == ("copy", "eu-south-2")
    plain = "arn:aws-cn:s3:::copy.with.dots"
    assert (bucket_name(plain), region_in_arn(plain)) == ("copy.with.dots", None)
    assert (bucket_name("copy"), region_in_arn("copy")) == ("copy", None)
