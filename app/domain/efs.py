"""Amazon EFS as it reports itself: file systems, what cools, what is copied where."""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from app.domain.facts import Fact, FactDocument, fact

_LIST = "efs:DescribeFileSystems"
_LIFECYCLE = "efs:DescribeLifecycleConfiguration"


@dataclass(frozen=True, slots=True)
class EfsReplication:
    """A file system that this one is replicated to.

    `account_id` None: the same account. `status` in EFS's word, such as ENABLED, PAUSED or ERROR.
    """

    file_system_id: str
    region_id: str
    account_id: str | None
    status: str
    last_replicated_at: datetime | None


@dataclass(frozen=True, slots=True)
class EfsFileSystemFacts(FactDocument):
    """An Amazon EFS file system."""

    KIND: ClassVar[str] = "efs_file_system"
    AREA: ClassVar[str] = "file_systems"

    file_system_region: Fact[str] = fact("Region of the file system.", _LIST)
    lifecycle: Fact[str] = fact("available, creating, updating, deleting or error.", _LIST)
    size_bytes: Fact[int] = fact("Bytes that it holds, as last metered.", _LIST)
    size_in_standard_bytes: Fact[int] = fact("Of these in the class Standard.", _LIST)
    size_in_infrequent_access_bytes: Fact[int] = fact(
        "Of these in the class Infrequent Access.", _LIST
    )
    size_in_archive_bytes: Fact[int] = fact("Of these in the class Archive.", _LIST)
    performance_mode: Fact[str] = fact("generalPurpose or maxIO.", _LIST)
    throughput_mode: Fact[str] = fact("bursting, provisioned or elastic.", _LIST)
    provisioned_throughput_mib_per_second: Fact[float] = fact(
        "Provisioned throughput; absent in the other modes.", _LIST
    )
    encryption_enabled: Fact[bool] = fact("Bytes are encrypted at rest.", _LIST)
    kms_key_id: Fact[str] = fact("KMS key in use.", _LIST)
    key_manager: Fact[str] = fact("Whose key that is: AWS or CUSTOMER.", "kms:DescribeKey")
    availability_zone: Fact[str] = fact(
        "The one zone that it lies in; absent for a Regional one.", _LIST
    )
    mount_target_count: Fact[int] = fact("Addresses that it can be mounted by.", _LIST)
    replication_overwrite_protection: Fact[str] = fact(
        "ENABLED, DISABLED, or REPLICATING when it is filled by replication alone.", _LIST
    )
    replications: Fact[tuple[EfsReplication, ...]] = fact(
        "File systems that it is replicated to.", "efs:DescribeReplicationConfigurations"
    )
    transition_to_infrequent_access: Fact[str] = fact(
        "When unread files go to Infrequent Access, such as AFTER_30_DAYS.", _LIFECYCLE
    )
    transition_to_archive: Fact[str] = fact("When unread files go to Archive.", _LIFECYCLE)
    transition_to_standard: Fact[str] = fact(
        "AFTER_1_ACCESS when files come back as they are read.", _LIFECYCLE
    )
    backup_policy_status: Fact[str] = fact(
        "ENABLED, ENABLING, DISABLED or DISABLING: the automatic backups of EFS.",
        "efs:DescribeBackupPolicy",
    )
