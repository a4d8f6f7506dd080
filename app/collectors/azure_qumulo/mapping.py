"""Azure's words about Qumulo into ours: pure functions over its JSON.

A value of None states an absence. Shapes: Qumulo.Storage REST API 2024-06-19.
"""

from typing import Any

from app.collectors.azure_words import Json, region, texts


def file_system(row: Json) -> dict[str, Any]:
    """The facts of a file system's row."""
    own: Json = row["properties"]
    market: Json = own.get("marketplaceDetails") or {}
    return {
        "file_system_region": region(row.get("location")),
        "storage_sku": own.get("storageSku"),
        "performance_tier": own.get("performanceTier"),
        "provisioning_state": own.get("provisioningState"),
        "availability_zone": own.get("availabilityZone") or None,
        "login_url": own.get("clusterLoginUrl"),
        "private_addresses": texts(own, "privateIPs") or None,
        "subnet_id": own.get("delegatedSubnetId"),
        "marketplace_plan": market.get("planId"),
        "marketplace_status": market.get("marketplaceSubscriptionStatus"),
    }
