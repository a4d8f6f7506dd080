"""The derived facts that every cloud's store shares: lifecycle, home and inventory."""

from collections.abc import Sequence
from typing import TypedDict

from app.domain.fact_sums import mapped, present_or_absent, value_or
from app.domain.facts import ABSENT, Absent, Fact, Present, Unreadable
from app.domain.object_store import RestPlace, RuleJudgement
from app.domain.storage import InventoryConfiguration, LifecycleRule
from app.domain.storage_judgement import judge_rules
from app.domain.storage_lifecycle import Circumstances, cooling
from app.domain.storage_places import region_ids
from app.domain.storage_retention import (
    archives,
    deletes_current_after_days,
    deletes_everything,
    uses_last_access,
)


class LifecycleFacts(TypedDict):
    """The part of ObjectStoreFacts that follows from lifecycle rules."""

    cools_after_days: Fact[float]
    cooling_basis: Fact[str]
    cooling_skips_below_bytes: Fact[int]
    lifecycle_judgements: Fact[tuple[RuleJudgement, ...]]
    deletes_current_after_days: Fact[float]
    deletes_everything: Fact[bool]
    uses_last_access: Fact[bool]
    archives: Fact[bool]


def lifecycle_facts(rules: Fact[tuple[LifecycleRule, ...]], at: Circumstances) -> LifecycleFacts:
    """What the rules do to the whole store. Unreadable rules make all of it unreadable.

    Without rules nothing cools and nothing is deleted, which is known.
    """
    if isinstance(rules, Unreadable):
        return _all_unreadable(rules)
    return _from_rules(rules.value if isinstance(rules, Present) else (), rules, at)


def _from_rules(
    known: Sequence[LifecycleRule], rules: Fact[tuple[LifecycleRule, ...]], at: Circumstances
) -> LifecycleFacts:
    cools = cooling(known, "", at).fact()
    skips = cools.value.skips_below_bytes if isinstance(cools, Present) else 0
    return LifecycleFacts(
        cools_after_days=mapped(cools, lambda found: found.after_days),
        cooling_basis=mapped(cools, lambda found: found.basis.value),
        cooling_skips_below_bytes=(
            cools if isinstance(cools, Unreadable) else present_or_absent(skips or None)
        ),
        lifecycle_judgements=(
            ABSENT if isinstance(rules, Absent) else Present(judge_rules(known, at=at))
        ),
        deletes_current_after_days=deletes_current_after_days(known, at.now),
        deletes_everything=Present(deletes_everything(known)),
        uses_last_access=Present(uses_last_access(known)),
        archives=Present(archives(known)),
    )


def _all_unreadable(why: Unreadable) -> LifecycleFacts:
    return LifecycleFacts(
        cools_after_days=why,
        cooling_basis=why,
        cooling_skips_below_bytes=why,
        lifecycle_judgements=why,
        deletes_current_after_days=why,
        deletes_everything=why,
        uses_last_access=why,
        archives=why,
    )


def home_region(places: Fact[tuple[RestPlace, ...]]) -> Fact[str]:
    """Region of the primary copy."""
    return _of_primary(places, "region_id")


def home_zone(places: Fact[tuple[RestPlace, ...]]) -> Fact[str]:
    """Legal zone of the primary copy."""
    return _of_primary(places, "zone")


def rest_region_ids(places: Fact[tuple[RestPlace, ...]]) -> Fact[tuple[str, ...]]:
    """Known regions of all copies."""
    return mapped(places, lambda found: tuple(code for code in region_ids(found) if code))


def _of_primary(places: Fact[tuple[RestPlace, ...]], attribute: str) -> Fact[str]:
    if not isinstance(places, Present):
        return places
    primary = places.value[0]
    found: str | None = getattr(primary, attribute)
    return Unreadable(primary.code) if found is None else Present(found)


def inventory_enabled(
    configured: Fact[tuple[InventoryConfiguration, ...]],
) -> Fact[bool]:
    """Whether any configured inventory is switched on; none configured is a no."""
    return value_or(mapped(configured, lambda found: any(one.enabled for one in found)), False)
