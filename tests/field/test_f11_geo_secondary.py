"""F11: geo-redundant data also rests in the pair, wherever that is and readable or not."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.collectors.azure_blob.mapping import ACCOUNT_FACTS
from app.collectors.azure_blob.mapping import account as account_facts
from app.domain.compliance import Verdict
from app.domain.derive import derive
from app.domain.facts import ABSENT, Present
from app.domain.object_store import ObjectStoreFacts, RestPlace
from app.domain.storage_places import region_ids, regions_verdict
from tests.support.stores import account

INPUT = json.loads((Path(__file__).parent / "inputs" / "f11_geo_secondary.json").read_text("utf-8"))
CASES = {case["account"]["name"]: case for case in INPUT["accounts"]}


def places(document: Any) -> tuple[RestPlace, ...]:
    stated = account_facts(document)
    facts = {
        name: ABSENT if stated[name] is None else Present(stated[name]) for name in ACCOUNT_FACTS
    }
    found, *_ = derive(account(**facts))
    assert isinstance(found, ObjectStoreFacts)
    assert isinstance(found.rest_places, Present)
    return found.rest_places.value


def test_verdicts() -> None:
    found = {
        name: regions_verdict(Present(places(case["account"])), case["allowed"]).value
        for name, case in CASES.items()
    }
    assert found == {
        "stlrs": "compliant",
        "stragrs": "compliant",
        "stbrazil": "non_compliant",
        "stgzrs": "non_compliant",
        "stzrs": "compliant",
    }


def test_placements_are_primary_and_secondary() -> None:
    found = {name: region_ids(places(case["account"])) for name, case in CASES.items()}
    assert found == {
        "stlrs": ("westeurope",),
        "stragrs": ("westeurope", "northeurope"),
        "stbrazil": ("brazilsouth", "southcentralus"),
        "stgzrs": ("westeurope", "northeurope"),
        "stzrs": ("westeurope",),
    }


def test_only_read_access_redundancy_can_be_read_there() -> None:
    found = {
        name: place.readable
        for name, case in CASES.items()
        for place in places(case["account"])
        if place.role == "geo_pair"
    }
    assert found == {"stragrs": True, "stbrazil": False, "stgzrs": False}


def document(sku: str, primary: str = "westeurope", second: str | None = None) -> dict[str, Any]:
    properties = {"primaryLocation": primary}
    if second:
        properties["secondaryLocation"] = second
    return {"name": "st", "sku": {"name": sku}, "location": primary, "properties": properties}


BOTH = ["westeurope", "northeurope"]


@pytest.mark.parametrize(
    ("given", "allowed", "expected"),
    [
        (document("Standard_RAGZRS", second="northeurope"), ["westeurope"], "non_compliant"),
        (document("Standard_RAGZRS", second="northeurope"), BOTH, "compliant"),
        (document("Standard_GRS", "eastasia", "southeastasia"), ["eastasia"], "non_compliant"),
        (document("Standard_GRS", "West Europe", "North Europe"), BOTH, "compliant"),
        (document("Standard_GRS"), ["westeurope"], "unknown"),
        (document("Standard_GZRS"), ["northeurope"], "non_compliant"),
        (document("Standard_LRS", second="northeurope"), ["westeurope"], "non_compliant"),
        (document("Premium_ZRS"), ["westeurope"], "compliant"),
        (document("Standard_LRS", "europe"), ["europe"], "unknown"),
    ],
)
def test_the_whole_kind(given: Any, allowed: list[str], expected: str) -> None:
    assert regions_verdict(Present(places(given)), allowed) is Verdict(expected)


def test_after_a_failover_the_regions_have_changed_places() -> None:
    swapped = document("Standard_GRS", "southcentralus", "brazilsouth")
    first, second = places(swapped)
    assert (first.zone, second.zone) == ("US", "BR")
