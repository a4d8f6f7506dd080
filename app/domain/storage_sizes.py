"""Which single objects are due to leave the hot tier, and which never will."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.domain.compliance import Verdict
from app.domain.storage import AgeBasis, LifecycleRule
from app.domain.storage_lifecycle import S3, Circumstances, Way, is_hot, ways_out


@dataclass(frozen=True, slots=True)
class StoredObject:
    """One current object as an inventory lists it; ages count from creation or change."""

    key: str
    size_bytes: int
    age_days: float
    storage_class: str = "STANDARD"


class Fate(StrEnum):
    """What becomes of an object of the hot tier."""

    NOT_DUE = "not_due"
    MOVES = "moves"
    MOVES_LATE = "moves_late"
    NEVER_MOVES = "never_moves"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class DueObjects:
    """Objects older than the limit and still hot, by what the rules do to them."""

    fates: tuple[tuple[StoredObject, Fate], ...]

    def count(self, *wanted: Fate) -> int:
        """How many objects have one of these fates."""
        return sum(fate in wanted for _, fate in self.fates)

    def size_bytes(self, *wanted: Fate) -> int:
        """Bytes of the objects with one of these fates."""
        return sum(item.size_bytes for item, fate in self.fates if fate in wanted)

    @property
    def due(self) -> int:
        """How many objects are past the limit."""
        return len(self.fates) - self.count(Fate.NOT_DUE)

    @property
    def verdict(self) -> Verdict:
        """Non-compliant as soon as one due object stays or is late."""
        if self.count(Fate.NEVER_MOVES, Fate.MOVES_LATE):
            return Verdict.NON_COMPLIANT
        return Verdict.UNKNOWN if self.count(Fate.UNKNOWN) else Verdict.COMPLIANT


def objects_due(
    objects: Iterable[StoredObject],
    rules: Sequence[LifecycleRule],
    *,
    prefix: str = "",
    limit_days: float,
    at: Circumstances = S3,
) -> DueObjects:
    """What the rules do to each hot object under `prefix`; objects already cool are left out.

    An object is due from `limit_days` of age on. An object of exactly 131,072 bytes moves under
    S3's default, one byte less never does. Tag filters never match: inventories have no tags.
    """
    return DueObjects(
        tuple(
            (item, _fate(item, rules, limit_days, at))
            for item in objects
            if item.key.startswith(prefix) and is_hot(item.storage_class)
        )
    )


def _fate(
    item: StoredObject, rules: Sequence[LifecycleRule], limit_days: float, at: Circumstances
) -> Fate:
    if item.age_days < limit_days:
        return Fate.NOT_DUE
    found = (way for rule in rules for way in ways_out(rule, item.key, at))
    ways = [way for way in found if way.reaches(item.size_bytes)]
    known = [way.after_days for way in ways if not _in_doubt(way)]
    if known and min(known) <= limit_days:
        return Fate.MOVES
    if len(known) < len(ways):
        return Fate.UNKNOWN
    return Fate.MOVES_LATE if known else Fate.NEVER_MOVES


def _in_doubt(way: Way) -> bool:
    return bool(way.code) or way.action.basis is AgeBasis.LAST_ACCESS
