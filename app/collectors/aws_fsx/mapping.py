"""FSx's words into ours. Pure: answers as botocore parses them in, values by fact name out.

None states that there is none.
"""

from collections.abc import Mapping
from typing import Any

from app.domain.fsx import (
    AdministrativeAction,
    DataRepositoryAssociation,
    DataRepositoryConfiguration,
    FsxVolume,
    StorageVirtualMachine,
)
from app.domain.quantities import amount, size_bytes

Answer = Mapping[str, Any]

GIB, MIB = 2**30, 2**20
_GIB_PER_TIB = 1024
_GROWS = "INTELLIGENT_TIERING"
_SETTINGS = {
    "LUSTRE": "LustreConfiguration",
    "ONTAP": "OntapConfiguration",
    "OPENZFS": "OpenZFSConfiguration",
    "WINDOWS": "WindowsConfiguration",
}


def file_system(row: Answer) -> Answer:
    """An entry of DescribeFileSystems; all but the region, which is that of the call."""
    settings = row.get(_SETTINGS.get(row["FileSystemType"], ""), {})
    return {
        **_common(row, settings),
        "file_system_type": row["FileSystemType"],
        "file_system_version": row.get("FileSystemTypeVersion"),
        "storage_type": row.get("StorageType"),
        "throughput_megabytes_per_second": _throughput(row, settings),
        "data_compression": settings.get("DataCompressionType"),
        "efa_enabled": settings.get("EfaEnabled"),
        "automatic_backup_retention_days": settings.get("AutomaticBackupRetentionDays"),
        "data_repository_configuration": _configuration(
            settings.get("DataRepositoryConfiguration")
        ),
        "administrative_actions": tuple(map(_action, row.get("AdministrativeActions", ()))),
    }


def file_cache(row: Answer) -> Answer:
    """An entry of DescribeFileCaches; all but the region, which is that of the call."""
    return _common(row, row.get("LustreConfiguration", {}))


def associations(answer: Answer) -> Answer:
    """The data repository associations of one file system or cache."""
    return {"data_repository_associations": tuple(map(_association, answer["Associations"]))}


def volumes(answer: Answer) -> Answer:
    """The volumes of one file system."""
    return {"volumes": tuple(map(_volume, answer["Volumes"]))}


def machines(answer: Answer) -> Answer:
    """The storage virtual machines of one file system."""
    found = answer["StorageVirtualMachines"]
    return {"storage_virtual_machines": tuple(map(_machine, found))}


def zone(row: Answer) -> tuple[str, str]:
    """Subnet and zone of an entry of DescribeSubnets."""
    return row["SubnetId"], row["AvailabilityZone"]


def _common(row: Answer, settings: Answer) -> dict[str, Any]:
    return {
        "lifecycle": row.get("Lifecycle"),
        "failure_message": row.get("FailureDetails", {}).get("Message"),
        "storage_capacity_bytes": _capacity(row),
        "deployment_type": settings.get("DeploymentType"),
        "vpc_id": row.get("VpcId"),
        "subnet_ids": _words(row.get("SubnetIds", ())),
        "dns_name": row.get("DNSName"),
        "mount_name": settings.get("MountName"),
        "kms_key_id": row.get("KmsKeyId"),
    }


def _capacity(row: Answer) -> int | None:
    gib = None if row.get("StorageType") == _GROWS else row.get("StorageCapacity")
    return _bytes(gib, GIB)


def _throughput(row: Answer, settings: Answer) -> float | None:
    """MB/s of the whole file system. Lustre's is per TiB of capacity, ONTAP's may be per pair."""
    if "PerUnitStorageThroughput" in settings:
        per_tib, gib = settings["PerUnitStorageThroughput"], row["StorageCapacity"]
        return amount(per_tib) * amount(gib) / _GIB_PER_TIB
    if "ThroughputCapacityPerHAPair" in settings:
        per_pair, pairs = settings["ThroughputCapacityPerHAPair"], settings.get("HAPairs", 1)
        return amount(per_pair) * amount(pairs)
    whole = settings.get("ThroughputCapacity")
    return None if whole is None else amount(whole)


def _configuration(link: Answer | None) -> DataRepositoryConfiguration | None:
    if link is None:
        return None
    return DataRepositoryConfiguration(
        import_path=link.get("ImportPath", ""),
        export_path=link.get("ExportPath", ""),
        auto_import_policy=link.get("AutoImportPolicy", "NONE"),
        lifecycle=link.get("Lifecycle", ""),
        failure_message=link.get("FailureDetails", {}).get("Message", ""),
    )


def _association(row: Answer) -> DataRepositoryAssociation:
    s3, nfs = row.get("S3", {}), row.get("NFS", {})
    exports = s3.get("AutoExportPolicy") or nfs.get("AutoExportPolicy") or {}
    return DataRepositoryAssociation(
        association_id=row["AssociationId"],
        lifecycle=row["Lifecycle"],
        failure_message=row.get("FailureDetails", {}).get("Message", ""),
        path=row.get("FileSystemPath") or row.get("FileCachePath", ""),
        data_repository_path=row["DataRepositoryPath"],
        import_events=_words(s3.get("AutoImportPolicy", {}).get("Events", ())),
        export_events=_words(exports.get("Events", ())),
    )


def _volume(row: Answer) -> FsxVolume:
    ontap, zfs = row.get("OntapConfiguration", {}), row.get("OpenZFSConfiguration", {})
    return FsxVolume(
        volume_id=row["VolumeId"],
        name=row.get("Name", ""),
        lifecycle=row["Lifecycle"],
        path=ontap.get("JunctionPath", "") or zfs.get("VolumePath", ""),
        size_bytes=_volume_size(ontap, zfs),
        ontap_type=ontap.get("OntapVolumeType", ""),
        is_root=ontap.get("StorageVirtualMachineRoot", False),
        tiering_policy=ontap.get("TieringPolicy", {}).get("Name", ""),
        snapshot_policy=ontap.get("SnapshotPolicy", ""),
        storage_virtual_machine_id=ontap.get("StorageVirtualMachineId", ""),
    )


def _volume_size(ontap: Answer, zfs: Answer) -> int | None:
    """A quota of 0 or -1 is none (Amazon FSx API: CreateOpenZFSVolumeConfiguration)."""
    if "SizeInBytes" in ontap:
        return size_bytes(ontap["SizeInBytes"])
    if "SizeInMegabytes" in ontap:
        return _bytes(ontap["SizeInMegabytes"], MIB)
    quota = zfs.get("StorageCapacityQuotaGiB", 0)
    return None if quota in (0, -1) else _bytes(quota, GIB)


def _bytes(count: object, unit: int) -> int | None:
    """So many units in bytes. Text is refused before it is multiplied."""
    found = size_bytes(count)
    return None if found is None else size_bytes(found * unit)


def _words(value: object) -> tuple[str, ...]:
    """A list of words; the letters of a text are none."""
    if not isinstance(value, list | tuple):
        raise TypeError("a list is no list")
    return tuple(value)


def _machine(row: Answer) -> StorageVirtualMachine:
    return StorageVirtualMachine(
        storage_virtual_machine_id=row["StorageVirtualMachineId"],
        name=row.get("Name", ""),
        lifecycle=row["Lifecycle"],
        subtype=row.get("Subtype", ""),
    )


def _action(row: Answer) -> AdministrativeAction:
    return AdministrativeAction(
        action_type=row["AdministrativeActionType"],
        status=row["Status"],
        progress_percent=row.get("ProgressPercent"),
        requested_at=row.get("RequestTime"),
        failure_message=row.get("FailureDetails", {}).get("Message", ""),
    )
