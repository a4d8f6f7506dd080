"""S3 answers that moto does not give: invented buckets, bucket lists, features moto lacks."""

import base64
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any
from xml.sax.saxutils import escape

from moto.core.serialize import get_serializer_class
from moto.core.utils import get_service_model

from app.sandbox.aws.errors import AwsRefusal
from app.sandbox.aws.model import Bucket, Json
from app.sandbox.aws.rules import NEW_BUCKET_ENCRYPTION, NEW_BUCKET_PUBLIC_BLOCK
from app.sandbox.wire import Answer, Request, xml_answer

_MODEL: Any = get_service_model("s3")
_SERIALIZER: Any = get_serializer_class("s3", "rest-xml")
_NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/"
_MAX_BUCKETS = 10_000
FROM_START = "*"  # a token that leads back to the first page, for the repeated-page fault

# What S3 says when a bucket lacks a setting, per operation.
ABSENT = {
    "GetBucketLifecycleConfiguration": "NoSuchLifecycleConfiguration",
    "GetBucketReplication": "ReplicationConfigurationNotFoundError",
    "GetBucketEncryption": "ServerSideEncryptionConfigurationNotFoundError",
    "GetPublicAccessBlock": "NoSuchPublicAccessBlockConfiguration",
    "GetObjectLockConfiguration": "ObjectLockConfigurationNotFoundError",
    "GetBucketTagging": "NoSuchTagSet",
    "GetBucketPolicy": "NoSuchBucketPolicy",
    "GetBucketPolicyStatus": "NoSuchBucketPolicy",
    "GetBucketMetadataConfiguration": "MetadataConfigurationNotFound",
    "GetBucketMetadataTableConfiguration": "MetadataConfigurationNotFound",
}


def serialized(action: str, result: Json) -> Answer:
    """A result in boto3's words, written as S3 writes it on the wire."""
    out = _SERIALIZER(_MODEL.operation_model(action)).serialize(result)
    body = out["body"]
    data = body.encode() if isinstance(body, str) else body
    return Answer(out["status_code"], data, dict(out["headers"]))


def absent(action: str) -> AwsRefusal:
    """The bucket has no such setting."""
    return AwsRefusal(404, ABSENT[action], "The configuration does not exist.")


def _lifecycle(bucket: Bucket) -> Json | None:
    minimum = bucket.minimum_size or "all_storage_classes_128K"
    rules = bucket.rules
    return rules and {"Rules": list(rules), "TransitionDefaultMinimumObjectSize": minimum}  # type: ignore[return-value]


def _encryption(bucket: Bucket) -> Json | None:
    if bucket.encryption == "removed":
        return None
    return {"ServerSideEncryptionConfiguration": bucket.encryption or NEW_BUCKET_ENCRYPTION}


def _public_block(bucket: Bucket) -> Json | None:
    if bucket.public_block == "removed":
        return None
    return {"PublicAccessBlockConfiguration": bucket.public_block or NEW_BUCKET_PUBLIC_BLOCK}


def _nothing(_: Bucket) -> Json | None:
    return None


_ANSWERS: dict[str, Callable[[Bucket], Json | None]] = {
    "HeadBucket": lambda bucket: {"BucketRegion": bucket.region},
    "GetBucketLocation": lambda bucket: (
        {"LocationConstraint": bucket.location} if bucket.location else {}
    ),
    "GetBucketVersioning": lambda b: {"Status": b.versioning} if b.versioning else {},
    "GetBucketLifecycleConfiguration": _lifecycle,
    "GetBucketReplication": lambda bucket: (
        {"ReplicationConfiguration": bucket.replication} if bucket.replication else None
    ),
    "GetBucketEncryption": _encryption,
    "GetPublicAccessBlock": _public_block,
    "GetBucketTagging": lambda bucket: {"TagSet": bucket.tag_set} if bucket.tags else None,
    "ListBucketInventoryConfigurations": lambda _: {"IsTruncated": False},
    "GetBucketPolicy": _nothing,
    "GetBucketPolicyStatus": _nothing,
    "GetObjectLockConfiguration": _nothing,
}


def _tiering(bucket: Bucket) -> Json:
    rows = {"IntelligentTieringConfigurationList": list(bucket.tiering)} if bucket.tiering else {}
    return {"IsTruncated": False, **rows}


def _metadata(bucket: Bucket) -> Json | None:
    return bucket.metadata and {"GetBucketMetadataConfigurationResult": bucket.metadata}


def _uploads(bucket: Bucket) -> Json:
    rows = [
        {"Key": key, "UploadId": f"upload-{number}", "Initiated": begun, "StorageClass": "STANDARD"}
        for number, (key, begun) in enumerate(sorted(bucket.uploads.items()))
    ]
    return {
        "Bucket": bucket.name,
        "MaxUploads": 1000,
        "IsTruncated": False,
        **({"Uploads": rows} if rows else {}),
    }


# Operations that moto takes for a listing of objects.
LACKING: dict[str, Callable[[Bucket], Json | None]] = {
    "ListBucketIntelligentTieringConfigurations": _tiering,
    "GetBucketMetadataConfiguration": _metadata,
    "ListBucketMetricsConfigurations": lambda _: {"IsTruncated": False},
    "ListBucketAnalyticsConfigurations": lambda _: {"IsTruncated": False},
    "GetBucketMetadataTableConfiguration": _nothing,
}


def lacking(bucket: Bucket, action: str) -> Answer:
    """What moto cannot say of a bucket; AwsRefusal where S3 says 404."""
    return _answered(LACKING[action](bucket), action)


def uploads(bucket: Bucket) -> Answer:
    """`ListMultipartUploads` of a bucket with uploads that were begun long ago."""
    return serialized("ListMultipartUploads", _uploads(bucket))


def invented(bucket: Bucket, action: str) -> Answer:
    """The answer of an invented bucket to one read; AwsRefusal when absent or not played."""
    if action in LACKING:
        return lacking(bucket, action)
    if action == "ListMultipartUploads":
        return uploads(bucket)
    if action not in _ANSWERS:
        raise AwsRefusal(501, "NotImplemented", f"Invented buckets do not answer {action}.")
    return _answered(_ANSWERS[action](bucket), action)


def _answered(result: Json | None, action: str) -> Answer:
    if result is None:
        raise absent(action)
    return serialized(action, result)


@dataclass(frozen=True, slots=True)
class ListedBucket:
    """One row of a bucket list."""

    name: str
    created: str
    region: str


def bucket_list(request: Request, rows: Iterable[ListedBucket], owner: str) -> Answer:
    """`ListBuckets`; with any parameter it pages and names regions, as S3 does."""
    asked = {name: value for name, value in request.query if name != "x-id"}
    prefix, region = asked.get("prefix", ""), asked.get("bucket-region", "")
    size = asked.get("max-buckets", str(_MAX_BUCKETS)) if asked else "9999999"
    if not size.isdigit() or int(size) == 0 or (asked and int(size) > _MAX_BUCKETS):
        message = f"Argument max-buckets must lie between 1 and {_MAX_BUCKETS}"
        raise AwsRefusal(400, "InvalidArgument", message)
    found = (row for row in rows if row.name.startswith(prefix) and region in ("", row.region))
    shown = list(islice(found, int(size) + 1))
    more = len(shown) > int(size)
    shown = shown[: int(size)]
    token = _token(shown[-1].name) if more else ""
    buckets = "".join(_listed(row, with_region=bool(asked)) for row in shown)
    text = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<ListAllMyBucketsResult xmlns="{_NAMESPACE}"><Buckets>{buckets}</Buckets>'
        f"<Owner><ID>{owner}</ID></Owner>"
        f"{f'<Prefix>{escape(prefix)}</Prefix>' if prefix else ''}"
        f"{f'<ContinuationToken>{token}</ContinuationToken>' if token else ''}"
        "</ListAllMyBucketsResult>"
    )
    return xml_answer(text)


def start_after(request: Request) -> str:
    """The bucket name behind which a page begins; AwsRefusal for a token that is not ours."""
    token = request.parameter("continuation-token")
    try:
        return base64.urlsafe_b64decode(token).decode() if token not in (None, FROM_START) else ""
    except ValueError as error:
        message = "The continuation token provided is incorrect"
        raise AwsRefusal(400, "InvalidArgument", message) from error


def _token(name: str) -> str:
    return base64.urlsafe_b64encode(name.encode()).decode()


def _listed(row: ListedBucket, *, with_region: bool) -> str:
    region = f"<BucketRegion>{row.region}</BucketRegion>" if with_region else ""
    return (
        f"<Bucket><Name>{escape(row.name)}</Name>"
        f"<CreationDate>{row.created}</CreationDate>{region}</Bucket>"
    )
