"""The estate as data: enough of it, the same every time, big on demand, and true to its words."""

import re
import subprocess
import sys
import tracemalloc
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from app.sandbox.aws import fill as aws_fill
from app.sandbox.aws.estate import AwsEstate
from app.sandbox.azure import fill as azure_fill
from app.sandbox.azure.estate import AzureEstate, Change
from app.sandbox.azure.graph import light_row
from app.sandbox.azure.places import PAIR_OF
from app.sandbox.estate import Estate, cases_table
from app.sandbox.story import AWS_ACCOUNTS, DATASETS, created_at

ROOT = Path(__file__).parents[2]
DIGEST = """
import hashlib
from dataclasses import replace
from app.sandbox.estate import Estate
estate = Estate(buckets=200, accounts=200)
azure = [estate.azure.document(estate.azure.at(place)) for place in estate.azure.places()]
buckets = [repr(replace(each, denied=frozenset())) for each in estate.aws.scripted]
print(hashlib.sha256(repr((azure, buckets)).encode()).hexdigest())
"""


def test_the_story_has_enough_of_each() -> None:
    estate = Estate()
    assert len(estate.aws.scripted) >= 40
    assert len(estate.azure.scripted) >= 45


def test_names_are_lawful_and_single() -> None:
    estate = Estate()
    buckets = [bucket.name for bucket in estate.aws.scripted]
    accounts = [account.name for account in estate.azure.scripted]
    assert max(Counter(buckets + accounts).values()) == 1
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9-]{1,61}[a-z0-9]", name) for name in buckets)
    assert all(re.fullmatch(r"[a-z0-9]{3,24}", name) for name in accounts)
    assert max(buckets) < aws_fill.PREFIX


def test_every_case_is_told_in_words() -> None:
    cases = [case.case for case in Estate().cases()]
    assert all(len(case) > 10 and "|" not in case for case in cases)
    assert len(set(cases)) == len(cases)


def test_six_places_and_every_dataset_take_part() -> None:
    estate = Estate()
    regions = {case.region for case in estate.cases()}
    assert {"swedencentral", "westeurope", "northeurope", "eu-central-1", "us-west-2"} <= regions
    told = {(each.tags or {}).get("dataset") for each in estate.aws.scripted}
    told |= {(each.tags or {}).get("dataset") for each in estate.azure.scripted}
    assert {dataset.name for dataset in DATASETS} <= told


def test_the_field_cases_are_named() -> None:
    text = " ".join(case.case for case in Estate().cases())
    for case in ("F01", "F02", "F03", "F10", "F11", "F12", "F13", "F30"):
        assert f"({case}" in text or f", {case}" in text


def test_every_way_of_redundancy_occurs() -> None:
    skus = {account.sku for account in Estate().azure.scripted}
    kinds = ("LRS", "ZRS", "GRS", "RAGRS", "GZRS", "RAGZRS")
    assert {f"Standard_{kind}" for kind in kinds} | {"Premium_LRS", "Premium_ZRS"} <= skus


def test_every_geo_redundant_region_has_a_known_pair() -> None:
    for account in Estate().azure.scripted:
        assert not account.is_geo or PAIR_OF[account.region], account.name


def test_replications_lead_to_accounts_and_buckets_that_are_known_or_foreign() -> None:
    estate = Estate()
    for bucket in estate.aws.scripted:
        for rule in (bucket.replication or {}).get("Rules", []):
            target = rule["Destination"]["Bucket"].removeprefix("arn:aws:s3:::")
            assert estate.aws.scripted_named(target), bucket.name
    for account in estate.azure.scripted:
        for policy in account.replications:
            ends = {policy.source, policy.destination}
            assert account.name in {end.rpartition("/")[2] for end in ends}


def test_another_process_tells_the_same_story() -> None:
    def digest(seed: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", DIGEST],
            cwd=ROOT,
            env={"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout

    assert digest("1") == digest("2") != ""


def test_the_size_option_adds_and_never_takes_away() -> None:
    scripted = Estate()
    assert Estate(buckets=1, accounts=1).azure.size == scripted.azure.size
    big = Estate(buckets=500, accounts=1000)
    assert (big.aws.size, big.azure.size) == (500, 1000)
    assert len(list(big.azure.places())) == 1000
    invented = [each for one in AWS_ACCOUNTS for each in big.aws.invented_of(one.account_id)]
    assert len({bucket.name for bucket in invented}) == 500 - len(scripted.aws.scripted)


def test_invented_things_are_found_by_name() -> None:
    azure, aws = AzureEstate(1000), AwsEstate(1000)
    for place in (*range(60, 70), 999):
        account = azure.at(place)
        assert azure.named(account.name) == account
    beyond = azure_fill.name_of(1000)
    assert azure.named(beyond) is None
    bucket = aws_fill.bucket(5)
    assert aws.invented_named(bucket.name) == bucket
    assert aws.invented_named(aws_fill.name_of(1000)) is None


def test_a_page_of_invented_buckets_begins_behind_a_name() -> None:
    estate = AwsEstate(1000)
    account = AWS_ACCOUNTS[0].account_id
    everything = [bucket.name for bucket in estate.invented_of(account)]
    rest = [bucket.name for bucket in estate.invented_of(account, everything[9])]
    assert rest == everything[10:]
    assert everything == sorted(everything)


def test_a_hundred_thousand_accounts_take_no_memory() -> None:
    tracemalloc.start()
    estate = AzureEstate(100_000)
    rows = sum(1 for place in islice(estate.places(), 99_000, None) if light_row(estate.at(place)))
    _, peak_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert rows == 1000
    assert peak_bytes < 1_000_000


def test_invented_ones_differ_from_each_other() -> None:
    accounts = [azure_fill.account(number) for number in range(300)]
    for name in ("region", "sku", "subscription", "blob"):
        assert len({repr(getattr(account, name)) for account in accounts}) > 2
    assert len({repr(account.rules) for account in accounts}) == 7
    buckets = [aws_fill.bucket(number) for number in range(300)]
    assert {bucket.versioning for bucket in buckets} == {"Enabled", "Suspended", None}
    assert len({repr(bucket.rules) for bucket in buckets}) == 6


def test_dates_of_creation_depend_on_the_name_alone() -> None:
    assert created_at("stcierzoweu") == created_at("stcierzoweu") != created_at("stcierzoswc")


def test_changes_can_be_undone() -> None:
    estate = AzureEstate()
    estate.change(Change("stcierzoweu"))
    assert estate.named("stcierzoweu") is None
    assert len(list(estate.places())) == estate.size - 1
    estate.restore()
    assert estate.named("stcierzoweu") is not None


@pytest.mark.parametrize("needle", ["<script>", "=HYPERLINK(", "@", "-1+2", "+34", "🫁"])
def test_hostile_tags_are_there_on_both_clouds(needle: str) -> None:
    def told(things: Any) -> str:
        return " ".join(value for each in things for value in (each.tags or {}).values())

    assert needle in told(Estate().aws.scripted)
    assert needle in told(Estate().azure.scripted)


def test_the_document_tells_every_case() -> None:
    text = (ROOT / "docs" / "sandbox.md").read_text(encoding="utf-8")
    assert cases_table(Estate()) in text, "run `python -m app.sandbox --cases` and paste the table"
