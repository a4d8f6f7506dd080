"""F12: a replica in an account that we cannot read is still a copy somewhere."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from app.collectors.aws_s3.mapping import Place, region_of, replication
from app.domain.collecting import Provider
from app.domain.compliance import Verdict
from app.domain.facts import Present
from app.domain.object_store import RestPlace
from app.domain.storage_places import (
    external_accounts,
    places_for,
    region_ids,
    regions_verdict,
    rest_places,
)

INPUT = json.loads(
    (Path(__file__).parent / "inputs" / "f12_cross_account_replication.json").read_text("utf-8")
)
SOURCE, PREFIX, ALLOWED = INPUT["source"], INPUT["dataset_prefix"], INPUT["allowed_regions"]
VARIANTS = INPUT["variants_for_dr_copy_b"]
ARN = "arn:aws:s3:::"


def located(answer: Any) -> Place:
    if "Error" in answer:
        return Place(None, answer["Error"]["Code"])
    return Place(region_of(answer["LocationConstraint"]))


def places(foreign: Any, answer: Any = INPUT["replication"]) -> tuple[RestPlace, ...]:
    known = {
        f"{ARN}{name}": Place(region, ours=True)
        for name, region in INPUT["known_locations"].items()
    }
    rules = replication(
        {"ReplicationConfiguration": answer},
        known | {f"{ARN}dr-copy-b": located(foreign)},
        SOURCE["account"],
    )["replication_rules"]
    found = rest_places(Provider.AWS, Present(SOURCE["region"]), (), Present(rules))
    assert isinstance(found, Present)
    return found.value


def verdict(found: tuple[RestPlace, ...], prefix: str = PREFIX) -> Verdict:
    return regions_verdict(Present(places_for(found, prefix)), ALLOWED)


@pytest.mark.parametrize(
    ("variant", "expected"),
    [
        ("denied", Verdict.UNKNOWN),
        ("virginia", Verdict.NON_COMPLIANT),
        ("frankfurt", Verdict.COMPLIANT),
    ],
)
def test_all_variants(variant: str, expected: Verdict) -> None:
    assert verdict(places(VARIANTS[variant])) is expected


def test_placements_when_denied() -> None:
    found = places_for(places(VARIANTS["denied"]), PREFIX)
    assert region_ids(found) == ("eu-west-1", "eu-central-1", None)


def test_copies_of_logs_are_no_placement_of_the_dataset() -> None:
    everything = places(VARIANTS["frankfurt"])
    assert "us-east-1" not in region_ids(places_for(everything, PREFIX))
    assert "us-east-1" in region_ids(places_for(everything, "logs/"))
    assert verdict(everything, "logs/") is Verdict.NON_COMPLIANT
    assert verdict(everything, "") is Verdict.NON_COMPLIANT


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_external_account_is_listed(variant: str) -> None:
    assert external_accounts(places(VARIANTS[variant]), SOURCE["account"]) == ("222222222222",)


def changed(**rule_changes: Any) -> dict[str, Any]:
    first, *rest = deepcopy(INPUT["replication"]["Rules"])
    return {"Rules": [first | rule_changes, *rest]}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"Status": "Disabled"}, Verdict.NON_COMPLIANT),
        ({"Filter": {"Prefix": "logs/"}}, Verdict.COMPLIANT),
        ({"Filter": {"Prefix": "pii/eu/"}}, Verdict.NON_COMPLIANT),
        ({"Filter": {"Prefix": "pi"}}, Verdict.NON_COMPLIANT),
        ({"Filter": {}}, Verdict.NON_COMPLIANT),
        ({"Filter": {"Tag": {"Key": "a", "Value": "b"}}}, Verdict.NON_COMPLIANT),
        (
            {"Filter": {"And": {"Prefix": "pii/", "Tags": [{"Key": "a", "Value": "b"}]}}},
            Verdict.NON_COMPLIANT,
        ),
    ],
)
def test_every_rule_that_copied_any_of_it_counts(changes: Any, expected: Verdict) -> None:
    assert verdict(places(VARIANTS["virginia"], changed(**changes))) is expected


def test_the_old_form_of_a_rule_has_its_prefix_at_the_top() -> None:
    first, *rest = INPUT["replication"]["Rules"]
    old = {key: value for key, value in first.items() if key != "Filter"} | {"Prefix": "pii/"}
    assert verdict(places(VARIANTS["virginia"], {"Rules": [old, *rest]})) is Verdict.NON_COMPLIANT


def test_a_known_breach_is_told_although_another_copy_is_unread() -> None:
    answer = changed(Filter={"Prefix": ""})
    answer["Rules"][2]["Filter"] = {"Prefix": ""}
    assert verdict(places(VARIANTS["denied"], answer)) is Verdict.NON_COMPLIANT


# Which account a rule names (None: the rule names none) and the region that its bucket tells.
OWNERS = (None, SOURCE["account"], "222222222222", "333333333333")
LOCATIONS = (None, "eu-west-1", "eu-south-2", "us-east-1", "mx-central-1", "xx-nowhere-9")
SCOPES = ("", "pii/", "pii/eu/", "pi", "logs/", "PII/")


@pytest.mark.parametrize("status", ["Enabled", "Disabled"])
@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("location", LOCATIONS)
@pytest.mark.parametrize("owner", OWNERS)
def test_a_copy_is_judged_by_where_it_lies_and_what_it_copies_alone(
    owner: str | None, location: str | None, scope: str, status: str
) -> None:
    named = {"Account": owner} if owner else {}
    rule = {
        "ID": "x",
        "Status": status,
        "Filter": {"Prefix": scope},
        "Destination": {"Bucket": f"{ARN}dr-copy-b", **named},
    }
    denied = {"Error": {"Code": "AccessDenied"}}
    found = places({"LocationConstraint": location} if location else denied, {"Rules": [rule]})
    touches = scope in {"", "pi", "pii/", "pii/eu/"}
    expected = Verdict.COMPLIANT
    if touches and location not in ALLOWED:
        known = location in {"us-east-1", "mx-central-1", "eu-south-2"}
        expected = Verdict.NON_COMPLIANT if known else Verdict.UNKNOWN
    assert verdict(found) is expected
    foreign = owner and owner != SOURCE["account"]
    assert external_accounts(found, SOURCE["account"]) == ((owner,) if foreign else ())


def two_rules(*owners: str | None) -> dict[str, Any]:
    """Rules to the same bucket, each of which names an owner or none."""
    return {
        "Rules": [
            {
                "ID": str(number),
                "Status": "Enabled",
                "Filter": {"Prefix": f"{number}/"},
                "Destination": {"Bucket": f"{ARN}dr-copy-b"}
                | ({"Account": owner} if owner else {}),
            }
            for number, owner in enumerate(owners)
        ]
    }


@pytest.mark.parametrize(
    ("owners", "accounts"),
    [
        (("222222222222", None), ["222222222222"] * 2),
        ((None, "222222222222", None), ["222222222222"] * 3),
        ((None, None), ["unknown"] * 2),
        ((None, SOURCE["account"]), [None] * 2),
        (("222222222222", "333333333333", None), ["222222222222", "333333333333", "unknown"]),
    ],
)
def test_a_bucket_has_the_owner_that_any_rule_names(
    owners: tuple[str | None, ...], accounts: list[str | None]
) -> None:
    found = places(VARIANTS["frankfurt"], two_rules(*owners))
    assert [at.account_id for at in found if at.role == "replica"] == accounts
