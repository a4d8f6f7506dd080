from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from app.collectors.aws_s3.configurations import (
    intelligent_tiering,
    metadata_tables,
    unfinished_uploads,
)
from app.domain.s3_settings import IntelligentTiering, MetadataTable


def tiering(**members: Any) -> dict[str, Any]:
    row = {
        "Id": "archive",
        "Status": "Enabled",
        "Tierings": [{"AccessTier": "ARCHIVE_ACCESS", "Days": 90}],
        **members,
    }
    return {"IntelligentTieringConfigurationList": [row]}


def read(**members: Any) -> IntelligentTiering:
    (found,) = intelligent_tiering(tiering(**members))["intelligent_tiering"]
    assert isinstance(found, IntelligentTiering)
    return found


def test_archive_tiers_have_their_days() -> None:
    both = [
        {"AccessTier": "DEEP_ARCHIVE_ACCESS", "Days": 180},
        {"AccessTier": "ARCHIVE_ACCESS", "Days": 125},
    ]
    assert read(Tierings=both) == IntelligentTiering("archive", True, "", {}, 125, 180)
    assert read(Status="Disabled").deep_archive_after_days is None
    assert not read(Status="Disabled").enabled


TAG = {"Key": "k", "Value": "v"}


@pytest.mark.parametrize(
    ("found", "prefix", "tags"),
    [
        ({}, "", {}),
        ({"Prefix": "a/"}, "a/", {}),
        ({"Tag": TAG}, "", {"k": "v"}),
        ({"And": {"Prefix": "a/", "Tags": [TAG]}}, "a/", {"k": "v"}),
    ],
)
def test_a_filter_narrows_it(found: dict[str, Any], prefix: str, tags: dict[str, str]) -> None:
    assert (read(Filter=found).prefix, read(Filter=found).tags) == (prefix, tags)


def test_without_configurations_there_are_none() -> None:
    assert intelligent_tiering({}) == {"intelligent_tiering": None}


@pytest.mark.parametrize(
    "odd",
    [
        {"Filter": {"ObjectSizeGreaterThan": 5}},
        {"Status": "Perhaps"},
        {"Tierings": [{"AccessTier": "WARM", "Days": 9}]},
        {"Tierings": [{"AccessTier": "ARCHIVE_ACCESS", "Days": "90"}]},
    ],
)
def test_what_we_do_not_know_is_no_value(odd: dict[str, Any]) -> None:
    with pytest.raises((ValueError, KeyError)):
        intelligent_tiering(tiering(**odd))


def metadata(**members: Any) -> dict[str, Any]:
    result = {"DestinationResult": {"TableBucketType": "aws"}, **members}
    return {"GetBucketMetadataConfigurationResult": {"MetadataConfigurationResult": result}}


JOURNAL = {
    "TableStatus": "ACTIVE",
    "TableName": "journal",
    "RecordExpiration": {"Expiration": "DISABLED"},
}


def test_tables_of_metadata_have_their_state_and_error() -> None:
    inventory = {
        "ConfigurationState": "ENABLED",
        "TableStatus": "FAILED",
        "Error": {"ErrorCode": "AccessDeniedWritingToTable", "ErrorMessage": "no"},
        "TableName": "inventory",
    }
    found = metadata_tables(
        metadata(
            DestinationResult={"TableBucketType": "aws", "TableBucketArn": "arn:tables"},
            JournalTableConfigurationResult=JOURNAL,
            InventoryTableConfigurationResult=inventory,
            AnnotationTableConfigurationResult={"ConfigurationState": "DISABLED"},
        )
    )
    assert found["metadata_table_bucket"] == "arn:tables"
    assert found["metadata_tables"] == (
        MetadataTable("journal", True, "ACTIVE", "", "journal"),
        MetadataTable("inventory", True, "FAILED", "AccessDeniedWritingToTable", "inventory"),
        MetadataTable("annotation", False, None, "", None),
    )


def test_a_table_that_says_nothing_of_its_switch_is_no_value() -> None:
    with pytest.raises(KeyError):
        metadata_tables(metadata(InventoryTableConfigurationResult={"TableStatus": "ACTIVE"}))


def test_uploads_are_counted_and_the_oldest_is_dated_in_utc() -> None:
    east = timezone(timedelta(hours=2))
    begun = [datetime(2026, 3, 1, 2, tzinfo=east), datetime(2026, 4, 1, tzinfo=UTC)]
    answer = {"IsTruncated": True, "Uploads": [{"Initiated": one} for one in begun]}
    assert unfinished_uploads(answer) == {
        "unfinished_upload_count": 2,
        "unfinished_uploads_listed_whole": False,
        "oldest_listed_upload_at": datetime(2026, 3, 1, tzinfo=UTC),
    }


def test_no_uploads_are_none_and_not_missing() -> None:
    assert unfinished_uploads({"IsTruncated": False}) == {
        "unfinished_upload_count": 0,
        "unfinished_uploads_listed_whole": True,
        "oldest_listed_upload_at": None,
    }


@pytest.mark.parametrize(
    "odd",
    [
        {},
        {"IsTruncated": "no"},
        {"IsTruncated": False, "Uploads": [{"Key": "k"}]},
        {"IsTruncated": False, "Uploads": [{"Initiated": None}]},
    ],
)
def test_an_odd_list_of_uploads_is_not_taken_for_none(odd: dict[str, Any]) -> None:
    with pytest.raises((LookupError, TypeError, AttributeError)):
        unfinished_uploads(odd)
