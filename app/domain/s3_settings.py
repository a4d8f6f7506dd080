"""Settings of an S3 bucket that no other store has: archive tiers, tables of its metadata."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class IntelligentTiering:
    """One configuration that archives objects of the class INTELLIGENT_TIERING by last access.

    Days count without access; None: not moved to that tier. An empty `prefix` and no `tags`:
    it is for all objects of the class.
    """

    name: str
    enabled: bool
    prefix: str
    tags: dict[str, str]
    archive_after_days: float | None
    deep_archive_after_days: float | None


@dataclass(frozen=True, slots=True)
class MetadataTable:
    """One table that S3 Metadata keeps about the objects: `kind` journal, inventory or annotation.

    `enabled` False: it was switched off. `status` in S3's word (CREATING, BACKFILLING, ACTIVE,
    FAILED), None where S3 tells none; `error` is its code for what went wrong, '' for nothing.
    """

    kind: str
    enabled: bool
    status: str | None
    error: str
    name: str | None
