"""Every call that this collector makes: its IAM action, what it feeds, and what means "none"."""

from collections.abc import Mapping
from types import MappingProxyType

from app.collectors.aws_reading import Listing
from app.domain.collecting import Operation

LIST = "s3control:ListMultiRegionAccessPoints"
POLICY_STATUS = "s3control:GetMultiRegionAccessPointPolicyStatus"
ACCOUNT_BLOCK = "s3control:GetPublicAccessBlock"
# Their control plane lives there, wherever the account is at home; other partitions have none
# (Amazon S3 user guide, Multi-Region Access Point restrictions and limitations).
PARTITION, REGION = "aws", "us-west-2"

OPERATIONS = (
    Operation(
        LIST,
        "s3:ListMultiRegionAccessPoints",
        ("status", "alias", "member_buckets", "public_access_block"),
        "Which names lead to buckets of several regions; asked of us-west-2.",
    ),
    Operation(
        POLICY_STATUS,
        "s3:GetMultiRegionAccessPointPolicyStatus",
        ("policy_is_public",),
        "Whether their policy lets everybody in.",
    ),
    Operation(
        ACCOUNT_BLOCK,
        "s3:GetAccountPublicAccessBlock",
        ("account_public_access_block",),
        "Whether anonymous access is shut off for the whole account; asked where there are any.",
    ),
)
ABSENT_CODES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        POLICY_STATUS: frozenset({"NoSuchMultiRegionAccessPointPolicy"}),
        ACCOUNT_BLOCK: frozenset({"NoSuchPublicAccessBlockConfiguration"}),
    }
)
POINTS = Listing(LIST, "AccessPoints", params={"MaxResults": 100}, region=REGION, may_lack=True)
