"""Whatever stands at any place of an answer: facts of their own types come out, or none."""

import copy
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from app.collectors.aws_s3 import mapping as s3
from app.collectors.aws_s3.operations import BY_NAME as S3_CALLS
from app.collectors.aws_s3.operations import PARSERS
from app.collectors.azure_blob import mapping as azure
from app.collectors.azure_blob.operations import BY_NAME as AZURE_CALLS
from app.collectors.azure_blob.operations import CONTAINERS, DOCUMENTS, GRAPH, LIFECYCLE
from app.domain.collecting import Outcome
from app.domain.derive import derive
from app.domain.fact_check import typed
from app.domain.fact_schema import to_fact_set
from app.domain.facts import FactDocument, Unreadable
from app.domain.replies import Parse, Reply, understood
from app.domain.storage import S3BucketFacts
from app.domain.storage_accounts import AzureStorageAccountFacts
from tests.support.stores import account, bucket

WIRE = Path(__file__).parent / "azure_blob" / "wire"
NOW = datetime(2026, 12, 1, tzinfo=UTC)
HOSTILE: list[Any] = [
    None, 0, -1, True, "", "x", [], {}, [None], ["x"], {"x": 1}, 1.5, 10**400, float("nan"),
]  # fmt: skip
RULE = {
    "ID": "a",
    "Status": "Enabled",
    "Filter": {
        "And": {
            "Prefix": "a/",
            "Tags": [{"Key": "k", "Value": "v"}],
            "ObjectSizeGreaterThan": 1,
            "ObjectSizeLessThan": 5_000_000,
        }
    },
    "Transitions": [{"Days": 3, "StorageClass": "GLACIER"}],
    "Expiration": {"Days": 30},
    "NoncurrentVersionTransitions": [{"NoncurrentDays": 3, "StorageClass": "GLACIER"}],
    "NoncurrentVersionExpiration": {"NoncurrentDays": 3, "NewerNoncurrentVersions": 2},
    "AbortIncompleteMultipartUpload": {"DaysAfterInitiation": 3},
}
DESTINATION = {"Bucket": "arn:aws:s3:::b", "Account": "2", "StorageClass": "STANDARD"}
COPY = {"ID": "x", "Status": "Enabled", "Filter": {"Prefix": "a"}, "Destination": DESTINATION}
KEY = {"SSEAlgorithm": "aws:kms", "KMSMasterKeyID": "k"}
RETENTION = {"Rule": {"DefaultRetention": {"Mode": "GOVERNANCE", "Days": 3}}}
INVENTORY = {
    "Id": "i",
    "IsEnabled": True,
    "Schedule": {"Frequency": "Daily"},
    "Destination": {"S3BucketDestination": {"Bucket": "arn:aws:s3:::i", "Format": "Parquet"}},
    "IncludedObjectVersions": "All",
}
TIERING = {
    "Id": "t",
    "Status": "Enabled",
    "Filter": {"And": {"Prefix": "a/", "Tags": [{"Key": "k", "Value": "v"}]}},
    "Tierings": [{"AccessTier": "ARCHIVE_ACCESS", "Days": 90}],
}
METADATA = {
    "DestinationResult": {"TableBucketType": "aws", "TableBucketArn": "arn:b"},
    "JournalTableConfigurationResult": {"TableStatus": "ACTIVE", "TableName": "journal"},
    "InventoryTableConfigurationResult": {
        "ConfigurationState": "ENABLED",
        "TableStatus": "FAILED",
        "Error": {"ErrorCode": "AccessDeniedWritingToTable"},
    },
}
ANSWERS: dict[str, Any] = {
    "s3:GetBucketVersioning": {"Status": "Enabled", "MFADelete": "Disabled"},
    "s3:GetBucketLifecycleConfiguration": {"Rules": [RULE]},
    "s3:GetBucketEncryption": {
        "ServerSideEncryptionConfiguration": {
            "Rules": [{"ApplyServerSideEncryptionByDefault": KEY}]
        }
    },
    "s3:GetPublicAccessBlock": {"PublicAccessBlockConfiguration": {"BlockPublicAcls": True}},
    "s3:GetBucketPolicyStatus": {"PolicyStatus": {"IsPublic": True}},
    "s3:GetObjectLockConfiguration": {
        "ObjectLockConfiguration": {"ObjectLockEnabled": "Enabled", **RETENTION}
    },
    "s3:GetBucketTagging": {"TagSet": [{"Key": "a", "Value": "b"}]},
    "s3:ListBucketInventoryConfigurations": {"InventoryConfigurationList": [INVENTORY]},
    "s3:GetBucketLocation": {"LocationConstraint": "EU"},
    "s3:ListBucketIntelligentTieringConfigurations": {
        "IntelligentTieringConfigurationList": [TIERING]
    },
    "s3:GetBucketMetadataConfiguration": {
        "GetBucketMetadataConfigurationResult": {"MetadataConfigurationResult": METADATA}
    },
    "s3:ListMultipartUploads": {"IsTruncated": False, "Uploads": [{"Initiated": NOW}]},
    "s3:GetBucketReplication": {"ReplicationConfiguration": {"Rules": [COPY]}},
}


def replication(answer: Any) -> Any:
    places = dict.fromkeys(s3.replication_destinations(answer), s3.Place("eu-west-1"))
    return s3.replication(answer, places, "1")


S3_PARSERS: dict[str, Parse] = {
    **PARSERS,
    "s3:GetBucketLocation": s3.location,
    "s3:GetBucketReplication": replication,
}
AZURE_PARSERS: dict[str, tuple[str, Parse]] = {
    "storage.account.get.json": (GRAPH, azure.account),
    "recorded.storage.blob_services.json": (
        "storage:blobServices/read",
        DOCUMENTS["storage:blobServices/read"][1],
    ),
    **{
        f"storage.management_policy.{name}.json": (
            LIFECYCLE,
            azure.lifecycle,
        )
        for name in ("cold_tier", "last_access", "versions_snapshots")
    },
    "storage.inventory_policy.list.json": ("storage:inventoryPolicies/read", azure.inventory),
    "storage.containers.list.json": (CONTAINERS, lambda answer: azure.containers(answer["value"])),
}


def spoiled(document: Any) -> Iterator[Any]:
    """The document with each hostile value at each place."""
    for place in places(document):
        for value in HOSTILE:
            yield changed(document, place, value)


def places(document: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield at
    if isinstance(document, list):
        document = dict(enumerate(document))
    for key, value in document.items() if isinstance(document, dict) else ():
        yield from places(value, (*at, key))


def changed(document: Any, place: tuple[Any, ...], value: Any) -> Any:
    if not place:
        return value
    found = copy.deepcopy(document)
    inner = found
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    return found


def stored(answer: Any, feeds: tuple[str, ...], parse: Parse, known: FactDocument) -> str:
    """What would be stored of it; raises when it cannot be judged or said in JSON."""
    document = type(known)
    _, found = understood(Reply(Outcome.ANSWERED, answer), feeds, typed(document, parse))
    facts = account(**found) if document is AzureStorageAccountFacts else bucket(**found)
    return json.dumps(to_fact_set(facts, *derive(facts, NOW)).to_json(), allow_nan=False)


@pytest.mark.parametrize("call", sorted(ANSWERS))
def test_no_answer_of_s3_breaks_what_follows(call: str) -> None:
    for answer in spoiled(ANSWERS[call]):
        assert stored(answer, S3_CALLS[call].feeds, S3_PARSERS[call], bucket())


@pytest.mark.parametrize("file", sorted(AZURE_PARSERS))
def test_no_answer_of_azure_breaks_what_follows(file: str) -> None:
    call, parse = AZURE_PARSERS[file]
    for answer in spoiled(json.loads((WIRE / file).read_text("utf-8"))):
        assert stored(answer, AZURE_CALLS[call].feeds, parse, account())


def test_a_number_where_a_word_belongs_is_no_value() -> None:
    reply, found = understood(
        Reply(Outcome.ANSWERED, {"LocationConstraint": 7}),
        ("bucket_region",),
        typed(S3BucketFacts, s3.location),
    )
    assert (reply.outcome, reply.code) == (Outcome.FAILED, "UnexpectedAnswer")
    assert "bucket_region" in reply.message
    assert found["bucket_region"] == Unreadable("UnexpectedAnswer")
