"""Turns scripted storage accounts into the JSON that Azure Resource Manager sends."""

from datetime import timedelta

from app.kit.clock import utc_now
from app.sandbox.azure.model import Account, Container, Json, ObjectReplication
from app.sandbox.azure.places import PAIR_OF
from app.sandbox.story import azure_time, created_at, mixed

STORAGE_TYPE = "Microsoft.Storage/storageAccounts"
_SUFFIX = "core.windows.net"


def sku(account: Account) -> Json:
    """`{name, tier}`; the tier is the first word of the name."""
    return {"name": account.sku, "tier": account.sku.partition("_")[0].removesuffix("V2")}


def account(spec: Account, made_at: str, *, with_geo: bool = False) -> Json:
    """One storage account as GET returns it; `with_geo` adds what `$expand` asks for."""
    document: Json = {
        "sku": sku(spec),
        "kind": spec.kind,
        "id": spec.resource_id,
        "name": spec.name,
        "type": STORAGE_TYPE,
        "location": spec.region,
        "tags": dict(spec.tags or {}),
        "properties": _properties(spec, made_at),
    }
    if with_geo and spec.is_geo:
        document["properties"]["geoReplicationStats"] = _geo_copy(spec)
    return document


def _geo_copy(spec: Account) -> Json:
    """How far the copy in the second region has come; one that stands still cannot take over."""
    is_live = spec.geo_copy_behind < timedelta(hours=1)
    return {
        "status": "Live" if is_live else "Unavailable",
        "lastSyncTime": azure_time(utc_now() - spec.geo_copy_behind),
        "canFailover": is_live,
    }


def _properties(spec: Account, made_at: str) -> Json:
    region = spec.region.replace(" ", "").lower()
    properties: Json = {
        "keyCreationTime": {"key1": made_at, "key2": made_at},
        "privateEndpointConnections": [],
        "publicNetworkAccess": "Enabled",
        "allowCrossTenantReplication": False,
        "minimumTlsVersion": "TLS1_2",
        "allowBlobPublicAccess": False,
        "allowSharedKeyAccess": False,
        "isHnsEnabled": spec.hns,
        "networkAcls": _network_rules(),
        "supportsHttpsTrafficOnly": True,
        "encryption": _encryption(made_at),
        "provisioningState": "Succeeded",
        "creationTime": made_at,
        "primaryEndpoints": _endpoints(spec, ""),
        "primaryLocation": region,
        "statusOfPrimary": "available",
    }
    if spec.access_tier:
        properties["accessTier"] = spec.access_tier
    if spec.is_geo:
        properties |= {"secondaryLocation": PAIR_OF[region], "statusOfSecondary": "available"}
    if spec.secondary_readable:
        properties["secondaryEndpoints"] = _endpoints(spec, "-secondary")
    return properties | dict(spec.properties)


def _network_rules() -> Json:
    return {
        "resourceAccessRules": [],
        "bypass": "AzureServices",
        "virtualNetworkRules": [],
        "ipRules": [],
        "defaultAction": "Allow",
    }


def _encryption(made_at: str) -> Json:
    service = {"keyType": "Account", "enabled": True, "lastEnabledTime": made_at}
    return {"services": {"file": service, "blob": service}, "keySource": "Microsoft.Storage"}


def customer_key(vault: str, key: str) -> Json:
    """The `encryption` of an account whose key is the customer's own, laid over the usual one."""
    base = f"https://{vault}.vault.azure.net"
    service = {"keyType": "Account", "enabled": True, "lastEnabledTime": "2024-05-06T09:00:00.0Z"}
    return {
        "requireInfrastructureEncryption": True,
        "services": {"file": service, "blob": service},
        "keySource": "Microsoft.Keyvault",
        "keyvaultproperties": {"keyvaulturi": base, "keyname": key, "keyversion": ""},
    }


def _endpoints(spec: Account, infix: str) -> Json:
    if spec.kind == "FileStorage":
        services = ["file"]
    elif spec.kind == "BlockBlobStorage":
        services = ["dfs", "web", "blob"]
    else:
        services = ["dfs", "web", "blob", "queue", "table", "file"]
    zone = {"web": "z6."}
    return {
        service: f"https://{spec.name}{infix}.{zone.get(service, '')}{service}.{_SUFFIX}/"
        for service in services
        if not (infix and service == "file")  # file shares have no readable secondary
    }


def blob_service(spec: Account) -> Json:
    """`blobServices/default`; settings that were never made are left out."""
    blob = spec.blob
    properties: Json = {"cors": {"corsRules": []}, "deleteRetentionPolicy": {"enabled": False}}
    if blob.soft_delete_days is not None:
        properties["deleteRetentionPolicy"] = {
            "allowPermanentDelete": False,
            "enabled": True,
            "days": blob.soft_delete_days,
        }
    if blob.container_soft_delete_days is not None:
        days = blob.container_soft_delete_days
        properties["containerDeleteRetentionPolicy"] = {"enabled": True, "days": days}
    if blob.versioning is not None:
        properties["isVersioningEnabled"] = blob.versioning
    if blob.change_feed is not None:
        properties["changeFeed"] = {"enabled": blob.change_feed}
        if blob.change_feed_days is not None:
            properties["changeFeed"]["retentionInDays"] = blob.change_feed_days
    if blob.restore_days is not None:
        since = azure_time(created_at("restore " + spec.name))
        properties["restorePolicy"] = {
            "enabled": True,
            "days": blob.restore_days,
            "lastEnabledTime": since,
            "minRestoreTime": since,
        }
    if blob.tracks_last_access is not None:
        properties["lastAccessTimeTrackingPolicy"] = _tracking(enabled=blob.tracks_last_access)
    return {
        "sku": sku(spec),
        "id": f"{spec.resource_id}/blobServices/default",
        "name": "default",
        "type": f"{STORAGE_TYPE}/blobServices",
        "properties": properties,
    }


def _tracking(*, enabled: bool) -> Json:
    return {
        "enable": enabled,
        "name": "AccessTimeTracking",
        "trackingGranularityInDays": 1,
        "blobType": ["blockBlob"],
    }


def management_policy(spec: Account) -> Json:
    """`managementPolicies/default` of an account that has one."""
    return {
        "id": f"{spec.resource_id}/managementPolicies/default",
        "name": "DefaultManagementPolicy",
        "type": f"{STORAGE_TYPE}/managementPolicies",
        "properties": {
            "lastModifiedTime": azure_time(created_at("policy " + spec.name)),
            "policy": {"rules": list(spec.rules or ())},
        },
    }


def inventory_policy(spec: Account) -> Json:
    """`inventoryPolicies/default` of an account that has one."""
    return {
        "id": f"{spec.resource_id}/inventoryPolicies/default",
        "name": "DefaultInventoryPolicy",
        "type": f"{STORAGE_TYPE}/inventoryPolicies",
        "properties": {
            "policy": {
                "enabled": True,
                "type": "Inventory",
                "rules": list(spec.inventory or ()),
            },
            "lastModifiedTime": azure_time(created_at("inventory " + spec.name)),
        },
    }


def object_replication(spec: Account, policy: ObjectReplication) -> Json:
    """One object replication policy as this account shows it."""
    properties: Json = {
        "policyId": policy.policy_id,
        "sourceAccount": policy.source,
        "destinationAccount": policy.destination,
        "rules": [
            {
                "ruleId": f"{policy.policy_id[:-2]}{n:02x}",
                "sourceContainer": source,
                "destinationContainer": destination,
                "filters": {"prefixMatch": list(prefixes)},
            }
            for n, (source, destination, prefixes) in enumerate(policy.rules)
        ],
    }
    if policy.enabled_at:
        properties["enabledTime"] = azure_time(policy.enabled_at)
    return {
        "id": f"{spec.resource_id}/objectReplicationPolicies/{policy.policy_id}",
        "name": policy.policy_id,
        "type": f"{STORAGE_TYPE}/objectReplicationPolicies",
        "properties": properties,
    }


def container(spec: Account, item: Container) -> Json:
    """One row of the container list."""
    return {
        "id": f"{spec.resource_id}/blobServices/default/containers/{item.name}",
        "name": item.name,
        "type": f"{STORAGE_TYPE}/blobServices/containers",
        "etag": f'"0x8D{mixed(spec.name + item.name):012X}"',
        "properties": {
            "defaultEncryptionScope": item.scope or "$account-encryption-key",
            "denyEncryptionScopeOverride": False,
            "publicAccess": item.public,
            "leaseStatus": "Unlocked",
            "leaseState": "Available",
            "lastModifiedTime": azure_time(created_at(spec.name + "/" + item.name)),
            "hasImmutabilityPolicy": item.retention_days is not None,
            "hasLegalHold": item.legal_hold,
        },
    }


def immutability_policy(spec: Account, item: Container) -> Json:
    """The time-based retention of one container that has it."""
    base = f"{spec.resource_id}/blobServices/default/containers/{item.name}"
    return {
        "id": f"{base}/immutabilityPolicies/default",
        "name": "default",
        "type": f"{STORAGE_TYPE}/blobServices/containers/immutabilityPolicies",
        "etag": f'"8d{mixed(item.name):012x}"',
        "properties": {
            "immutabilityPeriodSinceCreationInDays": item.retention_days,
            "allowProtectedAppendWrites": False,
            "state": "Locked" if item.locked else "Unlocked",
        },
    }


def encryption_scope(spec: Account, name: str, *, enabled: bool) -> Json:
    """One encryption scope, with a key of Microsoft."""
    made_at = azure_time(created_at(f"scope {spec.name} {name}"))
    return {
        "id": f"{spec.resource_id}/encryptionScopes/{name}",
        "name": name,
        "type": f"{STORAGE_TYPE}/encryptionScopes",
        "properties": {
            "source": "Microsoft.Storage",
            "state": "Enabled" if enabled else "Disabled",
            "creationTime": made_at,
            "lastModifiedTime": made_at,
        },
    }
