"""Every call that this collector makes: its IAM action, what it feeds, and what means "none"."""

from collections.abc import Mapping
from types import MappingProxyType

from app.collectors.aws_reading import Listing
from app.domain.collecting import Operation

LIST_POINTS = "s3control:ListAccessPoints"
GET_POINT = "s3control:GetAccessPoint"
POLICY_STATUS = "s3control:GetAccessPointPolicyStatus"
ACCOUNT_BLOCK = "s3control:GetPublicAccessBlock"
LIST_DIRECTORY = "s3:ListDirectoryBuckets"
ENCRYPTION = "s3:GetBucketEncryption"
LIFECYCLE = "s3:GetBucketLifecycleConfiguration"
LIST_LENS = "s3control:ListStorageLensConfigurations"
GET_LENS = "s3control:GetStorageLensConfiguration"

# S3 Control is one more API of the service that IAM calls s3; directory buckets are s3express
# (Service Authorization Reference, Amazon S3 and Amazon S3 Express).
OPERATIONS = (
    Operation(
        LIST_POINTS,
        "s3:ListAccessPoints",
        ("network_origin", "vpc_id", "bucket_name", "bucket_account_id", "data_source_type"),
        "Which other doors lead to the buckets.",
    ),
    Operation(
        GET_POINT,
        "s3:GetAccessPoint",
        ("public_access_block",),
        "Whether anonymous access through a door is shut off.",
    ),
    Operation(
        POLICY_STATUS,
        "s3:GetAccessPointPolicyStatus",
        ("policy_is_public",),
        "Whether the policy of a door lets everybody in.",
    ),
    Operation(
        ACCOUNT_BLOCK,
        "s3:GetAccountPublicAccessBlock",
        ("account_public_access_block",),
        "Whether anonymous access is shut off for the whole account; asked where there are doors.",
    ),
    Operation(
        LIST_DIRECTORY,
        "s3express:ListAllMyDirectoryBuckets",
        ("bucket_region", "zone_id"),
        "Lists the directory buckets, which ListBuckets leaves out.",
    ),
    Operation(
        ENCRYPTION,
        "s3express:GetEncryptionConfiguration",
        ("encryption_algorithm", "encryption_key_id"),
        "How new data of a directory bucket is encrypted.",
    ),
    Operation(
        LIFECYCLE,
        "s3express:GetLifecycleConfiguration",
        ("lifecycle_rules",),
        "What is deleted from a directory bucket, and when.",
    ),
    Operation(
        LIST_LENS,
        "s3:ListStorageLensConfigurations",
        ("home_region",),
        "Which figures of all buckets are collected.",
    ),
    Operation(
        GET_LENS,
        "s3:GetStorageLensConfiguration",
        (
            "lens_enabled",
            "advanced_metrics",
            "organization_arn",
            "included_regions",
            "excluded_regions",
            "included_buckets",
            "excluded_buckets",
            "export_bucket",
            "export_account_id",
            "export_format",
        ),
        "What they cover, and where they are written to.",
    ),
)

# The error that states an absence, one per call.
ABSENT_CODES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        POLICY_STATUS: frozenset({"NoSuchAccessPointPolicy"}),
        ACCOUNT_BLOCK: frozenset({"NoSuchPublicAccessBlockConfiguration"}),
        ENCRYPTION: frozenset({"ServerSideEncryptionConfigurationNotFoundError"}),
        LIFECYCLE: frozenset({"NoSuchLifecycleConfiguration"}),
    }
)
# Many regions have no directory buckets and no host that could say so (Amazon S3 user guide,
# S3 Express One Zone Availability Zones and Regions).
NOT_EVERYWHERE = frozenset({LIST_DIRECTORY})

POINTS = Listing(
    LIST_POINTS,
    "AccessPointList",
    # By default those to file systems are left out.
    params={"MaxResults": 1000, "DataSourceType": "ALL"},
    may_lack=True,
)
DIRECTORY_BUCKETS = Listing(
    LIST_DIRECTORY,
    "Buckets",
    token="ContinuationToken",  # noqa: S106 - a parameter's name
    params={"MaxDirectoryBuckets": 1000},
    may_lack=True,
)
LENSES = Listing(LIST_LENS, "StorageLensConfigurationList", may_lack=True)
