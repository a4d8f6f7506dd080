"""File systems and access points of the organization of the bench."""

from app.bench.estate.documents import BEGUN, at_document, id_document, tags_document
from app.sandbox.aws.answers import Json, Question


def lustre_document(number: int, question: Question) -> Json:
    own_id, where = id_document("fs", number), f"{question.region}:{question.account_id}"
    return {
        "OwnerId": question.account_id,
        "CreationTime": at_document(number),
        "FileSystemId": own_id,
        "FileSystemType": "LUSTRE",
        "FileSystemTypeVersion": "2.15",
        "Lifecycle": "AVAILABLE",
        "StorageCapacity": 4800,
        "StorageType": "SSD",
        "VpcId": "vpc-1",
        "SubnetIds": ["subnet-1"],
        "ResourceARN": f"arn:aws:fsx:{where}:file-system/{own_id}",
        "LustreConfiguration": {
            "DeploymentType": "PERSISTENT_2",
            "PerUnitStorageThroughput": 250,
            "MountName": "bench",
            "DataCompressionType": "LZ4",
            "AutomaticBackupRetentionDays": 7,
        },
        "Tags": tags_document(number),
    }


def elastic_document(number: int, question: Question) -> Json:
    own_id, where = id_document("fs", number), f"{question.region}:{question.account_id}"
    return {
        "OwnerId": question.account_id,
        "CreationToken": own_id,
        "FileSystemId": own_id,
        "FileSystemArn": f"arn:aws:elasticfilesystem:{where}:file-system/{own_id}",
        "CreationTime": at_document(number),
        "LifeCycleState": "available",
        "NumberOfMountTargets": 3,
        "SizeInBytes": {
            "Value": 9000,
            "ValueInIA": 0,
            "ValueInStandard": 9000,
            "ValueInArchive": 0,
        },
        "PerformanceMode": "generalPurpose",
        "Encrypted": False,
        "ThroughputMode": "elastic",
        "FileSystemProtection": {"ReplicationOverwriteProtection": "ENABLED"},
        "Tags": tags_document(number),
    }


BLOCK = dict.fromkeys(
    ("BlockPublicAcls", "IgnorePublicAcls", "BlockPublicPolicy", "RestrictPublicBuckets"), True
)


def point_document(name: str, question: Question) -> Json:
    return {
        "Name": name,
        "Bucket": f"data-{question.account_id}",
        "BucketAccountId": question.account_id,
        "NetworkOrigin": "VPC",
        "VpcConfiguration": {"VpcId": "vpc-1"},
        "AccessPointArn": f"arn:aws:s3:{question.region}:{question.account_id}:accesspoint/{name}",
    }


def point_details_document(question: Question) -> Json:
    row = point_document(str(question.params["Name"]), question)
    return {**row, "PublicAccessBlockConfiguration": BLOCK, "CreationDate": BEGUN}
