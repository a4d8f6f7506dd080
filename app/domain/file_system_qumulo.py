"""What follows from the facts of Azure Native Qumulo, in the words of any file system."""

from app.domain.azure_qumulo import AzureQumuloFileSystemFacts
from app.domain.collecting import Provider
from app.domain.fact_sums import mapped, reported
from app.domain.facts import Fact, Present, Unreadable
from app.domain.file_system import MULTI_AZ, PERSISTENT, FileSystemFacts
from app.domain.file_system_places import place_facts
from app.domain.health import healthy

# Its size, its copies and its snapshots are set up inside of Qumulo; Azure does not know them.
TOLD_BY_QUMULO = Unreadable("ToldByQumuloAlone")
_STATES = {
    "good": ("succeeded",),
    "bad": ("failed", "canceled"),
    "passing": ("accepted", "creating", "updating", "deleting"),
}
_GONE = frozenset({"suspended", "unsubscribed"})


def qumulo_file_system(found: AzureQumuloFileSystemFacts) -> FileSystemFacts:
    """The derived facts of one file system."""
    durability = _durability(found.storage_sku)
    return FileSystemFacts(
        protocols=Present(("nfs", "smb")),
        capacity_bytes=TOLD_BY_QUMULO,
        used_bytes=TOLD_BY_QUMULO,
        durability=durability,
        zones=_zones(found.availability_zone, durability),
        healthy=_healthy(found),
        encrypted=TOLD_BY_QUMULO,
        encryption=TOLD_BY_QUMULO,
        **place_facts(Provider.AZURE, found.file_system_region, TOLD_BY_QUMULO),
        is_replica=TOLD_BY_QUMULO,
        repositories=TOLD_BY_QUMULO,
        exports_changes=TOLD_BY_QUMULO,
        broken_repository_paths=TOLD_BY_QUMULO,
        backups_possible=TOLD_BY_QUMULO,
        backed_up=TOLD_BY_QUMULO,
        backups_kept_days=TOLD_BY_QUMULO,
    )


def _durability(sku: Fact[str]) -> Fact[str]:
    told = reported(sku)
    if not isinstance(told, Present):
        return told
    word = told.value.upper()
    if word.endswith("ZRS"):
        return Present(MULTI_AZ)
    return Present(PERSISTENT) if word.endswith("LRS") else Unreadable(f"UnknownSku {told.value}")


def _zones(zone: Fact[str], durability: Fact[str]) -> Fact[tuple[str, ...]]:
    """One that is not told is none for a file system in several zones, and unknown for others."""
    told: Fact[tuple[str, ...]] = mapped(zone, lambda number: (number,))
    return told if durability == Present(MULTI_AZ) else reported(told)


def _healthy(found: AzureQumuloFileSystemFacts) -> Fact[bool]:
    """A file system whose plan was taken away does not serve, whatever its own state."""
    status = found.marketplace_status
    if isinstance(status, Present) and status.value.lower() in _GONE:
        return Present(False)
    own = healthy(found.provisioning_state, **_STATES)
    return status if isinstance(status, Unreadable) and own != Present(False) else own
