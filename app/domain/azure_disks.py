"""Managed disks of Azure, and whether anything is attached to them."""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from app.domain.ebs import BlockStorageFacts
from app.domain.facts import ABSENT, Fact, FactDocument, Present, Unreadable, fact

_GRAPH = "resourcegraph:Resources"
_UNUSED = "Unattached"


@dataclass(frozen=True, slots=True)
class AzureDiskFacts(FactDocument):
    """A managed disk."""

    KIND: ClassVar[str] = "azure_disk"
    AREA: ClassVar[str] = "volumes"

    state: Fact[str] = fact(
        "Azure's word: Attached, Reserved (its machine is deallocated), Unattached, Frozen, "
        "ActiveSAS, ReadyToUpload, ActiveUpload, …; absent where Azure does not say.",
        _GRAPH,
    )
    volume_type: Fact[str] = fact(
        "Premium_LRS, PremiumV2_LRS, UltraSSD_LRS, …; absent where Azure does not say.", _GRAPH
    )
    size_bytes: Fact[int] = fact("Its size, which is what is paid for.", _GRAPH)
    attached_to: Fact[tuple[str, ...]] = fact("Ids of the machines it is attached to.", _GRAPH)
    ownership_changed_at: Fact[datetime] = fact(
        "When it was last attached or detached; absent where Azure does not say.", _GRAPH
    )
    encryption_type: Fact[str] = fact(
        "EncryptionAtRestWithPlatformKey, …WithCustomerKey or …WithPlatformAndCustomerKeys: every "
        "disk is encrypted at rest.",
        _GRAPH,
    )
    encryption_key_id: Fact[str] = fact(
        "The set of keys that encrypts it; absent with Azure's own.", _GRAPH
    )
    availability_zone: Fact[str] = fact(
        "Its zone as its subscription counts them; absent when it is in none.", _GRAPH
    )
    network_access: Fact[str] = fact(
        "From where it can be exported: AllowAll, AllowPrivate or DenyAll; absent where Azure does "
        "not say.",
        _GRAPH,
    )
    made_of_id: Fact[str] = fact(
        "The snapshot, disk or image it was made of; absent when it began empty.", _GRAPH
    )
    kubernetes_claim: Fact[str] = fact(
        "The claim of Kubernetes it was made for, as namespace/name; absent without one.", _GRAPH
    )


def disk_use(disk: AzureDiskFacts) -> BlockStorageFacts:
    """Whether nothing is attached to a disk. A reserved one waits for its machine."""
    state, attached = disk.state, disk.attached_to
    if isinstance(state, Present) and isinstance(attached, Present):
        return BlockStorageFacts(Present(state.value == _UNUSED and not attached.value))
    for one in (state, attached):
        if isinstance(one, Unreadable):
            return BlockStorageFacts(one)
    return BlockStorageFacts(ABSENT)
