"""Builds lifecycle, replication, encryption and inventory settings in the words of S3."""

from app.sandbox.aws.model import Json
from app.sandbox.story import AWS_RESEARCH, AwsAccount, mixed

NEW_BUCKET_ENCRYPTION: Json = {
    "Rules": [
        {
            "ApplyServerSideEncryptionByDefault": {"SSEAlgorithm": "AES256"},
            "BucketKeyEnabled": False,
        }
    ]
}
NEW_BUCKET_PUBLIC_BLOCK: Json = {
    "BlockPublicAcls": True,
    "IgnorePublicAcls": True,
    "BlockPublicPolicy": True,
    "RestrictPublicBuckets": True,
}


def rule(name: str, scope: Json, *, status: str = "Enabled", **actions: object) -> Json:
    """One lifecycle rule; `scope` is `{"Filter": ...}` or the old `{"Prefix": ...}`."""
    return {"ID": name, "Status": status, **scope, **actions}


def moves(*steps: tuple[int, str]) -> list[Json]:
    """Transitions of current objects: `(days, storage class)` each."""
    return [{"Days": days, "StorageClass": storage_class} for days, storage_class in steps]


def prefix(text: str) -> Json:
    """A filter by one prefix; the empty one matches every object."""
    return {"Filter": {"Prefix": text}}


EVERYTHING: Json = {"Filter": {}}


def good() -> list[Json]:
    """The company's usual rules: instant archive after 30 days, old versions trimmed."""
    return [
        rule(
            "archive",
            EVERYTHING,
            Transitions=moves((30, "GLACIER_IR"), (180, "DEEP_ARCHIVE")),
            NoncurrentVersionTransitions=[{"NoncurrentDays": 30, "StorageClass": "GLACIER_IR"}],
            NoncurrentVersionExpiration={"NoncurrentDays": 365, "NewerNoncurrentVersions": 3},
        ),
        rule("uploads", prefix(""), AbortIncompleteMultipartUpload={"DaysAfterInitiation": 7}),
    ]


def kms(account: AwsAccount = AWS_RESEARCH, region: str = "eu-central-1") -> Json:
    """Encryption with a key of the account's own."""
    key = f"{mixed(account.account_id + region):08x}-0000-4000-8000-000000000000"
    default = {
        "SSEAlgorithm": "aws:kms",
        "KMSMasterKeyID": f"arn:aws:kms:{region}:{account.account_id}:key/{key}",
    }
    return {"Rules": [{"ApplyServerSideEncryptionByDefault": default, "BucketKeyEnabled": True}]}


def copies(account: AwsAccount, *rules: Json) -> Json:
    """A replication configuration of a bucket in that account."""
    return {"Role": f"arn:aws:iam::{account.account_id}:role/s3-replication", "Rules": list(rules)}


def copy_rule(
    name: str, to: str, *, priority: int = 1, text: str = "", status: str = "Enabled", **more: Json
) -> Json:
    """One replication rule of the newer schema for a prefix; `more` goes to its Destination."""
    return {
        "ID": name,
        "Status": status,
        "Priority": priority,
        "Filter": {"Prefix": text},
        "DeleteMarkerReplication": {"Status": "Disabled"},
        "Destination": {"Bucket": f"arn:aws:s3:::{to}", **more},
    }


def to_account(account: AwsAccount) -> Json:
    """Destination members of a copy that becomes the property of another account."""
    return {"Account": account.account_id, "AccessControlTranslation": {"Owner": "Destination"}}


def inventory(destination: str, account: AwsAccount = AWS_RESEARCH) -> Json:
    """A daily inventory of all versions into another bucket."""
    return {
        "Id": "daily-all",
        "IsEnabled": True,
        "IncludedObjectVersions": "All",
        "Schedule": {"Frequency": "Daily"},
        "OptionalFields": ["Size", "LastModifiedDate", "StorageClass", "ETag", "EncryptionStatus"],
        "Destination": {
            "S3BucketDestination": {
                "AccountId": account.account_id,
                "Bucket": f"arn:aws:s3:::{destination}",
                "Format": "Parquet",
                "Prefix": "inventory",
            }
        },
    }


def locked(mode: str | None = None, days: int = 0) -> Json:
    """Object lock, with a default retention when a mode is given."""
    retention = {"Rule": {"DefaultRetention": {"Mode": mode, "Days": days}}} if mode else {}
    return {"ObjectLockEnabled": "Enabled", **retention}


def public_read(bucket: str) -> Json:
    """A bucket policy that lets anybody read objects."""
    statement = {
        "Sid": "Everybody",
        "Effect": "Allow",
        "Principal": "*",
        "Action": "s3:GetObject",
        "Resource": f"arn:aws:s3:::{bucket}/*",
    }
    return {"Version": "2012-10-17", "Statement": [statement]}


def tls_only(bucket: str) -> Json:
    """A bucket policy that only forbids plain HTTP; it makes nothing public."""
    statement = {
        "Sid": "TlsOnly",
        "Effect": "Deny",
        "Principal": "*",
        "Action": "s3:*",
        "Resource": f"arn:aws:s3:::{bucket}/*",
        "Condition": {"Bool": {"aws:SecureTransport": "false"}},
    }
    return {"Version": "2012-10-17", "Statement": [statement]}


def tiering(name: str, *tiers: tuple[int, str], text: str = "") -> Json:
    """An Intelligent-Tiering configuration: `(days without access, tier)` each."""
    scope = {"Filter": {"Prefix": text}} if text else {}
    steps = [{"Days": days, "AccessTier": tier} for days, tier in tiers]
    return {"Id": name, "Status": "Enabled", **scope, "Tierings": steps}


def metadata(account: AwsAccount, region: str, inventory: Json) -> Json:
    """S3 Metadata with a journal that works and an inventory table in this state."""
    tables = f"arn:aws:s3tables:{region}:{account.account_id}:bucket/aws-s3"
    return {
        "MetadataConfigurationResult": {
            "DestinationResult": {"TableBucketType": "aws", "TableBucketArn": tables},
            "JournalTableConfigurationResult": {
                "TableStatus": "ACTIVE",
                "TableName": "journal",
                "RecordExpiration": {"Expiration": "ENABLED", "Days": 365},
            },
            "InventoryTableConfigurationResult": {"TableName": "inventory", **inventory},
        }
    }
