"""Doors to S3 buckets beside the buckets themselves: access points, of one region and of many."""

from dataclasses import dataclass
from typing import ClassVar

from app.domain.facts import Fact, FactDocument, fact

AREA = "access_points"
_LIST, _GET = "s3control:ListAccessPoints", "s3control:GetAccessPoint"
_LIST_MULTI = "s3control:ListMultiRegionAccessPoints"
_BLOCK = "s3control:GetPublicAccessBlock"


@dataclass(frozen=True, slots=True)
class S3AccessPointFacts(FactDocument):
    """An S3 access point: a name, a policy and a network of its own for one bucket."""

    KIND: ClassVar[str] = "s3_access_point"
    AREA: ClassVar[str] = AREA

    network_origin: Fact[str] = fact("Internet, or VPC: only from that network.", _LIST)
    vpc_id: Fact[str] = fact("The network that it is bound to.", _LIST)
    bucket_name: Fact[str] = fact("The bucket that it leads to.", _LIST)
    bucket_account_id: Fact[str] = fact("The account that owns the bucket, where told.", _LIST)
    data_source_type: Fact[str] = fact(
        "What it leads to, where told; other than buckets it may be a file system.", _LIST
    )
    public_access_block: Fact[tuple[str, ...]] = fact(
        "Switches of its own public access block that are on; they are set for good.", _GET
    )
    policy_is_public: Fact[bool] = fact(
        "Its policy grants public access.", "s3control:GetAccessPointPolicyStatus"
    )
    account_public_access_block: Fact[tuple[str, ...]] = fact(
        "Switches that are on for the whole account; S3 applies both together.", _BLOCK
    )


@dataclass(frozen=True, slots=True)
class MemberBucket:
    """A bucket behind a multi-region access point; the account is None where it is not told."""

    name: str
    region_id: str | None
    account_id: str | None


@dataclass(frozen=True, slots=True)
class S3MultiRegionAccessPointFacts(FactDocument):
    """An S3 Multi-Region Access Point: one name that leads to the nearest of several buckets."""

    KIND: ClassVar[str] = "s3_multi_region_access_point"
    AREA: ClassVar[str] = AREA

    status: Fact[str] = fact("READY, CREATING, DELETING, … in S3's word.", _LIST_MULTI)
    alias: Fact[str] = fact("The name that its host is made of.", _LIST_MULTI)
    member_buckets: Fact[tuple[MemberBucket, ...]] = fact("The buckets behind it.", _LIST_MULTI)
    public_access_block: Fact[tuple[str, ...]] = fact(
        "Switches of its own public access block that are on; they are set for good.", _LIST_MULTI
    )
    policy_is_public: Fact[bool] = fact(
        "Its policy grants public access.", "s3control:GetMultiRegionAccessPointPolicyStatus"
    )
    account_public_access_block: Fact[tuple[str, ...]] = fact(
        "Switches that are on for the whole account; S3 applies both together.", _BLOCK
    )


@dataclass(frozen=True, slots=True)
class AccessPathFacts(FactDocument):
    """Derived facts of any access point: who may come in by it."""

    KIND: ClassVar[str] = "access_path"

    reachable_from_internet: Fact[bool] = fact("It is not bound to one network.", "derived")
    anonymous_access_blocked: Fact[bool] = fact(
        "All switches against the public are on, for it or for the account.", "derived"
    )
