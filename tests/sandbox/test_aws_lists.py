"""Who is asking, in which account; and lists in pages."""

from typing import Any
from urllib.parse import urlsplit

import pytest
from botocore.exceptions import ClientError

from app.sandbox.story import (
    AWS_ACCOUNTS,
    AWS_PARTNER,
    AWS_PLATFORM,
    AWS_RESEARCH,
    EXTERNAL_ID,
    AwsAccount,
)
from tests.sandbox.conftest import AwsWire


def names(aws: AwsWire, account: object) -> list[str]:
    """The scripted bucket names of one account."""
    return sorted(each.name for each in aws.server.estate.scripted if each.account == account)


def test_a_plain_list_has_every_bucket_of_the_account_and_no_regions(aws: AwsWire) -> None:
    estate = aws.server.estate
    rows = aws.client("s3", AWS_RESEARCH).list_buckets()["Buckets"]
    invented = [each.name for each in estate.invented_of(AWS_RESEARCH.account_id)]
    assert [row["Name"] for row in rows] == names(aws, AWS_RESEARCH) + invented
    assert not any("BucketRegion" in row for row in rows)


def test_pages_name_regions_and_hold_every_bucket_once(aws: AwsWire) -> None:
    client = aws.client("s3", AWS_RESEARCH)
    plain = client.list_buckets()["Buckets"]
    pages = list(client.get_paginator("list_buckets").paginate(MaxBuckets=7))
    rows = [row for page in pages for row in page["Buckets"]]
    assert [row["Name"] for row in rows] == [row["Name"] for row in plain]
    assert len(pages) == -(-len(rows) // 7)
    assert all(row["BucketRegion"] for row in rows)


def test_buckets_are_found_by_prefix_and_region(aws: AwsWire) -> None:
    client = aws.client("s3", AWS_RESEARCH)
    found = client.list_buckets(Prefix="cierzo-", BucketRegion="eu-west-1")
    assert found["Prefix"] == "cierzo-"
    assert {row["BucketRegion"] for row in found["Buckets"]} == {"eu-west-1"}
    assert [row["Name"] for row in found["Buckets"]] == [
        "cierzo-clinical-notes-es-dub",
        "cierzo-mirror-v1-dub",
        "cierzo-speech-castellano-dub",
        "cierzo-tokenizer-corpora-dub",
    ]


def test_dates_of_creation_are_the_scripts(aws: AwsWire) -> None:
    rows = {row["Name"]: row for row in aws.client("s3", AWS_RESEARCH).list_buckets()["Buckets"]}
    bucket = aws.server.estate.scripted_named("cierzo-ct-thorax-fra")
    assert bucket is not None
    assert rows[bucket.name]["CreationDate"] == bucket.created_at


def test_a_token_that_is_not_ours_is_refused(aws: AwsWire) -> None:
    with pytest.raises(ClientError, match="InvalidArgument"):
        aws.client("s3", AWS_RESEARCH).list_buckets(ContinuationToken="ñ")


def test_every_account_is_entered_by_its_role(aws: AwsWire) -> None:
    for account in AWS_ACCOUNTS:
        identity = aws.client("sts", account).get_caller_identity()
        assert identity["Account"] == account.account_id
        assert ":assumed-role/AtalayaReader/test" in identity["Arn"]


@pytest.mark.parametrize(
    ("role", "external_id"),
    [
        (AWS_RESEARCH.role_arn, "somebody-else"),
        (AWS_PARTNER.role_arn, EXTERNAL_ID),
        ("arn:aws:iam::999999999999:role/AtalayaReader", EXTERNAL_ID),
        (AWS_RESEARCH.role_arn.replace("Reader", "Admin"), EXTERNAL_ID),
    ],
)
def test_other_roles_cannot_be_had(aws: AwsWire, role: str, external_id: str) -> None:
    with pytest.raises(ClientError, match="AccessDenied"):
        aws.client("sts").assume_role(RoleArn=role, RoleSessionName="test", ExternalId=external_id)


@pytest.mark.parametrize(
    ("service", "operation", "more", "code"),
    [
        ("sts", "get_caller_identity", {"aws_secret_access_key": "x"}, "SignatureDoesNotMatch"),
        ("s3", "list_buckets", {"aws_secret_access_key": "x"}, "SignatureDoesNotMatch"),
        ("sts", "get_caller_identity", {"aws_access_key_id": "AKIANOBODY"}, "InvalidClientTokenId"),
        ("s3", "list_buckets", {"aws_access_key_id": "AKIANOBODY"}, "InvalidAccessKeyId"),
    ],
)
def test_wrong_keys_are_found_out(
    aws: AwsWire, service: str, operation: str, more: dict[str, str], code: str
) -> None:
    right = {
        "aws_access_key_id": aws.server.access_key_id,
        "aws_secret_access_key": aws.server.secret_access_key,
    }
    with pytest.raises(ClientError, match=code):
        getattr(aws.client(service, None, **{**right, **more}), operation)()


def test_temporary_keys_need_their_token(aws: AwsWire) -> None:
    issued = aws.client("sts").assume_role(
        RoleArn=AWS_RESEARCH.role_arn, RoleSessionName="test", ExternalId=EXTERNAL_ID
    )["Credentials"]
    keys = {
        "aws_access_key_id": issued["AccessKeyId"],
        "aws_secret_access_key": issued["SecretAccessKey"],
    }
    with pytest.raises(ClientError, match="InvalidToken"):
        aws.client("s3", None, **keys).list_buckets()
    whole = {**keys, "aws_session_token": issued["SessionToken"]}
    assert aws.client("s3", None, **whole).list_buckets()["Buckets"]


def test_nobody_reads_without_a_signature(aws: AwsWire) -> None:
    from botocore import UNSIGNED  # noqa: PLC0415 - only here
    from botocore.config import Config  # noqa: PLC0415 - only here

    client = aws.client("s3", config=Config(signature_version=UNSIGNED))
    with pytest.raises(ClientError, match="AccessDenied"):
        client.list_buckets()


def test_the_organisation_lists_its_accounts_in_pages(aws: AwsWire) -> None:
    paginator = aws.client("organizations").get_paginator("list_accounts")
    pages = list(paginator.paginate(PaginationConfig={"PageSize": 2}))
    rows = [row for page in pages for row in page["Accounts"]]
    assert [row["Id"] for row in rows] == [account.account_id for account in AWS_ACCOUNTS]
    assert {row["State"] for row in rows} == {"ACTIVE"}
    assert len(pages) == 2


def test_only_the_management_account_lists_accounts(aws: AwsWire) -> None:
    assert aws.client("organizations", AWS_PLATFORM).list_accounts()["Accounts"]
    with pytest.raises(ClientError, match="AccessDenied"):
        aws.client("organizations", AWS_RESEARCH).list_accounts()


def test_an_account_tells_only_its_own_switches_against_public_access(aws: AwsWire) -> None:
    def to_the_sandbox(request: Any, **_: Any) -> None:
        """Real hosts of this service begin with the account's id; an address has no such names."""
        request.url = aws.server.endpoint + urlsplit(request.url).path

    def asked(account: AwsAccount, of: AwsAccount) -> dict[str, bool]:
        client = aws.client("s3control", account)
        client.meta.events.register("before-sign", to_the_sandbox)
        found = client.get_public_access_block(AccountId=of.account_id)
        switches: dict[str, bool] = found["PublicAccessBlockConfiguration"]
        return switches

    assert set(asked(AWS_PLATFORM, AWS_PLATFORM).values()) == {True}
    with pytest.raises(ClientError, match="NoSuchPublicAccessBlockConfiguration"):
        asked(AWS_RESEARCH, AWS_RESEARCH)
    with pytest.raises(ClientError, match="AccessDenied"):
        asked(AWS_RESEARCH, AWS_PLATFORM)
