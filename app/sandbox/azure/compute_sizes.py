"""Sizes and quotas of the story's regions, in the words of `Microsoft.Compute/skus` and usages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.sandbox.azure.model import Json


@dataclass(frozen=True, slots=True)
class Size:
    """One size; `gpus` None leaves that out, as Azure does of sizes without."""

    name: str
    family: str
    vcpus: int
    memory: str
    gpus: int | None = None
    rdma: bool = False
    accelerates: bool = True
    regions: Sequence[str] = ("swedencentral", "westeurope", "eastus")
    zones: Sequence[str] = ("1", "2", "3")


SIZES = (
    Size("Standard_ND96isr_H100_v5", "standardNDSH100v5Family", 96, "1900", 8, rdma=True,
         regions=("swedencentral",), zones=("1",)),
    Size("Standard_ND96isr_H200_v5", "standardNDSH200v5Family", 96, "1850", 8, rdma=True,
         regions=("swedencentral",), zones=("1",)),
    Size("Standard_ND96asr_v4", "standardNDASv4_A100Family", 96, "900", 8, rdma=True,
         regions=("westeurope",), zones=("2",)),
    Size("Standard_NC24ads_A100_v4", "StandardNCADSA100v4Family", 24, "220", 1),
    Size("Standard_NC96ads_A100_v4", "StandardNCADSA100v4Family", 96, "880", 4),
    Size("Standard_NC40ads_H100_v5", "StandardNCadsH100v5Family", 40, "320", 1, zones=("1", "2")),
    Size("Standard_NC4as_T4_v3", "standardNCASv3_T4Family", 4, "28", 1),
    Size("Standard_NV6ads_A10_v5", "StandardNVADSA10v5Family", 6, "55", 1),
    Size("Standard_HB176rs_v4", "standardHBrsv4Family", 176, "704", rdma=True,
         regions=("westeurope",), zones=()),
    Size("Standard_D8s_v5", "standardDSv5Family", 8, "32"),
    Size("Standard_E32s_v6", "standardEsv6Family", 32, "256"),
    Size("Standard_F16als_v6", "standardFalsv6Family", 16, "32"),
    Size("Standard_A0", "standardA0_A7Family", 1, "0.75", accelerates=False),
)  # fmt: skip


def sku(size: Size, region: str, restriction: Json | None = None) -> Json:
    """One row of the list of SKUs."""
    told: dict[str, object] = {
        "vCPUs": size.vcpus,
        "MemoryGB": size.memory,
        "HyperVGenerations": "V2",
        "LowPriorityCapable": True,
        "AcceleratedNetworkingEnabled": size.accelerates,
        "RdmaEnabled": size.rdma,
    }
    if size.gpus is not None:
        told["GPUs"] = size.gpus
    ultra = {"name": ["1"], "capabilities": [{"name": "UltraSSDAvailable", "value": "True"}]}
    return {
        "resourceType": "virtualMachines",
        "name": size.name,
        "tier": "Standard",
        "size": size.name.removeprefix("Standard_"),
        "family": size.family,
        "locations": [region],
        "locationInfo": [
            {
                "location": region,
                "zones": [*size.zones],
                "zoneDetails": [ultra] if "1" in size.zones else [],
            }
        ],
        "capabilities": [{"name": name, "value": str(value)} for name, value in told.items()],
        "restrictions": [restriction] if restriction else [],
    }


def skus(regions: Sequence[str], restricted: Mapping[str, str]) -> list[Json]:
    """The rows of several regions; `restricted` names sizes that may not be had, with the reason.

    Disks and snapshots stand in the same list.
    """
    rows = [
        sku(size, region, _restriction(region, restricted.get(size.name)))
        for region in regions
        for size in SIZES
        if region in size.regions
    ]
    return [*rows, *(_disk(region) for region in regions)]


def _restriction(region: str, reason: str | None) -> Json | None:
    if reason is None:
        return None
    return {
        "type": "Location",
        "values": [region],
        "restrictionInfo": {"locations": [region]},
        "reasonCode": reason,
    }


def _disk(region: str) -> Json:
    return {
        "resourceType": "disks",
        "name": "Premium_LRS",
        "tier": "Premium",
        "size": "P30",
        "locations": [region],
        "locationInfo": [{"location": region, "zones": ["1", "2", "3"], "zoneDetails": []}],
        "capabilities": [{"name": "MaxSizeGiB", "value": "1024"}],
        "restrictions": [],
    }


def usages(used: Mapping[str, tuple[int, int]]) -> list[Json]:
    """Rows of usages: used and allowed cores by family, beside counts of other things."""
    others = {"availabilitySets": (0, 2500), "virtualMachines": (7, 25000)}
    return [
        {
            "unit": "Count",
            "currentValue": now,
            "limit": limit,
            "name": {"value": name, "localizedValue": name},
        }
        for name, (now, limit) in {**others, **used}.items()
    ]
