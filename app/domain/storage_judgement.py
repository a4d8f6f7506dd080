"""Rule by rule and prefix by prefix: which lifecycle rule counts, and is the promise kept."""

from collections.abc import Sequence

from app.domain.compliance import Verdict
from app.domain.facts import Fact, Present, Unreadable
from app.domain.object_store import RuleJudgement
from app.domain.storage import LifecycleRule
from app.domain.storage_lifecycle import (
    LARGEST_GAP_BYTES,
    S3,
    Circumstances,
    Way,
    action_refusal,
    cooling,
    data_prefix,
    filter_refusal,
    ways_out,
)


def leaves_hot(
    rules: Fact[tuple[LifecycleRule, ...]],
    prefix: str,
    limit_days: float,
    at: Circumstances = S3,
) -> Verdict:
    """Do all current objects under `prefix` leave the hot tier within `limit_days`.

    Unreadable rules are unknown; no rules at all are non-compliant. A doubt makes it unknown only
    when it decides.
    """
    if isinstance(rules, Unreadable):
        return Verdict.UNKNOWN
    if not isinstance(rules, Present):
        return Verdict.NON_COMPLIANT
    found = cooling(rules.value, prefix, at)
    if found.certain and found.certain.after_days <= limit_days:
        return Verdict.COMPLIANT
    if found.possible and found.possible.after_days <= limit_days:
        return Verdict.UNKNOWN
    return Verdict.NON_COMPLIANT


def judge_rules(
    rules: Sequence[LifecycleRule],
    prefix: str = "",
    *,
    at: Circumstances = S3,
    limit_days: float | None = None,
) -> tuple[RuleJudgement, ...]:
    """For each rule: does it cool all current objects under `prefix` by itself, and why.

    '' is the whole store; on Azure a rule then counts when it cools at least one whole container.
    With `limit_days` a rule that acts later does not count.
    """
    return tuple(_judge(rule, prefix, at, limit_days) for rule in rules)


def matched_containers(rule: LifecycleRule, containers: Sequence[str]) -> tuple[str, ...]:
    """Containers in which the rule's bare string prefixes match something, wanted or not.

    `images` matches the containers images and images-prod, and not imagery.
    """
    return tuple(
        name
        for name in containers
        if not rule.prefixes or any(_touches(start, f"{name}/") for start in rule.prefixes)
    )


def _touches(start: str, container: str) -> bool:
    return container.startswith(start) or start.startswith(container)


def _judge(
    rule: LifecycleRule, prefix: str, at: Circumstances, limit_days: float | None
) -> RuleJudgement:
    ways = _ways(rule, prefix, at)
    best = min(ways, key=lambda way: (bool(way.code), way.after_days), default=None)
    counts, reason = _reason(rule, prefix, at, best)
    if counts and best and limit_days is not None and best.after_days > limit_days:
        counts = False
        reason = f"It acts after {best.after_days:g} days; the limit is {limit_days:g}."
    return RuleJudgement(
        name=rule.name,
        counts=counts,
        reason=reason,
        after_days=best.after_days if best else None,
        code=best.code if best else "",
        skips_below_bytes=(best.skips_below_bytes or None) if best else None,
        matched_containers=matched_containers(rule, _names(at)),
    )


def _ways(rule: LifecycleRule, prefix: str, at: Circumstances) -> list[Way]:
    """Ways of the rule for the prefix, or for any one container when the store is meant."""
    parts = [data_prefix(prefix, at)]
    if not prefix:
        parts += [f"{name}/" for name in _names(at)]
    return [way for part in parts for way in ways_out(rule, part, at)]


def _reason(
    rule: LifecycleRule, prefix: str, at: Circumstances, best: Way | None
) -> tuple[bool, str]:
    if best and best.code:
        return False, f"Whether it works could not be read: {best.code}."
    if not best and _waits_for_containers(rule, prefix, at):
        return False, "Which containers it covers could not be read."
    if best:
        limited = _size_limit(best)
        return not limited, limited or f"Objects leave the hot tier after {best.after_days:g} days."
    refusal = filter_refusal(rule, data_prefix(prefix, at))
    if refusal:
        return False, refusal
    return False, next((action_refusal(action, at) for action in rule.actions), "It has no action.")


def _size_limit(way: Way) -> str:
    if way.below_bytes is not None:
        return f"It reaches only objects below {way.below_bytes} bytes."
    if way.skips_below_bytes > LARGEST_GAP_BYTES:
        return f"It reaches only objects of {way.skips_below_bytes} bytes and more."
    return ""


def _waits_for_containers(rule: LifecycleRule, prefix: str, at: Circumstances) -> bool:
    unknown = not prefix and isinstance(at.containers, Unreadable)
    return unknown and any(ways_out(rule, start, at) for start in rule.prefixes)


def _names(at: Circumstances) -> tuple[str, ...]:
    return at.containers.value if isinstance(at.containers, Present) else ()
