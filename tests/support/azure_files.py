"""Builders of Azure's file systems and their parts; every argument has a default."""

from datetime import UTC, datetime
from typing import Any

from app.domain.azure_lustre import (
    AzureLustreFileSystemFacts,
    LustreAutoExport,
    LustreAutoImport,
    LustreExpansion,
)
from app.domain.azure_netapp import (
    AzureNetappPoolFacts,
    AzureNetappVolumeFacts,
    NetappReplication,
)
from app.domain.azure_qumulo import AzureQumuloFileSystemFacts
from app.domain.facts import ABSENT, Present

TIB = 2**40
NOW = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
ACCOUNT = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/stckpt"
CONTAINER = f"{ACCOUNT}/blobServices/default/containers/hsm"


def lustre(**facts: Any) -> AzureLustreFileSystemFacts:
    """A healthy file system in Sweden whose container beside it gets all changes."""
    known: dict[str, Any] = {
        "file_system_region": Present("swedencentral"),
        "sku_name": Present("AMLFS-Durable-Premium-500"),
        "storage_capacity_bytes": Present(16 * TIB),
        "current_storage_capacity_bytes": Present(16 * TIB),
        "throughput_megabytes_per_second": Present(8000.0),
        "health_state": Present("Available"),
        "health_description": Present("amlFilesystem is ok."),
        "provisioning_state": Present("Succeeded"),
        "availability_zones": Present(("1",)),
        "subnet_id": Present("/subnets/lustre"),
        "lustre_version": Present("2.15.0"),
        "management_address": Present("10.0.0.4"),
        "key_url": ABSENT,
        "maintenance_window": Present("Friday 22:00"),
        "root_squash_mode": ABSENT,
        "hsm_container_id": Present(CONTAINER),
        "hsm_logging_container_id": Present(f"{ACCOUNT}/blobServices/default/containers/logs"),
        "hsm_initial_prefixes": Present(("/",)),
        "archives": ABSENT,
        "container_account_redundancy": Present("Standard_LRS"),
        "container_account_region": Present("swedencentral"),
        "container_account_secondary_region": ABSENT,
        "auto_export_jobs": Present((auto_export(),)),
        "auto_import_jobs": Present((auto_import(),)),
        "import_jobs": Present(()),
        "expansion_jobs": Present(()),
    }
    return AzureLustreFileSystemFacts(**(known | facts))


def auto_export(**attributes: Any) -> LustreAutoExport:
    """A job that has exported everything some minutes ago."""
    known: dict[str, Any] = {
        "name": "all",
        "admin_status": "Enable",
        "state": "InProgress",
        "message": "",
        "prefixes": ("/",),
        "iterations": 100,
        "last_started_at": datetime(2026, 11, 1, tzinfo=UTC),
        "last_ended_at": None,
        "last_success_at": datetime(2026, 12, 1, 8, 55, tzinfo=UTC),
        "failed_files": 0,
        "found_bytes": 0,
        "moved_bytes": 0,
        "exported_files": 1000,
        "exported_bytes": TIB,
    }
    return LustreAutoExport(**(known | attributes))


def auto_import(**attributes: Any) -> LustreAutoImport:
    """A job that brings in everything."""
    known: dict[str, Any] = {
        "name": "all",
        "admin_status": "Enable",
        "state": "InProgress",
        "message": "",
        "prefixes": ("/",),
        "conflict_mode": "OverwriteAlways",
        "deletes": True,
        "last_started_at": datetime(2026, 11, 1, tzinfo=UTC),
        "synchronized_at": datetime(2026, 12, 1, 8, 58, tzinfo=UTC),
        "errors": 0,
        "conflicts": 0,
    }
    return LustreAutoImport(**(known | attributes))


def expansion(**attributes: Any) -> LustreExpansion:
    """An expansion that is done."""
    known: dict[str, Any] = {
        "name": "to-16",
        "state": "Completed",
        "code": "",
        "message": "",
        "new_capacity_bytes": 16 * TIB,
        "progress_percent": 100.0,
        "started_at": datetime(2026, 11, 20, tzinfo=UTC),
        "ended_at": datetime(2026, 11, 20, 2, tzinfo=UTC),
    }
    return LustreExpansion(**(known | attributes))


def pool(**facts: Any) -> AzureNetappPoolFacts:
    """A healthy pool in the Netherlands, all of which its one volume has."""
    known: dict[str, Any] = {
        "pool_region": Present("westeurope"),
        "size_bytes": Present(4 * TIB),
        "pool_service_level": Present("Premium"),
        "qos_type": Present("Auto"),
        "pool_throughput_mib_per_second": Present(256.0),
        "pool_cool_access": Present(True),
        "encryption_type": Present("Single"),
        "pool_provisioning_state": Present("Succeeded"),
        "allocated_bytes": Present(4 * TIB),
        "volume_count": Present(1),
    }
    return AzureNetappPoolFacts(**(known | facts))


def volume(**facts: Any) -> AzureNetappVolumeFacts:
    """A healthy volume in the Netherlands with snapshots and cool access, copied nowhere."""
    known: dict[str, Any] = {
        "volume_region": Present("westeurope"),
        "quota_bytes": Present(4 * TIB),
        "service_level": Present("Premium"),
        "protocol_types": Present(("NFSv4.1",)),
        "mount_path": Present("homes"),
        "provisioning_state": Present("Succeeded"),
        "availability_zones": Present(("1",)),
        "subnet_id": Present("/subnets/anf"),
        "network_features": Present("Standard"),
        "throughput_mib_per_second": Present(256.0),
        "cool_access": Present(True),
        "coolness_period_days": Present(31),
        "encryption_key_source": Present("Microsoft.NetApp"),
        "snapshot_policy_id": Present("/snapshotPolicies/daily"),
        "backup_policy_id": ABSENT,
        "backup_policy_enforced": ABSENT,
        "replication_endpoint_type": ABSENT,
        "replications": ABSENT,
        "replication_healthy": ABSENT,
        "mirror_state": ABSENT,
        "relationship_status": ABSENT,
        "replication_message": ABSENT,
    }
    return AzureNetappVolumeFacts(**(known | facts))


def replicated_to(region_id: str, volume_id: str = "/volumes/copy") -> NetappReplication:
    """An hourly copy in a region."""
    return NetappReplication(volume_id=volume_id, region_id=region_id, schedule="hourly")


def qumulo(**facts: Any) -> AzureQumuloFileSystemFacts:
    """A file system in three zones of the Netherlands."""
    known: dict[str, Any] = {
        "file_system_region": Present("westeurope"),
        "storage_sku": Present("Hot_ZRS"),
        "performance_tier": Present("Standard"),
        "provisioning_state": Present("Succeeded"),
        "availability_zone": ABSENT,
        "login_url": Present("https://anq.example"),
        "private_addresses": Present(("10.0.0.4",)),
        "subnet_id": Present("/subnets/q"),
        "marketplace_plan": Present("plan"),
        "marketplace_status": Present("Subscribed"),
    }
    return AzureQumuloFileSystemFacts(**(known | facts))
