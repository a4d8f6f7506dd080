"""The collector against moto, which plays Organizations, STS and EC2.

Moto has no ListRegions (it answers 404), so every account tells its regions by EC2 here. What
moto says of accounts outside of organizations is wrong and not used.
"""

from collections.abc import Callable
from datetime import datetime

from app.domain.collecting import ListingDone, ResourceSeen, ScopeReport
from app.domain.facts import Present, Unreadable
from tests.collectors.aws_accounts.conftest import ORGANIZATION, Sweep
from tests.support.aws_fixtures import MakeConnection
from tests.support.aws_wire import ACCOUNT, AwsWire

Members = Callable[..., list[str]]


def test_without_an_organization_the_own_account_is_all(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep, members: Members
) -> None:
    members("research")
    swept = sweep(connection())
    assert swept.accounts.keys() == {ACCOUNT}
    own = swept.accounts[ACCOUNT]
    assert (own.immutable_id, own.native_id) == (ACCOUNT, f"arn:aws:iam::{ACCOUNT}:root")
    assert (own.region_id, own.created_at, own.tags) == (None, None, None)
    facts = swept.facts(ACCOUNT)
    assert facts.is_own_account == Present(True)
    assert facts.account_state == Unreadable("SkippedByConfiguration")
    assert swept.listings == (ListingDone("aws_account", ACCOUNT, complete=True),)
    assert aws.questions("ListAccounts") == []
    assert aws.questions("AssumeRole") == []


def test_an_organization_is_listed_and_every_member_is_asked_in_itself(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep, members: Members
) -> None:
    research, training = members("research", "training")
    swept = sweep(connection(organization=ORGANIZATION))
    assert swept.accounts.keys() == {ACCOUNT, research, training}
    assert swept.accounts[research].name == "research"
    assert {one.scope for one in swept.accounts.values()} == {ACCOUNT}
    assert swept.listings == (ListingDone("aws_account", ACCOUNT, complete=True),)
    assert {one.account for one in aws.questions("DescribeRegions")} == set(swept.accounts)
    roles = {one.parameters["RoleArn"] for one in aws.questions("AssumeRole")}
    assert roles == {f"arn:aws:iam::{one}:role/AtalayaReader" for one in (research, training)}
    for account in swept.accounts:
        facts = swept.facts(account)
        assert facts.account_state == Present("ACTIVE")
        assert facts.is_own_account == Present(account == ACCOUNT)
        assert isinstance(facts.joined_at, Present)
        assert isinstance(facts.joined_at.value, datetime)
        assert isinstance(facts.organization_id, Present)
        assert facts.organization_id.value.startswith("o-")


def test_regions_are_told_by_ec2_where_account_management_cannot(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    swept = sweep(connection())
    facts = swept.facts(ACCOUNT)
    assert facts.regions_source == Present("ec2:DescribeRegions")
    assert isinstance(facts.enabled_regions, Present)
    assert isinstance(facts.disabled_regions, Present)
    assert "eu-west-1" in facts.enabled_regions.value
    assert "il-central-1" in facts.disabled_regions.value
    (asked,) = aws.questions("DescribeRegions")
    assert asked.parameters["AllRegions"] is True
    assert swept.reports[ACCOUNT, "account:ListRegions"].failed == 1
    assert swept.reports[ACCOUNT, "ec2:DescribeRegions"].answered == 1


def test_members_that_the_settings_leave_out_are_said_to_be(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep, members: Members
) -> None:
    research, training, closed = members("research", "training", "closed")
    organization = {**ORGANIZATION, "accounts": [research, closed], "exclude": [closed]}
    swept = sweep(connection(organization=organization))
    assert swept.accounts.keys() == {ACCOUNT, research}
    for account in (training, closed):
        report = swept.reports[account, "account:ListRegions"]
        assert (report.asked, report.skipped) == (0, 1)
        assert report.code == "SkippedByConfiguration"
        assert "organization" in report.message
    assert {one.account for one in aws.questions("DescribeRegions")} == {ACCOUNT, research}


def test_an_account_that_is_named_but_not_in_the_organization_is_said_to_be(
    connection: MakeConnection, sweep: Sweep, members: Members
) -> None:
    members()
    organization = {**ORGANIZATION, "accounts": ["999988887777"]}
    swept = sweep(connection(organization=organization))
    assert swept.accounts.keys() == {ACCOUNT}
    assert swept.reports["999988887777", "organizations:ListAccounts"].code == "NotInOrganization"


def test_calls_that_the_settings_leave_out_are_not_made(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep, members: Members
) -> None:
    members("research")
    swept = sweep(connection(organization=ORGANIZATION, operations=["sts:GetCallerIdentity"]))
    assert {one.question for one in aws.asked} == {"GetCallerIdentity"}
    (listing,) = swept.listings
    assert (listing.complete, listing.code) == (False, "SkippedByConfiguration")
    facts = swept.facts(ACCOUNT)
    assert facts.regions_source == Present("botocore")
    assert facts.disabled_regions == Unreadable("SkippedByConfiguration")


def test_no_call_is_made_twice(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep, members: Members
) -> None:
    ids = members(*(f"team-{number}" for number in range(6)))
    sweep(connection(organization=ORGANIZATION))
    counts = {
        question: len(aws.questions(question)) for question in {a.question for a in aws.asked}
    }
    assert counts == {
        "GetCallerIdentity": 1,
        "ListAccounts": 1,
        "AssumeRole": len(ids),
        "ListRegions": len(ids) + 1,
        "DescribeRegions": len(ids) + 1,
    }


def test_the_coverage_comes_last_and_counts_the_roles_that_were_assumed(
    connection: MakeConnection, sweep: Sweep, members: Members
) -> None:
    (research,) = members("research")
    swept = sweep(connection(organization=ORGANIZATION))
    assert swept.order[:3] == (ResourceSeen, ResourceSeen, ListingDone)
    assert set(swept.order[3:]) == {ScopeReport}
    assert swept.reports[research, "sts:AssumeRole"].answered == 1
    assert (ACCOUNT, "sts:AssumeRole") not in swept.reports
    assert swept.reports[ACCOUNT, "sts:GetCallerIdentity"].answered == 1
