"""Builders of file systems and their parts; every argument has a default."""

from datetime import UTC, datetime
from typing import Any

from app.domain.efs import EfsFileSystemFacts, EfsReplication
from app.domain.facts import ABSENT, Present
from app.domain.fsx import (
    DataRepositoryAssociation,
    DataRepositoryConfiguration,
    FsxFileCacheFacts,
    FsxFileSystemFacts,
    FsxVolume,
)

TIB = 2**40
OWN_KEY = "arn:aws:kms:eu-central-1:123456789012:key/own"


def fsx(**facts: Any) -> FsxFileSystemFacts:
    """A persistent Lustre file system in Frankfurt, linked with nothing, backed up."""
    known: dict[str, Any] = {
        "file_system_type": Present("LUSTRE"),
        "file_system_version": Present("2.15"),
        "file_system_region": Present("eu-central-1"),
        "lifecycle": Present("AVAILABLE"),
        "failure_message": ABSENT,
        "storage_capacity_bytes": Present(12 * TIB),
        "storage_type": Present("SSD"),
        "deployment_type": Present("PERSISTENT_2"),
        "throughput_megabytes_per_second": Present(3000.0),
        "data_compression": Present("LZ4"),
        "efa_enabled": Present(False),
        "vpc_id": Present("vpc-1"),
        "subnet_ids": Present(("subnet-a",)),
        "availability_zones": Present(("eu-central-1a",)),
        "dns_name": Present("fs-1.fsx.eu-central-1.amazonaws.com"),
        "mount_name": Present("abcd1234"),
        "kms_key_id": Present(OWN_KEY),
        "key_manager": Present("CUSTOMER"),
        "automatic_backup_retention_days": Present(30),
        "data_repository_configuration": ABSENT,
        "data_repository_associations": Present(()),
        "administrative_actions": Present(()),
        "volumes": ABSENT,
        "storage_virtual_machines": ABSENT,
    }
    return FsxFileSystemFacts(**(known | facts))


def cache(**facts: Any) -> FsxFileCacheFacts:
    """A file cache in Frankfurt before one bucket."""
    known: dict[str, Any] = {
        "file_system_region": Present("eu-central-1"),
        "lifecycle": Present("AVAILABLE"),
        "failure_message": ABSENT,
        "storage_capacity_bytes": Present(TIB),
        "deployment_type": Present("CACHE_1"),
        "vpc_id": Present("vpc-1"),
        "subnet_ids": Present(("subnet-a",)),
        "availability_zones": Present(("eu-central-1a",)),
        "dns_name": Present("fc-1.fsx.eu-central-1.amazonaws.com"),
        "mount_name": Present("abcd1234"),
        "kms_key_id": Present(OWN_KEY),
        "key_manager": Present("CUSTOMER"),
        "data_repository_associations": Present((association(),)),
    }
    return FsxFileCacheFacts(**(known | facts))


def efs(**facts: Any) -> EfsFileSystemFacts:
    """A Regional EFS file system in Frankfurt: encrypted, backed up, replicated nowhere."""
    known: dict[str, Any] = {
        "file_system_region": Present("eu-central-1"),
        "lifecycle": Present("available"),
        "size_bytes": Present(TIB),
        "size_in_standard_bytes": Present(TIB),
        "size_in_infrequent_access_bytes": Present(0),
        "size_in_archive_bytes": Present(0),
        "performance_mode": Present("generalPurpose"),
        "throughput_mode": Present("elastic"),
        "provisioned_throughput_mib_per_second": ABSENT,
        "encryption_enabled": Present(True),
        "kms_key_id": Present(OWN_KEY),
        "key_manager": Present("CUSTOMER"),
        "availability_zone": ABSENT,
        "mount_target_count": Present(3),
        "replication_overwrite_protection": Present("ENABLED"),
        "replications": ABSENT,
        "transition_to_infrequent_access": Present("AFTER_30_DAYS"),
        "transition_to_archive": ABSENT,
        "transition_to_standard": ABSENT,
        "backup_policy_status": Present("ENABLED"),
    }
    return EfsFileSystemFacts(**(known | facts))


def association(**attributes: Any) -> DataRepositoryAssociation:
    """A directory that imports and exports all changes."""
    known: dict[str, Any] = {
        "association_id": "dra-1",
        "lifecycle": "AVAILABLE",
        "failure_message": "",
        "path": "/data",
        "data_repository_path": "s3://bucket/prefix/",
        "import_events": ("NEW", "CHANGED", "DELETED"),
        "export_events": ("NEW", "CHANGED", "DELETED"),
    }
    return DataRepositoryAssociation(**(known | attributes))


def configuration(**attributes: Any) -> DataRepositoryConfiguration:
    """The older link, with an export path of its own."""
    known: dict[str, Any] = {
        "import_path": "s3://bucket/in/",
        "export_path": "s3://bucket/out/",
        "auto_import_policy": "NEW_CHANGED",
        "lifecycle": "AVAILABLE",
        "failure_message": "",
    }
    return DataRepositoryConfiguration(**(known | attributes))


def volume(**attributes: Any) -> FsxVolume:
    """A mounted ONTAP volume that is written to."""
    known: dict[str, Any] = {
        "volume_id": "fsvol-1",
        "name": "homes",
        "lifecycle": "CREATED",
        "path": "/homes",
        "size_bytes": TIB,
        "ontap_type": "RW",
        "is_root": False,
        "tiering_policy": "AUTO",
        "snapshot_policy": "default",
        "storage_virtual_machine_id": "svm-1",
    }
    return FsxVolume(**(known | attributes))


def replication(**attributes: Any) -> EfsReplication:
    """A replica in Ireland, in the same account."""
    known: dict[str, Any] = {
        "file_system_id": "fs-2",
        "region_id": "eu-west-1",
        "account_id": None,
        "status": "ENABLED",
        "last_replicated_at": datetime(2026, 11, 30, tzinfo=UTC),
    }
    return EfsReplication(**(known | attributes))
