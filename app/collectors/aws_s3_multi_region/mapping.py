"""S3's answers about multi-region access points to our facts. Pure.

Each function returns values by fact name; None states that there is none.
"""

from collections.abc import Mapping
from typing import Any

from app.collectors.aws_s3_words import switches
from app.domain.access_points import MemberBucket

Answer = Mapping[str, Any]


def listed(row: Answer) -> Answer:
    """One entry of ListMultiRegionAccessPoints."""
    return {
        "status": row["Status"],
        "alias": row.get("Alias"),
        "member_buckets": tuple(map(_member, row["Regions"])),
        "public_access_block": switches(row["PublicAccessBlock"]),
    }


def _member(row: Answer) -> MemberBucket:
    return MemberBucket(row["Bucket"], row.get("Region") or None, row.get("BucketAccountId"))


def policy_status(answer: Answer) -> Answer:
    """GetMultiRegionAccessPointPolicyStatus: of the policy that is in force everywhere."""
    return {"policy_is_public": answer["Established"]["IsPublic"]}
