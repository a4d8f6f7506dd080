"""One connection reads all accounts of an organisation; each account costs no more than itself."""

from collections import Counter
from typing import Any

import pytest

from app.sandbox.aws_server import AwsServer
from app.sandbox.faults import Fault
from app.sandbox.story import (
    AWS_ACCOUNTS,
    AWS_PLATFORM,
    AWS_RESEARCH,
    AWS_TRAINING,
    EXTERNAL_ID,
    ROLE_NAME,
)
from tests.support.journeys import Journey, work_off


@pytest.fixture
def connection(journey: Journey, aws_cloud: AwsServer, monkeypatch: pytest.MonkeyPatch) -> str:
    """The whole organisation, connected by the key of one account."""
    monkeypatch.setenv("ORGANIZATION_SECRET", aws_cloud.secret_access_key)
    aws_cloud.faults.clear()
    credentials = {
        "mode": "access_key",
        "access_key_id": aws_cloud.access_key_id,
        "secret_access_key": "env:ORGANIZATION_SECRET",
    }
    config = {
        "endpoint_url": aws_cloud.endpoint,
        "home_region": "eu-central-1",
        "credentials": credentials,
        "organization": {"role_name": ROLE_NAME, "external_id": EXTERNAL_ID},
    }
    found = journey.connect("Organization", "aws", config)
    work_off()
    return found


def buckets(journey: Journey) -> Counter[str]:
    """Buckets by account."""
    found = journey.resources(kind="s3_bucket").values()
    return Counter(str(bucket["sub_account_id"]) for bucket in found)


def cells(journey: Journey, connection: str, collector_id: str) -> dict[str, Any]:
    """The last sweep of each cell."""
    known = journey.get(f"/connections/{connection}")["collectors"]
    (found,) = (one for one in known if one["collector_id"] == collector_id)
    return {cell["cell"]: cell["last_sweep"] for cell in found["cells"]}


def test_every_account_is_found_and_read_by_a_sweep_of_its_own(
    journey: Journey, connection: str
) -> None:
    assert set(buckets(journey)) == {account.account_id for account in AWS_ACCOUNTS}
    swept = cells(journey, connection, "aws_s3")
    assert set(swept) == {"", AWS_RESEARCH.account_id, AWS_TRAINING.account_id}
    words = journey.words(f"/connections/{connection}")
    for account in AWS_ACCOUNTS:
        assert account.account_id in words
    assert "of these credentials" in words


def test_regions_of_each_account_are_facts_of_it(journey: Journey, connection: str) -> None:
    accounts = journey.resources(kind="aws_account", connection_id=connection)
    assert len(accounts) == len(AWS_ACCOUNTS)
    for name in accounts:
        facts = journey.resource(name)["facts"]["present"]
        assert facts["account_state"] == "ACTIVE"
        assert facts["regions_source"] == "account:ListRegions"
        assert "eu-central-1" in facts["enabled_regions"]


def test_a_role_that_is_taken_away_costs_its_account_and_deletes_nothing(
    journey: Journey, connection: str, aws_cloud: AwsServer
) -> None:
    before = buckets(journey)
    aws_cloud.faults.add(Fault(operation="sts.AssumeRole", status=403, code="AccessDenied"))
    journey.sweep(connection)
    assert buckets(journey) == before
    swept = cells(journey, connection, "aws_s3")
    assert swept[AWS_RESEARCH.account_id]["state"] == "failed"
    assert swept[AWS_RESEARCH.account_id]["code"] == "AccessDenied"
    assert swept[""]["state"] in {"complete", "partial"}
    assert "AccessDenied" in journey.words(f"/connections/{connection}")
    assert "Unreachable" not in journey.words("/connections")
    assert AWS_PLATFORM.account_id in before
