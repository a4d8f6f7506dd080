"""S3 directory buckets (S3 Express One Zone): fast stores that lie in one zone only."""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from app.domain.collecting import Provider
from app.domain.facts import ABSENT, Fact, FactDocument, Present, fact
from app.domain.object_store import ObjectStoreFacts
from app.domain.storage import LifecycleRule
from app.domain.storage_lifecycle import Circumstances
from app.domain.storage_places import rest_places
from app.domain.storage_retention import NOT_KEPT
from app.domain.storage_s3 import bucket_encryption
from app.domain.storage_summary import (
    home_region,
    home_zone,
    lifecycle_facts,
    rest_region_ids,
)

_LIST = "s3:ListDirectoryBuckets"


@dataclass(frozen=True, slots=True)
class S3DirectoryBucketFacts(FactDocument):
    """An S3 directory bucket."""

    KIND: ClassVar[str] = "s3_directory_bucket"
    AREA: ClassVar[str] = "storage"

    bucket_region: Fact[str] = fact("Region of the bucket.", _LIST)
    zone_id: Fact[str] = fact(
        "The one zone that holds all its bytes, which are lost with it; from its name.", _LIST
    )
    encryption_algorithm: Fact[str] = fact(
        "Default encryption: AES256 or aws:kms.", "s3:GetBucketEncryption"
    )
    encryption_key_id: Fact[str] = fact("KMS key in use.", "s3:GetBucketEncryption")
    lifecycle_rules: Fact[tuple[LifecycleRule, ...]] = fact(
        "Lifecycle rules, disabled ones too; they can only delete.",
        "s3:GetBucketLifecycleConfiguration",
    )


def directory_object_store(
    bucket: S3DirectoryBucketFacts, now: datetime | None
) -> ObjectStoreFacts:
    """The derived facts: no versions, no other tiers, no copies, never open to the public.

    These are fixed for the kind (Amazon S3 user guide, directory buckets: features and limits).
    """
    places = rest_places(Provider.AWS, bucket.bucket_region, (), ABSENT)
    at = Circumstances(Provider.AWS, small_objects=ABSENT, now=now)
    return ObjectStoreFacts(
        versioning_on=Present(False),
        versioning_possible=Present(False),
        recovery_alternatives=Present(()),
        deleted_data_kept=Present(NOT_KEPT),
        deleted_data_kept_days=ABSENT,
        **lifecycle_facts(bucket.lifecycle_rules, at),
        default_tier_is_hot=Present(True),
        last_access_known=Present(False),
        tiering_possible=Present(False),
        archive_possible=Present(False),
        rest_places=places,
        rest_region_ids=rest_region_ids(places),
        home_region=home_region(places),
        home_zone=home_zone(places),
        encryption=bucket_encryption(bucket.encryption_algorithm, bucket.encryption_key_id),
        publicly_readable=Present(False),
        anonymous_access_blocked=Present(True),
        inventory_enabled=Present(False),
        holds_objects=Present(True),
    )
