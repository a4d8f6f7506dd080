"""Azure's words about subscriptions into ours: pure functions over its JSON.

A value of None states an absence. Shapes: Azure Resource Manager REST API 2022-12-01.
"""

from collections.abc import Sequence
from typing import Any

from app.collectors.azure_words import Json, region
from app.domain.azure_subscriptions import AzureLocation

# The namespaces of everything that Atalaya reads in Azure.
PROVIDERS = (
    "Microsoft.Batch",
    "Microsoft.CognitiveServices",
    "Microsoft.Compute",
    "Microsoft.ContainerService",
    "Microsoft.Insights",
    "Microsoft.MachineLearningServices",
    "Microsoft.Monitor",
    "Microsoft.NetApp",
    "Microsoft.Network",
    "Microsoft.Storage",
    "Microsoft.StorageCache",
    "Qumulo.Storage",
)
_PHYSICAL = "physical"
_REGISTERED = "registered"


def subscription(document: Json) -> dict[str, Any]:
    """The facts of the subscription's own document."""
    policies: Json = document.get("subscriptionPolicies") or {}
    return {
        "account_state": document["state"],
        "tenant_id": document.get("tenantId"),
        "quota_id": policies.get("quotaId"),
    }


def locations(answer: Json) -> dict[str, Any]:
    """The facts of a whole list of locations: those that are places."""
    found = tuple(_location(row) for row in answer["value"] if _is_place(row))
    if not found:
        raise ValueError("a subscription without any region")
    return {"enabled_regions": tuple(one.region_id for one in found), "locations": found}


def _is_place(row: Json) -> bool:
    """Rows such as `europe` and `global` group regions and are none themselves."""
    return str(row["metadata"]["regionType"]).lower() == _PHYSICAL


def _location(row: Json) -> AzureLocation:
    metadata: Json = row["metadata"]
    pairs: Sequence[Json] = metadata.get("pairedRegion") or ()
    mappings: Sequence[Json] = row.get("availabilityZoneMappings") or ()
    return AzureLocation(
        region_id=region(row["name"]) or "",
        display_name=str(row["displayName"]),
        geography=str(metadata.get("geography") or ""),
        geography_group=str(metadata.get("geographyGroup") or ""),
        physical_location=str(metadata.get("physicalLocation") or ""),
        paired_region=next((region(one["name"]) or "" for one in pairs), ""),
        zones=tuple(sorted(f"{one['logicalZone']}={one['physicalZone']}" for one in mappings)),
    )


def providers(answer: Json) -> dict[str, Any]:
    """Which of the providers that Atalaya reads are registered; one not listed is not."""
    states = {
        str(row["namespace"]).lower(): str(row["registrationState"]).lower()
        for row in answer["value"]
    }
    if not states:
        raise ValueError("a subscription without any provider")
    registered = [one for one in PROVIDERS if states.get(one.lower()) == _REGISTERED]
    return {
        "registered_providers": tuple(registered) or None,
        "unregistered_providers": tuple(one for one in PROVIDERS if one not in registered) or None,
    }


def management_groups(row: Json) -> dict[str, Any]:
    """The management groups above a subscription, the nearest first."""
    chain: Sequence[Json] = row["properties"].get("managementGroupAncestorsChain") or ()
    return {"management_groups": tuple(str(one["name"]) for one in chain) or None}
