"""Every call that this collector makes: its IAM action, what it feeds, and what means "none"."""

from collections.abc import Mapping
from types import MappingProxyType

from app.collectors.aws_s3 import configurations, mapping
from app.collectors.aws_s3_words import encryption
from app.domain.collecting import Operation
from app.domain.replies import Parse

WHO = "sts:GetCallerIdentity"
LIST = "s3:ListBuckets"
LOCATION = "s3:GetBucketLocation"
REPLICATION = "s3:GetBucketReplication"
INVENTORY = "s3:ListBucketInventoryConfigurations"
TIERING = "s3:ListBucketIntelligentTieringConfigurations"
METADATA = "s3:GetBucketMetadataConfiguration"
UPLOADS = "s3:ListMultipartUploads"
ACCOUNT_BLOCK = "s3control:GetPublicAccessBlock"

# IAM names a right differently from the call in half of the cases (Service Authorization
# Reference for Amazon S3).
OPERATIONS = (
    Operation(WHO, WHO, (), "Names the account; AWS grants it to everybody."),
    Operation(LIST, "s3:ListAllMyBuckets", (), "Lists the buckets and when they were made."),
    Operation(
        LOCATION,
        "s3:GetBucketLocation",
        ("bucket_region",),
        "Where a bucket lies, and the destinations of replication.",
    ),
    Operation(
        "s3:GetBucketVersioning",
        "s3:GetBucketVersioning",
        ("versioning_status", "mfa_delete"),
        "Whether overwritten data is kept.",
    ),
    Operation(
        "s3:GetBucketLifecycleConfiguration",
        "s3:GetLifecycleConfiguration",
        ("lifecycle_rules", "transition_default_minimum_object_size"),
        "What cools and what is deleted, and when.",
    ),
    Operation(
        REPLICATION,
        "s3:GetReplicationConfiguration",
        ("replication_rules",),
        "Where copies are sent.",
    ),
    Operation(
        "s3:GetBucketEncryption",
        "s3:GetEncryptionConfiguration",
        ("encryption_algorithm", "encryption_key_id"),
        "How new data is encrypted.",
    ),
    Operation(
        "s3:GetPublicAccessBlock",
        "s3:GetBucketPublicAccessBlock",
        ("public_access_block",),
        "Whether anonymous access is shut off.",
    ),
    Operation(
        ACCOUNT_BLOCK,
        "s3:GetAccountPublicAccessBlock",
        ("account_public_access_block",),
        "Whether anonymous access is shut off for the whole account.",
    ),
    Operation(
        "s3:GetBucketPolicyStatus",
        "s3:GetBucketPolicyStatus",
        ("policy_is_public",),
        "Whether the bucket policy lets everybody in.",
    ),
    Operation(
        "s3:GetObjectLockConfiguration",
        "s3:GetBucketObjectLockConfiguration",
        ("object_lock_enabled", "object_lock_mode", "object_lock_days"),
        "Whether data is protected from deletion.",
    ),
    Operation(
        "s3:GetBucketTagging",
        "s3:GetBucketTagging",
        ("bucket_tags",),
        "Owner, purpose and residency as tagged.",
    ),
    Operation(
        INVENTORY,
        "s3:GetInventoryConfiguration",
        ("inventory_configurations",),
        "Whether the objects are listed regularly.",
    ),
    Operation(
        TIERING,
        "s3:GetIntelligentTieringConfiguration",
        ("intelligent_tiering",),
        "What Intelligent-Tiering archives, and when.",
    ),
    Operation(
        METADATA,
        "s3:GetBucketMetadataTableConfiguration",
        ("metadata_tables", "metadata_table_bucket"),
        "Whether the objects can be asked for as a table, and whether that works.",
    ),
    Operation(
        UPLOADS,
        "s3:ListBucketMultipartUploads",
        (
            "unfinished_upload_count",
            "unfinished_uploads_listed_whole",
            "oldest_listed_upload_at",
        ),
        "Parts of uploads that were never finished and are paid for; one page.",
    ),
)
BY_NAME = MappingProxyType({operation.name: operation for operation in OPERATIONS})

# Asked of each bucket in this order, after its location.
PARSERS: Mapping[str, Parse] = MappingProxyType(
    {
        "s3:GetBucketVersioning": mapping.versioning,
        "s3:GetBucketLifecycleConfiguration": mapping.lifecycle,
        "s3:GetBucketEncryption": encryption,
        "s3:GetPublicAccessBlock": mapping.public_access_block,
        "s3:GetBucketPolicyStatus": mapping.policy_status,
        "s3:GetObjectLockConfiguration": mapping.object_lock,
        "s3:GetBucketTagging": mapping.tagging,
        INVENTORY: mapping.inventory,
        TIERING: configurations.intelligent_tiering,
        METADATA: configurations.metadata_tables,
        UPLOADS: configurations.unfinished_uploads,
    }
)

# The error that states an absence, one per call; every other error says nothing of the bucket.
ABSENT_CODES: Mapping[str, str] = MappingProxyType(
    {
        "s3:GetBucketLifecycleConfiguration": "NoSuchLifecycleConfiguration",
        REPLICATION: "ReplicationConfigurationNotFoundError",
        "s3:GetBucketEncryption": "ServerSideEncryptionConfigurationNotFoundError",
        "s3:GetPublicAccessBlock": "NoSuchPublicAccessBlockConfiguration",
        ACCOUNT_BLOCK: "NoSuchPublicAccessBlockConfiguration",
        "s3:GetBucketPolicyStatus": "NoSuchBucketPolicy",
        "s3:GetObjectLockConfiguration": "ObjectLockConfigurationNotFoundError",
        "s3:GetBucketTagging": "NoSuchTagSet",
        METADATA: "MetadataConfigurationNotFound",
    }
)
