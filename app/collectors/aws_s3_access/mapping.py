"""S3's answers about doors, directory buckets and Storage Lens to our facts. Pure.

Each function returns values by fact name; None states that there is none.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from app.collectors.aws_s3_words import lifecycle_rules, switches

Answer = Mapping[str, Any]

_ORIGINS = frozenset({"Internet", "VPC"})
_DIRECTORY = re.compile(r".+--([a-z0-9-]+)--x-s3")
# All figures beyond the free ones, by the member that switches a group of them on.
_ADVANCED = (
    "ActivityMetrics",
    "AdvancedCostOptimizationMetrics",
    "AdvancedDataProtectionMetrics",
    "AdvancedPerformanceMetrics",
    "DetailedStatusCodesMetrics",
)
_PREFIX_LEVEL = "PrefixLevel"


def listed_point(row: Answer) -> Answer:
    """One entry of ListAccessPoints."""
    origin = row["NetworkOrigin"]
    if origin not in _ORIGINS:
        raise ValueError("an unknown network origin")
    return {
        "network_origin": origin,
        "vpc_id": (row.get("VpcConfiguration") or {}).get("VpcId"),
        "bucket_name": row.get("Bucket") or None,
        "bucket_account_id": row.get("BucketAccountId"),
        "data_source_type": row.get("DataSourceType"),
    }


def point(answer: Answer) -> Answer:
    """GetAccessPoint."""
    return {"public_access_block": switches(answer["PublicAccessBlockConfiguration"])}


def policy_status(answer: Answer) -> Answer:
    """GetAccessPointPolicyStatus."""
    return {"policy_is_public": answer["PolicyStatus"]["IsPublic"]}


def directory_bucket(name: str, region_id: str) -> Answer:
    """What the name of a directory bucket and the region that listed it say."""
    found = _DIRECTORY.fullmatch(name)
    if found is None:
        raise ValueError("not the name of a directory bucket")
    return {"bucket_region": region_id, "zone_id": found[1]}


def lifecycle(answer: Answer) -> Answer:
    """GetBucketLifecycleConfiguration of a directory bucket."""
    return {"lifecycle_rules": lifecycle_rules(answer)}


def listed_lens(row: Answer) -> Answer:
    """One entry of ListStorageLensConfigurations."""
    return {"home_region": row["HomeRegion"]}


def lens(answer: Answer) -> Answer:
    """GetStorageLensConfiguration."""
    found = answer["StorageLensConfiguration"]
    export = (found.get("DataExport") or {}).get("S3BucketDestination") or {}
    return {
        "lens_enabled": found["IsEnabled"],
        "advanced_metrics": tuple(sorted(set(_advanced(found["AccountLevel"])))),
        "organization_arn": (found.get("AwsOrg") or {}).get("Arn"),
        **_narrowed(found, "Include", "included"),
        **_narrowed(found, "Exclude", "excluded"),
        "export_bucket": _bucket_name(export["Arn"]) if export else None,
        "export_account_id": export.get("AccountId"),
        "export_format": export.get("Format"),
    }


def _advanced(account: Answer) -> Iterator[str]:
    for level in (account, account["BucketLevel"]):
        yield from (name for name in _ADVANCED if _is_on(level.get(name)))
    prefixes = account["BucketLevel"].get(_PREFIX_LEVEL)
    if prefixes and _is_on(prefixes["StorageMetrics"]):
        yield _PREFIX_LEVEL


def _is_on(switch: Answer | None) -> bool:
    return switch is not None and switch.get("IsEnabled") is True


def _narrowed(found: Answer, member: str, prefix: str) -> Answer:
    scope = found.get(member) or {}
    return {
        f"{prefix}_regions": tuple(scope.get("Regions", ())) or None,
        f"{prefix}_buckets": tuple(map(_bucket_name, scope.get("Buckets", ()))) or None,
    }


def _bucket_name(arn: str) -> str:
    return arn.rpartition(":")[2]
