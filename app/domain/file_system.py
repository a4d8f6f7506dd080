"""What follows from the facts of any file system, in the same words for every cloud.

One `FileSystemFacts` is derived per file system and stored with it; policies, lists and reports
read these names. A derived fact is unreadable when an input it needs is unreadable.
"""

from dataclasses import dataclass
from typing import ClassVar

from app.domain.facts import Fact, FactDocument, fact
from app.domain.object_store import RestPlace

SCRATCH, PERSISTENT, MULTI_AZ, CACHE = "scratch", "persistent", "multi_az", "cache"


@dataclass(frozen=True, slots=True)
class LinkedRepository:
    """A store that a directory of a file system is linked with; it is no copy of the whole.

    `system`: s3, blob or nfs; `store`: the bucket, storage account or server; `prefix`: the part of
    it, which begins with the container in an account; `path`: the directory of the file system.
    `imports` and `exports`: new and changed files come and go by themselves. `export_prefix` is
    where exports go when that is elsewhere.
    `status` in the provider's word; `is_broken`: nothing comes or goes until somebody mends it,
    and `fault` is what the provider says about it.
    """

    system: str
    store: str
    prefix: str
    path: str
    imports: bool
    exports: bool
    export_prefix: str
    status: str
    is_broken: bool
    fault: str


@dataclass(frozen=True, slots=True)
class FileSystemFacts(FactDocument):
    """Derived facts of a file system."""

    KIND: ClassVar[str] = "file_system"

    protocols: Fact[tuple[str, ...]] = fact("How it is mounted: lustre, nfs, smb.", "derived")
    capacity_bytes: Fact[int] = fact(
        "Bytes that it can hold as provisioned; absent when it grows by itself.", "derived"
    )
    used_bytes: Fact[int] = fact("Bytes that it holds, where its service tells.", "derived")
    durability: Fact[str] = fact(
        "scratch: one failed disk or server loses files; persistent: they are kept twice in one "
        "zone; multi_az: in several zones; cache: the files lie elsewhere.",
        "derived",
    )
    zones: Fact[tuple[str, ...]] = fact(
        "Availability zones that it lies in; absent when it is spread over its whole region.",
        "derived",
    )
    healthy: Fact[bool] = fact(
        "It serves its files and its service finds nothing wrong; unreadable while its state "
        "passes.",
        "derived",
    )
    encrypted: Fact[bool] = fact("Bytes are encrypted at rest.", "derived")
    encryption: Fact[str] = fact("none, provider_key or customer_key.", "derived")
    home_region: Fact[str] = fact("Region of the file system.", "derived")
    home_zone: Fact[str] = fact("Legal zone of that region: EU, EFTA, US, …", "derived")
    rest_places: Fact[tuple[RestPlace, ...]] = fact(
        "All regions where bytes of this file system rest. Of linked repositories only the "
        "container of Managed Lustre is one, which is chosen with the file system for good.",
        "derived",
    )
    rest_region_ids: Fact[tuple[str, ...]] = fact(
        "Known regions where bytes of this file system rest, each once.", "derived"
    )
    is_replica: Fact[bool] = fact(
        "Everything in it is replicated from another file system.", "derived"
    )
    repositories: Fact[tuple[LinkedRepository, ...]] = fact(
        "Stores that its directories are linked with; absent when none is.", "derived"
    )
    exports_changes: Fact[bool] = fact(
        "New and changed files go to every linked repository by themselves; absent when none is "
        "linked.",
        "derived",
    )
    broken_repository_paths: Fact[tuple[str, ...]] = fact(
        "Its directories whose link is broken; absent when none is linked. That none is broken "
        "is not known while a link changes.",
        "derived",
    )
    backups_possible: Fact[bool] = fact(
        "Its service can back up such a file system at all.", "derived"
    )
    backed_up: Fact[bool] = fact("Its own automatic backups are on.", "derived")
    backups_kept_days: Fact[int] = fact(
        "Days that automatic backups are kept; absent when there are none.", "derived"
    )
