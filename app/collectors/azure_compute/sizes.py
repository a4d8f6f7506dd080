"""The sizes that a subscription may have in a region, as Azure lists them. Pure."""

import sys
from collections.abc import Mapping
from typing import Any

from app.collectors.azure_words import Json, texts
from app.domain.azure_compute_regions import CoreQuota, OfferedMachineType
from app.domain.azure_machine_types import with_capabilities
from app.domain.machine_types import MachineType
from app.domain.quantities import machine_count

# What is kept of each size, of the many that a region has.
_KEPT = ("vCPUs", "MemoryGB", "GPUs", "RdmaEnabled", "AcceleratedNetworkingEnabled")
_ACCELERATED = "AcceleratedNetworkingEnabled"
_ULTRA = "UltraSSDAvailable"
_MACHINES = "virtualmachines"
_HERE, _IN_ZONES = "location", "zone"
_CORES, _SPOT_CORES = "cores", "lowprioritycores"
Capabilities = Mapping[str, str]


def capabilities(answer: Json) -> dict[str, Capabilities]:
    """What a whole list tells of each size of a machine, by its name in lower case."""
    return {str(row["name"]).lower(): _kept(row) for row in answer["value"] if _is_machine(row)}


def machine_type(name: str, found: Capabilities | None) -> MachineType | None:
    """The machine type of a size; None when nobody tells what it holds."""
    return with_capabilities(name, found or {})


def allows_acceleration(found: Capabilities) -> bool:
    """Whether machines of a size can have accelerated networking; LookupError when not told."""
    return {"true": True, "false": False}[found[_ACCELERATED].lower()]


def offers(answer: Json) -> dict[str, Any]:
    """The facts of a whole list: what it has of accelerators and InfiniBand."""
    machines = [_offered(row) for row in answer["value"] if _is_machine(row)]
    found = tuple(sorted((one for one in machines if _matters(one)), key=lambda o: o.machine_type))
    return {
        "offered_machine_types": found,
        "restricted_machine_types": tuple(one.machine_type for one in found if one.restriction),
    }


def _is_machine(row: Json) -> bool:
    return str(row["resourceType"]).lower() == _MACHINES


def _kept(row: Json) -> Capabilities:
    told = {str(one["name"]): one["value"] for one in row.get("capabilities") or ()}
    return {name: sys.intern(str(told[name])) for name in _KEPT if name in told}


def _offered(row: Json) -> OfferedMachineType:
    name, told = str(row["name"]), _kept(row)
    known = with_capabilities(name, told)
    zones, ultra = _zones(row)
    restriction, restricted = _restrictions(row)
    return OfferedMachineType(
        machine_type=name,
        accelerator_count=known.accelerator_count if known else None,
        has_rdma=_has_rdma(known),
        zones=zones,
        zones_with_ultra_disks=ultra,
        restriction=restriction,
        restricted_zones=restricted,
    )


def _has_rdma(known: MachineType | None) -> bool | None:
    return None if known is None or known.rdma_interfaces is None else known.rdma_interfaces > 0


def _matters(one: OfferedMachineType) -> bool:
    return one.accelerator_count != 0 or one.has_rdma is not False


def _zones(row: Json) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The zones that have the size, and those of them with ultra disks."""
    zones: set[str] = set()
    ultra: set[str] = set()
    for place in row.get("locationInfo") or ():
        zones |= set(texts(place, "zones"))
        for detail in place.get("zoneDetails") or ():
            if any(_has_ultra(one) for one in detail.get("capabilities") or ()):
                ultra |= set(texts(detail, "name"))
    return tuple(sorted(zones)), tuple(sorted(ultra))


def _has_ultra(capability: Json) -> bool:
    return capability["name"] == _ULTRA and str(capability["value"]).lower() == "true"


def _restrictions(row: Json) -> tuple[str, tuple[str, ...]]:
    """Why the subscription may not have the size in the region, and in which zones it may not."""
    reason, zones = "", set[str]()
    for one in row.get("restrictions") or ():
        kind = str(one["type"]).lower()
        if kind == _HERE:
            reason = str(one.get("reasonCode") or "NotAvailableForSubscription")
        elif kind == _IN_ZONES:
            zones |= set(texts(one.get("restrictionInfo") or {}, "zones"))
    return reason, tuple(sorted(zones))


def quotas(answer: Json) -> dict[str, Any]:
    """The facts of a whole list of usages."""
    rows = [_quota(row) for row in answer["value"]]
    by_name = {one.family.lower(): one for one in rows}
    all_cores, spot = by_name.get(_CORES), by_name.get(_SPOT_CORES)
    families = tuple(
        sorted((one for one in rows if _is_family(one)), key=lambda one: one.family.lower())
    )
    return {
        "vcpu_in_use": all_cores.used_vcpu_count if all_cores else None,
        "vcpu_limit": all_cores.limit_vcpu_count if all_cores else None,
        "spot_vcpu_in_use": spot.used_vcpu_count if spot else None,
        "spot_vcpu_limit": spot.limit_vcpu_count if spot else None,
        "quotas": families,
        "accelerated_quotas": tuple(one for one in families if _is_accelerated(one)),
    }


def _quota(row: Json) -> CoreQuota:
    used, limit = machine_count(row["currentValue"]), machine_count(row["limit"])
    if used is None or limit is None:
        raise ValueError("a usage without its numbers")
    return CoreQuota(str(row["name"]["value"]), used, limit)


def _is_family(one: CoreQuota) -> bool:
    """Other usages count machines, disks and sets; a family without any of either says nothing."""
    in_use = one.used_vcpu_count or one.limit_vcpu_count
    return one.family.lower().endswith("family") and bool(in_use)


def _is_accelerated(one: CoreQuota) -> bool:
    """The letter N of a size's name is kept in that of its family (Azure: naming of VM sizes)."""
    return one.family.lower().startswith("standardn")
