"""Azure's words about Managed Lustre into ours: pure functions over its JSON.

A value of None states an absence. Shapes: Microsoft.StorageCache REST API 2026-01-01.
"""

from collections.abc import Iterable
from typing import Any

from app.collectors.azure_words import Json, below, instant, region, switch, texts
from app.domain.azure_lustre import (
    LustreArchive,
    LustreAutoExport,
    LustreAutoImport,
    LustreExpansion,
    LustreImport,
)
from app.domain.quantities import amount, machine_count, size_bytes

_TIB, _MIB = 2**40, 2**20


def file_system(document: Json) -> dict[str, Any]:
    """The facts of a file system's own document."""
    own: Json = document["properties"]
    health: Json = own.get("health") or {}
    return {
        "file_system_region": region(document.get("location")),
        "sku_name": (document.get("sku") or {}).get("name"),
        "storage_capacity_bytes": _scaled(own["storageCapacityTiB"], _TIB),
        "current_storage_capacity_bytes": _scaled(own.get("currentStorageCapacityTiB"), _TIB),
        "throughput_megabytes_per_second": _amount(own.get("throughputProvisionedMBps")),
        "health_state": health.get("state"),
        "health_description": health.get("statusDescription"),
        "provisioning_state": own.get("provisioningState"),
        "availability_zones": texts(document, "zones") or None,
        "subnet_id": own.get("filesystemSubnet"),
        "key_url": _key_url(own),
        "maintenance_window": _window(own.get("maintenanceWindow") or {}),
        "root_squash_mode": (own.get("rootSquashSettings") or {}).get("mode"),
        **_client(own.get("clientInfo") or {}),
        **_hsm(own.get("hsm") or {}),
    }


def container_account_id(document: Json) -> str:
    """The storage account of the HSM container; '' when there is none or its id is none."""
    try:
        container = document["properties"]["hsm"]["settings"]["container"]
        return below(container, "storageAccounts")
    except (LookupError, TypeError, ValueError, AttributeError):
        return ""


def container_account(document: Json) -> dict[str, Any]:
    """The facts of the container's storage account, from its own document."""
    own: Json = document["properties"]
    return {
        "container_account_redundancy": document["sku"]["name"],
        "container_account_region": region(own.get("primaryLocation") or document["location"]),
        "container_account_secondary_region": region(own.get("secondaryLocation")),
    }


def auto_exports(answer: Json) -> dict[str, Any]:
    """The facts of a whole list of auto-export jobs."""
    return {"auto_export_jobs": tuple(map(_auto_export, answer["value"]))}


def auto_imports(answer: Json) -> dict[str, Any]:
    """The facts of a whole list of auto-import jobs."""
    return {"auto_import_jobs": tuple(map(_auto_import, answer["value"]))}


def imports(answer: Json) -> dict[str, Any]:
    """The facts of a whole list of import jobs."""
    return {"import_jobs": tuple(map(_import, answer["value"]))}


def expansions(answer: Json) -> dict[str, Any]:
    """The facts of a whole list of expansion jobs."""
    return {"expansion_jobs": tuple(map(_expansion, answer["value"]))}


def _client(client: Json) -> dict[str, Any]:
    return {
        "lustre_version": client.get("lustreVersion"),
        "management_address": client.get("mgsAddress"),
    }


def _hsm(hsm: Json) -> dict[str, Any]:
    settings: Json = hsm.get("settings") or {}
    archives: Iterable[Json] = hsm.get("archiveStatus") or ()
    prefixes = texts(settings, "importPrefixesInitial")
    return {
        "hsm_container_id": settings.get("container") or None,
        "hsm_logging_container_id": settings.get("loggingContainer") or None,
        "hsm_initial_prefixes": prefixes or None,
        "archives": tuple(map(_archive, archives)) or None,
    }


def _archive(row: Json) -> LustreArchive:
    status: Json = row.get("status") or {}
    return LustreArchive(
        path=row["filesystemPath"],
        state=_word(status, "state"),
        code=_word(status, "errorCode"),
        started_at=instant(status.get("lastStartedTime")),
        ended_at=instant(status.get("lastCompletionTime")),
    )


def _auto_export(row: Json) -> LustreAutoExport:
    own: Json = row["properties"]
    status: Json = own.get("status") or {}
    return LustreAutoExport(
        name=row["name"],
        admin_status=_word(own, "adminStatus") or "Enable",
        state=_word(status, "state"),
        message=_word(status, "statusMessage"),
        prefixes=texts(own, "autoExportPrefixes") or ("/",),
        iterations=machine_count(status.get("exportIterationCount")),
        last_started_at=instant(status.get("lastStartedTimeUTC")),
        last_ended_at=instant(status.get("lastCompletionTimeUTC")),
        last_success_at=instant(status.get("lastSuccessfulIterationCompletionTimeUTC")),
        failed_files=size_bytes(status.get("totalFilesFailed")),
        found_bytes=_scaled(status.get("currentIterationMiBDiscovered"), _MIB),
        moved_bytes=_scaled(status.get("currentIterationMiBExported"), _MIB),
        exported_files=size_bytes(status.get("totalFilesExported")),
        exported_bytes=_scaled(status.get("totalMiBExported"), _MIB),
    )


def _auto_import(row: Json) -> LustreAutoImport:
    own: Json = row["properties"]
    status: Json = own.get("status") or {}
    events: Json = status.get("blobSyncEvents") or {}
    return LustreAutoImport(
        name=row["name"],
        admin_status=_word(own, "adminStatus") or "Enable",
        state=_word(status, "state"),
        message=_word(status, "statusMessage"),
        prefixes=texts(own, "autoImportPrefixes") or ("/",),
        conflict_mode=_word(own, "conflictResolutionMode"),
        deletes=switch(own, "enableDeletions"),
        last_started_at=instant(status.get("lastStartedTimeUTC")),
        synchronized_at=instant(events.get("lastTimeFullySynchronized")),
        errors=size_bytes(status.get("totalErrors")),
        conflicts=size_bytes(status.get("totalConflicts")),
    )


def _import(row: Json) -> LustreImport:
    own: Json = row["properties"]
    status: Json = own.get("status") or {}
    return LustreImport(
        name=row["name"],
        state=_word(status, "state"),
        message=_word(status, "statusMessage"),
        prefixes=texts(own, "importPrefixes") or ("/",),
        conflict_mode=_word(own, "conflictResolutionMode"),
        started_at=instant(status.get("lastStartedTime")),
        ended_at=instant(status.get("lastCompletionTime")),
        imported_blobs=size_bytes(status.get("totalBlobsImported")),
        errors=size_bytes(status.get("totalErrors")),
        conflicts=size_bytes(status.get("totalConflicts")),
    )


def _expansion(row: Json) -> LustreExpansion:
    own: Json = row["properties"]
    status: Json = own.get("status") or {}
    return LustreExpansion(
        name=row["name"],
        state=_word(status, "state"),
        code=_word(status, "statusCode"),
        message=_word(status, "statusMessage"),
        new_capacity_bytes=_scaled(own.get("newStorageCapacityTiB"), _TIB),
        progress_percent=_amount(status.get("percentComplete")),
        started_at=instant(status.get("startTimeUTC")),
        ended_at=instant(status.get("completionTimeUTC")),
    )


def _key_url(own: Json) -> str | None:
    settings: Json = own.get("encryptionSettings") or {}
    found: str | None = (settings.get("keyEncryptionKey") or {}).get("keyUrl")
    return found


def _window(window: Json) -> str | None:
    day, time = window.get("dayOfWeek"), window.get("timeOfDayUTC")
    return f"{day} {time}" if day and time else None


def _word(document: Json, name: str) -> str:
    """A word; '' when Azure leaves it out. ValueError for anything else."""
    value = document.get(name)
    if value is None or isinstance(value, str):
        return value or ""
    raise ValueError(f"{name} is no word")


def _amount(value: object) -> float | None:
    return None if value is None else amount(value)


def _scaled(value: object, unit: int) -> int | None:
    """Bytes of an amount in a bigger unit, which may have a fraction."""
    return None if value is None else size_bytes(round(amount(value) * unit))
