"""What follows from the facts of Azure Managed Lustre, in the words of any file system."""

from collections.abc import Iterable
from dataclasses import replace

from app.domain.azure_lustre import (
    ENABLE,
    AzureLustreFileSystemFacts,
    LustreAutoExport,
    LustreAutoImport,
)
from app.domain.collecting import Provider
from app.domain.fact_sums import first_unreadable, mapped, reported, value_or
from app.domain.facts import ABSENT, Absent, Fact, Present, Unreadable
from app.domain.file_system import PERSISTENT, FileSystemFacts, LinkedRepository
from app.domain.file_system_places import place_facts
from app.domain.health import healthy
from app.domain.lustre_sync import EVERYTHING, enabled_exports
from app.domain.object_store import RestPlace
from app.domain.storage_places import GEO_PAIR, NOT_REPORTED, REPLICA, place

BLOB = "blob"
_DURABLE = "amlfs-durable"
_FAILED = frozenset({"failed", "disablefailed"})
_STATES = {
    "good": ("available",),
    "bad": ("unavailable", "degraded"),
    "passing": ("transitioning", "maintenance", "expanding"),
}


def lustre_file_system(found: AzureLustreFileSystemFacts) -> FileSystemFacts:
    """The derived facts of one file system. It has no backups: the container keeps its files."""
    repositories = _repositories(found)
    return FileSystemFacts(
        protocols=Present(("lustre",)),
        capacity_bytes=_capacity(found),
        used_bytes=Unreadable(NOT_REPORTED),
        durability=_durability(found.sku_name),
        zones=reported(found.availability_zones),
        healthy=healthy(found.health_state, **_STATES),
        encrypted=mapped(found.file_system_region, lambda _: True),
        encryption=mapped(
            value_or(found.key_url, ""), lambda key: "customer_key" if key else "provider_key"
        ),
        **place_facts(Provider.AZURE, found.file_system_region, _copies(found)),
        is_replica=Present(False),
        repositories=repositories,
        exports_changes=mapped(repositories, lambda all_: all(one.exports for one in all_)),
        broken_repository_paths=mapped(
            repositories, lambda all_: tuple(one.path for one in all_ if one.is_broken)
        ),
        backups_possible=Present(False),
        backed_up=Present(False),
        backups_kept_days=ABSENT,
    )


def _capacity(found: AzureLustreFileSystemFacts) -> Fact[int]:
    """What there is now; what was asked for where Azure does not tell that."""
    now = found.current_storage_capacity_bytes
    return found.storage_capacity_bytes if isinstance(now, Absent) else now


def _durability(sku: Fact[str]) -> Fact[str]:
    if not isinstance(sku, Present):
        return sku if isinstance(sku, Unreadable) else Unreadable(NOT_REPORTED)
    durable = sku.value.lower().startswith(_DURABLE)
    return Present(PERSISTENT) if durable else Unreadable(f"UnknownSku {sku.value}")


def _copies(found: AzureLustreFileSystemFacts) -> Fact[tuple[RestPlace, ...]]:
    """Where the container lies: it is the other half of the file system, and may be copied on."""
    container = found.hsm_container_id
    if not isinstance(container, Present):
        return container
    store = "/".join(names_of(container.value))
    copy = place(Provider.AZURE, REPLICA, found.container_account_region)
    return Present(tuple(replace(one, store=store) for one in (copy, *_geo_pair(found))))


def _geo_pair(found: AzureLustreFileSystemFacts) -> tuple[RestPlace, ...]:
    """The geo-redundant copy of the container; none only where the redundancy makes none."""
    second, sku = found.container_account_secondary_region, found.container_account_redundancy
    name = sku.value.upper() if isinstance(sku, Present) else ""
    local = name.endswith(("LRS", "ZRS")) and not name.endswith("GZRS")
    if local and not isinstance(second, Present):
        return ()
    return (place(Provider.AZURE, GEO_PAIR, reported(second), readable="_RAG" in name),)


def names_of(container_id: str) -> tuple[str, str]:
    """Storage account and container in the id of a container; '' for what it does not name."""
    parts = container_id.split("/")
    lowered = [part.lower() for part in parts]
    named = dict(zip(lowered, parts[1:], strict=False))
    return named.get("storageaccounts", ""), named.get("containers", "")


def _repositories(found: AzureLustreFileSystemFacts) -> Fact[tuple[LinkedRepository, ...]]:
    """The one container of a file system; absent when it was made without."""
    container = found.hsm_container_id
    if not isinstance(container, Present):
        return container
    exports, imports = found.auto_export_jobs, found.auto_import_jobs
    if unread := first_unreadable(exports, imports):
        return unread
    wanted = enabled_exports(found)
    return Present(
        (
            _linked(
                container.value,
                wanted.value if isinstance(wanted, Present) else (),
                imports.value if isinstance(imports, Present) else (),
            ),
        )
    )


def _linked(
    container_id: str, exports: Iterable[LustreAutoExport], imports: Iterable[LustreAutoImport]
) -> LinkedRepository:
    """A container with its enabled jobs: the state of one that failed, or else of the export."""
    account, container = names_of(container_id)
    wanted = [job for job in imports if job.admin_status.lower() == ENABLE]
    jobs: list[LustreAutoExport | LustreAutoImport] = [*exports, *wanted]
    failed = [job for job in jobs if job.state.lower() in _FAILED]
    return LinkedRepository(
        system=BLOB,
        store=account,
        prefix=container,
        path=EVERYTHING,
        imports=any(EVERYTHING in job.prefixes for job in wanted),
        exports=any(EVERYTHING in job.prefixes for job in exports),
        export_prefix="",
        status=next((job.state for job in (*failed, *jobs)), ""),
        is_broken=bool(failed),
        fault=next((job.message for job in failed), ""),
    )
