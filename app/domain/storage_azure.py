"""What follows from the facts of an Azure storage account, in the words of any object store.

Kinds, tiers and redundancy: Azure documentation, "Access tiers", "Storage redundancy", "Blob
versioning" and "Soft delete for blobs".
"""

from collections.abc import Iterable
from datetime import datetime

from app.domain.collecting import Provider
from app.domain.fact_sums import first_unreadable, mapped, reported, value_or
from app.domain.facts import ABSENT, Fact, Present, Unreadable
from app.domain.object_store import ObjectStoreFacts, RestPlace
from app.domain.storage_accounts import AzureStorageAccountFacts, BlobContainer
from app.domain.storage_lifecycle import Circumstances
from app.domain.storage_places import GEO_PAIR, place, rest_places
from app.domain.storage_retention import (
    KEPT_ALWAYS,
    KEPT_FOR_DAYS,
    NOT_KEPT,
    deletes_noncurrent_after_days,
)
from app.domain.storage_summary import (
    home_region,
    home_zone,
    inventory_enabled,
    lifecycle_facts,
    rest_region_ids,
)

_FILES_ONLY, _CLASSIC = "filestorage", "storage"
_SYSTEM_CONTAINERS = frozenset({"$logs", "$web", "$blobchangefeed"})
_ARCHIVE_SKUS = frozenset({"STANDARD_LRS", "STANDARD_GRS", "STANDARD_RAGRS"})
_OTHER_SKUS = frozenset({"STANDARD_ZRS", "STANDARD_GZRS", "STANDARD_RAGZRS"})
_TIER_IS_HOT = {"hot": True, "premium": True, "cool": False, "cold": False, "smart": False}
_KEYS = {"microsoft.storage": "provider_key", "microsoft.keyvault": "customer_key"}
_NO: Fact[bool] = Present(False)
_YES: Fact[bool] = Present(True)


def azure_circumstances(account: AzureStorageAccountFacts, now: datetime | None) -> Circumstances:
    """What lifecycle rules can do in this account."""
    tiers = _tiers(account)
    return Circumstances(
        provider=Provider.AZURE,
        tiers=tiers,
        archive=_archive(account, tiers),
        last_access=value_or(account.last_access_tracking_enabled, False),
        containers=mapped(live_containers(account), lambda found: tuple(one.name for one in found)),
        now=now,
    )


def azure_object_store(account: AzureStorageAccountFacts, now: datetime | None) -> ObjectStoreFacts:
    """The derived facts of one account."""
    at = azure_circumstances(account, now)
    places = rest_places(
        Provider.AZURE, account.primary_region, _geo_pair(account), account.replication_rules
    )
    kept = _kept(account)
    return ObjectStoreFacts(
        versioning_on=value_or(account.versioning_enabled, False),
        versioning_possible=_versioning_possible(account),
        recovery_alternatives=_recovery_alternatives(account),
        deleted_data_kept=kept,
        deleted_data_kept_days=_kept_days(account, kept),
        **lifecycle_facts(account.lifecycle_rules, at),
        default_tier_is_hot=_default_tier_is_hot(account),
        last_access_known=at.last_access,
        tiering_possible=at.tiers,
        archive_possible=at.archive,
        rest_places=places,
        rest_region_ids=rest_region_ids(places),
        home_region=home_region(places),
        home_zone=home_zone(places),
        encryption=_word(account.encryption_key_source, _KEYS, "UnknownKeySource"),
        publicly_readable=_publicly_readable(account),
        anonymous_access_blocked=_anonymous_access_blocked(account),
        inventory_enabled=inventory_enabled(account.inventory_configurations),
        holds_objects=mapped(account.account_kind, lambda kind: kind.lower() != _FILES_ONLY),
    )


def _tiers(account: AzureStorageAccountFacts) -> Fact[bool]:
    """Premium, classic and file accounts have no cooler tiers."""
    kind, sku = reported(account.account_kind), reported(_sku(account))
    if isinstance(kind, Present) and kind.value.lower() in (_FILES_ONLY, _CLASSIC):
        return _NO
    if isinstance(sku, Present) and sku.value.startswith("PREMIUM"):
        return _NO
    return first_unreadable(kind, sku) or _YES


def _archive(account: AzureStorageAccountFacts, tiers: Fact[bool]) -> Fact[bool]:
    """Archive exists with LRS, GRS and RA-GRS, not with zone redundancy."""
    sku = _sku(account)
    if tiers != _YES or not isinstance(sku, Present):
        return tiers
    if sku.value in _ARCHIVE_SKUS:
        return _YES
    return _NO if sku.value in _OTHER_SKUS else Unreadable(f"UnknownSku {sku.value}")


def _sku(account: AzureStorageAccountFacts) -> Fact[str]:
    return mapped(account.sku_name, lambda name: name.upper().replace("-", ""))


def _word(source: Fact[str], meaning: dict[str, str], unknown: str) -> Fact[str]:
    if not isinstance(source, Present):
        return source
    found = meaning.get(source.value.lower())
    return Present(found) if found else Unreadable(f"{unknown} {source.value}")


def live_containers(
    account: AzureStorageAccountFacts, *, with_system: bool = False
) -> Fact[tuple[BlobContainer, ...]]:
    """Containers that hold data of ours; unreadable when the list was cut."""
    listed = account.containers
    if not isinstance(listed, Present):
        return listed
    count = account.container_count
    if isinstance(count, Present) and count.value > len(listed.value):
        return Unreadable("Truncated")
    if with_system:
        return Present(tuple(one for one in listed.value if not one.deleted))
    return Present(_own(listed.value))


def _own(containers: Iterable[BlobContainer]) -> tuple[BlobContainer, ...]:
    return tuple(
        one for one in containers if not one.deleted and one.name not in _SYSTEM_CONTAINERS
    )


def _default_tier_is_hot(account: AzureStorageAccountFacts) -> Fact[bool]:
    """Accounts that report no default tier have no cooler one to land in."""
    tier = value_or(account.access_tier, "Hot")
    if not isinstance(tier, Present):
        return tier
    hot = _TIER_IS_HOT.get(tier.value.lower())
    return Unreadable(f"UnknownTier {tier.value}") if hot is None else Present(hot)


def _versioning_possible(account: AzureStorageAccountFacts) -> Fact[bool]:
    """A hierarchical namespace refuses versions, but what the account reports comes first."""
    if account.versioning_enabled == _YES:
        return _YES
    kind = reported(account.account_kind)
    if isinstance(kind, Present) and kind.value.lower() in (_FILES_ONLY, _CLASSIC):
        return _NO
    namespace = value_or(account.hierarchical_namespace, False)
    if namespace == _YES:
        return _NO
    return first_unreadable(namespace, kind) or _YES


def _recovery_alternatives(account: AzureStorageAccountFacts) -> Fact[tuple[str, ...]]:
    """What is known to protect; unreadable only when nothing does and something was not read."""
    containers = live_containers(account)
    protections = {
        "soft_delete": isinstance(account.blob_soft_delete_days, Present),
        "point_in_time_restore": isinstance(account.restore_days, Present),
        "immutability": isinstance(containers, Present) and _all_immutable(containers.value),
    }
    found = tuple(name for name, known in protections.items() if known)
    unread = first_unreadable(account.blob_soft_delete_days, account.restore_days, containers)
    return unread if unread and not found else Present(found)


def _all_immutable(containers: tuple[BlobContainer, ...]) -> bool:
    return bool(containers) and all(
        one.has_immutability_policy or one.has_legal_hold for one in containers
    )


def _kept(account: AzureStorageAccountFacts) -> Fact[str]:
    """Versions keep deleted blobs unless a rule removes them by their age, which is not the age
    of the deletion; then only soft delete gives time."""
    versioning = value_or(account.versioning_enabled, False)
    if isinstance(versioning, Unreadable):
        return versioning
    rules = account.lifecycle_rules
    if versioning == _YES:
        if isinstance(rules, Unreadable):
            return rules
        known = rules.value if isinstance(rules, Present) else ()
        if deletes_noncurrent_after_days(known) is None:
            return Present(KEPT_ALWAYS)
    return value_or(mapped(account.blob_soft_delete_days, lambda _: KEPT_FOR_DAYS), NOT_KEPT)


def _kept_days(account: AzureStorageAccountFacts, kept: Fact[str]) -> Fact[int]:
    if isinstance(kept, Unreadable):
        return kept
    return account.blob_soft_delete_days if kept == Present(KEPT_FOR_DAYS) else ABSENT


def _geo_pair(account: AzureStorageAccountFacts) -> tuple[RestPlace, ...]:
    """The geo-redundant copy, readable only with RA-GRS and RA-GZRS.

    Without a reported region there is no copy only if the redundancy is known to make none;
    otherwise it lies in an unknown region.
    """
    sku = _sku(account)
    name = sku.value if isinstance(sku, Present) else ""
    local = name.endswith(("LRS", "ZRS")) and not name.endswith("GZRS")
    if local and not isinstance(account.secondary_region, Present):
        return ()
    second = reported(account.secondary_region)
    return (place(Provider.AZURE, GEO_PAIR, second, readable="_RAG" in name),)


def _anonymous_access_blocked(account: AzureStorageAccountFacts) -> Fact[bool]:
    """By the account's switch or a closed public endpoint; an unset switch lets containers open."""
    network = account.public_network_access
    if isinstance(network, Present) and network.value.lower() == "disabled":
        return _YES
    return mapped(value_or(account.public_blob_access_allowed, True), lambda allowed: not allowed)


def _publicly_readable(account: AzureStorageAccountFacts) -> Fact[bool]:
    blocked = _anonymous_access_blocked(account)
    if blocked == _YES:
        return _NO
    containers = account.containers
    listed = _own(containers.value) if isinstance(containers, Present) else ()
    is_open = any(one.public_access.lower() not in ("", "none") for one in listed)
    if is_open:
        return _YES if blocked == _NO else blocked
    complete = live_containers(account)
    return complete if isinstance(complete, Unreadable) else _NO
