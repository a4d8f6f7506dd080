"""Azure's words into ours: pure functions over the JSON that Resource Manager answers.

A value of None states an absence. Shapes and meanings: Azure Storage resource provider REST API
2023-05-01; days may come as floats, ids and property names in any letter case.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from app.collectors.azure_blob.lifecycle import lifecycle_rules
from app.collectors.azure_words import Json, instant, region, switch, texts
from app.domain.quantities import age_days
from app.domain.storage import InventoryConfiguration
from app.domain.storage_accounts import BlobContainer, EncryptionScope

ACCOUNT_FACTS = (
    "sku_name", "account_kind", "access_tier", "hierarchical_namespace", "primary_region",
    "secondary_region", "public_blob_access_allowed", "public_network_access",
    "network_default_action", "https_only", "minimum_tls_version", "shared_key_allowed",
    "encryption_key_source", "infrastructure_encryption", "cross_tenant_replication_allowed",
    "account_retention_state", "account_retention_days", "secondary_status", "last_failover_at",
)  # fmt: skip
BLOB_SERVICE_FACTS = (
    "versioning_enabled", "blob_soft_delete_days", "container_soft_delete_days",
    "change_feed_enabled", "change_feed_days", "last_access_tracking_enabled", "restore_days",
    "restorable_since",
)  # fmt: skip
MOST_CONTAINERS = 1000
# The default scope of containers that use the account's own key.
_ACCOUNT_KEY = "$account-encryption-key"


def account(document: Json) -> dict[str, Any]:
    """The facts that an account's own document states."""
    properties: Json = document.get("properties") or {}
    network: Json = properties.get("networkAcls") or {}
    encryption: Json = properties.get("encryption") or {}
    return {
        "sku_name": (document.get("sku") or {}).get("name"),
        "account_kind": document.get("kind"),
        "access_tier": properties.get("accessTier"),
        "hierarchical_namespace": switch(properties, "isHnsEnabled"),
        "primary_region": region(properties.get("primaryLocation") or document.get("location")),
        "secondary_region": region(properties.get("secondaryLocation")),
        "public_blob_access_allowed": switch(properties, "allowBlobPublicAccess"),
        "public_network_access": properties.get("publicNetworkAccess"),
        "network_default_action": network.get("defaultAction"),
        "https_only": switch(properties, "supportsHttpsTrafficOnly"),
        "minimum_tls_version": properties.get("minimumTlsVersion"),
        "shared_key_allowed": switch(properties, "allowSharedKeyAccess"),
        "encryption_key_source": encryption.get("keySource"),
        "infrastructure_encryption": switch(encryption, "requireInfrastructureEncryption"),
        "cross_tenant_replication_allowed": switch(properties, "allowCrossTenantReplication"),
        "secondary_status": properties.get("statusOfSecondary"),
        "last_failover_at": instant(properties.get("lastGeoFailoverTime")),
        **_account_retention(properties.get("immutableStorageWithVersioning") or {}),
    }


def _account_retention(versions: Json) -> dict[str, Any]:
    """A policy counts only where versions are immutable at all; it may be there and Disabled."""
    policy: Json = (switch(versions, "enabled") and versions.get("immutabilityPolicy")) or {}
    return {
        "account_retention_state": policy.get("state"),
        "account_retention_days": _whole_days(policy.get("immutabilityPeriodSinceCreationInDays")),
    }


def _whole_days(value: object) -> int | None:
    return None if value is None else int(age_days(value))


def is_geo_redundant(sku_name: str) -> bool:
    """Whether this redundancy keeps a copy in a second region."""
    return sku_name.upper().endswith(("GRS", "GZRS"))


def geo_copy(document: Json, now: datetime) -> dict[str, Any]:
    """The facts of an account's document with `$expand=geoReplicationStats`.

    No time of the last synchronisation is told while the copy is made for the first time.
    """
    stats: Json = document["properties"]["geoReplicationStats"]
    last = instant(stats.get("lastSyncTime"))
    behind = None if last is None else max(0, int((now - last).total_seconds() // 3600))
    return {"geo_copy_status": stats["status"], "geo_copy_behind_hours": behind}


def blob_service(document: Json) -> dict[str, Any]:
    """The facts of `blobServices/default`; switches that Azure leaves out are absent."""
    properties: Json = document["properties"]
    feed: Json = properties.get("changeFeed") or {}
    restore: Json = properties.get("restorePolicy") or {}
    return {
        "versioning_enabled": switch(properties, "isVersioningEnabled"),
        "blob_soft_delete_days": _days(properties.get("deleteRetentionPolicy")),
        "container_soft_delete_days": _days(properties.get("containerDeleteRetentionPolicy")),
        "change_feed_enabled": switch(feed, "enabled"),
        "change_feed_days": _whole_days(feed.get("retentionInDays")) or None,
        "last_access_tracking_enabled": switch(
            properties.get("lastAccessTimeTrackingPolicy") or {}, "enable"
        ),
        "restore_days": _days(restore),
        "restorable_since": instant(restore.get("minRestoreTime")),
    }


def _days(policy: Json | None) -> int | None:
    if not policy or not switch(policy, "enabled"):
        return None
    return int(age_days(policy["days"]))


def lifecycle(document: Json) -> dict[str, Any]:
    """The facts of `managementPolicies/default`."""
    return {"lifecycle_rules": lifecycle_rules(document["properties"]["policy"])}


def inventory(document: Json) -> dict[str, Any]:
    """The facts of `inventoryPolicies`; an empty list states that there is none."""
    policies: Sequence[Json] = document["value"]
    rules = tuple(
        _inventory_rule(policy["properties"]["policy"], rule)
        for policy in policies
        for rule in policy["properties"]["policy"]["rules"]
    )
    return {"inventory_configurations": rules or None}


def _inventory_rule(policy: Json, rule: Json) -> InventoryConfiguration:
    definition: Json = rule["definition"]
    filters: Json = definition.get("filters") or {}
    return InventoryConfiguration(
        name=str(rule["name"]),
        enabled=switch(policy, "enabled") is True and switch(rule, "enabled") is True,
        frequency=str(definition["schedule"]).lower(),
        format=str(definition["format"]).lower(),
        prefix=", ".join(texts(filters, "prefixMatch")),
        includes_versions=filters.get("includeBlobVersions") is True,
        # Old policies name one container for all of their rules.
        destination=str(rule.get("destination") or policy["destination"]),
    )


def containers(documents: Iterable[Json]) -> dict[str, Any]:
    """The facts of a whole list of containers; the count is that of all, the list is cut."""
    found: list[BlobContainer] = []
    count = 0
    for document in documents:
        count += 1
        if len(found) < MOST_CONTAINERS:
            found.append(_container(document))
    return {"container_count": count, "containers": tuple(found)}


def _container(document: Json) -> BlobContainer:
    properties: Json = document["properties"]
    return BlobContainer(
        name=str(document["name"]),
        public_access=str(properties.get("publicAccess") or "None"),
        has_immutability_policy=properties.get("hasImmutabilityPolicy") is True,
        has_legal_hold=properties.get("hasLegalHold") is True,
        deleted=properties.get("deleted") is True,
        keeps_versions_immutable=(
            switch(properties.get("immutableStorageWithVersioning") or {}, "enabled") is True
        ),
        default_encryption_scope=_scope(properties.get("defaultEncryptionScope")),
    )


def _scope(name: str | None) -> str | None:
    return None if name in (None, "", _ACCOUNT_KEY) else name


def has_retention(container: Json) -> bool:
    """Whether a container of the list has a time-based retention."""
    return container["properties"].get("hasImmutabilityPolicy") is True


def retention(policy: Json) -> dict[str, Any]:
    """State and days of `immutabilityPolicies/default`."""
    properties: Json = policy["properties"]
    days = _whole_days(properties["immutabilityPeriodSinceCreationInDays"])
    if not isinstance(properties["state"], str):
        raise TypeError("a state is a word")
    return {"state": properties["state"], "days": days}


def encryption_scopes(documents: Iterable[Json]) -> dict[str, Any]:
    """The facts of a whole list of encryption scopes."""
    return {"encryption_scopes": tuple(map(_encryption_scope, documents)) or None}


def _encryption_scope(document: Json) -> EncryptionScope:
    properties: Json = document["properties"]
    return EncryptionScope(
        name=str(document["name"]),
        enabled=str(properties["state"]).lower() == "enabled",
        key_source=properties["source"],
    )
