"""Azure's words about NetApp Files into ours: pure functions over its JSON.

A value of None states an absence. Shapes: Microsoft.NetApp REST API 2023-11-01; sizes are bytes.
"""

from typing import Any

from app.collectors.azure_words import Json, region, switch, texts
from app.domain.azure_netapp import NetappReplication
from app.domain.quantities import age_days, amount, size_bytes

SOURCE, DESTINATION = "src", "dst"


def pool(row: Json) -> dict[str, Any]:
    """The facts of a pool's row."""
    own: Json = row["properties"]
    return {
        "pool_region": region(row.get("location")),
        "size_bytes": size_bytes(own["size"]),
        "pool_service_level": own.get("serviceLevel"),
        "qos_type": own.get("qosType"),
        "pool_throughput_mib_per_second": _amount(own.get("totalThroughputMibps")),
        "pool_cool_access": switch(own, "coolAccess"),
        "encryption_type": own.get("encryptionType"),
        "pool_provisioning_state": own.get("provisioningState"),
    }


def allocated(answer: Json) -> dict[str, Any]:
    """The facts of a pool that follow from the whole list of its volumes."""
    quotas = [size_bytes(row["properties"]["usageThreshold"]) or 0 for row in answer["value"]]
    return {"allocated_bytes": sum(quotas), "volume_count": len(quotas)}


def volume(row: Json) -> dict[str, Any]:
    """The facts of a volume's row."""
    own: Json = row["properties"]
    return {
        "volume_region": region(row.get("location")),
        "quota_bytes": size_bytes(own["usageThreshold"]),
        "service_level": own.get("serviceLevel"),
        "protocol_types": texts(own, "protocolTypes") or None,
        "mount_path": own.get("creationToken"),
        "provisioning_state": own.get("provisioningState"),
        "availability_zones": _zones(row, own),
        "subnet_id": own.get("subnetId"),
        "network_features": own.get("networkFeatures"),
        "throughput_mib_per_second": _amount(own.get("throughputMibps")),
        "cool_access": switch(own, "coolAccess"),
        "coolness_period_days": _days(own.get("coolnessPeriod")),
        "encryption_key_source": own.get("encryptionKeySource"),
        **_protection(own.get("dataProtection") or {}),
    }


def endpoint_type(row: Json) -> str:
    """src or dst for a replicated volume, '' for any other or when that is not understood."""
    try:
        found = row["properties"]["dataProtection"]["replication"]["endpointType"]
        return found.lower() if isinstance(found, str) else ""
    except (LookupError, TypeError, AttributeError):
        return ""


def replications(answer: Json) -> dict[str, Any]:
    """The facts of listReplications."""
    return {"replications": tuple(map(_replication, answer["value"])) or None}


def replication_status(answer: Json) -> dict[str, Any]:
    """The facts of replicationStatus; ValueError for an answer that does not say how it is."""
    healthy, state = answer.get("healthy"), answer.get("mirrorState")
    if healthy is None or state is None:
        raise ValueError("a replication without its state")
    return {
        "replication_healthy": healthy,
        "mirror_state": state,
        "relationship_status": answer.get("relationshipStatus"),
        "replication_message": answer.get("errorMessage") or None,
    }


def _protection(protection: Json) -> dict[str, Any]:
    snapshot: Json = protection.get("snapshot") or {}
    backup: Json = protection.get("backup") or {}
    replication: Json = protection.get("replication") or {}
    return {
        "snapshot_policy_id": snapshot.get("snapshotPolicyId") or None,
        "backup_policy_id": backup.get("backupPolicyId") or None,
        "backup_policy_enforced": switch(backup, "policyEnforced"),
        "replication_endpoint_type": replication.get("endpointType"),
    }


def _replication(row: Json) -> NetappReplication:
    return NetappReplication(
        volume_id=row["remoteVolumeResourceId"],
        region_id=row.get("remoteVolumeRegion") or "",
        schedule=row.get("replicationSchedule") or "",
    )


def _zones(row: Json, own: Json) -> tuple[str, ...] | None:
    zone = own.get("provisionedAvailabilityZone")
    return texts(row, "zones") or ((zone,) if zone else None)


def _days(value: object) -> int | None:
    return None if value is None else int(age_days(value))


def _amount(value: object) -> float | None:
    return None if value is None else amount(value)
