"""What follows from the facts of any object store, in the same words for every cloud.

One `ObjectStoreFacts` is derived per bucket or account and stored with it; policies, lists and
reports read these names. A derived fact is unreadable when an input it needs is unreadable.
"""

from dataclasses import dataclass
from typing import ClassVar

from app.domain.facts import Fact, FactDocument, fact


@dataclass(frozen=True, slots=True)
class RestPlace:
    """A region where bytes of this store rest. `region_id` is None when it could not be read.

    `role`: primary, geo_pair or replica; member, of a group of equals. `jurisdiction`: ISO 3166-1
    country; `zone`: EU, EFTA or that country; both None when the region is unknown. `readable`: the
    copy can be read where it lies. `prefix`: which objects. `code`: why the region is not known; a
    replica without a `store` says that the replication rules themselves could not be read.
    """

    role: str
    region_id: str | None
    jurisdiction: str | None
    zone: str | None
    readable: bool
    store: str
    account_id: str | None
    prefix: str
    code: str


@dataclass(frozen=True, slots=True)
class RuleJudgement:
    """Why one lifecycle rule does or does not cool all current objects.

    `code` is set when that could not be found out. Objects below `skips_below_bytes` never move
    by this rule. `matched_containers`: containers that the rule touches (Azure), wanted or not.
    """

    name: str
    counts: bool
    reason: str
    after_days: float | None
    code: str = ""
    skips_below_bytes: int | None = None
    matched_containers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ObjectStoreFacts(FactDocument):
    """Derived facts of an object store; the prefix is the whole store."""

    KIND: ClassVar[str] = "object_store"

    versioning_on: Fact[bool] = fact("Overwritten data is kept as versions.", "derived")
    versioning_possible: Fact[bool] = fact(
        "This kind of store can keep versions at all.", "derived"
    )
    recovery_alternatives: Fact[tuple[str, ...]] = fact(
        "Other protections: soft_delete, object_lock, point_in_time_restore, immutability.",
        "derived",
    )
    deleted_data_kept_days: Fact[int] = fact(
        "Days that deleted current data can still be recovered; absent unless kept for days.",
        "derived",
    )
    cools_after_days: Fact[float] = fact(
        "Age at which all current objects of 128 KiB and more have left the hot tier; absent when "
        "they never do.",
        "derived",
    )
    cooling_basis: Fact[str] = fact("What that age counts from.", "derived")
    cooling_skips_below_bytes: Fact[int] = fact(
        "Objects smaller than this never move; absent when all sizes move.", "derived"
    )
    default_tier_is_hot: Fact[bool] = fact("New data lands in the hot tier.", "derived")
    lifecycle_judgements: Fact[tuple[RuleJudgement, ...]] = fact(
        "Each lifecycle rule: does it count, and why.", "derived"
    )
    deletes_current_after_days: Fact[float] = fact(
        "Age at which an enabled rule deletes current data; absent when none does.", "derived"
    )
    deletes_everything: Fact[bool] = fact(
        "An enabled rule without prefix, tag or size deletes current data.", "derived"
    )
    uses_last_access: Fact[bool] = fact("An enabled rule counts from last access.", "derived")
    last_access_known: Fact[bool] = fact("Last access is tracked.", "derived")
    archives: Fact[bool] = fact("An enabled rule moves data to the archive tier.", "derived")
    archive_possible: Fact[bool] = fact(
        "Kind and redundancy of this store allow the archive tier.", "derived"
    )
    rest_places: Fact[tuple[RestPlace, ...]] = fact(
        "All regions where bytes of this store rest.", "derived"
    )
    home_zone: Fact[str] = fact("Legal zone of the primary region: EU, EFTA, US, …", "derived")
    encryption: Fact[str] = fact("none, provider_key or customer_key.", "derived")
    publicly_readable: Fact[bool] = fact(
        "Anonymous readers are possible under the present switches.", "derived"
    )
    inventory_enabled: Fact[bool] = fact("An object inventory is written.", "derived")
    holds_objects: Fact[bool] = fact("This store can hold objects or blobs at all.", "derived")
    home_region: Fact[str] = fact("Region of the primary copy.", "derived")
    deleted_data_kept: Fact[str] = fact(
        "Whether deleted current data can be recovered: always, for_days or no.", "derived"
    )
    anonymous_access_blocked: Fact[bool] = fact(
        "A switch of the store keeps anonymous readers out, whatever its containers say.",
        "derived",
    )
    tiering_possible: Fact[bool] = fact(
        "Kind and redundancy of this store have cooler tiers at all.", "derived"
    )
    rest_region_ids: Fact[tuple[str, ...]] = fact(
        "Known regions where bytes of this store rest, each once.", "derived"
    )
