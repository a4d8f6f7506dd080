"""Rows of machines, scale sets, sizes and usages, as Microsoft shows them and as they may be."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.collectors.azure_compute import mapping, sizes
from app.collectors.azure_compute.owners import Owner
from app.domain.azure_compute_regions import AzureComputeRegionFacts, CoreQuota
from app.domain.azure_machines import AzureVmFacts, AzureVmScaleSetFacts
from app.domain.fact_check import typed
from app.domain.facts import Present, Unreadable
from tests.collectors.azure_compute.rows import (
    interface,
    machine,
    scale_set,
    sku,
    status,
    usage,
)

WIRE = Path(__file__).parent / "wire"
UNTOLD = Unreadable("NotTold")


def wire(name: str) -> Any:
    return json.loads((WIRE / name).read_text("utf-8"))


def told(row: Any, owner: Owner | None = None) -> Any:
    return typed(AzureVmFacts, lambda one: mapping.machine(one, owner))(row)


def told_of_set(row: Any, owner: Owner | None = None) -> Any:
    return typed(AzureVmScaleSetFacts, lambda one: mapping.scale_set(one, owner))(row)


def test_the_documented_machines_are_understood() -> None:
    found = [told(row) for row in wire("compute.vm.list_all.max.json")["value"]]
    assert found[0]["machine_type"] == "Standard_A0"
    assert (found[0]["capacity"], found[0]["priority"]) == ("on_demand", "Regular")
    assert found[0]["image_name"] == "MicrosoftWindowsServer:WindowsServer:2012-R2-Datacenter"
    assert found[0]["image_version"] == "aaaaaaaaaaaaa"


def test_the_documented_machines_of_a_region_are_understood() -> None:
    found = [told(row) for row in wire("compute.vm.list_by_location.json")["value"]]
    assert all(one["machine_type"] for one in found)


def test_a_recorded_row_of_resource_graph_is_understood() -> None:
    table = wire("recorded.resourcegraph.table.vm.json")["data"]
    names = [column["name"] for column in table["columns"]]
    found = [told(dict(zip(names, row, strict=True))) for row in table["rows"]]
    assert found[0]["machine_type"] == "Basic_A0"
    assert found[0]["image_family"] == "other"
    assert found[0]["availability_zone"] is None


def test_the_documented_scale_sets_are_understood() -> None:
    found = [told_of_set(row) for row in wire("compute.vmss.list_all.max.json")["value"]]
    assert found[0]["accelerated_networking"] is True
    assert found[0]["single_placement_group"] is True


def test_the_documented_sizes_and_usages_are_understood() -> None:
    answer = wire("compute.skus.list_by_region.json")
    assert typed(AzureComputeRegionFacts, sizes.offers)(answer)["restricted_machine_types"] == ()
    known = sizes.machine_type("Standard_A0", sizes.capabilities(answer)["standard_a0"])
    assert known is not None
    assert (known.accelerator_count, known.vcpu_count, known.memory_bytes) == (
        0,
        1,
        int(0.75 * 2**30),
    )
    quotas = typed(AzureComputeRegionFacts, sizes.quotas)(wire("compute.usage.list.json"))
    assert quotas["quotas"] == ()


def test_the_documented_instance_view_tells_a_state() -> None:
    row = {"id": "/x", "properties": {"instanceView": wire("compute.vm.get.instance_view.json")}}
    assert dict(mapping.power_states([row]))["/x"] == Present("running")


@pytest.mark.parametrize(
    ("codes", "expected"),
    [
        (("ProvisioningState/succeeded", "PowerState/running"), Present("running")),
        (("powerstate/Deallocated",), Present("deallocated")),
        (("ProvisioningState/succeeded",), UNTOLD),
        (("PowerState/unknown",), UNTOLD),
        ((), UNTOLD),
    ],
)
def test_a_state_is_told_or_unknown_but_never_off(codes: tuple[str, ...], expected: object) -> None:
    row = status(machine(), *codes)
    assert next(iter(dict(mapping.power_states([row])).values())) == expected


@pytest.mark.parametrize(
    ("state", "billed"),
    [
        ("running", True),
        ("stopped", True),
        ("stopping", True),
        ("starting", True),
        ("deallocated", False),
        ("deallocating", False),
        ("hibernating", None),
    ],
)
def test_what_is_allocated_is_paid_for(state: str, billed: bool | None) -> None:
    assert mapping.is_billed(state) is billed


@pytest.mark.parametrize(
    ("properties", "expected"),
    [
        ({}, ("on_demand", None, None)),
        ({"priority": "Regular", "evictionPolicy": "Deallocate"}, ("on_demand", None, None)),
        ({"priority": "Spot"}, ("spot", "Deallocate", -1)),
        (
            {"priority": "Spot", "evictionPolicy": "Delete", "billingProfile": {"maxPrice": 2}},
            ("spot", "Delete", 2),
        ),
        ({"priority": "SpotPlus"}, ("spot", "Deallocate", -1)),
        ({"priority": "Low"}, ("spot", "Deallocate", -1)),
        ({"priority": "Quantum"}, ("unknown", "Deallocate", -1)),
    ],
)
def test_how_a_machine_is_bought(properties: Any, expected: object) -> None:
    found = told(machine(properties=properties))
    assert (found["capacity"], found["eviction_policy"], found["spot_max_price"]) == expected


@pytest.mark.parametrize("price", ["cheap", True, -2, 10**400, float("nan")])
def test_what_is_no_price_is_no_value(price: object) -> None:
    row = machine(properties={"priority": "Spot", "billingProfile": {"maxPrice": price}})
    with pytest.raises((ValueError, TypeError, OverflowError)):
        told(row)


GALLERY = "/subscriptions/x/resourceGroups/g/providers/Microsoft.Compute/galleries/own/images/hpc"


@pytest.mark.parametrize(
    ("reference", "family", "version"),
    [
        ({"publisher": "microsoft-dsvm", "offer": "ubuntu-hpc"}, "hpc", None),
        ({"publisher": "Microsoft-DSVM", "offer": "ubuntu-2004"}, "data_science", None),
        ({"publisher": "microsoft-dsvm", "offer": "dsvm-win-2022"}, "data_science", None),
        ({"publisher": "microsoft-dsvm", "offer": "aml-workstation"}, "hpc", None),
        ({"publisher": "almalinux", "offer": "almalinux-hpc"}, "hpc", None),
        ({"publisher": "canonical", "offer": "ubuntu-2004"}, "other", None),
        ({"id": f"{GALLERY}/versions/1.2.0"}, "gallery", "1.2.0"),
        ({"id": GALLERY, "exactVersion": "1.3.0"}, "gallery", "1.3.0"),
        ({"communityGalleryImageId": "/CommunityGalleries/c/Images/i"}, "community_gallery", None),
        ({"id": "/x/providers/Microsoft.Compute/images/own"}, "custom", None),
        ({}, None, None),
        (None, None, None),
    ],
)
def test_an_image_is_of_the_family_that_its_offer_tells(
    reference: Any, family: str | None, version: str | None
) -> None:
    found = mapping.image({"imageReference": reference})
    assert (found["image_family"], found["image_version"]) == (family, version)


def test_an_owner_names_cluster_tag_and_what_counts_the_machine() -> None:
    found = told(machine(), Owner("atlas", "", "/x/managedClusters/atlas"))
    assert (found["cluster_name"], found["cluster_tag"]) == ("atlas", None)
    assert found["counted_in"] == "/x/managedClusters/atlas"


def test_a_scale_set_without_a_profile_or_size_lacks_what_follows() -> None:
    row = scale_set(sku=None, properties={"virtualMachineProfile": None})
    found = told_of_set(row)
    assert (found["machine_type"], found["target_count"]) == (None, None)
    assert (found["image_family"], found["accelerated_networking"]) == (None, None)


def test_one_slow_interface_makes_a_scale_set_slow() -> None:
    slow = {"name": "b", "properties": {"enableAcceleratedNetworking": False}}
    fast = {"name": "a", "properties": {"enableAcceleratedNetworking": True}}
    profile = {"networkProfile": {"networkInterfaceConfigurations": [fast, slow]}}
    assert told_of_set(scale_set(profile=profile))["accelerated_networking"] is False


def test_an_interface_that_does_not_say_is_unknown() -> None:
    rows = [interface("a"), interface("b", enableAcceleratedNetworking=None), {"id": "/c"}]
    assert list(dict(mapping.interfaces(rows)).values()) == [
        Present(True),
        UNTOLD,
        Unreadable("UnexpectedAnswer"),
    ]


def test_sizes_that_may_not_be_had_are_told_with_the_reason_and_the_zones() -> None:
    away = {"type": "Location", "reasonCode": "QuotaId"}
    zonal = {"type": "Zone", "restrictionInfo": {"zones": ["2"]}, "reasonCode": "x"}
    answer = {
        "value": [
            sku("Standard_NC40ads_H100_v5", restrictions=[away], GPUs="1"),
            sku("Standard_ND96isr_H100_v5", restrictions=[zonal], GPUs="8", RdmaEnabled="True"),
            sku("Standard_D8s_v5"),
            {"resourceType": "disks", "name": "Premium_LRS"},
        ]
    }
    found = sizes.offers(answer)
    first, second = found["offered_machine_types"]
    assert found["restricted_machine_types"] == ("Standard_NC40ads_H100_v5",)
    assert (first.restriction, first.accelerator_count, first.has_rdma) == ("QuotaId", 1, False)
    assert (second.restriction, second.restricted_zones, second.has_rdma) == ("", ("2",), True)
    assert second.zones_with_ultra_disks == ("2",)


def test_quotas_keep_families_that_are_or_may_be_used() -> None:
    rows = [
        usage("cores", 10, 100),
        usage("lowPriorityCores", 0, 10),
        usage("standardNDSH100v5Family", 96, 96),
        usage("standardNCFamily", 0, 0),
        usage("standardDSv5Family", 10, 100),
        usage("virtualMachines", 3, 25000),
    ]
    found = sizes.quotas({"value": rows})
    assert (found["vcpu_in_use"], found["spot_vcpu_limit"]) == (10, 10)
    assert [one.family for one in found["quotas"]] == [
        "standardDSv5Family",
        "standardNDSH100v5Family",
    ]
    assert found["accelerated_quotas"] == (CoreQuota("standardNDSH100v5Family", 96, 96),)


@pytest.mark.parametrize("used", ["10", None, True, -1, 1.5])
def test_a_usage_without_its_number_is_no_quota(used: Any) -> None:
    with pytest.raises(ValueError, match=r"usage|amount|whole"):
        sizes.quotas({"value": [usage("cores", used, 1)]})
