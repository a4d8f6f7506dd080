"""What Azure says of subscriptions, in our words."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.collectors.azure_subscriptions import mapping
from app.domain.azure_subscriptions import AzureLocation

WIRE = Path(__file__).parent / "wire"


def wire(name: str) -> Any:
    return json.loads((WIRE / f"{name}.json").read_text("utf-8"))


def test_a_recorded_region_has_its_pair_place_and_buildings() -> None:
    found = mapping.locations({"value": wire("locations.westeurope.recorded")})
    assert found["enabled_regions"] == ("westeurope",)
    assert found["locations"] == (
        AzureLocation(
            region_id="westeurope",
            display_name="West Europe",
            geography="Europe",
            geography_group="Europe",
            physical_location="Netherlands",
            paired_region="northeurope",
            zones=("1=westeurope-az1", "2=westeurope-az2", "3=westeurope-az3"),
        ),
    )


def test_rows_that_only_group_regions_are_no_places() -> None:
    rows = wire("locations.westeurope.recorded")
    group = {"name": "europe", "displayName": "Europe", "metadata": {"regionType": "Logical"}}
    assert mapping.locations({"value": [group, *rows]})["enabled_regions"] == ("westeurope",)
    with pytest.raises(ValueError, match="without any region"):
        mapping.locations({"value": [group]})


def test_a_region_without_pair_and_zones_has_none() -> None:
    metadata = {"regionType": "Physical", "geography": "Spain"}
    row = {"name": "spaincentral", "displayName": "Spain Central", "metadata": metadata}
    (found,) = mapping.locations({"value": [row]})["locations"]
    assert (found.paired_region, found.zones) == ("", ())


def test_the_documents_example_of_a_subscription_is_understood() -> None:
    (document,) = wire("subscriptions.list")["value"][:1]
    found = mapping.subscription(document)
    assert found["account_state"] == "Enabled"
    assert found["quota_id"]


def test_a_provider_that_is_not_listed_is_not_registered() -> None:
    answer = {
        "value": [
            {"namespace": "microsoft.compute", "registrationState": "Registered"},
            {"namespace": "Microsoft.Batch", "registrationState": "Registering"},
        ]
    }
    found = mapping.providers(answer)
    assert found["registered_providers"] == ("Microsoft.Compute",)
    assert "Microsoft.Batch" in found["unregistered_providers"]
    assert "Microsoft.NetApp" in found["unregistered_providers"]
    with pytest.raises(ValueError, match="without any provider"):
        mapping.providers({"value": []})


def test_management_groups_come_nearest_first() -> None:
    chain = [{"name": "team", "displayName": "Team"}, {"name": "root", "displayName": "Root"}]
    row = {"properties": {"managementGroupAncestorsChain": chain}}
    assert mapping.management_groups(row) == {"management_groups": ("team", "root")}
    assert mapping.management_groups({"properties": {}}) == {"management_groups": None}
