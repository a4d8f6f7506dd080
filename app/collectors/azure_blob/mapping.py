"""Azure's words into ours: pure functions over the JSON that Resource Manager answers.

A value of None states an absence. Shapes and meanings: Azure Storage resource provider REST API
2023-05-01; days may come as floats, ids and property names in any letter case.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from app.collectors.azure_blob.lifecycle import lifecycle_rules
from app.collectors.azure_words import Json, canonical_id, region, switch, texts
from app.domain.quantities import age_days
from app.domain.storage import BlobContainer, InventoryConfiguration, ReplicationRule

ACCOUNT_FACTS = (
    "sku_name", "account_kind", "access_tier", "hierarchical_namespace", "primary_region",
    "secondary_region", "public_blob_access_allowed", "public_network_access",
    "network_default_action", "https_only", "minimum_tls_version", "shared_key_allowed",
    "encryption_key_source", "infrastructure_encryption", "cross_tenant_replication_allowed",
)  # fmt: skip
BLOB_SERVICE_FACTS = (
    "versioning_enabled", "blob_soft_delete_days", "container_soft_delete_days",
    "change_feed_enabled", "last_access_tracking_enabled", "restore_days",
)  # fmt: skip
MOST_CONTAINERS = 1000
_ACCOUNT_ID = re.compile(
    r"/subscriptions/([^/]+)/resourcegroups/[^/]+/providers/microsoft\.storage"
    r"/storageaccounts/([^/]+)",
    re.IGNORECASE,
)


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
    }


def blob_service(document: Json) -> dict[str, Any]:
    """The facts of `blobServices/default`; switches that Azure leaves out are absent."""
    properties: Json = document["properties"]
    return {
        "versioning_enabled": switch(properties, "isVersioningEnabled"),
        "blob_soft_delete_days": _days(properties.get("deleteRetentionPolicy")),
        "container_soft_delete_days": _days(properties.get("containerDeleteRetentionPolicy")),
        "change_feed_enabled": switch(properties.get("changeFeed") or {}, "enabled"),
        "last_access_tracking_enabled": switch(
            properties.get("lastAccessTimeTrackingPolicy") or {}, "enable"
        ),
        "restore_days": _days(properties.get("restorePolicy")),
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
    )


def is_source(policy: Json, account_id: str) -> bool:
    """Whether an object replication policy copies out of this account; both sides list it."""
    return _same_account(str(policy["properties"]["sourceAccount"]), account_id)


def destination_of(policy: Json) -> str:
    """The destination as the policy names it: a full id, or the bare name of old policies."""
    return str(policy["properties"]["destinationAccount"])


def replication_rules(
    policies: Iterable[Json], places: Mapping[str, tuple[str | None, str]]
) -> tuple[ReplicationRule, ...]:
    """The rules of policies of which an account is the source.

    `places` has the region (None: unknown, with the code why) of each destination as named. A
    policy listed without rules still says that something is copied there, so it gives one rule.
    """
    return tuple(
        _replication_rule(policy, rule, prefix, places[destination_of(policy)])
        for policy in policies
        for rule, prefix in _rules_by_prefix(policy)
    )


def _rules_by_prefix(policy: Json) -> Iterator[tuple[Json, str]]:
    """Each rule with each of its prefixes, which begin with the container's name for us."""
    rules: Sequence[Json] = policy["properties"].get("rules") or ({},)
    for rule in rules:
        container = str(rule.get("sourceContainer") or "")
        for prefix in texts(rule.get("filters") or {}, "prefixMatch") or ("",):
            yield rule, f"{container}/{prefix}" if container else ""


def _replication_rule(
    policy: Json, rule: Json, prefix: str, place: tuple[str | None, str]
) -> ReplicationRule:
    destination = destination_of(policy)
    found = _ACCOUNT_ID.search(destination)
    return ReplicationRule(
        name=str(rule.get("ruleId") or policy["name"]),
        enabled=True,  # object replication has no switch: a policy is in force or gone
        prefix=prefix,
        destination=destination,
        destination_account_id=found[1].lower() if found else None,
        destination_region_id=place[0],
        destination_code=place[1],
        storage_class=None,
    )


def _same_account(named: str, account_id: str) -> bool:
    ours = canonical_id(account_id)
    if "/" in named:
        return canonical_id(named) == ours
    return named.lower() == ours.rsplit("/", 1)[-1]
