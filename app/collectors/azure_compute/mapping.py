"""Azure's machines and scale sets to our facts. Pure; odd answers raise.

Shapes: Compute REST API 2024-03-01 and the rows of Resource Graph, which hold the same documents.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from app.collectors.azure_compute.owners import Owner
from app.collectors.azure_words import Json, canonical_id, switch, texts
from app.domain import azure_images
from app.domain.facts import Fact, Present, Unreadable
from app.domain.quantities import machine_count
from app.domain.replies import UNEXPECTED

NOT_TOLD = "NotTold"
# Azure Virtual Machines: states and billing. Cores are free once they are being given back.
_BILLED = {
    "starting": True,
    "running": True,
    "stopping": True,
    "stopped": True,
    "deallocating": False,
    "deallocated": False,
}
_CAPACITY = {"regular": "on_demand", "low": "spot", "spot": "spot", "spotplus": "spot"}
_POWER = "powerstate/"
_UNKNOWN = "unknown"  # Azure's own word for a state that it cannot tell
_MOST_DOLLARS = 1_000_000


def machine(row: Json, owner: Owner | None) -> dict[str, Any]:
    """What a row feeds of one virtual machine."""
    properties: Json = row["properties"]
    zones = texts(row, "zones")
    reservation: Json = properties.get("capacityReservation") or {}
    return {
        "machine_type": properties["hardwareProfile"]["vmSize"],
        **_bought(properties),
        "capacity_reservation_group_id": _id(reservation.get("capacityReservationGroup")),
        **image(properties["storageProfile"]),
        "os_type": (properties["storageProfile"].get("osDisk") or {}).get("osType"),
        "availability_zone": zones[0] if zones else None,
        "scale_set_id": _id(properties.get("virtualMachineScaleSet")),
        "accelerated_networking": None,  # its interfaces tell that, in a list of their own
        **owned(owner),
    }


def scale_set(row: Json, owner: Owner | None) -> dict[str, Any]:
    """What a row feeds of one scale set."""
    properties: Json = row["properties"]
    profile: Json = properties.get("virtualMachineProfile") or {}
    sku: Json = row.get("sku") or {}
    return {
        "machine_type": sku.get("name"),
        "target_count": machine_count(sku.get("capacity")),
        "orchestration_mode": properties.get("orchestrationMode") or "Uniform",
        "single_placement_group": switch(properties, "singlePlacementGroup"),
        **_bought(profile),
        **image(profile.get("storageProfile") or {}),
        "availability_zones": texts(row, "zones"),
        "accelerated_networking": _profile_is_accelerated(profile),
        **owned(owner),
    }


def image(storage: Json) -> dict[str, Any]:
    """The image of a storage profile, and the family that its offer belongs to."""
    reference: Json = storage.get("imageReference") or {}
    family, name = _family(reference)
    version = str(reference.get("exactVersion") or reference.get("version") or _version(name))
    return {
        "image_family": family,
        "image_name": name,
        "image_version": version or None,
        "image_released_at": azure_images.released_at(version),
    }


def _version(name: str | None) -> str:
    """The version at the end of the id of an image of a gallery; '' for the newest of all."""
    head, _, version = (name or "").rpartition("/")
    return version if head.lower().endswith("/versions") else ""


def _family(reference: Json) -> tuple[str | None, str | None]:
    publisher, offer = reference.get("publisher"), reference.get("offer")
    if publisher and offer:
        name = f"{publisher}:{offer}:{reference.get('sku') or ''}"
        return azure_images.marketplace_family(str(publisher), str(offer)), name
    community = reference.get("communityGalleryImageId")
    if community:
        return azure_images.COMMUNITY_GALLERY, str(community)
    own = reference.get("id") or reference.get("sharedGalleryImageId")
    if not own:
        return None, None
    is_gallery = "/galleries/" in str(own).lower()
    return azure_images.GALLERY if is_gallery else azure_images.CUSTOM, str(own)


def owned(owner: Owner | None) -> dict[str, Any]:
    """Which cluster or pool a machine belongs to."""
    if owner is None:
        return dict.fromkeys(("cluster_name", "cluster_tag", "counted_in"))
    return {
        "cluster_name": owner.name or None,
        "cluster_tag": owner.tag or None,
        "counted_in": owner.counted_in,
    }


def _bought(properties: Json) -> dict[str, Any]:
    """How machines are paid for; Azure leaves the priority out of those on demand."""
    priority = str(properties.get("priority") or "Regular")
    capacity = _CAPACITY.get(priority.lower(), "unknown")
    evicted = capacity != "on_demand"
    billing: Json = properties.get("billingProfile") or {}
    return {
        "capacity": capacity,
        "priority": priority,
        # What is not said means to deallocate, and to pay what it costs on demand at most.
        "eviction_policy": (properties.get("evictionPolicy") or "Deallocate") if evicted else None,
        "spot_max_price": _price(billing.get("maxPrice", -1)) if evicted else None,
    }


def _price(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise TypeError("a price is a number")
    if value == -1 or 0 <= value <= _MOST_DOLLARS:
        return float(value)
    raise ValueError("no price")


def _id(reference: Json | None) -> str | None:
    return str(reference["id"]) if reference else None


def interface_ids(row: Json) -> tuple[str, ...]:
    """The network interfaces of a machine, in the form for comparisons."""
    profile: Json = row["properties"].get("networkProfile") or {}
    return tuple(canonical_id(str(one["id"])) for one in profile.get("networkInterfaces") or ())


def power_states(rows: Iterable[Json]) -> Iterator[tuple[str, Fact[str]]]:
    """The state of each machine by the form of its id for comparisons."""
    for row in rows:
        yield canonical_id(str(row.get("id") or "")), _checked(_power_state, row)


def _power_state(row: Json) -> Fact[str]:
    view: Json = row["properties"].get("instanceView") or {}
    for status in view.get("statuses") or ():
        code = str(status["code"]).lower()
        if code.startswith(_POWER) and code != _POWER + _UNKNOWN:
            return Present(code.removeprefix(_POWER))
    return Unreadable(NOT_TOLD)


def is_billed(state: str) -> bool | None:
    """Whether the cores of a machine are paid for in a state; None for a word nobody knows."""
    return _BILLED.get(state)


def interfaces(rows: Iterable[Json]) -> Iterator[tuple[str, Fact[bool]]]:
    """Whether each network interface is accelerated, by the form of its id for comparisons."""
    for row in rows:
        yield canonical_id(str(row.get("id") or "")), _checked(_accelerated, row)


def _accelerated(row: Json) -> Fact[bool]:
    found = switch(row["properties"], "enableAcceleratedNetworking")
    return Unreadable(NOT_TOLD) if found is None else Present(found)


def _checked(parse: Any, row: Json) -> Fact[Any]:  # noqa: ANN401 - facts are of many types
    try:
        found: Fact[Any] = parse(row)
    except (LookupError, TypeError, ValueError, AttributeError):
        return Unreadable(UNEXPECTED)
    return found


def _profile_is_accelerated(profile: Json) -> bool | None:
    """Whether every interface in a profile is accelerated; None without any."""
    network: Json = profile.get("networkProfile") or {}
    found = network.get("networkInterfaceConfigurations") or ()
    told = [switch(one["properties"], "enableAcceleratedNetworking") for one in found]
    return all(told) if told else None


def physical_zones(rows: Iterable[Json]) -> Mapping[str, Mapping[str, str]]:
    """The building of each zone, by region and then by the subscription's number for the zone."""
    return {
        str(row["name"]).lower(): {
            str(one["logicalZone"]): str(one["physicalZone"])
            for one in row.get("availabilityZoneMappings") or ()
        }
        for row in rows
    }
