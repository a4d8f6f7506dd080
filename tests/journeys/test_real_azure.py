"""Recorded answers of the real Azure, and Microsoft's published ones, on the whole way."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.journeys import Installation, Journey, checks_on, csv_rows, this_week
from tests.support.replay_arm import ReplayArm, recorded

ACCOUNTS: list[dict[str, Any]] = recorded("recorded.storage.accounts.list")["value"]
# The examples leave the subscription open; all else is as published.
SUBSCRIPTION = "00000000-0000-0000-0000-0000000000aa"
PUBLISHED: list[dict[str, Any]] = [
    one | {"id": one["id"].replace("{subscription-id}", SUBSCRIPTION)}
    for one in recorded("storage.accounts.list")["value"]
]


@pytest.fixture(scope="module")
def arm() -> Iterator[ReplayArm]:
    """Recorded accounts: the first with the recorded policy, the others without any (404)."""
    with ReplayArm([*ACCOUNTS, *PUBLISHED]) as server:
        for account in server.accounts:
            server.set(account, "blobServices/default", recorded("recorded.storage.blob_services"))
            missing = recorded("recorded.storage.management_policy.404")
            server.set(account, "managementPolicies/default", missing, 404)
        policy = recorded("recorded.storage.management_policy")
        server.set(ACCOUNTS[0], "managementPolicies/default", policy)
        yield server


@pytest.fixture(scope="module")
def filled(installation_of_module: Installation, arm: ReplayArm) -> Installation:
    """The accounts, read and judged."""
    with installation_of_module.open() as journey, pytest.MonkeyPatch.context() as patch:
        patch.setenv("REPLAY_TOKEN", "a-token")
        sweep = journey.sweep(journey.connect("Azure recorded", "azure", arm.config()))
        assert (sweep["state"], sweep["code"]) == ("complete", "")
    return installation_of_module


@pytest.fixture
def read(filled: Installation) -> Iterator[Journey]:
    """The accounts, to be looked at."""
    with filled.open() as journey:
        yield journey


def test_every_recorded_account_is_there(read: Journey) -> None:
    names = {account["name"] for account in (*ACCOUNTS, *PUBLISHED)}
    assert set(read.resources(kind="azure_storage_account")) == names


def test_a_real_rule_that_deletes_everything_is_a_breach(read: Journey) -> None:
    resource = read.resource(ACCOUNTS[0]["name"])
    verdicts = read.verdicts(resource["id"])
    assert verdicts == {
        "data-cools-in-time": "compliant",  # after three days nothing is left to be hot
        "destructive-rule-guard": "non_compliant",
        "encryption-at-rest": "compliant",
        "encryption-scope-fits-archive": "not_applicable",
        "geo-copy-current": "not_applicable",
        "immutability-locked": "not_applicable",
        "inventory-configured": "non_compliant",
        "inventory-delivered": "not_applicable",
        "last-access-tracking": "not_applicable",
        "minimum-time-in-tier": "not_applicable",
        "object-replication-complete": "not_applicable",
        "public-access-blocked": "non_compliant",  # allowBlobPublicAccess is true
        "redundancy-fits-archive": "not_applicable",
        "replication-account-known": "not_applicable",
        "replication-region-allowed": "compliant",
        "replication-stays-in-tenant": "not_applicable",
        "restore-window-covered": "not_applicable",
        "rules-fit-account": "not_applicable",
        "soft-delete-on": "compliant",  # seven days
        "versioning-on": "non_compliant",
    }
    assert checks_on(read.page(f"/storage/{resource['id']}")) == verdicts
    (finding,) = read.findings(policy_id="destructive-rule-guard")
    words = read.words(f"/findings/{finding['id']}")
    assert "deletes all current data" in words
    assert "after 3 d" in words


def test_a_missing_management_policy_is_absent_and_not_an_error(read: Journey) -> None:
    resource = read.resource(ACCOUNTS[1]["name"])
    assert "lifecycle_rules" in resource["facts"]["absent"]
    assert resource["facts"]["unreadable"] == {}
    verdicts = read.verdicts(resource["id"])
    assert verdicts["data-cools-in-time"] == "non_compliant"
    assert verdicts["destructive-rule-guard"] == "compliant"
    assert "There are no lifecycle rules" in read.words(f"/storage/{resource['id']}")


def test_the_coverage_counts_the_missing_policies_as_answers(read: Journey) -> None:
    (connection,) = read.every("/connections")
    scopes = read.last_sweep(connection["id"])["scopes"]
    asked = [one for one in scopes if one["operation"] == "storage:managementPolicies/read"]
    accounts = len(ACCOUNTS) + len(PUBLISHED)
    assert sum(one["absent"] for one in asked) == accounts - 1
    assert sum(one["answered"] for one in asked) == 1
    assert not any(one["denied"] or one["failed"] for one in scopes)


@pytest.mark.parametrize("account", PUBLISHED, ids=lambda account: account["name"])
def test_a_geo_redundant_account_has_two_places_on_its_page(
    read: Journey, account: dict[str, Any]
) -> None:
    resource = read.resource(account["name"])
    told = [account["properties"][f"{which}Location"] for which in ("primary", "secondary")]
    places = resource["facts"]["present"]["rest_places"]
    assert [place["role"] for place in places] == ["primary", "geo_pair"]
    words = read.words(f"/storage/{resource['id']}")
    assert "2 places" in words
    for place, region in zip(places, told, strict=True):
        # Microsoft's own staging regions are in nobody's table, so nobody knows their country.
        staged = "(stage)" in region
        assert place.get("region_id") == (None if staged else region)
        assert (f"UnknownRegion {region}" if staged else region) in words
    staged = any("(stage)" in region for region in told)
    verdict = read.verdicts(resource["id"])["replication-region-allowed"]
    assert verdict == ("unknown" if staged else "compliant")
    # The published answer was made in 2018.
    assert read.verdicts(resource["id"])["geo-copy-current"] == "non_compliant"


def test_the_weekly_report_names_the_real_breach(read: Journey) -> None:
    week = this_week()
    made = read.report(week)
    assert made["resources"] == len(read.every("/resources"))
    rows = [
        r for r in csv_rows(read.file(week, "csv")) if r["policy_id"] == "destructive-rule-guard"
    ]
    assert [row["resource_name"] for row in rows] == [ACCOUNTS[0]["name"]]
