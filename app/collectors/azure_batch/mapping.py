"""Azure's words about Batch into ours: pure functions over its JSON.

A value of None states an absence. Shapes: Batch management REST API 2024-02-01.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from app.collectors.azure_words import Json, canonical_id, instant, section, tags_of
from app.domain.azure_batch import FamilyQuota
from app.domain.azure_images import CUSTOM, marketplace_family
from app.domain.quantities import machine_count

_MOUNTS = {
    "azureBlobFileSystemConfiguration": "blob",
    "nfsMountConfiguration": "nfs",
    "cifsMountConfiguration": "cifs",
    "azureFileShareConfiguration": "files",
}
_SWITCH = {"enabled": True, "disabled": False}


def account(row: Json) -> dict[str, Any]:
    """The facts of an account's own document."""
    properties = section(row, "properties")
    rules = section(section(properties, "networkProfile"), "accountAccess")
    modes = properties.get("allowedAuthenticationModes")
    quotas = properties.get("dedicatedCoreQuotaPerVMFamily")
    return {
        "account_status": properties["provisioningState"],
        "pool_allocation_mode": properties.get("poolAllocationMode"),
        "public_network_access": properties.get("publicNetworkAccess"),
        "network_default_action": rules.get("defaultAction"),
        "authentication_modes": None if modes is None else tuple(modes),
        "encryption_key_source": section(properties, "encryption").get("keySource"),
        "auto_storage_account_id": section(properties, "autoStorage").get("storageAccountId"),
        "dedicated_core_quota": machine_count(properties.get("dedicatedCoreQuota")),
        "low_priority_core_quota": machine_count(properties.get("lowPriorityCoreQuota")),
        "family_quotas": None if quotas is None else tuple(_families(quotas)),
        "pool_quota": machine_count(properties.get("poolQuota")),
    }


def _families(rows: Any) -> Iterator[FamilyQuota]:  # noqa: ANN401 - JSON
    """Families without any core are left out: they are a hundred, and say nothing."""
    for row in rows:
        cores = machine_count(row["coreQuota"])
        if cores:
            yield FamilyQuota(row["name"], cores)


def pool_names(answer: Json) -> dict[str, Any]:
    """What the whole list of its pools says of an account."""
    return {"pool_names": tuple(row["name"] for row in answer["value"]) or None}


def region_quota(answer: Json) -> dict[str, Any]:
    """The facts of the quotas of a region."""
    return {"region_account_quota": machine_count(answer["accountQuota"])}


def allocation_mode(row: Json) -> dict[str, Any]:
    """What a pool has of its account."""
    return {"pool_allocation_mode": section(row, "properties").get("poolAllocationMode")}


def made_at(row: Json, parent_id: str) -> datetime | None:
    """When a pool of a list was made, which tells it from an older one of its name.

    LookupError, TypeError, ValueError or AttributeError for a row that names no pool of its
    parent.
    """
    if not canonical_id(row["id"]).startswith(canonical_id(parent_id) + "/"):
        raise ValueError("a pool of another parent")
    return instant(section(row, "properties").get("creationTime"))


def pool(row: Json) -> dict[str, Any]:
    """The facts of one pool of a list."""
    found = section(row, "properties")
    scale = section(found, "scaleSettings")
    network = section(found, "networkConfiguration")
    talks = found.get("interNodeCommunication")
    return {
        "pool_status": found["provisioningState"],
        "allocation_state": found.get("allocationState"),
        "allocation_state_since": instant(found.get("allocationStateTransitionTime")),
        "machine_type": found.get("vmSize"),
        "current_dedicated_nodes": machine_count(found.get("currentDedicatedNodes")),
        "current_low_priority_nodes": machine_count(found.get("currentLowPriorityNodes")),
        **_scale(found, scale),
        "inter_node_communication": None if talks is None else _SWITCH[talks.lower()],
        "task_slots_per_node": machine_count(found.get("taskSlotsPerNode")),
        **_software(section(found, "deploymentConfiguration")),
        "subnet_id": network.get("subnetId"),
        "public_addresses": section(network, "publicIPAddressConfiguration").get("provision"),
        "mounts": tuple(_mounts(found.get("mountConfiguration") or ())) or None,
    }


def _scale(found: Json, scale: Json) -> dict[str, Any]:
    """A fixed size names its targets; what a formula came to is in the last resize."""
    formula, fixed = section(scale, "autoScale"), section(scale, "fixedScale")
    resize = section(found, "resizeOperationStatus")
    wanted = resize if formula else fixed
    run = section(found, "autoScaleRun")
    return {
        "target_dedicated_nodes": machine_count(wanted.get("targetDedicatedNodes")),
        "target_low_priority_nodes": machine_count(wanted.get("targetLowPriorityNodes")),
        "autoscales": bool(formula) if formula or fixed else None,
        "autoscale_formula": formula.get("formula"),
        "autoscale_error": section(run, "error").get("code"),
        "resize_errors": tuple(one["code"] for one in resize.get("errors") or ()) or None,
    }


def _software(deployment: Json) -> dict[str, Any]:
    machine = section(deployment, "virtualMachineConfiguration")
    image = section(machine, "imageReference")
    containers = section(machine, "containerConfiguration")
    return {
        "container_type": containers.get("type"),
        "container_images": tuple(containers.get("containerImageNames") or ()) or None,
        "image_publisher": image.get("publisher"),
        "image_offer": image.get("offer"),
        "image_sku": image.get("sku"),
        "image_family": _family(image),
        "image_id": image.get("id"),
    }


def _family(image: Json) -> str | None:
    """By the offer: one publisher makes images of several families."""
    if image.get("id"):
        return CUSTOM
    offer = image.get("offer")
    return marketplace_family(image.get("publisher") or "", offer) if offer else None


def _mounts(rows: Any) -> Iterator[str]:  # noqa: ANN401 - JSON
    for row in rows:
        yield from (word for name, word in _MOUNTS.items() if row.get(name))


def labels(row: Json) -> dict[str, str] | None:
    """Tags of a pool and its metadata, which say the same sort of things; None when not read."""
    try:
        metadata = section(row, "properties").get("metadata") or ()
        own = {str(one["name"]): str(one["value"]) for one in metadata}
        return own | tags_of(row)
    except (LookupError, TypeError, ValueError, AttributeError):
        return None
