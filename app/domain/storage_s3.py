"""What follows from the facts of an S3 bucket, in the words of any object store."""

from datetime import datetime
from math import floor

from app.domain.collecting import Provider
from app.domain.fact_sums import mapped, value_or
from app.domain.facts import ABSENT, Fact, Present, Unreadable
from app.domain.object_store import ObjectStoreFacts
from app.domain.storage import S3BucketFacts
from app.domain.storage_exposure import anonymous_access_blocked, publicly_readable
from app.domain.storage_lifecycle import Circumstances
from app.domain.storage_places import rest_places
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

_AWS_OWNED_KEY = "alias/aws/s3"


def s3_circumstances(bucket: S3BucketFacts, now: datetime | None) -> Circumstances:
    """What lifecycle rules can do in this bucket; S3 tracks no last access."""
    return Circumstances(
        Provider.AWS, small_objects=bucket.transition_default_minimum_object_size, now=now
    )


def s3_object_store(bucket: S3BucketFacts, now: datetime | None) -> ObjectStoreFacts:
    """The derived facts of one bucket."""
    places = rest_places(Provider.AWS, bucket.bucket_region, (), bucket.replication_rules)
    versioning_on = _versioning_on(bucket)
    kept_days = _kept_days(bucket, versioning_on)
    return ObjectStoreFacts(
        versioning_on=versioning_on,
        versioning_possible=Present(True),
        recovery_alternatives=mapped(
            value_or(bucket.object_lock_enabled, False),
            lambda locked: ("object_lock",) if locked else (),
        ),
        deleted_data_kept=_kept(versioning_on, kept_days),
        deleted_data_kept_days=kept_days,
        **lifecycle_facts(bucket.lifecycle_rules, s3_circumstances(bucket, now)),
        default_tier_is_hot=Present(True),
        last_access_known=Present(False),
        tiering_possible=Present(True),
        archive_possible=Present(True),
        rest_places=places,
        rest_region_ids=rest_region_ids(places),
        home_region=home_region(places),
        home_zone=home_zone(places),
        encryption=bucket_encryption(bucket.encryption_algorithm, bucket.encryption_key_id),
        publicly_readable=publicly_readable(bucket),
        anonymous_access_blocked=anonymous_access_blocked(bucket),
        inventory_enabled=inventory_enabled(bucket.inventory_configurations),
        holds_objects=Present(True),
    )


def _versioning_on(bucket: S3BucketFacts) -> Fact[bool]:
    """Suspended is off: new writes replace the `null` version."""
    return value_or(mapped(bucket.versioning_status, lambda status: status == "Enabled"), False)


def _kept_days(bucket: S3BucketFacts, versioning_on: Fact[bool]) -> Fact[int]:
    """Days until a lifecycle rule removes old versions; absent without such a rule or versions."""
    if versioning_on != Present(True):
        return versioning_on if isinstance(versioning_on, Unreadable) else ABSENT
    rules = bucket.lifecycle_rules
    if isinstance(rules, Unreadable):
        return rules
    days = deletes_noncurrent_after_days(rules.value if isinstance(rules, Present) else ())
    return ABSENT if days is None else Present(floor(days))


def _kept(versioning_on: Fact[bool], kept_days: Fact[int]) -> Fact[str]:
    if isinstance(kept_days, Unreadable):
        return kept_days
    if isinstance(kept_days, Present):
        return Present(KEPT_FOR_DAYS)
    return Present(KEPT_ALWAYS if versioning_on == Present(True) else NOT_KEPT)


def bucket_encryption(reported: Fact[str], key_id: Fact[str]) -> Fact[str]:
    """none, provider_key or customer_key, from the default encryption of a bucket.

    Buckets without a default answer "not found" only outside AWS, where nothing encrypts.
    """
    algorithm = value_or(reported, "")
    if not isinstance(algorithm, Present):
        return algorithm
    if algorithm.value in ("", "AES256"):
        return Present("provider_key" if algorithm.value else "none")
    if not algorithm.value.startswith("aws:kms"):
        return Unreadable(f"UnknownAlgorithm {algorithm.value}")
    key = value_or(key_id, _AWS_OWNED_KEY)
    return mapped(
        key, lambda name: "provider_key" if name.endswith(_AWS_OWNED_KEY) else "customer_key"
    )
