"""What follows from the facts of Azure NetApp Files, in the words of any file system."""

from dataclasses import dataclass, replace
from typing import ClassVar

from app.domain.azure_netapp import (
    AzureNetappPoolFacts,
    AzureNetappVolumeFacts,
    NetappReplication,
)
from app.domain.collecting import Provider
from app.domain.fact_sums import first_unreadable, mapped, reported, value_or
from app.domain.facts import ABSENT, Absent, Fact, FactDocument, Present, Unreadable, fact
from app.domain.file_system import MULTI_AZ, PERSISTENT, FileSystemFacts
from app.domain.file_system_places import place_facts
from app.domain.health import healthy
from app.domain.object_store import RestPlace
from app.domain.storage_places import NOT_REPORTED, REPLICA, place

COPY = "dst"
_PROTOCOLS = {"nfsv3": "nfs", "nfsv4.1": "nfs", "cifs": "smb"}
_LEVELS = frozenset({"standard", "premium", "ultra", "flexible"})
_ZONE_REDUNDANT = "standardzrs"
_KEYS = {"microsoft.netapp": "provider_key", "microsoft.keyvault": "customer_key"}
_STATES = {
    "good": ("succeeded",),
    "bad": ("failed", "error"),
    "passing": ("accepted", "creating", "patching", "updating", "deleting", "moving"),
}
_NO_COPIES: Fact[tuple[RestPlace, ...]] = ABSENT


@dataclass(frozen=True, slots=True)
class PoolUseFacts(FactDocument):
    """Derived facts of a capacity pool: how much of what is paid has been given to volumes."""

    KIND: ClassVar[str] = "pool_use"

    unallocated_bytes: Fact[int] = fact("Bytes that are paid and no volume has.", "derived")
    unallocated_percent: Fact[float] = fact("Their share of the pool.", "derived")


def pool_use(found: AzureNetappPoolFacts) -> PoolUseFacts:
    """What of a pool is left; quotas may be more than the pool has for a moment."""
    size, given = reported(found.size_bytes), reported(found.allocated_bytes)
    left: Fact[int] = first_unreadable(size, given) or ABSENT
    share: Fact[float] = left if isinstance(left, Unreadable) else ABSENT
    if isinstance(size, Present) and isinstance(given, Present):
        left = Present(max(0, size.value - given.value))
        if size.value:
            share = Present(round(100.0 * left.value / size.value, 1))
    return PoolUseFacts(unallocated_bytes=left, unallocated_percent=share)


def netapp_pool(found: AzureNetappPoolFacts) -> FileSystemFacts:
    """The derived facts of a pool, which nobody mounts: its volumes are the file systems."""
    return FileSystemFacts(
        protocols=ABSENT,
        capacity_bytes=found.size_bytes,
        used_bytes=Unreadable(NOT_REPORTED),
        durability=_durability(found.pool_service_level),
        zones=ABSENT,
        healthy=healthy(found.pool_provisioning_state, **_STATES),
        encrypted=mapped(found.pool_region, lambda _: True),
        encryption=Unreadable(NOT_REPORTED),
        **place_facts(Provider.AZURE, found.pool_region, _NO_COPIES),
        is_replica=Present(False),
        repositories=ABSENT,
        exports_changes=ABSENT,
        broken_repository_paths=ABSENT,
        backups_possible=Present(False),
        backed_up=Present(False),
        backups_kept_days=ABSENT,
    )


def netapp_volume(found: AzureNetappVolumeFacts) -> FileSystemFacts:
    """The derived facts of a volume."""
    backed_up = _backed_up(found)
    return FileSystemFacts(
        protocols=_protocols(found.protocol_types),
        capacity_bytes=found.quota_bytes,
        used_bytes=Unreadable(NOT_REPORTED),
        durability=_durability(found.service_level),
        zones=_zones(found),
        healthy=healthy(found.provisioning_state, **_STATES),
        encrypted=mapped(found.volume_region, lambda _: True),
        encryption=_encryption(found.encryption_key_source),
        **place_facts(Provider.AZURE, found.volume_region, _copies(found)),
        is_replica=_is_replica(found),
        repositories=ABSENT,
        exports_changes=ABSENT,
        broken_repository_paths=ABSENT,
        backups_possible=Present(True),
        backed_up=backed_up,
        backups_kept_days=ABSENT if backed_up == Present(False) else Unreadable(NOT_REPORTED),
    )


def _protocols(told: Fact[tuple[str, ...]]) -> Fact[tuple[str, ...]]:
    """How it is mounted; NFSv3 unless it says otherwise."""
    words = value_or(told, ("NFSv3",))
    if not isinstance(words, Present):
        return words
    unknown = [word for word in words.value if word.lower() not in _PROTOCOLS]
    if unknown:
        return Unreadable(f"UnknownType {unknown[0]}")
    return Present(tuple(dict.fromkeys(_PROTOCOLS[word.lower()] for word in words.value)))


def _durability(level: Fact[str]) -> Fact[str]:
    told = reported(level)
    if not isinstance(told, Present):
        return told
    word = told.value.lower()
    if word == _ZONE_REDUNDANT:
        return Present(MULTI_AZ)
    return Present(PERSISTENT) if word in _LEVELS else Unreadable(f"UnknownLevel {told.value}")


def _zones(found: AzureNetappVolumeFacts) -> Fact[tuple[str, ...]]:
    """Absent only for a volume that is in several; one that was made without is somewhere."""
    if _durability(found.service_level) == Present(MULTI_AZ):
        return found.availability_zones
    return reported(found.availability_zones)


def _encryption(source: Fact[str]) -> Fact[str]:
    told = value_or(source, "Microsoft.NetApp")
    if not isinstance(told, Present):
        return told
    known = _KEYS.get(told.value.lower())
    return Present(known) if known else Unreadable(f"UnknownKeySource {told.value}")


def _is_replica(found: AzureNetappVolumeFacts) -> Fact[bool]:
    endpoint = value_or(found.replication_endpoint_type, "")
    return mapped(endpoint, lambda word: word.lower() == COPY)


def _copies(found: AzureNetappVolumeFacts) -> Fact[tuple[RestPlace, ...]]:
    """Where a source is copied to; the other end of a copy is its source, judged for itself."""
    is_copy = _is_replica(found)
    if isinstance(is_copy, Unreadable):
        return is_copy
    if is_copy == Present(True):
        return ABSENT
    return mapped(found.replications, lambda all_: tuple(map(_copy, all_)))


def _copy(one: NetappReplication) -> RestPlace:
    told: Fact[str] = Present(one.region_id) if one.region_id else ABSENT
    return replace(place(Provider.AZURE, REPLICA, told), store=one.volume_id)


def _backed_up(found: AzureNetappVolumeFacts) -> Fact[bool]:
    """By a policy that is in force; a policy that is not makes no backup."""
    policy, enforced = found.backup_policy_id, found.backup_policy_enforced
    if isinstance(policy, Absent):
        return Present(False)
    unread = first_unreadable(policy, enforced)
    return unread or value_or(enforced, False)
