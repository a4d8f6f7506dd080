"""Amazon FSx as it reports itself: file systems of four kinds, and caches before other stores."""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from app.domain.facts import Fact, FactDocument, fact

_LIST = "fsx:DescribeFileSystems"
_CACHES = "fsx:DescribeFileCaches"
_LINKS = "fsx:DescribeDataRepositoryAssociations"
_VOLUMES = "fsx:DescribeVolumes"
_SUBNETS = "ec2:DescribeSubnets"
_KEY = "kms:DescribeKey"


@dataclass(frozen=True, slots=True)
class DataRepositoryAssociation:
    """A directory linked with an S3 bucket or an NFS export; events are NEW, CHANGED, DELETED.

    `lifecycle` in AWS's word, such as AVAILABLE or MISCONFIGURED; `failure_message` says why.
    """

    association_id: str
    lifecycle: str
    failure_message: str
    path: str
    data_repository_path: str
    import_events: tuple[str, ...]
    export_events: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DataRepositoryConfiguration:
    """The older link of a whole Lustre file system with one bucket; it never exports by itself.

    `auto_import_policy`: NONE, NEW, NEW_CHANGED or NEW_CHANGED_DELETED. `export_path` is '' where
    nothing can be exported.
    """

    import_path: str
    export_path: str
    auto_import_policy: str
    lifecycle: str
    failure_message: str


@dataclass(frozen=True, slots=True)
class FsxVolume:
    """A volume of an ONTAP or OpenZFS file system.

    `path` is where it is mounted, '' for a volume that is not. `size_bytes` None: no limit of
    its own. `ontap_type`: RW, DP (filled by replication alone) or LS; '' for OpenZFS.
    `is_root`: the root of a file server, which holds nothing but mount points.
    `tiering_policy` and `snapshot_policy` are ONTAP's words, '' where there is none.
    """

    volume_id: str
    name: str
    lifecycle: str
    path: str
    size_bytes: int | None
    ontap_type: str
    is_root: bool
    tiering_policy: str
    snapshot_policy: str
    storage_virtual_machine_id: str


@dataclass(frozen=True, slots=True)
class StorageVirtualMachine:
    """A file server within an ONTAP file system.

    `subtype`: DEFAULT, or DP_DESTINATION, SYNC_DESTINATION and SYNC_SOURCE for replicated ones.
    """

    storage_virtual_machine_id: str
    name: str
    lifecycle: str
    subtype: str


@dataclass(frozen=True, slots=True)
class AdministrativeAction:
    """A change that AWS makes or made to a file system; progress is 0 to 100, None if not told."""

    action_type: str
    status: str
    progress_percent: int | None
    requested_at: datetime | None
    failure_message: str


@dataclass(frozen=True, slots=True)
class FsxFileSystemFacts(FactDocument):
    """An Amazon FSx file system: Lustre, NetApp ONTAP, OpenZFS or Windows File Server."""

    KIND: ClassVar[str] = "fsx_file_system"
    AREA: ClassVar[str] = "file_systems"

    file_system_type: Fact[str] = fact("LUSTRE, ONTAP, OPENZFS or WINDOWS.", _LIST)
    file_system_version: Fact[str] = fact("Version of Lustre; absent for the others.", _LIST)
    file_system_region: Fact[str] = fact("Region of the file system.", _LIST)
    lifecycle: Fact[str] = fact("AVAILABLE, CREATING, MISCONFIGURED, FAILED, …", _LIST)
    failure_message: Fact[str] = fact("What AWS says is wrong with it.", _LIST)
    storage_capacity_bytes: Fact[int] = fact(
        "Capacity as provisioned; absent when it grows by itself.", _LIST
    )
    storage_type: Fact[str] = fact("SSD, HDD or INTELLIGENT_TIERING.", _LIST)
    deployment_type: Fact[str] = fact("Such as SCRATCH_2, PERSISTENT_2 or MULTI_AZ_1.", _LIST)
    throughput_megabytes_per_second: Fact[float] = fact(
        "Throughput as provisioned, of the whole file system; absent for scratch ones.", _LIST
    )
    data_compression: Fact[str] = fact("NONE or LZ4; absent where volumes have their own.", _LIST)
    efa_enabled: Fact[bool] = fact("Clients can mount it over EFA.", _LIST)
    vpc_id: Fact[str] = fact("Network that it lies in.", _LIST)
    subnet_ids: Fact[tuple[str, ...]] = fact("Subnets that it lies in.", _LIST)
    availability_zones: Fact[tuple[str, ...]] = fact("Zones of these subnets.", _SUBNETS)
    dns_name: Fact[str] = fact("Name that clients mount it by.", _LIST)
    mount_name: Fact[str] = fact("Lustre's own name, which a mount also needs.", _LIST)
    kms_key_id: Fact[str] = fact(
        "KMS key in use; absent for scratch ones, whose key belongs to FSx.", _LIST
    )
    key_manager: Fact[str] = fact("Whose key that is: AWS or CUSTOMER.", _KEY)
    automatic_backup_retention_days: Fact[int] = fact(
        "Days that automatic backups are kept, 0 for none; absent where there can be none.", _LIST
    )
    data_repository_configuration: Fact[DataRepositoryConfiguration] = fact(
        "The older link with one bucket.", _LIST
    )
    data_repository_associations: Fact[tuple[DataRepositoryAssociation, ...]] = fact(
        "Directories linked with buckets; absent for kinds that cannot be linked.", _LINKS
    )
    administrative_actions: Fact[tuple[AdministrativeAction, ...]] = fact(
        "Changes of the last days, running or done.", _LIST
    )
    volumes: Fact[tuple[FsxVolume, ...]] = fact("Volumes; absent for kinds without any.", _VOLUMES)
    storage_virtual_machines: Fact[tuple[StorageVirtualMachine, ...]] = fact(
        "File servers of ONTAP; absent for the other kinds.", "fsx:DescribeStorageVirtualMachines"
    )


@dataclass(frozen=True, slots=True)
class FsxFileCacheFacts(FactDocument):
    """An Amazon File Cache: a fast layer before buckets or NFS servers."""

    KIND: ClassVar[str] = "fsx_file_cache"
    AREA: ClassVar[str] = "file_systems"

    file_system_region: Fact[str] = fact("Region of the cache.", _CACHES)
    lifecycle: Fact[str] = fact("AVAILABLE, CREATING, UPDATING, FAILED, …", _CACHES)
    failure_message: Fact[str] = fact("What AWS says is wrong with it.", _CACHES)
    storage_capacity_bytes: Fact[int] = fact("Capacity as provisioned.", _CACHES)
    deployment_type: Fact[str] = fact("CACHE_1.", _CACHES)
    vpc_id: Fact[str] = fact("Network that it lies in.", _CACHES)
    subnet_ids: Fact[tuple[str, ...]] = fact("Subnets that it lies in.", _CACHES)
    availability_zones: Fact[tuple[str, ...]] = fact("Zones of these subnets.", _SUBNETS)
    dns_name: Fact[str] = fact("Name that clients mount it by.", _CACHES)
    mount_name: Fact[str] = fact("Lustre's own name, which a mount also needs.", _CACHES)
    kms_key_id: Fact[str] = fact("KMS key in use.", _CACHES)
    key_manager: Fact[str] = fact("Whose key that is: AWS or CUSTOMER.", _KEY)
    data_repository_associations: Fact[tuple[DataRepositoryAssociation, ...]] = fact(
        "What it is a cache of.", _LINKS
    )
