"""The collector where moto lacks or misanswers a call: fixtures in the shapes of botocore."""

from datetime import UTC, datetime
from typing import Any

import pytest

from app.clouds.aws_config import known_regions
from app.domain.collecting import ListingDone
from app.domain.facts import ABSENT, Present, Unreadable
from tests.collectors.aws_accounts.conftest import ORGANIZATION, Sweep
from tests.support.aws_fixtures import MakeConnection
from tests.support.aws_shapes import ec2_refusal, fixture, json_refusal
from tests.support.aws_wire import ACCOUNT, AwsWire, Fault, query_refusal

RESEARCH, TRAINING = "111122223333", "444455556666"
WITH_MEMBERS = {"organization": ORGANIZATION}


@pytest.fixture(autouse=True)
def one_try(monkeypatch: pytest.MonkeyPatch) -> None:
    """Faults here are lasting; how often they are tried again is proven elsewhere."""
    monkeypatch.setattr("app.clouds.aws._ATTEMPTS", 1)


def entry(account_id: str, state: str = "ACTIVE") -> dict[str, Any]:
    return {
        "Id": account_id,
        "Arn": f"arn:aws:organizations::{ACCOUNT}:account/o-cierzo0000/{account_id}",
        "Name": f"account-{account_id[:2]}",
        "Status": "ACTIVE",
        "State": state,
        "JoinedTimestamp": datetime(2024, 1, 8, tzinfo=UTC),
    }


def accounts(*entries: dict[str, Any], more: str = "", **where: Any) -> Fault:
    token = {"NextToken": more} if more else {}
    return fixture("organizations", "ListAccounts", {"Accounts": [*entries], **token}, **where)


def regions(statuses: dict[str, str], more: str = "", times: int | None = None) -> Fault:
    found = [{"RegionName": name, "RegionOptStatus": status} for name, status in statuses.items()]
    token = {"NextToken": more} if more else {}
    return fixture("account", "ListRegions", {"Regions": found, **token}, times=times)


VIRGINIA = {"us-east-1": "ENABLED_BY_DEFAULT"}
EVERYWHERE = {**VIRGINIA, "eu-south-2": "ENABLED", "af-south-1": "DISABLED"}


def estate() -> list[Fault]:
    return [accounts(entry(ACCOUNT), entry(RESEARCH), entry(TRAINING)), regions(EVERYWHERE)]


def test_regions_come_from_account_management_with_one_call_each(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    aws.faults = estate()
    swept = sweep(connection(**WITH_MEMBERS))
    for account in (ACCOUNT, RESEARCH, TRAINING):
        facts = swept.facts(account)
        assert facts.enabled_regions == Present(("eu-south-2", "us-east-1"))
        assert facts.disabled_regions == Present(("af-south-1",))
        assert facts.regions_source == Present("account:ListRegions")
    assert sorted(one.account for one in aws.questions("ListRegions")) == sorted(swept.accounts)
    assert aws.questions("DescribeRegions") == []
    assert not any(report.failed or report.denied for report in swept.reports.values())


def test_regions_and_accounts_are_read_over_all_pages(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    aws.faults = [
        accounts(entry(ACCOUNT), more="2", times=1),
        accounts(entry(RESEARCH)),
        regions(VIRGINIA, more="2", times=1),
        regions({"eu-south-2": "ENABLED"}),
    ]
    organization = {**ORGANIZATION, "accounts": [ACCOUNT]}
    swept = sweep(connection(organization=organization))
    assert swept.facts(ACCOUNT).enabled_regions == Present(("eu-south-2", "us-east-1"))
    assert swept.reports[RESEARCH, "account:ListRegions"].skipped == 1
    assert swept.reports[ACCOUNT, "organizations:ListAccounts"].answered == 2


@pytest.mark.parametrize("state", ["SUSPENDED", "PENDING_CLOSURE", "CLOSED", "PENDING_ACTIVATION"])
def test_an_account_that_is_not_active_is_not_asked(
    state: str, aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    aws.faults = [accounts(entry(ACCOUNT), entry(RESEARCH, state)), regions(EVERYWHERE)]
    swept = sweep(connection(**WITH_MEMBERS))
    facts = swept.facts(RESEARCH)
    assert facts.account_state == Present(state)
    unread = Unreadable("AccountNotActive")
    assert (facts.enabled_regions, facts.disabled_regions, facts.regions_source) == (unread,) * 3
    report = swept.reports[RESEARCH, "account:ListRegions"]
    assert (report.asked, report.skipped, report.code) == (0, 1, "AccountNotActive")
    assert state in report.message
    assert aws.questions("AssumeRole") == []


def test_an_account_outside_of_organizations_has_no_state_to_tell(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    aws.faults = [json_refusal("AWSOrganizationsNotInUseException", 400, "ListAccounts")]
    swept = sweep(connection(**WITH_MEMBERS))
    facts = swept.facts(ACCOUNT)
    assert (facts.account_state, facts.joined_at, facts.organization_id) == (ABSENT,) * 3
    assert swept.reports[ACCOUNT, "organizations:ListAccounts"].absent == 1
    assert swept.listings == (ListingDone("aws_account", ACCOUNT, complete=True),)


def test_an_account_of_unread_state_is_asked_and_its_state_is_no_guess(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    old = {name: value for name, value in entry(RESEARCH).items() if name != "State"}
    aws.faults = [accounts(entry(ACCOUNT), old), regions(EVERYWHERE)]
    swept = sweep(connection(**WITH_MEMBERS))
    assert swept.facts(RESEARCH).account_state == Unreadable("UnexpectedAnswer")
    assert swept.facts(RESEARCH).regions_source == Present("account:ListRegions")
    assert swept.reports[ACCOUNT, "organizations:ListAccounts"].failed == 1


@pytest.mark.parametrize(
    ("code", "status", "outcome"),
    [
        ("AccessDeniedException", 400, "denied"),
        ("TooManyRequestsException", 429, "failed"),
        ("ServiceException", 500, "failed"),
        ("ExpiredTokenException", 400, "failed"),
    ],
)
def test_a_list_that_cannot_be_read_ends_no_account_and_leaves_the_own_one(
    code: str, status: int, outcome: str, aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    aws.faults = [json_refusal(code, status, "ListAccounts"), regions(EVERYWHERE)]
    swept = sweep(connection(**WITH_MEMBERS))
    assert swept.accounts.keys() == {ACCOUNT}
    assert swept.facts(ACCOUNT).account_state == Unreadable(code)
    assert swept.facts(ACCOUNT).regions_source == Present("account:ListRegions")
    assert swept.listings == (ListingDone("aws_account", ACCOUNT, complete=False, code=code),)
    report = swept.reports[ACCOUNT, "organizations:ListAccounts"]
    assert (getattr(report, outcome), report.code) == (1, code)
    assert report.throttled == (status == 429)


def test_credentials_that_expire_between_two_pages_keep_what_was_listed(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    aws.faults = [
        accounts(entry(RESEARCH), more="2", times=1),
        json_refusal("ExpiredTokenException", 400, "ListAccounts"),
        regions(EVERYWHERE),
    ]
    swept = sweep(connection(**WITH_MEMBERS))
    assert swept.accounts.keys() == {ACCOUNT, RESEARCH}
    assert [one.code for one in swept.listings] == ["ExpiredTokenException"]


def test_a_list_that_goes_in_circles_is_not_whole(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    aws.faults = [accounts(entry(ACCOUNT), entry(RESEARCH), more="T"), regions(EVERYWHERE)]
    swept = sweep(connection(**WITH_MEMBERS))
    assert swept.accounts.keys() == {ACCOUNT, RESEARCH}
    assert [(one.complete, one.code) for one in swept.listings] == [(False, "RepeatedToken")]


@pytest.mark.parametrize(
    "body",
    ["{}", '{"Accounts": {}}', '{"Accounts": [{"Name": "x"}]}', '{"Accounts": [{"Id": "1"}]}'],
)
def test_a_list_of_another_shape_is_not_whole(
    body: str, aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    headers = {"Content-Type": "application/x-amz-json-1.1"}
    aws.faults = [Fault(question="ListAccounts", status=200, body=body, headers=headers)]
    swept = sweep(connection(**WITH_MEMBERS))
    assert swept.accounts.keys() == {ACCOUNT}
    assert not any(one.complete for one in swept.listings)


@pytest.mark.parametrize(
    ("code", "status", "outcome"),
    [
        ("AccessDenied", 403, "denied"),
        ("RegionDisabledException", 403, "denied"),
        ("Throttling", 400, "failed"),
        ("InternalFailure", 500, "failed"),
        ("ExpiredToken", 403, "failed"),
    ],
)
def test_a_role_that_cannot_be_assumed_costs_its_account_alone(
    code: str, status: int, outcome: str, aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    aws.faults = [query_refusal(code, status, question="AssumeRole", times=1), *estate()]
    swept = sweep(connection(**WITH_MEMBERS))
    (lost,) = [scope for (scope, _), report in swept.reports.items() if report.code]
    facts, unread = swept.facts(lost), Unreadable(code)
    assert (facts.enabled_regions, facts.disabled_regions, facts.regions_source) == (unread,) * 3
    assert facts.account_state == Present("ACTIVE")
    report = swept.reports[lost, "sts:AssumeRole"]
    assert (getattr(report, outcome), report.answered) == (1, 0)
    assert report.throttled == (code == "Throttling")
    assert (lost, "account:ListRegions") not in swept.reports
    for other in {ACCOUNT, RESEARCH, TRAINING} - {lost}:
        assert swept.facts(other).regions_source == Present("account:ListRegions")
    assert [one.complete for one in swept.listings] == [True]


@pytest.mark.parametrize(
    ("code", "status", "outcome"),
    [
        ("AccessDeniedException", 403, "denied"),
        ("TooManyRequestsException", 429, "failed"),
        ("InternalServerException", 500, "failed"),
        ("ExpiredTokenException", 403, "failed"),
    ],
)
def test_regions_that_one_account_does_not_tell_come_from_ec2_there(
    code: str, status: int, outcome: str, aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    aws.faults = [json_refusal(code, status, "ListRegions", account=RESEARCH), *estate()]
    swept = sweep(connection(**WITH_MEMBERS))
    report = swept.reports[RESEARCH, "account:ListRegions"]
    assert (getattr(report, outcome), report.code) == (1, code)
    assert swept.facts(RESEARCH).regions_source == Present("ec2:DescribeRegions")
    assert swept.facts(TRAINING).regions_source == Present("account:ListRegions")
    assert [one.account for one in aws.questions("DescribeRegions")] == [RESEARCH]


@pytest.mark.parametrize(
    ("code", "status", "outcome"),
    [
        ("UnauthorizedOperation", 403, "denied"),
        ("RequestLimitExceeded", 503, "failed"),
        ("InternalError", 500, "failed"),
        ("RequestExpired", 400, "failed"),
        ("AuthFailure", 401, "skipped"),
    ],
)
def test_regions_that_nobody_tells_are_our_own_table_and_marked_so(
    code: str, status: int, outcome: str, aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    aws.faults = [
        json_refusal("AccessDeniedException", 403, "ListRegions", account=RESEARCH),
        ec2_refusal(code, status, "DescribeRegions", account=RESEARCH),
        *estate(),
    ]
    swept = sweep(connection(**WITH_MEMBERS))
    report = swept.reports[RESEARCH, "ec2:DescribeRegions"]
    assert (getattr(report, outcome), report.code) == (1, code)
    facts = swept.facts(RESEARCH)
    assert facts.regions_source == Present("botocore")
    assert facts.disabled_regions == Unreadable("AccessDeniedException")
    assert isinstance(facts.enabled_regions, Present)
    assert {known_regions()[one] for one in facts.enabled_regions.value} == {"aws"}
    assert "cn-north-1" not in facts.enabled_regions.value


def test_a_timeout_costs_its_call(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.clouds.aws._READ_SECONDS", 1)
    slow = regions(EVERYWHERE)
    slow.account, slow.delay_seconds = RESEARCH, 2
    aws.faults = [slow, *estate()]
    swept = sweep(connection(**WITH_MEMBERS))
    assert swept.reports[RESEARCH, "account:ListRegions"].code == "Timeout"
    assert swept.facts(RESEARCH).regions_source == Present("ec2:DescribeRegions")
    assert swept.facts(TRAINING).regions_source == Present("account:ListRegions")


def test_regions_that_go_in_circles_are_not_taken_for_all(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    aws.faults = [regions(VIRGINIA, more="T")]
    swept = sweep(connection())
    assert swept.reports[ACCOUNT, "account:ListRegions"].code == "RepeatedToken"
    assert swept.facts(ACCOUNT).regions_source == Present("ec2:DescribeRegions")


def test_an_answer_without_regions_is_no_account_without_regions(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    aws.faults = [regions({})]
    swept = sweep(connection())
    assert swept.reports[ACCOUNT, "account:ListRegions"].code == "UnexpectedAnswer"
    assert swept.facts(ACCOUNT).regions_source == Present("ec2:DescribeRegions")


def test_a_fixture_that_botocore_does_not_know_is_refused() -> None:
    with pytest.raises(AssertionError):
        regions({"us-east-1": "PERHAPS"})
    with pytest.raises(AssertionError):
        fixture("account", "ListRegions", {"Regionen": []})
