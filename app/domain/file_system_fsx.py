"""What follows from the facts of Amazon FSx, in the words of any file system."""

from collections.abc import Iterable, Iterator
from types import MappingProxyType

from app.domain.collecting import Provider
from app.domain.fact_sums import first_unreadable, mapped, present_or_absent, value_or
from app.domain.facts import ABSENT, Fact, Present, Unreadable
from app.domain.file_system import (
    CACHE,
    MULTI_AZ,
    PERSISTENT,
    SCRATCH,
    FileSystemFacts,
    LinkedRepository,
)
from app.domain.file_system_places import place_facts
from app.domain.fsx import (
    DataRepositoryAssociation,
    DataRepositoryConfiguration,
    FsxFileCacheFacts,
    FsxFileSystemFacts,
    FsxVolume,
)
from app.domain.health import healthy, troubled
from app.domain.object_store import RestPlace
from app.domain.storage_places import NOT_REPORTED

ONTAP = "ONTAP"
# SnapMirror is set up inside of ONTAP; no API of AWS tells where it copies to.
TOLD_BY_ONTAP_ALONE = "ToldByOntapAlone"
_PROTOCOLS = MappingProxyType(
    {
        "LUSTRE": ("lustre",),
        ONTAP: ("nfs", "smb"),
        "OPENZFS": ("nfs",),
        "WINDOWS": ("smb",),
    }
)
_DURABILITIES = MappingProxyType(
    {"SCRATCH": SCRATCH, "PERSISTENT": PERSISTENT, "SINGLE_AZ": PERSISTENT, "MULTI_AZ": MULTI_AZ}
)
_STATES = {
    "good": ("available",),
    "bad": ("failed", "misconfigured", "misconfigured_unavailable"),
    "passing": ("creating", "updating", "deleting"),
}
# FSx API: DataRepositoryLifecycle.
_LINK_STATES = {
    "good": ("available",),
    "bad": ("misconfigured", "failed"),
    "passing": ("creating", "updating", "deleting"),
}
_WHOLE = frozenset({"NEW", "CHANGED"})
_KEYS = MappingProxyType({"AWS": "provider_key", "CUSTOMER": "customer_key"})
_NO_REPLICAS: Fact[tuple[RestPlace, ...]] = ABSENT


def fsx_file_system(found: FsxFileSystemFacts) -> FileSystemFacts:
    """The derived facts of one FSx file system."""
    repositories = _repositories(
        found.data_repository_associations, found.data_repository_configuration
    )
    durability = _durability(found.deployment_type)
    possible = _backups_possible(durability, repositories)
    days = found.automatic_backup_retention_days
    return FileSystemFacts(
        protocols=_protocols(found.file_system_type),
        capacity_bytes=found.storage_capacity_bytes,
        used_bytes=Unreadable(NOT_REPORTED),
        durability=durability,
        zones=found.availability_zones,
        healthy=healthy(found.lifecycle, **_STATES),
        encrypted=mapped(found.file_system_type, lambda _: True),
        encryption=key_kind(found.kms_key_id, found.key_manager),
        **place_facts(Provider.AWS, found.file_system_region, _replicas(found.file_system_type)),
        is_replica=_is_replica(found.volumes),
        repositories=repositories,
        exports_changes=_exports_changes(repositories),
        broken_repository_paths=_broken_paths(repositories),
        backups_possible=possible,
        backed_up=mapped(value_or(days, 0), lambda kept: kept > 0),
        backups_kept_days=_kept(days),
    )


def fsx_file_cache(found: FsxFileCacheFacts) -> FileSystemFacts:
    """The derived facts of one cache: what it holds lies elsewhere too, or is on its way there."""
    repositories = _repositories(found.data_repository_associations, ABSENT)
    return FileSystemFacts(
        protocols=Present(("lustre",)),
        capacity_bytes=found.storage_capacity_bytes,
        used_bytes=Unreadable(NOT_REPORTED),
        durability=Present(CACHE),
        zones=found.availability_zones,
        healthy=healthy(found.lifecycle, **_STATES),
        encrypted=mapped(found.file_system_region, lambda _: True),
        encryption=key_kind(found.kms_key_id, found.key_manager),
        **place_facts(Provider.AWS, found.file_system_region, _NO_REPLICAS),
        is_replica=Present(False),
        repositories=repositories,
        exports_changes=_exports_changes(repositories),
        broken_repository_paths=_broken_paths(repositories),
        backups_possible=Present(False),
        backed_up=Present(False),
        backups_kept_days=ABSENT,
    )


def key_kind(key_id: Fact[str], manager: Fact[str]) -> Fact[str]:
    """provider_key or customer_key; without a key of KMS the service's own key encrypts.

    FSx and EFS name a key in the same form whosever it is, so that KMS has to tell.
    """
    if not isinstance(key_id, Present):
        return mapped(value_or(key_id, ""), lambda _: "provider_key")
    if isinstance(manager, Present):
        kind = _KEYS.get(manager.value)
        return Present(kind) if kind else Unreadable(f"UnknownKeyManager {manager.value}")
    return manager if isinstance(manager, Unreadable) else Unreadable(NOT_REPORTED)


def _protocols(kind: Fact[str]) -> Fact[tuple[str, ...]]:
    if not isinstance(kind, Present):
        return kind
    known = _PROTOCOLS.get(kind.value)
    return Present(known) if known else Unreadable(f"UnknownType {kind.value}")


def _durability(deployment: Fact[str]) -> Fact[str]:
    """By the beginning of the word; of a deployment that is new to us nothing is known."""
    if not isinstance(deployment, Present):
        return deployment
    word = deployment.value
    found = next((kept for start, kept in _DURABILITIES.items() if word.startswith(start)), "")
    return Present(found) if found else Unreadable(f"UnknownDeployment {word}")


def _replicas(kind: Fact[str]) -> Fact[tuple[RestPlace, ...]]:
    if kind == Present(ONTAP):
        return Unreadable(TOLD_BY_ONTAP_ALONE)
    return kind if isinstance(kind, Unreadable) else ABSENT


def _is_replica(volumes: Fact[tuple[FsxVolume, ...]]) -> Fact[bool]:
    return value_or(mapped(volumes, _all_replicated), False)


def _all_replicated(volumes: Iterable[FsxVolume]) -> bool:
    data = [one for one in volumes if not one.is_root]
    return bool(data) and all(one.ontap_type == "DP" for one in data)


def _repositories(
    associations: Fact[tuple[DataRepositoryAssociation, ...]],
    configuration: Fact[DataRepositoryConfiguration],
) -> Fact[tuple[LinkedRepository, ...]]:
    """Links of both kinds; absent only when both are known to be none."""
    unread = first_unreadable(associations, configuration)
    if unread:
        return unread
    found: list[LinkedRepository] = []
    if isinstance(associations, Present):
        found += map(_associated, associations.value)
    if isinstance(configuration, Present):
        found += _configured(configuration.value)
    return present_or_absent(tuple(found) or None)


def _associated(one: DataRepositoryAssociation) -> LinkedRepository:
    system, store, prefix = _parts(one.data_repository_path)
    return LinkedRepository(
        system=system,
        store=store,
        prefix=prefix,
        path=one.path,
        imports=set(one.import_events) >= _WHOLE,
        exports=set(one.export_events) >= _WHOLE,
        export_prefix="",
        status=one.lifecycle,
        is_broken=_link_health(one.lifecycle) == Present(False),
        fault=one.failure_message,
    )


def _configured(one: DataRepositoryConfiguration) -> Iterator[LinkedRepository]:
    """The older link exports only when somebody starts a task, so never by itself."""
    path = one.import_path or one.export_path
    if not path:
        return
    system, store, prefix = _parts(path)
    yield LinkedRepository(
        system=system,
        store=store,
        prefix=prefix,
        path="/",
        imports=one.auto_import_policy.startswith("NEW_CHANGED"),
        exports=False,
        export_prefix=_parts(one.export_path)[2] if one.export_path else "",
        status=one.lifecycle,
        is_broken=_link_health(one.lifecycle) == Present(False),
        fault=one.failure_message,
    )


def _parts(path: str) -> tuple[str, str, str]:
    """`s3://bucket/prefix/` as system, store and prefix; FSx also writes nsf:// for NFS."""
    scheme, _, rest = path.partition("://")
    store, _, prefix = rest.partition("/")
    return ("s3" if scheme == "s3" else "nfs"), store, prefix


def _exports_changes(repositories: Fact[tuple[LinkedRepository, ...]]) -> Fact[bool]:
    return mapped(repositories, _all_export)


def _broken_paths(repositories: Fact[tuple[LinkedRepository, ...]]) -> Fact[tuple[str, ...]]:
    """Known as soon as one link is broken; that none is, only when none is being changed."""
    if not isinstance(repositories, Present):
        return repositories
    return troubled((one.path, _link_health(one.status)) for one in repositories.value)


def _link_health(status: str) -> Fact[bool]:
    return healthy(Present(status) if status else ABSENT, **_LINK_STATES)


def _all_export(repositories: Iterable[LinkedRepository]) -> bool:
    return all(one.exports for one in repositories)


def _backups_possible(
    durability: Fact[str], repositories: Fact[tuple[LinkedRepository, ...]]
) -> Fact[bool]:
    """FSx backs up neither scratch file systems nor any that is linked (FSx API: CreateBackup)."""
    if durability == Present(SCRATCH):
        return Present(False)
    unread = first_unreadable(durability, repositories)
    return unread or Present(not isinstance(repositories, Present))


def _kept(days: Fact[int]) -> Fact[int]:
    return ABSENT if days == Present(0) else days
