"""Every call that this collector makes: its IAM action, what it feeds, and what means "none"."""

from collections.abc import Mapping
from types import MappingProxyType

from app.collectors.aws_keys import KEYS_OPERATION
from app.collectors.aws_reading import Listing
from app.domain.collecting import Operation

FILE_SYSTEMS = "efs:DescribeFileSystems"
LIFECYCLE = "efs:DescribeLifecycleConfiguration"
REPLICATIONS = "efs:DescribeReplicationConfigurations"
BACKUPS = "efs:DescribeBackupPolicy"

# IAM knows EFS by its older name (Service Authorization Reference for Amazon EFS).
OPERATIONS = (
    Operation(
        FILE_SYSTEMS,
        "elasticfilesystem:DescribeFileSystems",
        (
            "file_system_region",
            "lifecycle",
            "size_bytes",
            "size_in_standard_bytes",
            "size_in_infrequent_access_bytes",
            "size_in_archive_bytes",
            "performance_mode",
            "throughput_mode",
            "provisioned_throughput_mib_per_second",
            "encryption_enabled",
            "kms_key_id",
            "availability_zone",
            "mount_target_count",
            "replication_overwrite_protection",
        ),
        "Lists the file systems with their sizes, settings and tags.",
    ),
    Operation(
        REPLICATIONS,
        "elasticfilesystem:DescribeReplicationConfigurations",
        ("replications",),
        "Where copies of whole file systems lie.",
    ),
    Operation(
        LIFECYCLE,
        "elasticfilesystem:DescribeLifecycleConfiguration",
        ("transition_to_infrequent_access", "transition_to_archive", "transition_to_standard"),
        "What cools, and when.",
    ),
    Operation(
        BACKUPS,
        "elasticfilesystem:DescribeBackupPolicy",
        ("backup_policy_status",),
        "Whether automatic backups are on.",
    ),
    KEYS_OPERATION,
)

FILE_SYSTEM_LIST = Listing(
    FILE_SYSTEMS,
    "FileSystems",
    token="Marker",  # noqa: S106 - a parameter's name
    next_token="NextMarker",  # noqa: S106 - a parameter's name
    params={"MaxItems": 100},
)
REPLICATION_LIST = Listing(REPLICATIONS, "Replications", params={"MaxResults": 100})

NO_REPLICATION = "ReplicationNotFound"
ABSENT_CODES: Mapping[str, frozenset[str]] = MappingProxyType(
    {BACKUPS: frozenset({"PolicyNotFound"}), REPLICATIONS: frozenset({NO_REPLICATION})}
)
