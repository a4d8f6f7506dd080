"""What follows from the facts of an EFS file system, in the words of any file system."""

from app.domain.collecting import Provider
from app.domain.efs import EfsFileSystemFacts, EfsReplication
from app.domain.fact_sums import mapped, value_or
from app.domain.facts import ABSENT, Absent, Fact, Present, Unreadable
from app.domain.file_system import MULTI_AZ, PERSISTENT, FileSystemFacts
from app.domain.file_system_fsx import key_kind
from app.domain.file_system_places import place_facts, replica
from app.domain.health import healthy
from app.domain.object_store import RestPlace
from app.domain.storage_places import NOT_REPORTED

_STATES = {
    "good": ("available",),
    "bad": ("error",),
    "passing": ("creating", "updating", "deleting"),
}
_ON = frozenset({"ENABLED", "ENABLING"})


def efs_file_system(found: EfsFileSystemFacts) -> FileSystemFacts:
    """The derived facts of one EFS file system. Its size grows by itself; it has no repositories.

    A replication that is paused or failing counts: what it copied before lies there still.
    """
    replicas = mapped(found.replications, lambda all_: tuple(map(_replica, all_)))
    backed_up = mapped(value_or(found.backup_policy_status, ""), lambda status: status in _ON)
    return FileSystemFacts(
        protocols=Present(("nfs",)),
        capacity_bytes=ABSENT,
        used_bytes=found.size_bytes,
        durability=_durability(found.availability_zone),
        zones=mapped(found.availability_zone, lambda zone: (zone,)),
        healthy=healthy(found.lifecycle, **_STATES),
        encrypted=found.encryption_enabled,
        encryption=_encryption(found),
        **place_facts(Provider.AWS, found.file_system_region, replicas),
        is_replica=mapped(
            value_or(found.replication_overwrite_protection, ""),
            lambda status: status == "REPLICATING",
        ),
        repositories=ABSENT,
        exports_changes=ABSENT,
        broken_repository_paths=ABSENT,
        backups_possible=Present(True),
        backed_up=backed_up,
        backups_kept_days=_kept_days(backed_up),
    )


def _replica(one: EfsReplication) -> RestPlace:
    return replica(Provider.AWS, one.region_id, one.file_system_id, one.account_id)


def _durability(zone: Fact[str]) -> Fact[str]:
    if isinstance(zone, Unreadable):
        return zone
    return Present(MULTI_AZ if isinstance(zone, Absent) else PERSISTENT)


def _encryption(found: EfsFileSystemFacts) -> Fact[str]:
    if found.encryption_enabled != Present(True):
        return mapped(found.encryption_enabled, lambda _: "none")
    return key_kind(found.kms_key_id, found.key_manager)


def _kept_days(backed_up: Fact[bool]) -> Fact[int]:
    """EFS says whether, but AWS Backup alone knows for how long."""
    if isinstance(backed_up, Unreadable):
        return backed_up
    return Unreadable(NOT_REPORTED) if backed_up == Present(True) else ABSENT
