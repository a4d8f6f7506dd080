"""EFS's words into ours. Pure: answers as botocore parses them in, values by fact name out.

None states that there is none.
"""

from collections.abc import Mapping
from typing import Any

from app.domain.efs import EfsReplication
from app.domain.quantities import amount, size_bytes

Answer = Mapping[str, Any]


def file_system(row: Answer) -> Answer:
    """An entry of DescribeFileSystems; all but the region, which is that of the call."""
    sizes, throughput = row["SizeInBytes"], row.get("ProvisionedThroughputInMibps")
    return {
        "lifecycle": row["LifeCycleState"],
        "size_bytes": size_bytes(sizes["Value"]),
        "size_in_standard_bytes": size_bytes(sizes.get("ValueInStandard")),
        "size_in_infrequent_access_bytes": size_bytes(sizes.get("ValueInIA")),
        "size_in_archive_bytes": size_bytes(sizes.get("ValueInArchive")),
        "performance_mode": row["PerformanceMode"],
        "throughput_mode": row.get("ThroughputMode"),
        "provisioned_throughput_mib_per_second": None if throughput is None else amount(throughput),
        "encryption_enabled": row["Encrypted"],
        "kms_key_id": row.get("KmsKeyId"),
        "availability_zone": row.get("AvailabilityZoneName"),
        "mount_target_count": row["NumberOfMountTargets"],
        "replication_overwrite_protection": row.get("FileSystemProtection", {}).get(
            "ReplicationOverwriteProtection"
        ),
    }


def lifecycle(answer: Answer) -> Answer:
    """DescribeLifecycleConfiguration: each policy of the list has one member."""
    words: dict[str, Any] = {}
    for policy in answer["LifecyclePolicies"]:
        words.update(policy)
    return {
        "transition_to_infrequent_access": words.get("TransitionToIA"),
        "transition_to_archive": words.get("TransitionToArchive"),
        "transition_to_standard": words.get("TransitionToPrimaryStorageClass"),
    }


def backup_policy(answer: Answer) -> Answer:
    """DescribeBackupPolicy."""
    return {"backup_policy_status": answer["BackupPolicy"]["Status"]}


def replications(answer: Answer, file_system_id: str, account_id: str) -> Answer:
    """Where one file system is copied to, out of all replications of a region.

    The list also names those of which the file system is the destination.
    """
    found = [
        _destination(destination, account_id)
        for row in answer["Replications"]
        if row["SourceFileSystemId"] == file_system_id
        for destination in row["Destinations"]
    ]
    return {"replications": tuple(found) or None}


def _destination(row: Answer, account_id: str) -> EfsReplication:
    owner = row.get("OwnerId")
    return EfsReplication(
        file_system_id=row["FileSystemId"],
        region_id=row["Region"],
        account_id=None if owner in (None, account_id) else owner,
        status=row["Status"],
        last_replicated_at=row.get("LastReplicatedTimestamp"),
    )
