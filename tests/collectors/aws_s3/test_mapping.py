from typing import Any

import pytest

from app.collectors.aws_s3 import mapping
from app.collectors.aws_s3.mapping import Place, bucket_name, region_in_arn, region_of
from app.collectors.aws_s3_words import account_public_access_block, encryption
from app.domain.storage import (
    InventoryConfiguration,
    ReplicationRule,
)
from app.domain.storage_copies import UNKNOWN_ACCOUNT
from app.domain.storage_exposure import BLOCK_SWITCHES

ACCOUNT = "111111111111"


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
    assert encryption(answer) == {
        "encryption_algorithm": algorithm,
        "encryption_key_id": key,
    }


def test_switches_of_the_public_access_block_are_named_where_they_are_on() -> None:
    switches = dict.fromkeys(BLOCK_SWITCHES, True)
    whole = {"PublicAccessBlockConfiguration": switches}
    assert mapping.public_access_block(whole) == {"public_access_block": BLOCK_SWITCHES}
    shared = {"account_public_access_block": BLOCK_SWITCHES}
    assert account_public_access_block(whole) == shared
    for name in switches:
        rest = {other: True for other in switches if other != name}
        for weaker in (switches | {name: False}, rest):
            found = mapping.public_access_block({"PublicAccessBlockConfiguration": weaker})
            assert found == {"public_access_block": tuple(rest)}


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
    (weekly,) = found
    assert weekly == InventoryConfiguration(
        "weekly", True, "Weekly", "Parquet", "corpus/", True, "inv"
    )
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
        (None, False, UNKNOWN_ACCOUNT),
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
