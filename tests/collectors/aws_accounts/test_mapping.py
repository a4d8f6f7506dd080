import json
from datetime import UTC, datetime
from typing import Any

import pytest

from app.collectors.aws_accounts import mapping
from app.domain.collecting import Outcome
from app.domain.fact_check import typed
from app.domain.fact_schema import to_fact_set
from app.domain.facts import ABSENT, Present, Unreadable, fact_names
from app.domain.replies import Parse, Reply, understood
from app.domain.sub_accounts import AwsAccountFacts
from tests.collectors.test_hostile_answers import spoiled

JOINED = datetime(2024, 1, 8, tzinfo=UTC)
ARN = "arn:aws:organizations::123456789012:account/o-cierzo0000/111122223333"


def test_the_state_of_an_account_is_its_state_not_the_retired_status() -> None:
    entry = {"Arn": ARN, "State": "CLOSED", "Status": "SUSPENDED", "JoinedTimestamp": JOINED}
    assert mapping.listed_account(entry) == {
        "account_state": "CLOSED",
        "joined_at": JOINED,
        "organization_id": "o-cierzo0000",
    }
    with pytest.raises(KeyError):
        mapping.listed_account({"Arn": ARN, "Status": "ACTIVE"})


@pytest.mark.parametrize(
    "arn", ["", "arn:aws:iam::1:root", ARN.replace("account/", "ou/"), ARN + "/x"]
)
def test_an_arn_of_another_form_names_no_organization(arn: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - whichever part is wrong
        mapping.listed_account({"Arn": arn, "State": "ACTIVE"})


def test_only_regions_that_are_on_are_enabled() -> None:
    words = {
        "us-east-1": "ENABLED_BY_DEFAULT",
        "eu-south-2": "ENABLED",
        "eu-south-1": "ENABLING",
        "me-south-1": "DISABLING",
        "af-south-1": "DISABLED",
    }
    answer = {"Regions": [{"RegionName": n, "RegionOptStatus": w} for n, w in words.items()]}
    assert mapping.listed_regions(answer) == {
        "enabled_regions": ("eu-south-2", "us-east-1"),
        "opted_in_regions": ("eu-south-2",),
        "disabled_regions": ("af-south-1", "eu-south-1", "me-south-1"),
        "regions_source": "account:ListRegions",
    }


def test_ec2_says_the_same_in_words_of_its_own() -> None:
    words = {
        "us-east-1": "opt-in-not-required",
        "eu-south-2": "opted-in",
        "af-south-1": "not-opted-in",
    }
    answer = {"Regions": [{"RegionName": n, "OptInStatus": w} for n, w in words.items()]}
    assert mapping.described_regions(answer) == {
        "enabled_regions": ("eu-south-2", "us-east-1"),
        "opted_in_regions": ("eu-south-2",),
        "disabled_regions": ("af-south-1",),
        "regions_source": "ec2:DescribeRegions",
    }


def test_an_account_that_switched_no_region_on_says_so() -> None:
    usual = {"Regions": [{"RegionName": "us-east-1", "RegionOptStatus": "ENABLED_BY_DEFAULT"}]}
    assert mapping.listed_regions(usual)["opted_in_regions"] is None


@pytest.mark.parametrize(
    "regions",
    [
        [],
        [{"RegionName": "eu-west-1"}],
        [{"RegionName": "eu-west-1", "RegionOptStatus": "PERHAPS", "OptInStatus": "perhaps"}],
    ],
)
def test_no_regions_and_unknown_words_are_no_answer(regions: list[dict[str, Any]]) -> None:
    for parse in (mapping.listed_regions, mapping.described_regions):
        with pytest.raises((KeyError, ValueError)):
            parse({"Regions": regions})


def test_our_own_table_is_marked_and_knows_of_no_switch() -> None:
    assert mapping.unread_regions(["b", "a"], "AccessDenied") == {
        "enabled_regions": Present(("a", "b")),
        "opted_in_regions": Unreadable("AccessDenied"),
        "disabled_regions": Unreadable("AccessDenied"),
        "regions_source": Present("botocore"),
    }


@pytest.mark.parametrize(
    ("parse", "answer", "feeds"),
    [
        (
            mapping.listed_account,
            {"Arn": ARN, "State": "ACTIVE", "JoinedTimestamp": JOINED},
            ("account_state", "joined_at", "organization_id"),
        ),
        (
            mapping.listed_regions,
            {"Regions": [{"RegionName": "eu-west-1", "RegionOptStatus": "ENABLED"}]},
            ("enabled_regions", "opted_in_regions", "disabled_regions", "regions_source"),
        ),
        (
            mapping.described_regions,
            {"Regions": [{"RegionName": "eu-west-1", "OptInStatus": "opted-in"}]},
            ("enabled_regions", "opted_in_regions", "disabled_regions", "regions_source"),
        ),
    ],
    ids=["accounts", "regions", "ec2"],
)
def test_no_answer_breaks_what_follows(parse: Parse, answer: Any, feeds: tuple[str, ...]) -> None:
    for hostile in spoiled(answer):
        reply = Reply(Outcome.ANSWERED, hostile)
        _, found = understood(reply, feeds, typed(AwsAccountFacts, parse))
        nothing = dict.fromkeys(fact_names(AwsAccountFacts), ABSENT)
        stored = to_fact_set(AwsAccountFacts(**{**nothing, **found})).to_json()
        assert json.dumps(stored, allow_nan=False)
