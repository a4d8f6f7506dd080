"""What lifecycle rules really do to data: a rule on paper is not yet a rule that works.

A rule cools a prefix only if it is enabled, its filter covers all of the data, and one of its
actions on current objects can work in this store. Rules of the clouds: Amazon S3 user guide,
"Lifecycle configuration elements" and "Transitioning objects"; Azure, "Lifecycle management
policy structure" and "Access tiers overview".
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from app.domain.collecting import Provider
from app.domain.facts import ABSENT, Fact, Present, Unreadable
from app.domain.storage import AgeBasis, LifecycleAction, LifecycleRule, RuleEffect, RuleSubject

# S3 moves no smaller object unless told otherwise; neither cloud bills cool tiers below it.
SMALL_OBJECT_BYTES = 131_072
# A rule may leave small objects behind and still cover the data; one that leaves more does not.
LARGEST_GAP_BYTES = SMALL_OBJECT_BYTES + 1
_YES: Fact[bool] = Present(True)
_NO: Fact[bool] = Present(False)
_VARIES_BY_CLASS = "varies_by_storage_class"

_HOT = frozenset({"standard", "reduced_redundancy", "express_onezone", "hot", "premium"})
_COOL = frozenset(
    {"standard_ia", "onezone_ia", "intelligent_tiering", "glacier_ir", "cool", "cold", "smart"}
)
_ARCHIVE = frozenset({"glacier", "deep_archive", "archive"})


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What decides in one store whether a rule works.

    `tiers`: cooler tiers exist; `archive`: the archive tier exists; `last_access`: it is tracked;
    `small_objects`: S3's TransitionDefaultMinimumObjectSize; `containers`: names of those that
    rules reach (Azure); `now`: against which fixed dates count, None: they are not judged.
    """

    provider: Provider
    tiers: Fact[bool] = _YES
    archive: Fact[bool] = _YES
    last_access: Fact[bool] = _NO
    small_objects: Fact[str] = ABSENT
    containers: Fact[tuple[str, ...]] = ABSENT
    now: datetime | None = None


S3 = Circumstances(Provider.AWS)


@dataclass(frozen=True, slots=True)
class Way:
    """One way out of the hot tier for the objects of a prefix that have the right size.

    `below_bytes`: only objects smaller than this, None without such a limit. `code` is set when it
    is not known whether it works.
    """

    action: LifecycleAction
    after_days: float
    skips_below_bytes: int
    below_bytes: int | None
    code: str

    def reaches(self, size_bytes: int) -> bool:
        """Whether objects of this size take it."""
        return self.skips_below_bytes <= size_bytes and (
            self.below_bytes is None or size_bytes < self.below_bytes
        )


def is_hot(storage_class: str | None) -> bool:
    """Whether this tier counts as hot; None is S3's STANDARD."""
    return (storage_class or "standard").lower() in _HOT


def is_archive(storage_class: str | None) -> bool:
    """Whether data in this tier must be restored before it can be read."""
    return (storage_class or "").lower() in _ARCHIVE


def filter_refusal(rule: LifecycleRule, prefix: str) -> str:
    """Why it does not reach the current objects under `prefix`, sizes aside; '' when it does."""
    if not rule.enabled:
        return "The rule is disabled."
    if rule.tags:
        return "It reaches only objects with certain tags."
    if not reaches_block_blobs(rule):
        return "It does not reach block blobs."
    if rule.prefixes and not any(prefix.startswith(start) for start in rule.prefixes):
        return "Its prefixes do not cover the data."
    return ""


def reaches_block_blobs(rule: LifecycleRule) -> bool:
    """Whether it acts on ordinary objects, not only on append blobs; S3 knows no others."""
    return not rule.blob_types or "blockblob" in {word.lower() for word in rule.blob_types}


def action_refusal(action: LifecycleAction, at: Circumstances) -> str:
    """Why the action never takes current data out of the hot tier; '' when it does."""
    if action.subject is not RuleSubject.CURRENT:
        return "It acts on old versions or snapshots only."
    if action.effect not in (RuleEffect.TRANSITION, RuleEffect.DELETE):
        return "It neither moves nor deletes current objects."
    return _tier_refusal(action, at) or _age_refusal(action, at)


def _tier_refusal(action: LifecycleAction, at: Circumstances) -> str:
    if action.effect is RuleEffect.DELETE:
        return ""
    if is_hot(action.storage_class):
        return "It moves objects within the hot tier."
    if at.tiers == _NO:
        return "This kind of store has no cooler tiers."
    if is_archive(action.storage_class) and at.archive == _NO:
        return "The archive tier is impossible with this redundancy or kind."
    return ""


def _age_refusal(action: LifecycleAction, at: Circumstances) -> str:
    if action.basis is AgeBasis.LAST_TIER_CHANGE:
        return "It counts from a change of tier, which new data has not had."
    if action.basis is AgeBasis.LAST_ACCESS and at.last_access in (_NO, ABSENT):
        return "It counts from last access, which is not tracked."
    if action.after_days is not None:
        return ""
    if action.on_date is None:
        return "It has no age condition."
    if at.now is not None and action.on_date > at.now:
        return f"It does not act before {action.on_date.astimezone(UTC):%Y-%m-%d}."
    return ""


def ways_out(rule: LifecycleRule, prefix: str, at: Circumstances) -> tuple[Way, ...]:
    """The ways by which this rule takes current objects under `prefix` out of the hot tier."""
    if filter_refusal(rule, prefix):
        return ()
    return tuple(
        Way(
            action=action,
            after_days=action.after_days or 0.0,
            skips_below_bytes=skips_below_bytes(rule, action, at),
            below_bytes=rule.maximum_size_bytes,
            code=_doubt(action, at),
        )
        for action in rule.actions
        if not action_refusal(action, at)
    )


def skips_below_bytes(rule: LifecycleRule, action: LifecycleAction, at: Circumstances) -> int:
    """Objects smaller than this are left alone by the action; a size filter beats the default."""
    if rule.minimum_size_bytes is not None:
        return rule.minimum_size_bytes + 1
    has_default = (
        at.provider is Provider.AWS
        and action.effect is RuleEffect.TRANSITION
        and rule.maximum_size_bytes is None
    )
    if not has_default:
        return 0
    varies = at.small_objects == Present(_VARIES_BY_CLASS)
    return 0 if varies and is_archive(action.storage_class) else SMALL_OBJECT_BYTES


def _doubt(action: LifecycleAction, at: Circumstances) -> str:
    """Error code of the fact that decides whether the action works; '' when all are known."""
    if action.after_days is None and at.now is None:
        return "DateNotCompared"
    needed: list[Fact[bool]] = []
    if action.basis is AgeBasis.LAST_ACCESS:
        needed.append(at.last_access)
    if action.effect is RuleEffect.TRANSITION:
        word = (action.storage_class or "").lower()
        if word not in _COOL | _ARCHIVE:
            return "UnknownStorageClass"
        needed += [at.tiers, at.archive] if is_archive(word) else [at.tiers]
    return next((found.code for found in needed if isinstance(found, Unreadable)), "")


@dataclass(frozen=True, slots=True)
class Cooling:
    """When all current data has left the hot tier, small objects aside.

    Of the objects below `skips_below_bytes` some or all never move; that is at most
    LARGEST_GAP_BYTES. Other small objects may wait longer than `after_days`.
    """

    after_days: float
    skips_below_bytes: int
    basis: AgeBasis


@dataclass(frozen=True, slots=True)
class CoolingBounds:
    """What surely happens, and the best that may happen if all doubts end well.

    None: some data never leaves the hot tier. `code`: the first doubt, '' when there is none.
    """

    certain: Cooling | None
    possible: Cooling | None
    code: str

    def fact(self) -> Fact[Cooling]:
        """Present or absent when the doubts change nothing, else unreadable."""
        if self.certain != self.possible:
            return Unreadable(self.code)
        return ABSENT if self.certain is None else Present(self.certain)


def cooling(rules: Sequence[LifecycleRule], prefix: str, at: Circumstances) -> CoolingBounds:
    """What all rules together do to current data under `prefix`; '' is the whole store.

    S3 prefixes are relative to the bucket; Azure prefixes begin with the container. On Azure the
    whole store is the sum of its containers, each covered by any rule.
    """
    parts = _parts(prefix, at)
    ways = [[way for rule in rules for way in ways_out(rule, part, at)] for part in parts]
    if prefix == "" and isinstance(at.containers, Unreadable):
        ways[0] += _ways_of_unknown_containers(rules, at, at.containers.code)
    return CoolingBounds(
        certain=_slowest([_best([way for way in found if not way.code]) for found in ways]),
        possible=_slowest([_best(found) for found in ways]),
        code=next((way.code for found in ways for way in found if way.code), ""),
    )


def _parts(prefix: str, at: Circumstances) -> list[str]:
    if prefix == "" and isinstance(at.containers, Present) and at.containers.value:
        return [f"{name}/" for name in at.containers.value]
    return [data_prefix(prefix, at)]


def data_prefix(prefix: str, at: Circumstances) -> str:
    """A bare container name means what is in it: "images" is not "images-prod" (Azure)."""
    bare = at.provider is Provider.AZURE and prefix and "/" not in prefix
    return f"{prefix}/" if bare else prefix


def _ways_of_unknown_containers(
    rules: Iterable[LifecycleRule], at: Circumstances, code: str
) -> list[Way]:
    """Rules with prefixes might cover all containers, if only we knew them."""
    return [
        replace(way, code=code)
        for rule in rules
        for start in rule.prefixes[:1]
        for way in ways_out(rule, start, at)
    ]


def _best(ways: Sequence[Way]) -> Cooling | None:
    """What becomes of objects of every size, which several rules may share between them."""
    limits = {way.skips_below_bytes for way in ways} | {way.below_bytes or 0 for way in ways}
    by_size = [
        (size, min((way for way in ways if way.reaches(size)), key=_age, default=None))
        for size in sorted(limits | {0, LARGEST_GAP_BYTES})
    ]
    large = [way for size, way in by_size if size >= LARGEST_GAP_BYTES and way]
    if len(large) < sum(size >= LARGEST_GAP_BYTES for size, _ in by_size):
        return None
    slowest = max(large, key=_age)
    return Cooling(slowest.after_days, _left_below(by_size), slowest.action.basis)


def _age(way: Way) -> float:
    return way.after_days


def _left_below(by_size: Sequence[tuple[int, Way | None]]) -> int:
    """The size from which on every object moves: that after the last one without a way."""
    return next(
        (
            size
            for (size, _), (_, before) in zip(
                reversed(by_size[1:]), reversed(by_size[:-1]), strict=True
            )
            if before is None
        ),
        0,
    )


def _slowest(found: Sequence[Cooling | None]) -> Cooling | None:
    """The parts of a store together: the slowest decides; one that never cools spoils all."""
    known = [part for part in found if part is not None]
    if len(known) < len(found):
        return None
    slowest = max(known, key=lambda part: part.after_days)
    skips = max(part.skips_below_bytes for part in known)
    return Cooling(slowest.after_days, skips, slowest.basis)
