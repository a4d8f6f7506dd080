import botocore.session
import pytest

from app.collectors.aws_s3 import COLLECTOR
from app.collectors.aws_s3.operations import (
    ABSENT_CODES,
    ACCOUNT_BLOCK,
    BY_NAME,
    LIST,
    LOCATION,
    OPERATIONS,
    PARSERS,
    REPLICATION,
    WHO,
)
from app.domain.facts import fact_names
from app.domain.storage import S3BucketFacts


def test_every_fact_is_fed_by_exactly_one_operation() -> None:
    fed = [name for operation in OPERATIONS for name in operation.feeds]
    assert sorted(fed) == sorted(fact_names(S3BucketFacts))


def test_every_fact_names_the_operation_that_feeds_it() -> None:
    fields = S3BucketFacts.__dataclass_fields__
    for operation in OPERATIONS:
        for name in operation.feeds:
            assert fields[name].metadata["source"] == operation.name


@pytest.mark.parametrize("name", list(BY_NAME))
def test_every_operation_is_one_that_aws_has_and_only_reads(name: str) -> None:
    service, _, operation = name.partition(":")
    model = botocore.session.get_session().get_service_model(service)
    assert operation in model.operation_names
    assert operation.startswith(("Get", "List"))


def test_every_operation_says_what_right_it_needs_and_why() -> None:
    for operation in OPERATIONS:
        assert operation.permission.partition(":")[0] in {"s3", "sts"}
        assert operation.why.endswith(".")


@pytest.mark.parametrize(
    ("operation", "permission"),
    [
        ("s3:ListBuckets", "s3:ListAllMyBuckets"),
        ("s3:GetBucketLifecycleConfiguration", "s3:GetLifecycleConfiguration"),
        ("s3:GetBucketReplication", "s3:GetReplicationConfiguration"),
        ("s3:GetBucketEncryption", "s3:GetEncryptionConfiguration"),
        ("s3:GetPublicAccessBlock", "s3:GetBucketPublicAccessBlock"),
        ("s3control:GetPublicAccessBlock", "s3:GetAccountPublicAccessBlock"),
        ("s3:GetObjectLockConfiguration", "s3:GetBucketObjectLockConfiguration"),
        ("s3:ListBucketInventoryConfigurations", "s3:GetInventoryConfiguration"),
        (
            "s3:ListBucketIntelligentTieringConfigurations",
            "s3:GetIntelligentTieringConfiguration",
        ),
        ("s3:GetBucketMetadataConfiguration", "s3:GetBucketMetadataTableConfiguration"),
        ("s3:ListMultipartUploads", "s3:ListBucketMultipartUploads"),
    ],
)
def test_rights_have_the_names_that_iam_knows(operation: str, permission: str) -> None:
    assert BY_NAME[operation].permission == permission


def test_the_tables_name_only_known_operations() -> None:
    asked = {*PARSERS, WHO, LIST, LOCATION, REPLICATION, ACCOUNT_BLOCK}
    assert asked == set(BY_NAME)
    assert set(ABSENT_CODES) <= asked
    assert COLLECTOR.operations == OPERATIONS
