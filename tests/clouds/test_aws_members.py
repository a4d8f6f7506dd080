"""Clients that work in another account of an organization, on moto, which keeps accounts apart."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from app.clouds.aws import AwsClients, open_clients
from app.clouds.failures import CallFailedError
from app.domain.collecting import Cell, Connection
from app.kit.errors import CollectorError
from tests.clouds.test_aws_credentials import assumed_until
from tests.support.aws_fixtures import MakeConnection
from tests.support.aws_wire import ACCESS_KEY_ID, ACCOUNT, AwsWire, query_refusal

MEMBER, OTHER = "111122223333", "444455556666"
MEMBERS_ROLE = f"arn:aws:iam::{MEMBER}:role/AtalayaReader"
ORGANIZATION = {"role_name": "AtalayaReader", "external_id": "ex-1"}


def of(made: Connection, account_id: str) -> Connection:
    return replace(made, cell=Cell(account_id))


def failing(clients: AwsClients) -> CallFailedError:
    with pytest.raises(CallFailedError) as raised:
        clients.identity()
    return raised.value


def test_every_call_is_made_in_the_member_through_its_role(
    aws: AwsWire, connection: MakeConnection
) -> None:
    with AwsClients(of(connection(organization=ORGANIZATION), MEMBER)) as clients:
        assert clients.identity().account_id == MEMBER
        clients.call("ec2", "DescribeRegions", "eu-west-1", AllRegions=True)
    (assumed,) = aws.questions("AssumeRole")
    assert assumed.parameters["RoleArn"] == MEMBERS_ROLE
    assert assumed.parameters["ExternalId"] == "ex-1"
    assert [one.account for one in aws.questions("DescribeRegions")] == [MEMBER]


def test_the_members_role_is_assumed_from_the_role_of_the_connection(
    aws: AwsWire, connection: MakeConnection
) -> None:
    own_role = f"arn:aws:iam::{OTHER}:role/Hub"
    credentials = {
        "mode": "assume_role",
        "role_arn": own_role,
        "access_key_id": ACCESS_KEY_ID,
        "secret_access_key": "env:S",
    }
    made = connection(organization=ORGANIZATION, credentials=credentials)
    assert AwsClients(of(made, MEMBER)).identity().account_id == MEMBER
    chain = [(one.account, one.parameters["RoleArn"]) for one in aws.questions("AssumeRole")]
    assert chain == [(ACCOUNT, own_role), (OTHER, MEMBERS_ROLE)]


def test_the_account_of_the_credentials_needs_no_role(
    aws: AwsWire, connection: MakeConnection
) -> None:
    assert AwsClients(of(connection(), ACCOUNT)).identity().account_id == ACCOUNT
    made = connection(organization=ORGANIZATION, account_id=ACCOUNT)
    assert AwsClients(of(made, ACCOUNT)).identity().account_id == ACCOUNT
    assert aws.questions("AssumeRole") == []


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({}, "the setting organization is missing"),
        ({"organization": {**ORGANIZATION, "exclude": [MEMBER]}}, "leaves it out"),
        ({"organization": {**ORGANIZATION, "accounts": [OTHER]}}, "leaves it out"),
    ],
)
def test_another_account_that_the_settings_do_not_open_is_refused(
    settings: dict[str, object], why: str, aws: AwsWire, connection: MakeConnection
) -> None:
    failure = failing(AwsClients(of(connection(**settings), MEMBER)))
    assert (failure.code, failure.permanent) == ("AccountNotCovered", True)
    assert MEMBER in failure.detail
    assert why in failure.detail
    assert aws.questions("AssumeRole") == []


def test_an_account_that_is_none_never_becomes_part_of_a_role(
    aws: AwsWire, connection: MakeConnection
) -> None:
    with pytest.raises(CollectorError, match="no AWS account") as raised:
        open_clients(of(connection(organization=ORGANIZATION), "1:role/Admin"))
    assert (raised.value.code, raised.value.permanent) == ("InvalidConfiguration", True)
    assert aws.asked == []


def test_a_role_that_leads_into_another_account_than_asked_is_refused(
    aws: AwsWire, connection: MakeConnection
) -> None:
    """A custom endpoint might answer for whomever it likes."""
    aws.faults = [assumed_until(datetime.now(UTC) + timedelta(hours=1))]
    clients = AwsClients(of(connection(organization=ORGANIZATION), MEMBER))
    assert (failing(clients).code, failing(clients).permanent) == ("WrongAccount", True)


def test_a_members_role_that_cannot_be_assumed_names_the_call(
    aws: AwsWire, connection: MakeConnection
) -> None:
    aws.faults = [query_refusal("AccessDenied", 403, question="AssumeRole")]
    failure = failing(AwsClients(of(connection(organization=ORGANIZATION), MEMBER)))
    assert (failure.code, failure.denied) == ("AccessDenied", True)
    assert failure.operation == "sts:AssumeRole"


def test_a_members_role_is_renewed_before_it_expires(
    aws: AwsWire, connection: MakeConnection
) -> None:
    aws.faults = [assumed_until(datetime.now(UTC) + timedelta(minutes=5))]
    clients = AwsClients(of(connection(organization=ORGANIZATION), MEMBER))
    for _ in range(3):
        clients.call("ec2", "DescribeRegions", "eu-west-1", AllRegions=True)
    assert len(aws.questions("AssumeRole")) >= 3


def test_a_role_whose_time_is_over_already_is_a_clear_failure(
    aws: AwsWire, connection: MakeConnection
) -> None:
    aws.faults = [assumed_until(datetime.now(UTC) - timedelta(minutes=5))]
    failure = failing(AwsClients(of(connection(organization=ORGANIZATION), MEMBER)))
    assert (failure.code, failure.operation) == ("ExpiredToken", "sts:AssumeRole")
    assert "clock" in failure.detail


def test_accounts_read_beside_each_other_share_the_own_credentials_and_the_pace(
    aws: AwsWire, connection: MakeConnection
) -> None:
    made = connection(organization=ORGANIZATION)

    def who(account_id: str) -> str:
        with AwsClients(of(made, account_id), own=own) as clients:
            assert clients.pace is own.pace
            return clients.identity().account_id

    accounts = [MEMBER, OTHER, ACCOUNT, "222233334444"]
    with AwsClients(made) as own, ThreadPoolExecutor(4) as pool:
        assert own.own_account_id == ACCOUNT
        aws.asked.clear()
        assert list(pool.map(who, accounts)) == accounts
    assert len(aws.questions("AssumeRole")) == 3
    assert len(aws.questions("GetCallerIdentity")) == len(accounts)
