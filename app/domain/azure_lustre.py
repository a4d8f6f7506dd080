"""Azure Managed Lustre as it reports itself: capacity, its Blob container, and its jobs.

It is a cluster that cannot be stopped: it is paid by its provisioned size until it is deleted.
An import brings names and attributes of blobs; contents come when a file is first read. An export
brings new and changed files to the container, but never a deletion, a new name or new rights
(Azure Managed Lustre documentation: blob integration, auto export).
"""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from app.domain.facts import Fact, FactDocument, fact

_GET = "lustre:amlFilesystems/read"
_ACCOUNT = "storage:storageAccounts/read"
ENABLE = "enable"


@dataclass(frozen=True, slots=True)
class LustreAutoExport:
    """A job that exports what changed, pass after pass.

    `admin_status` is what was asked for (Enable, Disable), `state` what it does: InProgress,
    Disabling, Disabled, DisableFailed, Failed. `prefixes`: the directories, "/" for everything.
    `last_success_at`: when a pass last ended without an error, None before the first one.
    `failed_files` counts since the start of the job; found and moved bytes are of this pass.
    None where Azure leaves a figure out.
    """

    name: str
    admin_status: str
    state: str
    message: str
    prefixes: tuple[str, ...]
    iterations: int | None
    last_started_at: datetime | None
    last_ended_at: datetime | None
    last_success_at: datetime | None
    failed_files: int | None
    found_bytes: int | None
    moved_bytes: int | None
    exported_files: int | None
    exported_bytes: int | None


@dataclass(frozen=True, slots=True)
class LustreAutoImport:
    """A job that brings in names of blobs as they are written.

    `conflict_mode`: Fail, Skip, OverwriteIfDirty, OverwriteAlways; only the last one makes sure
    that both sides are equal. `deletes`: a deleted blob's file goes too. `synchronized_at`: when
    all changes of the container had last come in.
    """

    name: str
    admin_status: str
    state: str
    message: str
    prefixes: tuple[str, ...]
    conflict_mode: str
    deletes: bool | None
    last_started_at: datetime | None
    synchronized_at: datetime | None
    errors: int | None
    conflicts: int | None


@dataclass(frozen=True, slots=True)
class LustreImport:
    """A job that brings in the names of a container once."""

    name: str
    state: str
    message: str
    prefixes: tuple[str, ...]
    conflict_mode: str
    started_at: datetime | None
    ended_at: datetime | None
    imported_blobs: int | None
    errors: int | None
    conflicts: int | None


@dataclass(frozen=True, slots=True)
class LustreExpansion:
    """A job that makes the file system bigger; progress is 0 to 100."""

    name: str
    state: str
    code: str
    message: str
    new_capacity_bytes: int | None
    progress_percent: float | None
    started_at: datetime | None
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class LustreArchive:
    """A one-time export of a directory; `code` says what went wrong."""

    path: str
    state: str
    code: str
    started_at: datetime | None
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class AzureLustreFileSystemFacts(FactDocument):
    """An Azure Managed Lustre file system."""

    KIND: ClassVar[str] = "azure_lustre_file_system"
    AREA: ClassVar[str] = "file_systems"

    file_system_region: Fact[str] = fact("Region of the file system; it never leaves it.", _GET)
    sku_name: Fact[str] = fact(
        "Such as AMLFS-Durable-Premium-250; the number is its MB/s per TiB.", _GET
    )
    storage_capacity_bytes: Fact[int] = fact("Capacity as asked for when it was made.", _GET)
    current_storage_capacity_bytes: Fact[int] = fact(
        "Capacity now, with its expansions; absent where Azure does not tell it.", _GET
    )
    throughput_megabytes_per_second: Fact[float] = fact(
        "Throughput as provisioned, of the whole file system.", _GET
    )
    health_state: Fact[str] = fact(
        "Available, Degraded, Unavailable, Transitioning, Maintenance or Expanding.", _GET
    )
    health_description: Fact[str] = fact("What Azure says about that.", _GET)
    provisioning_state: Fact[str] = fact("Succeeded, Failed, Creating, Updating, …", _GET)
    availability_zones: Fact[tuple[str, ...]] = fact(
        "Zone numbers of its subscription; absent when it was made without one.", _GET
    )
    subnet_id: Fact[str] = fact("Subnet that it lies in.", _GET)
    lustre_version: Fact[str] = fact("Version of Lustre.", _GET)
    management_address: Fact[str] = fact("Address that clients mount it by.", _GET)
    key_url: Fact[str] = fact("Key of one's own in use; absent with Microsoft's key.", _GET)
    maintenance_window: Fact[str] = fact("Weekday and time (UTC) of upkeep.", _GET)
    root_squash_mode: Fact[str] = fact("None, RootOnly or All; absent when never set.", _GET)
    hsm_container_id: Fact[str] = fact(
        "Blob container that it imports from and exports to; it is chosen when the file system is "
        "made and cannot be added later.",
        _GET,
    )
    hsm_logging_container_id: Fact[str] = fact("Blob container of its logs of errors.", _GET)
    hsm_initial_prefixes: Fact[tuple[str, ...]] = fact(
        "What of the container was imported when it was made.", _GET
    )
    archives: Fact[tuple[LustreArchive, ...]] = fact("Exports that were started by hand.", _GET)
    container_account_redundancy: Fact[str] = fact(
        "Redundancy of the container's storage account, such as Standard_GRS.", _ACCOUNT
    )
    container_account_region: Fact[str] = fact("Primary region of that account.", _ACCOUNT)
    container_account_secondary_region: Fact[str] = fact(
        "Region of its geo-redundant copy; absent when it has none.", _ACCOUNT
    )
    auto_export_jobs: Fact[tuple[LustreAutoExport, ...]] = fact(
        "What is exported by itself.", "lustre:autoExportJobs/read"
    )
    auto_import_jobs: Fact[tuple[LustreAutoImport, ...]] = fact(
        "What is imported by itself.", "lustre:autoImportJobs/read"
    )
    import_jobs: Fact[tuple[LustreImport, ...]] = fact(
        "Imports that were started by hand: they bring names, and contents come when a file is "
        "first read.",
        "lustre:importJobs/read",
    )
    expansion_jobs: Fact[tuple[LustreExpansion, ...]] = fact(
        "Expansions, running or done.", "lustre:expansionJobs/read"
    )
