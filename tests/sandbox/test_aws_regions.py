"""Which regions an account may use, as two services tell it, and as faults spoil it."""

from typing import Any

import pytest
from botocore.exceptions import ClientError

from app.sandbox.aws.regions import OPT_IN
from app.sandbox.faults import Effect, Fault
from app.sandbox.story import AWS_ACCOUNTS, AWS_PLATFORM, AWS_RESEARCH, AWS_TRAINING, AwsAccount
from tests.sandbox.conftest import AwsWire

ON = ["ENABLED", "ENABLED_BY_DEFAULT"]


def listed(aws: AwsWire, account: AwsAccount, **more: Any) -> dict[str, str]:
    """Status by region."""
    rows = aws.client("account", account).list_regions(**more)["Regions"]
    return {row["RegionName"]: row["RegionOptStatus"] for row in rows}


def described(aws: AwsWire, account: AwsAccount, **more: Any) -> dict[str, str]:
    """The word of EC2 by region."""
    rows = aws.client("ec2", account).describe_regions(**more)["Regions"]
    return {row["RegionName"]: row["OptInStatus"] for row in rows}


@pytest.mark.parametrize("account", AWS_ACCOUNTS, ids=lambda account: account.name)
def test_an_account_tells_the_regions_that_it_switched_on(
    aws: AwsWire, account: AwsAccount
) -> None:
    found = listed(aws, account)
    assert {name for name, word in found.items() if word == "ENABLED"} == set(account.opted_in)
    assert {name for name, word in found.items() if word == "DISABLED"} == OPT_IN - set(
        account.opted_in
    )
    assert found["us-east-1"] == "ENABLED_BY_DEFAULT"


def test_the_training_account_lacks_a_region_that_the_others_have(aws: AwsWire) -> None:
    assert listed(aws, AWS_TRAINING)["eu-central-2"] == "DISABLED"
    assert listed(aws, AWS_RESEARCH)["eu-central-2"] == "ENABLED"


def test_buckets_lie_only_where_their_account_may_be(aws: AwsWire) -> None:
    estate = aws.server.estate
    for account in AWS_ACCOUNTS:
        on = listed(aws, account, RegionOptStatusContains=ON)
        scripted = {bucket.region for bucket in estate.scripted if bucket.account == account}
        invented = {bucket.region for bucket in estate.invented_of(account.account_id)}
        assert scripted | invented <= set(on)


def test_regions_come_in_pages_and_by_status(aws: AwsWire) -> None:
    client = aws.client("account", AWS_RESEARCH)
    pages = list(client.get_paginator("list_regions").paginate(MaxResults=10))
    rows = [row for page in pages for row in page["Regions"]]
    assert {row["RegionName"] for row in rows} == set(listed(aws, AWS_RESEARCH))
    assert len(pages) == -(-len(rows) // 10)
    on = listed(aws, AWS_RESEARCH, RegionOptStatusContains=ON)
    assert set(on.values()) == set(ON)


@pytest.mark.parametrize("more", [{"MaxResults": 51}, {"NextToken": "ñ"}])
def test_pages_that_do_not_exist_are_refused(aws: AwsWire, more: dict[str, Any]) -> None:
    with pytest.raises(ClientError, match="ValidationException"):
        listed(aws, AWS_PLATFORM, **more)


def test_no_account_tells_the_regions_of_another(aws: AwsWire) -> None:
    with pytest.raises(ClientError, match="AccessDenied"):
        listed(aws, AWS_RESEARCH, AccountId=AWS_TRAINING.account_id)


@pytest.mark.parametrize("account", AWS_ACCOUNTS, ids=lambda account: account.name)
def test_ec2_tells_the_same_and_only_when_asked_for_all_what_is_off(
    aws: AwsWire, account: AwsAccount
) -> None:
    everywhere = described(aws, account, AllRegions=True)
    on = {name for name, word in everywhere.items() if word != "not-opted-in"}
    assert on == set(listed(aws, account, RegionOptStatusContains=ON))
    assert {name for name, word in everywhere.items() if word == "opted-in"} == set(
        account.opted_in
    )
    assert set(described(aws, account)) == on


@pytest.mark.parametrize(
    ("service", "operation", "call", "code"),
    [
        ("account", "account.ListRegions", "list_regions", "AccessDeniedException"),
        ("ec2", "ec2.DescribeRegions", "describe_regions", "UnauthorizedOperation"),
        (
            "organizations",
            "organizations.ListAccounts",
            "list_accounts",
            "TooManyRequestsException",
        ),
    ],
)
def test_faults_speak_in_the_words_of_their_service(
    aws: AwsWire, service: str, operation: str, call: str, code: str
) -> None:
    aws.server.faults.add(Fault(operation=operation, status=400, code=code, message="told to"))
    with pytest.raises(ClientError, match="told to") as refused:
        getattr(aws.client(service), call)()
    assert refused.value.response["Error"]["Code"] == code
    assert aws.server.calls.counts() == {operation: 1}


@pytest.mark.parametrize(
    ("service", "operation", "call"),
    [
        ("account", "account.ListRegions", "list_regions"),
        ("organizations", "organizations.ListAccounts", "list_accounts"),
    ],
)
def test_lists_can_be_made_to_go_in_circles(
    aws: AwsWire, service: str, operation: str, call: str
) -> None:
    aws.server.faults.add(Fault(operation=operation, effect=Effect.REPEATED_NEXT))
    client = aws.client(service)
    first = getattr(client, call)()
    again = getattr(client, call)(NextToken=first["NextToken"])
    assert again["NextToken"] == first["NextToken"]
