"""What lifecycle rules destroy, and how long deleted data can be brought back."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from app.domain.facts import ABSENT, Fact, Present, Unreadable
from app.domain.storage import (
    AgeBasis,
    LifecycleAction,
    LifecycleRule,
    RuleEffect,
    RuleSubject,
)
from app.domain.storage_lifecycle import is_archive, reaches_block_blobs

KEPT_ALWAYS, KEPT_FOR_DAYS, NOT_KEPT = "always", "for_days", "no"


def deletes_current_after_days(rules: Iterable[LifecycleRule], now: datetime | None) -> Fact[float]:
    """Least age at which an enabled rule deletes any current data; absent when none does.

    A date in the past deletes at once (0); a future one not yet. A rule that counts from last
    access counts here even without tracking: then it would delete data still in use.
    """
    dated = False
    ages = []
    for _, action in _deletions(rules, RuleSubject.CURRENT):
        if action.after_days is not None:
            ages.append(action.after_days)
        elif action.on_date is not None:
            dated = dated or now is None
            ages += [0.0] if now is not None and action.on_date <= now else []
    if dated and 0.0 not in ages:
        return Unreadable("DateNotCompared")
    return Present(min(ages)) if ages else ABSENT


def deletes_everything(rules: Iterable[LifecycleRule]) -> bool:
    """Whether an enabled rule deletes current data without any filter, now or on a later date."""
    return any(
        _is_unfiltered(rule)
        for rule, action in _deletions(rules, RuleSubject.CURRENT)
        if action.after_days is not None or action.on_date is not None
    )


def uses_last_access(rules: Iterable[LifecycleRule]) -> bool:
    """Whether an enabled rule counts from last access."""
    return any(action.basis is AgeBasis.LAST_ACCESS for _, action in _enabled_actions(rules))


def archives(rules: Iterable[LifecycleRule]) -> bool:
    """Whether an enabled rule moves data, current or old, to a tier that must be restored."""
    return any(
        action.effect is RuleEffect.TRANSITION and is_archive(action.storage_class)
        for _, action in _enabled_actions(rules)
    )


def deletes_noncurrent_after_days(rules: Sequence[LifecycleRule]) -> float | None:
    """Least age at which an enabled rule deletes the last version of deleted data; None: never.

    A rule that spares the newest versions spares that one.
    """
    ages = [
        action.after_days
        for _, action in _deletions(rules, RuleSubject.NONCURRENT)
        if action.after_days is not None and not action.newer_versions_kept
    ]
    return min(ages, default=None)


def _is_unfiltered(rule: LifecycleRule) -> bool:
    sized = rule.maximum_size_bytes is not None or rule.minimum_size_bytes is not None
    whole = not rule.prefixes or "" in rule.prefixes
    return whole and not rule.tags and not sized and reaches_block_blobs(rule)


def _enabled_actions(
    rules: Iterable[LifecycleRule],
) -> Iterator[tuple[LifecycleRule, LifecycleAction]]:
    for rule in rules:
        if rule.enabled:
            for action in rule.actions:
                yield rule, action


def _deletions(
    rules: Iterable[LifecycleRule], subject: RuleSubject
) -> Iterator[tuple[LifecycleRule, LifecycleAction]]:
    for rule, action in _enabled_actions(rules):
        if action.effect is RuleEffect.DELETE and action.subject is subject:
            yield rule, action
