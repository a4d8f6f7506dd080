"""The collector against the sandbox's organization, which enforces roles and external ids."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from app.domain.collecting import Connection
from app.domain.facts import Present, Unreadable
from app.sandbox.aws.estate import AwsEstate
from app.sandbox.aws_server import AwsServer
from app.sandbox.faults import Effect, Fault
from app.sandbox.story import (
    AWS_ACCOUNTS,
    AWS_PLATFORM,
    AWS_RESEARCH,
    AWS_TRAINING,
    EXTERNAL_ID,
    ROLE_NAME,
)
from tests.collectors.aws_accounts.conftest import Sweep
from tests.support.aws_fixtures import aws_connection

IDS = {account.account_id for account in AWS_ACCOUNTS}


@pytest.fixture
def server() -> Iterator[AwsServer]:
    found = AwsServer(AwsEstate(scripted=()))
    found.start()
    yield found
    found.stop()


def connection(server: AwsServer, **organization: object) -> Connection:
    key = {
        "mode": "access_key",
        "access_key_id": server.access_key_id,
        "secret_access_key": "env:AWS_SECRET",
    }
    members = {"role_name": ROLE_NAME, "external_id": EXTERNAL_ID, **organization}
    made = aws_connection(server.endpoint, credentials=key, organization=members)
    return replace(made, secret=lambda _: server.secret_access_key)


def test_one_connection_reads_the_whole_organization(server: AwsServer, sweep: Sweep) -> None:
    swept = sweep(connection(server))
    assert {one.name for one in swept.accounts.values()} == {one.name for one in AWS_ACCOUNTS}
    for account in AWS_ACCOUNTS:
        facts = swept.facts(account.account_id)
        assert facts.account_state == Present("ACTIVE")
        assert facts.organization_id == Present("o-cierzo0000")
        assert facts.is_own_account == Present(account == AWS_PLATFORM)
        assert isinstance(facts.enabled_regions, Present)
        assert set(account.opted_in) <= set(facts.enabled_regions.value)
    training = swept.facts(AWS_TRAINING.account_id)
    assert isinstance(training.disabled_regions, Present)
    assert "eu-central-2" in training.disabled_regions.value


def test_a_wrong_external_id_opens_no_member(server: AwsServer, sweep: Sweep) -> None:
    swept = sweep(connection(server, external_id="somebody-else"))
    for account in (AWS_RESEARCH, AWS_TRAINING):
        assert swept.facts(account.account_id).enabled_regions == Unreadable("AccessDenied")
        assert swept.reports[account.account_id, "sts:AssumeRole"].denied == 1
    assert swept.facts(AWS_PLATFORM.account_id).regions_source == Present("account:ListRegions")


def test_lists_in_circles_end_and_are_not_taken_for_whole(server: AwsServer, sweep: Sweep) -> None:
    for operation in ("organizations.ListAccounts", "account.ListRegions"):
        server.faults.add(Fault(operation=operation, effect=Effect.REPEATED_NEXT))
    swept = sweep(connection(server))
    assert swept.accounts.keys() == IDS
    assert [(one.complete, one.code) for one in swept.listings] == [(False, "RepeatedToken")]
    sources = {swept.facts(account).regions_source for account in IDS}
    assert sources == {Present("ec2:DescribeRegions")}
