"""The collector against a real moto server: what moto answers itself, no answer of ours."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.collectors.aws_s3 import COLLECTOR
from app.domain.collecting import ListingDone, Outcome, ResourceSeen, ScopeReport
from app.domain.facts import ABSENT, Present, Unreadable, fact_names
from app.domain.storage import RuleEffect, S3BucketFacts
from app.domain.storage_exposure import BLOCK_SWITCHES
from tests.collectors.aws_s3.conftest import Sweep
from tests.support.aws_fixtures import MakeConnection
from tests.support.aws_wire import ACCOUNT, ACCOUNT_BLOCK, AwsWire

BLOCK = dict.fromkeys(BLOCK_SWITCHES, True)
PUBLIC_POLICY = """{"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": "*",
 "Action": "s3:GetObject", "Resource": "arn:aws:s3:::full/*"}]}"""


# Moto takes these questions for one about objects; see test_sweep_faults.py.
NOT_ON_MOTO = {"intelligent_tiering", "metadata_tables", "metadata_table_bucket"}


def facts_of(bucket: ResourceSeen) -> S3BucketFacts:
    assert isinstance(bucket.facts, S3BucketFacts)
    return bucket.facts


def fill(s3: Any, name: str) -> None:
    """Sets everything a bucket can have."""
    s3.put_bucket_versioning(Bucket=name, VersioningConfiguration={"Status": "Enabled"})
    s3.put_bucket_lifecycle_configuration(
        Bucket=name,
        LifecycleConfiguration={
            "Rules": [
                {
                    "ID": "cool",
                    "Status": "Enabled",
                    "Filter": {"Prefix": "corpus/"},
                    "Transitions": [{"Days": 30, "StorageClass": "GLACIER_IR"}],
                    "NoncurrentVersionExpiration": {"NoncurrentDays": 365},
                }
            ]
        },
    )
    key = {"SSEAlgorithm": "aws:kms", "KMSMasterKeyID": "arn:aws:kms:us-west-2:1:key/k"}
    s3.put_bucket_encryption(
        Bucket=name,
        ServerSideEncryptionConfiguration={"Rules": [{"ApplyServerSideEncryptionByDefault": key}]},
    )
    s3.put_bucket_policy(Bucket=name, Policy=PUBLIC_POLICY)
    s3.put_public_access_block(Bucket=name, PublicAccessBlockConfiguration=BLOCK)
    s3.put_bucket_tagging(Bucket=name, Tagging={"TagSet": [{"Key": "owner", "Value": "<b>ml"}]})
    s3.put_bucket_inventory_configuration(
        Bucket=name,
        Id="daily",
        InventoryConfiguration={
            "Id": "daily",
            "IsEnabled": True,
            "IncludedObjectVersions": "Current",
            "Schedule": {"Frequency": "Daily"},
            "Destination": {
                "S3BucketDestination": {"Bucket": "arn:aws:s3:::inventories", "Format": "CSV"}
            },
        },
    )


def replicate(s3: Any, name: str, *destinations: dict[str, str]) -> None:
    rules = [
        {
            "ID": f"to-{place}",
            "Status": "Enabled",
            "Priority": place,
            "Filter": {"Prefix": ""},
            "DeleteMarkerReplication": {"Status": "Disabled"},
            "Destination": destination,
        }
        for place, destination in enumerate(destinations)
    ]
    s3.put_bucket_replication(
        Bucket=name,
        ReplicationConfiguration={"Role": f"arn:aws:iam::{ACCOUNT}:role/r", "Rules": rules},
    )


def test_a_bucket_with_everything_is_read_whole(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    fill(aws.bucket("full"), "full")
    swept = sweep(connection())
    bucket, facts = swept.buckets["full"], facts_of(swept.buckets["full"])
    assert facts.bucket_region == Present("us-west-2")
    assert facts.versioning_status == Present("Enabled")
    assert isinstance(facts.lifecycle_rules, Present)
    (rule,) = facts.lifecycle_rules.value
    assert (rule.name, rule.enabled, rule.prefixes) == ("cool", True, ("corpus/",))
    assert [one.effect for one in rule.actions] == [RuleEffect.TRANSITION, RuleEffect.DELETE]
    assert facts.encryption_algorithm == Present("aws:kms")
    assert facts.encryption_key_id == Present("arn:aws:kms:us-west-2:1:key/k")
    assert facts.public_access_block == Present(BLOCK_SWITCHES)
    assert facts.account_public_access_block == ABSENT
    assert facts.policy_is_public == Present(value=True)
    assert facts.bucket_tags == Present({"owner": "<b>ml"})
    assert isinstance(facts.inventory_configurations, Present)
    assert facts.inventory_configurations.value[0].name == "daily"
    assert bucket.tags == {"owner": "<b>ml"}
    assert swept.complete


def test_what_the_account_shuts_off_is_known_of_every_bucket_and_asked_once(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    for name in ("one", "two"):
        aws.bucket(name)
    some = {"BlockPublicAcls": True, "RestrictPublicBuckets": True}
    aws.account_block(some)
    swept = sweep(connection())
    for bucket in swept.buckets.values():
        known = facts_of(bucket).account_public_access_block
        assert known == Present(("BlockPublicAcls", "RestrictPublicBuckets"))
    assert [asked.question for asked in aws.asked].count(ACCOUNT_BLOCK) == 1
    assert swept.reports[ACCOUNT, "s3control:GetPublicAccessBlock"].answered == 1


def test_an_empty_bucket_has_absent_facts_and_no_unreadable_one(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    aws.bucket("empty", "us-east-1")
    bucket = sweep(connection()).buckets["empty"]
    facts = facts_of(bucket)
    assert facts.bucket_region == Present("us-east-1")
    assert facts.unfinished_upload_count == Present(0)
    assert facts.unfinished_uploads_listed_whole == Present(value=True)
    told = {"bucket_region", "unfinished_upload_count", "unfinished_uploads_listed_whole"}
    for name in {*fact_names(S3BucketFacts)} - told - NOT_ON_MOTO:
        assert getattr(facts, name) is ABSENT, name
    assert bucket.tags == {}


def test_suspended_versioning_is_not_the_same_as_none(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    s3 = aws.bucket("suspended")
    s3.put_bucket_versioning(Bucket="suspended", VersioningConfiguration={"Status": "Suspended"})
    facts = facts_of(sweep(connection()).buckets["suspended"])
    assert facts.versioning_status == Present("Suspended")


def test_unfinished_uploads_are_counted_and_dated(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    s3 = aws.bucket("leftovers")
    for key in ("a", "b"):
        s3.create_multipart_upload(Bucket="leftovers", Key=key)
    facts = facts_of(sweep(connection()).buckets["leftovers"])
    assert facts.unfinished_upload_count == Present(2)
    assert facts.unfinished_uploads_listed_whole == Present(value=True)
    assert isinstance(facts.oldest_listed_upload_at, Present)
    (asked,) = (one for one in aws.questions("uploads") if one.method == "GET")
    assert asked.parameters["max-uploads"] == "1000"


def test_object_lock_is_read(aws: AwsWire, connection: MakeConnection, sweep: Sweep) -> None:
    s3 = aws.client("s3", "us-east-1")
    s3.create_bucket(Bucket="locked", ObjectLockEnabledForBucket=True)
    s3.put_object_lock_configuration(
        Bucket="locked",
        ObjectLockConfiguration={
            "ObjectLockEnabled": "Enabled",
            "Rule": {"DefaultRetention": {"Mode": "COMPLIANCE", "Days": 90}},
        },
    )
    facts = facts_of(sweep(connection()).buckets["locked"])
    assert facts.object_lock_enabled == Present(value=True)
    assert facts.object_lock_mode == Present("COMPLIANCE")
    assert facts.object_lock_days == Present(90)


def test_identity_is_the_name_with_the_start_of_its_life(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    aws.bucket("corpus", "eu-west-1")
    bucket = sweep(connection()).buckets["corpus"]
    assert bucket.created_at is not None
    assert bucket.created_at.utcoffset() == timedelta(0)
    assert datetime.now(UTC) - bucket.created_at < timedelta(minutes=5)
    assert bucket.native_id == "arn:aws:s3:::corpus"
    assert bucket.immutable_id == f"arn:aws:s3:::corpus@{bucket.created_at.isoformat()}"
    assert (bucket.sub_account_id, bucket.region_id) == (ACCOUNT, "eu-west-1")
    assert bucket.scope == f"{ACCOUNT}/eu-west-1"


def test_replication_knows_its_destinations_also_in_other_regions(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    aws.bucket("eu-mirror", "eu-central-1")
    aws.bucket("us-logs", "us-east-1")
    s3 = aws.bucket("pii-src", "eu-west-1")
    s3.put_bucket_versioning(Bucket="pii-src", VersioningConfiguration={"Status": "Enabled"})
    replicate(
        s3,
        "pii-src",
        {"Bucket": "arn:aws:s3:::eu-mirror"},
        {"Bucket": "arn:aws:s3:::us-logs", "StorageClass": "STANDARD_IA"},
    )
    facts = facts_of(sweep(connection()).buckets["pii-src"])
    assert isinstance(facts.replication_rules, Present)
    first, second = facts.replication_rules.value
    assert (first.destination, first.destination_region_id) == ("eu-mirror", "eu-central-1")
    assert first.destination_account_id is None
    assert (second.destination_region_id, second.storage_class) == ("us-east-1", "STANDARD_IA")


def test_each_call_is_counted_per_region_and_operation(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    fill(aws.bucket("full"), "full")
    aws.bucket("bare")
    aws.bucket("ireland", "eu-west-1")
    reports = sweep(connection()).reports
    west = reports[f"{ACCOUNT}/us-west-2", "s3:GetBucketTagging"]
    assert (west.asked, west.answered, west.absent) == (2, 1, 1)
    ireland = reports[f"{ACCOUNT}/eu-west-1", "s3:GetBucketTagging"]
    assert (ireland.asked, ireland.answered, ireland.absent) == (1, 0, 1)
    assert reports[ACCOUNT, "s3:ListBuckets"].answered == 1
    assert reports[ACCOUNT, "sts:GetCallerIdentity"].answered == 1
    assert sum(report.asked for report in reports.values()) == len(aws.asked)
    for report in reports.values():
        assert report.asked == sum(
            getattr(report, outcome) for outcome in Outcome if outcome is not Outcome.SKIPPED
        )


def test_buckets_stream_before_the_listing_is_declared_done(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    for number in range(3):
        aws.bucket(f"bucket-{number}")
    order = sweep(connection()).order
    kinds = list(dict.fromkeys(order))
    assert kinds == [ResourceSeen, ListingDone, ScopeReport]


def test_an_account_without_buckets_is_a_complete_list_of_none(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    swept = sweep(connection())
    assert swept.buckets == {}
    assert swept.complete
    assert {listing.scope for listing in swept.listings} >= {ACCOUNT, f"{ACCOUNT}/eu-west-1"}
    assert [asked.question for asked in aws.asked] == ["GetCallerIdentity", "", ACCOUNT_BLOCK]


def test_only_the_regions_of_the_connection_are_read_and_declared(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    aws.bucket("ireland", "eu-west-1")
    aws.bucket("oregon", "us-west-2")
    swept = sweep(connection(regions=["eu-west-1"]))
    assert list(swept.buckets) == ["ireland"]
    scopes = {listing.scope for listing in swept.listings}
    assert scopes == {ACCOUNT, f"{ACCOUNT}/eu-west-1"}
    assert {asked.question for asked in aws.asked if asked.bucket == "oregon"} == {"location"}


def test_operations_that_are_left_out_are_not_asked_and_not_guessed(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    aws.bucket("corpus")
    wanted = ["s3:GetBucketLocation", "s3:GetBucketVersioning"]
    swept = sweep(connection(operations=wanted))
    facts = facts_of(swept.buckets["corpus"])
    assert facts.versioning_status is ABSENT
    assert facts.lifecycle_rules == Unreadable("SkippedByConfiguration")
    assert swept.buckets["corpus"].tags is None
    assert {asked.question for asked in aws.asked if asked.bucket} == {"location", "versioning"}
    report = swept.reports[f"{ACCOUNT}/us-west-2", "s3:GetBucketTagging"]
    assert (report.asked, report.skipped, report.code) == (0, 1, "SkippedByConfiguration")


def test_reads_name_the_owner_they_expect(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    aws.bucket("corpus")
    sweep(connection())
    of_bucket = [asked for asked in aws.asked if asked.bucket == "corpus"]
    assert of_bucket
    assert {asked.headers["x-amz-expected-bucket-owner"] for asked in of_bucket} == {ACCOUNT}


def test_nothing_but_reads_is_sent(aws: AwsWire, connection: MakeConnection, sweep: Sweep) -> None:
    fill(aws.bucket("full"), "full")
    aws.asked.clear()
    sweep(connection())
    assert {asked.method for asked in aws.asked if asked.bucket} == {"GET"}
    assert {asked.question for asked in aws.asked if asked.method == "POST"} == {
        "GetCallerIdentity"
    }


@pytest.mark.parametrize("threads", [1, 16])
def test_forty_buckets_come_back_once_each_with_any_number_of_threads(
    threads: int, aws: AwsWire, connection: MakeConnection, now: datetime
) -> None:
    s3 = aws.client("s3", "us-east-1")
    for number in range(40):
        s3.create_bucket(Bucket=f"bucket-{number:03}")
    made = connection(operations=["s3:GetBucketLocation"])
    object.__setattr__(made, "threads", threads)
    seen = [one.name for one in COLLECTOR.collect(made, now) if isinstance(one, ResourceSeen)]
    assert sorted(seen) == [f"bucket-{number:03}" for number in range(40)]
