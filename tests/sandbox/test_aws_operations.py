"""Each S3 operation that a sweep uses, answered for every scripted bucket as it was scripted."""

from typing import Any

import pytest
from botocore.exceptions import ClientError

from app.sandbox.aws.model import Bucket
from app.sandbox.aws.rules import NEW_BUCKET_ENCRYPTION, NEW_BUCKET_PUBLIC_BLOCK
from app.sandbox.aws.seed import Seeded
from app.sandbox.story import AWS_ACCOUNTS, AWS_RESEARCH, AwsAccount
from tests.sandbox.conftest import AwsWire

READS = (
    "get_bucket_location",
    "get_bucket_versioning",
    "get_bucket_lifecycle_configuration",
    "get_bucket_replication",
    "get_bucket_encryption",
    "get_public_access_block",
    "get_bucket_policy_status",
    "get_object_lock_configuration",
    "get_bucket_tagging",
    "list_bucket_inventory_configurations",
    "list_bucket_intelligent_tiering_configurations",
    "get_bucket_metadata_configuration",
)


def answers(client: Any, bucket: str) -> dict[str, Any]:
    """`{operation: answer, or the error's code}` of one bucket."""
    found: dict[str, Any] = {}
    for operation in READS:
        try:
            answer = getattr(client, operation)(Bucket=bucket)
        except ClientError as error:
            found[operation] = error.response["Error"]["Code"]
        else:
            found[operation] = {k: v for k, v in answer.items() if k != "ResponseMetadata"}
    return found


def scripted(aws: AwsWire, account: AwsAccount) -> list[Bucket]:
    """The scripted buckets of an account that nobody denies."""
    mine = [bucket for bucket in aws.server.estate.scripted if bucket.account == account]
    return [bucket for bucket in mine if not bucket.denied]


@pytest.mark.parametrize("account", AWS_ACCOUNTS, ids=lambda account: account.name)
def test_every_bucket_answers_as_scripted(aws: AwsWire, account: AwsAccount) -> None:
    client = aws.client("s3", account)
    for bucket in scripted(aws, account):
        found = answers(client, bucket.name)
        assert found == expected(bucket), bucket.name


def expected(bucket: Bucket) -> dict[str, Any]:
    """What S3 would say about this bucket."""
    return {
        "get_bucket_location": {"LocationConstraint": bucket.location},
        "get_bucket_versioning": {"Status": bucket.versioning} if bucket.versioning else {},
        "get_bucket_lifecycle_configuration": lifecycle(bucket),
        "get_bucket_replication": {"ReplicationConfiguration": bucket.replication}
        if bucket.replication
        else "ReplicationConfigurationNotFoundError",
        "get_bucket_encryption": "ServerSideEncryptionConfigurationNotFoundError"
        if bucket.encryption == "removed"
        else {"ServerSideEncryptionConfiguration": bucket.encryption or NEW_BUCKET_ENCRYPTION},
        "get_public_access_block": "NoSuchPublicAccessBlockConfiguration"
        if bucket.public_block == "removed"
        else {"PublicAccessBlockConfiguration": bucket.public_block or NEW_BUCKET_PUBLIC_BLOCK},
        "get_bucket_policy_status": {
            "PolicyStatus": {"IsPublic": bucket.policy["Statement"][0]["Effect"] == "Allow"}
        }
        if bucket.policy
        else "NoSuchBucketPolicy",
        "get_object_lock_configuration": {"ObjectLockConfiguration": bucket.object_lock}
        if bucket.object_lock
        else "ObjectLockConfigurationNotFoundError",
        "get_bucket_tagging": {"TagSet": bucket.tag_set} if bucket.tags else "NoSuchTagSet",
        "list_bucket_inventory_configurations": {
            "IsTruncated": False,
            **({"InventoryConfigurationList": list(bucket.inventory)} if bucket.inventory else {}),
        },
        "list_bucket_intelligent_tiering_configurations": {
            "IsTruncated": False,
            **({"IntelligentTieringConfigurationList": bucket.tiering} if bucket.tiering else {}),
        },
        "get_bucket_metadata_configuration": {
            "GetBucketMetadataConfigurationResult": bucket.metadata
        }
        if bucket.metadata
        else "MetadataConfigurationNotFound",
    }


def lifecycle(bucket: Bucket) -> Any:
    """The lifecycle answer."""
    if bucket.rules is None:
        return "NoSuchLifecycleConfiguration"
    minimum = bucket.minimum_size or "all_storage_classes_128K"
    return {"Rules": list(bucket.rules), "TransitionDefaultMinimumObjectSize": minimum}


@pytest.mark.parametrize("account", AWS_ACCOUNTS, ids=lambda account: account.name)
def test_invented_buckets_answer_in_the_same_words(aws: AwsWire, account: AwsAccount) -> None:
    client = aws.client("s3", account)
    for bucket in aws.server.estate.invented_of(account.account_id):
        assert answers(client, bucket.name) == expected(bucket), bucket.name


@pytest.mark.parametrize("account", AWS_ACCOUNTS, ids=lambda account: account.name)
def test_unfinished_uploads_are_listed_as_scripted(aws: AwsWire, account: AwsAccount) -> None:
    client = aws.client("s3", account)
    for bucket in scripted(aws, account):
        rows = client.list_multipart_uploads(Bucket=bucket.name).get("Uploads", [])
        assert {row["Key"]: row["Initiated"] for row in rows} == bucket.uploads


def test_an_invented_bucket_tells_its_region(aws: AwsWire) -> None:
    bucket = next(aws.server.estate.invented_of(AWS_RESEARCH.account_id))
    client = aws.client("s3", AWS_RESEARCH)
    assert client.head_bucket(Bucket=bucket.name)["BucketRegion"] == bucket.region
    with pytest.raises(ClientError, match="NotImplemented"):
        client.list_objects_v2(Bucket=bucket.name)


def test_old_irish_buckets_say_eu_and_virginia_says_nothing(aws: AwsWire) -> None:
    client = aws.client("s3", AWS_RESEARCH)

    def where(bucket: str) -> str | None:
        found: str | None = client.get_bucket_location(Bucket=bucket)["LocationConstraint"]
        return found

    assert where("cierzo-clinical-notes-es-dub") == "EU"
    assert where("cierzo-access-logs-use1") is None
    assert client.head_bucket(Bucket="cierzo-clinical-notes-es-dub")["BucketRegion"] == "eu-west-1"


def test_one_bucket_is_denied_in_part(aws: AwsWire) -> None:
    found = answers(aws.client("s3", AWS_RESEARCH), "cierzo-oncology-vault-fra")
    denied = {operation for operation, answer in found.items() if answer == "AccessDenied"}
    assert denied == {
        "get_bucket_lifecycle_configuration",
        "get_bucket_replication",
        "list_bucket_inventory_configurations",
    }


def test_one_bucket_is_denied_altogether(aws: AwsWire) -> None:
    found = answers(aws.client("s3", AWS_RESEARCH), "cierzo-partner-inbox-fra")
    assert set(found.values()) == {"AccessDenied"}


def test_a_foreign_bucket_is_denied(aws: AwsWire) -> None:
    found = answers(aws.client("s3", AWS_RESEARCH), "hospital-dr-copy")
    assert set(found.values()) == {"AccessDenied"}


def test_the_head_of_a_foreign_bucket_tells_its_region_unless_even_that_is_denied(
    aws: AwsWire,
) -> None:
    client = aws.client("s3", AWS_RESEARCH)

    def told(bucket: str) -> Any:
        with pytest.raises(ClientError, match="403") as refused:
            client.head_bucket(Bucket=bucket)
        headers: Any = refused.value.response["ResponseMetadata"]["HTTPHeaders"]
        return headers.get("x-amz-bucket-region")

    assert told("cierzo-webtext-es-ca-gl-usw2") == "us-west-2"
    assert told("hospital-dr-copy") is None


def test_another_owner_than_expected_is_denied(aws: AwsWire) -> None:
    client = aws.client("s3", AWS_RESEARCH)
    mine = {"Bucket": "cierzo-tags-fra"}
    assert client.get_bucket_versioning(**mine, ExpectedBucketOwner=AWS_RESEARCH.account_id)
    with pytest.raises(ClientError, match="AccessDenied"):
        client.get_bucket_versioning(**mine, ExpectedBucketOwner="999999999999")


def test_a_bucket_that_never_was_is_not_found(aws: AwsWire) -> None:
    found = answers(aws.client("s3", AWS_RESEARCH), "cierzo-nowhere")
    assert set(found.values()) == {"NoSuchBucket"}


def test_seeding_again_changes_nothing(aws: AwsWire) -> None:
    client = aws.client("s3", AWS_RESEARCH)

    def state() -> list[dict[str, Any]]:
        return [answers(client, bucket.name) for bucket in scripted(aws, AWS_RESEARCH)[:8]]

    before = state()
    assert aws.server.seed() == Seeded(created=0, kept=len(aws.server.estate.scripted))
    assert state() == before


def test_settings_can_be_changed_and_removed(aws: AwsWire) -> None:
    client = aws.client("s3", AWS_RESEARCH)
    bucket = {"Bucket": "cierzo-scribble-fra"}
    client.create_bucket(**bucket, CreateBucketConfiguration={"LocationConstraint": "eu-central-1"})
    rule = {
        "ID": "sized",
        "Status": "Enabled",
        "Filter": {"ObjectSizeLessThan": 5},
        "Expiration": {"Days": 3},
    }
    client.put_bucket_lifecycle_configuration(**bucket, LifecycleConfiguration={"Rules": [rule]})
    assert client.get_bucket_lifecycle_configuration(**bucket)["Rules"] == [rule]
    client.delete_bucket_lifecycle(**bucket)
    with pytest.raises(ClientError, match="NoSuchLifecycleConfiguration"):
        client.get_bucket_lifecycle_configuration(**bucket)
    client.delete_bucket(**bucket)
    with pytest.raises(ClientError, match="NoSuchBucket"):
        client.get_bucket_versioning(**bucket)


def test_a_bucket_made_again_is_younger(aws: AwsWire) -> None:
    client = aws.client("s3", AWS_RESEARCH)
    name = "cierzo-labels-raw-fra"

    def born() -> Any:
        rows = client.list_buckets(Prefix=name)["Buckets"]
        return rows[0]["CreationDate"] if rows else None

    scripted_at = born()
    client.delete_bucket(Bucket=name)
    assert born() is None
    aws.server.seed()
    assert born() > scripted_at
