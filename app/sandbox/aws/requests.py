"""Which operation of AWS a request asks for: service, account key, bucket and action."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from app.sandbox.aws import modelled
from app.sandbox.wire import Request

_SCOPE = re.compile(r"Credential=([^/\s]+)/\d{8}/([^/]+)/([^/]+)/aws4_request")
# S3 tells operations on a bucket apart by one valueless query parameter; read: write.
_SUBRESOURCES = {
    "location": "BucketLocation",
    "versioning": "BucketVersioning",
    "lifecycle": "BucketLifecycleConfiguration",
    "replication": "BucketReplication",
    "encryption": "BucketEncryption",
    "publicAccessBlock": "PublicAccessBlock",
    "policyStatus": "BucketPolicyStatus",
    "policy": "BucketPolicy",
    "object-lock": "ObjectLockConfiguration",
    "tagging": "BucketTagging",
    "inventory": "BucketInventoryConfiguration",
    "intelligent-tiering": "BucketIntelligentTieringConfiguration",
    "metadataConfiguration": "BucketMetadataConfiguration",
    "metadataTable": "BucketMetadataTableConfiguration",
    "metrics": "BucketMetricsConfiguration",
    "analytics": "BucketAnalyticsConfiguration",
    "ownershipControls": "BucketOwnershipControls",
    "acl": "BucketAcl",
    "logging": "BucketLogging",
    "notification": "BucketNotificationConfiguration",
    "website": "BucketWebsite",
    "cors": "BucketCors",
}
EXPRESS = "s3express"  # what requests for directory buckets are signed for
SIZE = "max-directory-buckets"
_LISTED_WITHOUT_ID = ("inventory", "intelligent-tiering", "metrics", "analytics")
_VERBS = {"GET": "Get", "PUT": "Put", "DELETE": "Delete", "POST": "Post", "HEAD": "Head"}


@dataclass(frozen=True, slots=True)
class AwsCall:
    """One call: `operation` is its name in the ledger, such as `s3.GetBucketLocation`.

    `params` are filled for every service but S3, and for its list of directory buckets.
    """

    service: str
    action: str
    region: str
    access_key: str
    bucket: str = ""
    subresource: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def operation(self) -> str:
        """Service and action."""
        return f"{self.service}.{self.action}"


def identify(request: Request) -> AwsCall:
    """The call a request makes; an unsigned one counts as S3 without a key."""
    scope = _SCOPE.search(request.headers.get("authorization", ""))
    key, region, signed = scope.groups() if scope else ("", "us-east-1", "s3")
    service = modelled.service_of(signed, request.path)
    if service != "s3":
        asked = modelled.read(service, request)
        action, params = (asked.action, asked.params) if asked else ("unknown", {})
        return AwsCall(service, action, region, key, params=params)
    bucket, _, object_key = request.path.lstrip("/").partition("/")
    if signed == EXPRESS and not bucket:
        query = {"ContinuationToken": "continuation-token", "MaxDirectoryBuckets": SIZE}
        params = {name: request.parameter(word) for name, word in query.items()}
        return AwsCall("s3", "ListDirectoryBuckets", region, key, params=params)
    action, subresource = _action(request, bucket, object_key)
    return AwsCall("s3", action, region, key, bucket, subresource)


def _action(request: Request, bucket: str, object_key: str) -> tuple[str, str]:
    """`(action, subresource)` of a request in path style."""
    names = dict(request.query)
    if not bucket:
        return "ListBuckets", ""
    if object_key:
        return _VERBS.get(request.method, "") + "Object", ""
    found = next((name for name in _SUBRESOURCES if name in names), "")
    if found:
        listed = found in _LISTED_WITHOUT_ID and "id" not in names and request.method == "GET"
        noun = _SUBRESOURCES[found]
        return (f"List{noun}s" if listed else _VERBS.get(request.method, "") + noun), found
    return _plain(request.method, names), ""


def _plain(method: str, names: dict[str, str]) -> str:
    """The action on a bucket itself."""
    if method != "GET":
        return {"PUT": "CreateBucket", "DELETE": "DeleteBucket", "HEAD": "HeadBucket"}.get(
            method, "DeleteObjects"
        )
    if "versions" in names:
        return "ListObjectVersions"
    if "uploads" in names:
        return "ListMultipartUploads"
    return "ListObjectsV2" if names.get("list-type") == "2" else "ListObjects"
