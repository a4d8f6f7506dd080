"""Regions are places: names are normalised, unknown ones stay unknown."""

import csv
from pathlib import Path

import pytest

from app.domain import regions

TABLES = Path(regions.__file__).parent / "data"


@pytest.mark.parametrize("spelling", ["eastus", "East US", "EAST US", " eastUS ", "East  US"])
def test_azure_spellings_of_one_region(spelling: str) -> None:
    found = regions.region("azure", spelling)
    assert found is not None
    assert (found.id, found.jurisdiction) == ("eastus", "US")


@pytest.mark.parametrize("spelling", ["US Gov Virginia", "usgovvirginia"])
def test_sovereign_clouds_are_in_the_table(spelling: str) -> None:
    found = regions.region("azure", spelling)
    assert found is not None
    assert found.id == "usgovvirginia"


@pytest.mark.parametrize("code", ["", None, "eastus2(stage)", "mars-1", "europe"])
def test_a_region_outside_the_table_is_unknown(code: str | None) -> None:
    assert regions.region("azure", code) is None


def test_a_code_belongs_to_its_provider() -> None:
    assert regions.region("aws", "westeurope") is None


@pytest.mark.parametrize(
    ("provider", "code", "jurisdiction", "zone"),
    [
        ("azure", "westeurope", "NL", "EU"),
        ("azure", "switzerlandnorth", "CH", "EFTA"),
        ("azure", "uksouth", "GB", "GB"),
        ("aws", "eu-central-2", "CH", "EFTA"),
        ("aws", "us-west-2", "US", "US"),
        ("aws", "eu-west-2", "GB", "GB"),
    ],
)
def test_zone_is_the_union_or_the_country(
    provider: str, code: str, jurisdiction: str, zone: str
) -> None:
    found = regions.region(provider, code)
    assert found is not None
    assert (found.jurisdiction, found.zone) == (jurisdiction, zone)


@pytest.mark.parametrize(
    ("location", "expected"),
    [
        (None, "us-east-1"),
        ("", "us-east-1"),
        ("EU", "eu-west-1"),
        ("eu-west-1", "eu-west-1"),
        ("US-West-2", "us-west-2"),
        ("ap-newland-1", "ap-newland-1"),
    ],
)
def test_s3_locations(location: str | None, expected: str) -> None:
    assert regions.s3_region_id(location) == expected


def test_pairs_may_leave_the_country() -> None:
    brazil = regions.region("azure", "brazilsouth")
    assert brazil is not None
    pair = regions.region("azure", brazil.paired_region)
    assert pair is not None
    assert (pair.id, pair.jurisdiction, pair.paired_region) == (
        "southcentralus",
        "US",
        "northcentralus",
    )


def test_every_region_stands_in_a_known_country() -> None:
    with (TABLES / "jurisdictions.csv").open(encoding="utf-8") as lines:
        countries = {row["iso2"] for row in csv.DictReader(lines)}
    assert {found.jurisdiction for found in regions.all_regions()} <= countries
    assert len(regions.all_regions()) == 249


def test_every_display_name_leads_to_its_own_region() -> None:
    for found in regions.all_regions():
        assert regions.region(found.provider, found.display_name) == found
