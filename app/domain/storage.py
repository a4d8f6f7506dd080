"""Object storage as the clouds report it: what both have in common, and facts of S3 buckets.

Provider words are kept where they are data (storage classes, SKU names); names are ours.
Facts of Azure accounts: `storage_accounts.py`. What follows from these facts is worked out in
`storage_lifecycle.py` and `storage_places.py`.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import ClassVar

from app.domain.facts import Fact, FactDocument, fact
from app.domain.s3_settings import IntelligentTiering, MetadataTable


class AgeBasis(StrEnum):
    """From when a rule counts days.

    S3 counts from creation, for old versions from their replacement and for unfinished uploads
    from their start; Azure from any of the first four.
    """

    CREATION = "creation"
    MODIFICATION = "modification"
    LAST_ACCESS = "last_access"
    LAST_TIER_CHANGE = "last_tier_change"
    REPLACEMENT = "replacement"
    START = "start"


class RuleSubject(StrEnum):
    """Which objects an action touches."""

    CURRENT = "current"
    NONCURRENT = "noncurrent"
    SNAPSHOT = "snapshot"


class RuleEffect(StrEnum):
    """What an action does."""

    TRANSITION = "transition"
    DELETE = "delete"
    ABORT_MULTIPART = "abort_multipart"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class LifecycleAction:
    """One action: effect, on which objects, after how many days of which age.

    `after_days` None: a fixed date (`on_date`) or no age condition. `storage_class` is the
    provider's word (GLACIER_IR, Cool), None for a deletion. `newer_versions_kept`: this many
    noncurrent versions are spared, however old; None when the rule spares none.
    """

    effect: RuleEffect
    subject: RuleSubject
    basis: AgeBasis
    after_days: float | None
    storage_class: str | None = None
    on_date: datetime | None = None
    newer_versions_kept: int | None = None


@dataclass(frozen=True, slots=True)
class LifecycleRule:
    """One rule with its whole filter; an empty tuple of prefixes matches everything.

    S3 prefixes are relative to the bucket; Azure prefixes begin with the container's name.
    `minimum_size_bytes` / `maximum_size_bytes`: only objects larger / smaller than this (both
    exclusive), None when the rule has no such filter. `blob_types` is empty for S3.
    """

    name: str
    enabled: bool
    prefixes: tuple[str, ...]
    tags: dict[str, str]
    minimum_size_bytes: int | None
    maximum_size_bytes: int | None
    blob_types: tuple[str, ...]
    actions: tuple[LifecycleAction, ...]


@dataclass(frozen=True, slots=True)
class ReplicationRule:
    """One rule that copies objects elsewhere; a disabled rule's old copies still lie there.

    `destination_region_id` is None when the destination could not be read
    (`destination_code` then says why); `destination_account_id` None: the same account.
    """

    name: str
    enabled: bool
    prefix: str
    destination: str
    destination_account_id: str | None
    destination_region_id: str | None
    destination_code: str
    storage_class: str | None


@dataclass(frozen=True, slots=True)
class InventoryConfiguration:
    """One configured object inventory, and the bucket or container that it is written to."""

    name: str
    enabled: bool
    frequency: str
    format: str
    prefix: str
    includes_versions: bool
    destination: str


@dataclass(frozen=True, slots=True)
class S3BucketFacts(FactDocument):
    """An S3 general purpose bucket."""

    KIND: ClassVar[str] = "s3_bucket"
    AREA: ClassVar[str] = "storage"

    bucket_region: Fact[str] = fact("Region of the bucket.", "s3:GetBucketLocation")
    versioning_status: Fact[str] = fact(
        "Enabled or Suspended; absent when it was never switched on.", "s3:GetBucketVersioning"
    )
    mfa_delete: Fact[bool] = fact("MFA delete is on.", "s3:GetBucketVersioning")
    lifecycle_rules: Fact[tuple[LifecycleRule, ...]] = fact(
        "Lifecycle rules, disabled ones too.", "s3:GetBucketLifecycleConfiguration"
    )
    transition_default_minimum_object_size: Fact[str] = fact(
        "all_storage_classes_128K or varies_by_storage_class.",
        "s3:GetBucketLifecycleConfiguration",
    )
    replication_rules: Fact[tuple[ReplicationRule, ...]] = fact(
        "Replication rules with their destinations.", "s3:GetBucketReplication"
    )
    encryption_algorithm: Fact[str] = fact(
        "Default encryption: AES256, aws:kms or aws:kms:dsse.", "s3:GetBucketEncryption"
    )
    encryption_key_id: Fact[str] = fact("KMS key in use.", "s3:GetBucketEncryption")
    public_access_block: Fact[tuple[str, ...]] = fact(
        "Switches of the bucket's own public access block that are on, in S3's words.",
        "s3:GetPublicAccessBlock",
    )
    account_public_access_block: Fact[tuple[str, ...]] = fact(
        "Switches that are on for all buckets of the account; S3 applies both together.",
        "s3control:GetPublicAccessBlock",
    )
    policy_is_public: Fact[bool] = fact(
        "The bucket policy grants public access.", "s3:GetBucketPolicyStatus"
    )
    object_lock_enabled: Fact[bool] = fact("Object Lock is on.", "s3:GetObjectLockConfiguration")
    object_lock_mode: Fact[str] = fact(
        "Default retention mode: GOVERNANCE or COMPLIANCE.", "s3:GetObjectLockConfiguration"
    )
    object_lock_days: Fact[int] = fact(
        "Default retention in days.", "s3:GetObjectLockConfiguration"
    )
    inventory_configurations: Fact[tuple[InventoryConfiguration, ...]] = fact(
        "Inventory configurations.", "s3:ListBucketInventoryConfigurations"
    )
    bucket_tags: Fact[dict[str, str]] = fact("Tags of the bucket.", "s3:GetBucketTagging")
    intelligent_tiering: Fact[tuple[IntelligentTiering, ...]] = fact(
        "Archive tiers of the class INTELLIGENT_TIERING.",
        "s3:ListBucketIntelligentTieringConfigurations",
    )
    metadata_tables: Fact[tuple[MetadataTable, ...]] = fact(
        "Tables that S3 Metadata keeps about the objects.", "s3:GetBucketMetadataConfiguration"
    )
    metadata_table_bucket: Fact[str] = fact(
        "ARN of the table bucket that holds them.", "s3:GetBucketMetadataConfiguration"
    )
    unfinished_upload_count: Fact[int] = fact(
        "Unfinished multipart uploads that were listed, at most 1,000: there are at least as many.",
        "s3:ListMultipartUploads",
    )
    unfinished_uploads_listed_whole: Fact[bool] = fact(
        "There are no more than those listed.", "s3:ListMultipartUploads"
    )
    oldest_listed_upload_at: Fact[datetime] = fact(
        "When the oldest of those listed was begun; absent without any.",
        "s3:ListMultipartUploads",
    )
