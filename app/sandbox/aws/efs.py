"""How EFS answers."""

from app.sandbox.aws.answers import Answerer, Json, Question, page_of
from app.sandbox.aws.errors import AwsRefusal
from app.sandbox.aws.file_parts import key_arn, tags
from app.sandbox.aws.story_efs import FILE_SYSTEMS, ElasticFileSystem
from app.sandbox.story import created_at


def file_systems(question: Question) -> Json:
    """`efs:DescribeFileSystems`."""
    rows = [_file_system(one) for one in _here(question)]
    more = "NextMarker"
    return page_of(question, "FileSystems", rows, token="Marker", size="MaxItems", next_token=more)  # noqa: S106 - a parameter's name


def replications(question: Question) -> Json:
    """`efs:DescribeReplicationConfigurations` of all file systems of the region."""
    rows = [_replication(one) for one in _here(question) if one.copies]
    return page_of(question, "Replications", rows)


def lifecycle(question: Question) -> Json:
    """`efs:DescribeLifecycleConfiguration`; AwsRefusal for a file system that is not here."""
    found = _asked(question)
    cooling = [
        {"TransitionToIA": "AFTER_30_DAYS"},
        {"TransitionToPrimaryStorageClass": "AFTER_1_ACCESS"},
        {"TransitionToArchive": "AFTER_90_DAYS"},
    ]
    return {"LifecyclePolicies": cooling if found.cools else []}


def backup_policy(question: Question) -> Json:
    """`efs:DescribeBackupPolicy`; AwsRefusal (PolicyNotFound) where none was ever set."""
    found = _asked(question)
    if not found.backups:
        raise AwsRefusal(404, "PolicyNotFound", "None of the file system's policies is set.")
    return {"BackupPolicy": {"Status": found.backups}}


def _here(question: Question) -> list[ElasticFileSystem]:
    return [one for one in FILE_SYSTEMS if question.is_at(one.account, one.region)]


def _asked(question: Question) -> ElasticFileSystem:
    asked = question.params["FileSystemId"]
    found = next((one for one in _here(question) if one.file_system_id == asked), None)
    if found is None:
        raise AwsRefusal(404, "FileSystemNotFound", f"There is no {asked!s} here.")
    return found


def _file_system(one: ElasticFileSystem) -> Json:
    owner, own_id = one.account.account_id, one.file_system_id
    zone = {"AvailabilityZoneName": one.zone} if one.zone else {}
    key_id = {"KmsKeyId": key_arn(one.account, one.region, one.own_key)} if one.encrypted else {}
    cold = one.size_bytes // 4 if one.cools else 0
    return {
        "OwnerId": owner,
        "CreationToken": one.name,
        "FileSystemId": own_id,
        "FileSystemArn": f"arn:aws:elasticfilesystem:{one.region}:{owner}:file-system/{own_id}",
        "CreationTime": one.created_at,
        "LifeCycleState": "available",
        "Name": one.name,
        "NumberOfMountTargets": 1 if one.zone else 3,
        "SizeInBytes": {
            "Value": one.size_bytes,
            "ValueInIA": cold,
            "ValueInStandard": one.size_bytes - cold,
            "ValueInArchive": 0,
        },
        "PerformanceMode": "generalPurpose",
        "Encrypted": one.encrypted,
        "ThroughputMode": "elastic",
        "Tags": tags(one.name, one.tags),
        "FileSystemProtection": {"ReplicationOverwriteProtection": one.protection},
        **zone,
        **key_id,
    }


def _replication(one: ElasticFileSystem) -> Json:
    owner = one.account.account_id
    arn = f"arn:aws:elasticfilesystem:{one.region}:{owner}:file-system/{one.file_system_id}"
    return {
        "SourceFileSystemId": one.file_system_id,
        "SourceFileSystemRegion": one.region,
        "SourceFileSystemArn": arn,
        "OriginalSourceFileSystemArn": arn,
        "CreationTime": created_at(one.name + " copy"),
        "SourceFileSystemOwnerId": owner,
        "Destinations": [
            {
                "Status": copy.status,
                "FileSystemId": copy.file_system_id,
                "Region": copy.region,
                "OwnerId": copy.account.account_id,
                "LastReplicatedTimestamp": created_at(one.name + " copied"),
            }
            for copy in one.copies
        ],
    }


ANSWERS: dict[str, Answerer] = {
    "efs.DescribeFileSystems": file_systems,
    "efs.DescribeReplicationConfigurations": replications,
    "efs.DescribeLifecycleConfiguration": lifecycle,
    "efs.DescribeBackupPolicy": backup_policy,
}
