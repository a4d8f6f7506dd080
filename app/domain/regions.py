"""Cloud regions and the countries they stand in; a region not in the table is unknown."""

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_TABLES = Path(__file__).parent / "data"
_EU, _EFTA = "EU", "EFTA"
# Old Irish buckets answer "EU", buckets of Northern Virginia nothing (GetBucketLocation).
_S3_LOCATIONS = {"": "us-east-1", "eu": "eu-west-1"}


@dataclass(frozen=True, slots=True)
class Region:
    """One region: its code at the provider, the place and the law of that place.

    `jurisdiction`: ISO 3166-1 country where the machines stand. `zone`: EU, EFTA or that country.
    `lat`, `lon`: degrees of the city, None when the table has none. `paired_region`: where
    geo-redundant copies go, '' without a pair; pairs may be one-way and may leave the country.
    """

    provider: str
    id: str
    display_name: str
    jurisdiction: str
    zone: str
    geography: str
    paired_region: str
    lat: float | None
    lon: float | None


def region(provider: str, code: str | None) -> Region | None:
    """The region of that code or display name in any letter case ("East US"); None if unknown."""
    squeezed = _squeeze(code or "")
    found = _regions().get((provider, squeezed))
    return found or _regions().get((provider, _names().get((provider, squeezed), "")))


def region_id(provider: str, code: str) -> str:
    """The code in the provider's own spelling; what the table does not know stays, lower case."""
    found = region(provider, code)
    return found.id if found else code.strip().lower()


def s3_region_id(location_constraint: str | None) -> str:
    """The region of an answered GetBucketLocation: null and "" are us-east-1, "EU" eu-west-1.

    A refused call has no answer and must not come here.
    """
    word = (location_constraint or "").strip().lower()
    return _S3_LOCATIONS.get(word) or region_id("aws", word)


def all_regions() -> tuple[Region, ...]:
    """Every region of the table, by provider and code."""
    return tuple(_regions().values())


def _squeeze(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum() or letter == "-")


@cache
def _regions() -> dict[tuple[str, str], Region]:
    zones = {row["iso2"]: _zone(row) for row in _rows("jurisdictions.csv")}
    found = {}
    for row in _rows("regions.csv"):
        found[row["provider"], row["region"]] = Region(
            provider=row["provider"],
            id=row["region"],
            display_name=row["display_name"],
            jurisdiction=row["country_iso2"],
            zone=zones[row["country_iso2"]],
            geography=row["geography"],
            paired_region=row["paired_region"],
            lat=float(row["lat"]) if row["lat"] else None,
            lon=float(row["lon"]) if row["lon"] else None,
        )
    return dict(sorted(found.items()))


@cache
def _names() -> dict[tuple[str, str], str]:
    return {
        (found.provider, _squeeze(found.display_name)): found.id for found in _regions().values()
    }


def _zone(row: dict[str, str]) -> str:
    if row["eu"] == "1":
        return _EU
    return _EFTA if row["efta"] == "1" else row["iso2"]


def _rows(table: str) -> list[dict[str, str]]:
    with (_TABLES / table).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))
