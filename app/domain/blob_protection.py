"""What settings of an Azure storage account promise and cannot keep, taken together."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from app.domain.fact_sums import first_unreadable, mapped, value_or
from app.domain.facts import ABSENT, Fact, FactDocument, Present, Unreadable, fact
from app.domain.storage import (
    InventoryConfiguration,
    LifecycleAction,
    LifecycleRule,
    ReplicationRule,
    RuleEffect,
)
from app.domain.storage_accounts import (
    NO_DESTINATION,
    AzureStorageAccountFacts,
    BlobContainer,
    ContainerRetention,
)
from app.domain.storage_azure import azure_circumstances, live_containers
from app.domain.storage_judgement import matched_containers
from app.domain.storage_lifecycle import is_archive, is_hot, reaches_block_blobs

# Codes that say that an account is none that the identity sees, and not that a call went wrong.
NOT_SEEN = frozenset(
    {
        NO_DESTINATION,
        "AuthorizationFailed",
        "InvalidAuthenticationTokenTenant",
        "LinkedAuthorizationFailed",
        "ResourceGroupNotFound",
        "ResourceNotFound",
        "SubscriptionNotFound",
    }
)
_NO: Fact[bool] = Present(False)
_YES: Fact[bool] = Present(True)
_LOCKED = "locked"
# Azure, access tiers overview: what leaves earlier is billed for the rest of these days.
_MINIMUM_DAYS = {"cool": 30, "cold": 90, "archive": 180}
Words = Fact[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class BlobProtectionFacts(FactDocument):
    """Derived facts of what protects the blobs of an account, and what does not."""

    KIND: ClassVar[str] = "blob_protection"

    replication_gaps: Words = fact(
        "What object replication needs here and lacks: versioning, change_feed; absent when the "
        "account takes no part in any.",
        "derived",
    )
    unseen_destinations: Words = fact(
        "Destinations of object replication that are none of the accounts that are seen; absent "
        "without object replication.",
        "derived",
    )
    idle_tiering_rules: Words = fact(
        "Enabled rules to a cooler tier that this kind of account, or the blobs they are for, do "
        "not have; absent when no rule moves data.",
        "derived",
    )
    hasty_rules: Words = fact(
        "Enabled rules that move data on or delete it before the minimum time of its tier is over, "
        "which is billed all the same; absent when no rule moves data.",
        "derived",
    )
    never_archived_containers: Words = fact(
        "Containers that rules to Archive reach in vain, because their encryption scope forbids "
        "it; absent when no rule archives.",
        "derived",
    )
    unlocked_containers: Words = fact(
        "Containers whose retention can still be shortened or removed; absent when none has one.",
        "derived",
    )
    restore_gaps: Words = fact(
        "What keeps the promised restore from working: soft_delete, versioning, change_feed; "
        "absent when none is promised.",
        "derived",
    )
    inventory_gaps: Words = fact(
        "What enabled inventories lack: destination, versions; absent without one.", "derived"
    )


def blob_protection(account: AzureStorageAccountFacts) -> BlobProtectionFacts:
    """The derived facts of one account."""
    return BlobProtectionFacts(
        replication_gaps=_replication_gaps(account),
        unseen_destinations=_unseen(account.replication_rules),
        idle_tiering_rules=_idle_rules(account),
        hasty_rules=_hasty_rules(account.lifecycle_rules),
        never_archived_containers=_never_archived(account),
        unlocked_containers=_unlocked(account.container_retentions),
        restore_gaps=_restore_gaps(account),
        inventory_gaps=_inventory_gaps(account),
    )


def _replication_gaps(account: AzureStorageAccountFacts) -> Words:
    """Both ends need versions, the source its change feed too (object replication overview)."""
    out, into = account.replication_rules, account.replication_origins
    if isinstance(out, Present):
        return _missing({"versioning": _versions(account), "change_feed": _feed(account)})
    known = _missing({"versioning": _versions(account)}) if isinstance(into, Present) else into
    return first_unreadable(out) or known


def _versions(account: AzureStorageAccountFacts) -> Fact[bool]:
    return value_or(account.versioning_enabled, False)


def _feed(account: AzureStorageAccountFacts) -> Fact[bool]:
    return value_or(account.change_feed_enabled, False)


def _missing(needed: Mapping[str, Fact[bool]]) -> Words:
    """Names of what is not there; unreadable when something was not read and nothing is missing."""
    lacking = tuple(name for name, found in needed.items() if found == _NO)
    return _or_unread(lacking, first_unreadable(*needed.values()))


def _or_unread(found: tuple[str, ...], unread: Unreadable | None) -> Words:
    """What is wrong for certain; else what was not read, else nothing."""
    return Present(found) if found or unread is None else unread


def _unseen(rules: Fact[tuple[ReplicationRule, ...]]) -> Words:
    if not isinstance(rules, Present):
        return rules
    unseen = [one.destination for one in rules.value if one.destination_code in NOT_SEEN]
    others = [one.destination_code for one in rules.value if one.destination_code not in NOT_SEEN]
    code = next(filter(None, others), "")
    return _or_unread(tuple(dict.fromkeys(unseen)), Unreadable(code) if code else None)


def _idle_rules(account: AzureStorageAccountFacts) -> Words:
    """Premium and classic accounts have one tier, and append and page blobs have none."""
    rules = account.lifecycle_rules
    if not isinstance(rules, Present):
        return rules
    tiering = [rule for rule in rules.value if rule.enabled and any(_cooler_tiers(rule))]
    if not tiering:
        return ABSENT
    possible = azure_circumstances(account, None).tiers
    idle = [one.name for one in tiering if possible == _NO or not reaches_block_blobs(one)]
    return _or_unread(tuple(idle), first_unreadable(possible))


def _hasty_rules(rules: Fact[tuple[LifecycleRule, ...]]) -> Words:
    if not isinstance(rules, Present):
        return rules
    tiering = [rule for rule in rules.value if rule.enabled and any(_cooler_tiers(rule))]
    hasty = tuple(rule.name for rule in tiering if _is_hasty(rule.actions))
    return Present(hasty) if tiering else ABSENT


def _is_hasty(actions: Iterable[LifecycleAction]) -> bool:
    """Whether what a rule does next comes too soon, to data of one kind that ages by one clock."""
    aged = [(one, one.after_days) for one in actions if one.after_days is not None]
    alike: dict[tuple[str, str], list[tuple[float, str]]] = {}
    for one, days in aged:
        alike.setdefault((one.subject, one.basis), []).append((days, one.storage_class or ""))
    return any(
        0 < later - days < _MINIMUM_DAYS.get(tier.lower(), 0)
        for steps in alike.values()
        for (days, tier), (later, _) in pairwise(sorted(steps))
    )


def _cooler_tiers(rule: LifecycleRule) -> Iterator[str]:
    for action in rule.actions:
        if action.effect is RuleEffect.TRANSITION and not is_hot(action.storage_class):
            yield action.storage_class or ""


def _never_archived(account: AzureStorageAccountFacts) -> Words:
    """A policy cannot archive blobs of an encryption scope (lifecycle management policies)."""
    rules = account.lifecycle_rules
    if not isinstance(rules, Present):
        return rules
    archiving = [
        one for one in rules.value if one.enabled and any(map(is_archive, _cooler_tiers(one)))
    ]
    if not archiving:
        return ABSENT
    scoped = _scoped(account.containers)
    found = [name for name in scoped if any(matched_containers(one, (name,)) for one in archiving)]
    return _or_unread(tuple(found), first_unreadable(live_containers(account)))


def _scoped(containers: Fact[tuple[BlobContainer, ...]]) -> tuple[str, ...]:
    listed: Iterable[BlobContainer] = containers.value if isinstance(containers, Present) else ()
    return tuple(one.name for one in listed if one.default_encryption_scope and not one.deleted)


def _unlocked(retentions: Fact[tuple[ContainerRetention, ...]]) -> Words:
    if not isinstance(retentions, Present):
        return retentions
    known = [one for one in retentions.value if one.state is not None]
    codes = [one.code for one in retentions.value if one.state is None]
    open_ones = tuple(one.container for one in known if (one.state or "").lower() != _LOCKED)
    return _or_unread(open_ones, Unreadable(codes[0]) if codes else None)


def _restore_gaps(account: AzureStorageAccountFacts) -> Words:
    """Restoring needs versions, their change feed, and deleted blobs for longer than its days
    (Azure, point-in-time restore: prerequisites).
    """
    promised = account.restore_days
    if not isinstance(promised, Present):
        return promised
    days = promised.value
    kept = mapped(account.blob_soft_delete_days, lambda found: found > days)
    fed = account.change_feed_days
    feed_lasts = value_or(mapped(fed, lambda found: found >= days), True)
    feed = _feed(account)
    return _missing(
        {
            "soft_delete": value_or(kept, False),
            "versioning": _versions(account),
            "change_feed": feed_lasts if feed == _YES else feed,
        }
    )


def _inventory_gaps(account: AzureStorageAccountFacts) -> Words:
    listed = account.inventory_configurations
    if not isinstance(listed, Present):
        return listed
    enabled = [one for one in listed.value if one.enabled]
    if not enabled:
        return ABSENT
    return _missing(
        {
            "destination": _all_delivered(enabled, live_containers(account, with_system=True)),
            "versions": _tells_versions(enabled, _versions(account)),
        }
    )


def _all_delivered(
    enabled: list[InventoryConfiguration], containers: Fact[tuple[BlobContainer, ...]]
) -> Fact[bool]:
    names = mapped(containers, lambda found: {one.name for one in found})
    return mapped(names, lambda found: all(one.destination in found for one in enabled))


def _tells_versions(enabled: list[InventoryConfiguration], versions: Fact[bool]) -> Fact[bool]:
    """Where there are no versions, none need to be told."""
    if any(one.includes_versions for one in enabled):
        return _YES
    return mapped(versions, lambda are_kept: not are_kept)
