"""S3's answers to our facts. Pure: dictionaries as botocore parses them in, values out.

Each function returns values by fact name; None states that there is none.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from app.collectors.aws_s3_words import lifecycle_rules, switches
from app.domain.quantities import age_days
from app.domain.storage import InventoryConfiguration, ReplicationRule
from app.domain.storage_copies import UNKNOWN_ACCOUNT

Answer = Mapping[str, Any]

_DAYS_PER_YEAR = 365


@dataclass(frozen=True, slots=True)
class Place:
    """Where a replication destination lies: `region_id` None with the `code` that says why not.

    `ours`: it is in the same account's list of buckets.
    """

    region_id: str | None
    code: str = ""
    ours: bool = False


def region_of(constraint: str | None) -> str:
    """Region of a LocationConstraint: none means Virginia, the old word EU means Ireland."""
    return {"": "us-east-1", "EU": "eu-west-1"}.get(constraint or "", constraint or "")


def location(answer: Answer) -> Answer:
    """GetBucketLocation."""
    return {"bucket_region": region_of(answer["LocationConstraint"])}


def versioning(answer: Answer) -> Answer:
    """GetBucketVersioning; a bucket that was never versioned answers without any word."""
    mfa = answer.get("MFADelete")
    return {
        "versioning_status": answer.get("Status"),
        "mfa_delete": None if mfa is None else mfa == "Enabled",
    }


def lifecycle(answer: Answer) -> Answer:
    """GetBucketLifecycleConfiguration."""
    return {
        "lifecycle_rules": lifecycle_rules(answer),
        "transition_default_minimum_object_size": answer.get("TransitionDefaultMinimumObjectSize"),
    }


def public_access_block(answer: Answer) -> Answer:
    """GetPublicAccessBlock of a bucket."""
    return {"public_access_block": switches(answer["PublicAccessBlockConfiguration"])}


def policy_status(answer: Answer) -> Answer:
    """GetBucketPolicyStatus."""
    return {"policy_is_public": answer["PolicyStatus"]["IsPublic"] is True}


def object_lock(answer: Answer) -> Answer:
    """GetObjectLockConfiguration; a default retention is given in days or in years."""
    lock = answer["ObjectLockConfiguration"]
    retention = lock.get("Rule", {}).get("DefaultRetention", {})
    days, years = (_whole_days(retention.get(word)) for word in ("Days", "Years"))
    return {
        "object_lock_enabled": lock["ObjectLockEnabled"] == "Enabled",
        "object_lock_mode": retention.get("Mode"),
        "object_lock_days": years * _DAYS_PER_YEAR if days is None and years else days,
    }


def _whole_days(value: object) -> int | None:
    return None if value is None else int(age_days(value))


def tagging(answer: Answer) -> Answer:
    """GetBucketTagging."""
    return {"bucket_tags": {tag["Key"]: tag["Value"] for tag in answer["TagSet"]}}


def inventory(answer: Answer) -> Answer:
    """ListBucketInventoryConfigurations, all pages joined."""
    found = tuple(_inventory(one) for one in answer.get("InventoryConfigurationList", ()))
    return {"inventory_configurations": found or None}


def _inventory(one: Answer) -> InventoryConfiguration:
    return InventoryConfiguration(
        name=one["Id"],
        enabled=one["IsEnabled"] is True,
        frequency=one["Schedule"]["Frequency"],
        format=one["Destination"]["S3BucketDestination"]["Format"],
        prefix=one.get("Filter", {}).get("Prefix") or "",
        includes_versions=one["IncludedObjectVersions"] == "All",
        destination=bucket_name(one["Destination"]["S3BucketDestination"]["Bucket"]),
    )


def replication_destinations(answer: Answer) -> frozenset[str]:
    """ARNs of every destination, of disabled rules too: their old copies still lie there."""
    rules = answer["ReplicationConfiguration"]["Rules"]
    return frozenset(rule["Destination"]["Bucket"] for rule in rules)


def replication(answer: Answer, places: Mapping[str, Place], account_id: str) -> Answer:
    """GetBucketReplication, with the places of its destinations by ARN."""
    rules = answer["ReplicationConfiguration"]["Rules"]
    owners = _owners(rules)
    found = tuple(_replication_rule(rule, places, owners, account_id) for rule in rules)
    return {"replication_rules": found}


def bucket_name(arn: str) -> str:
    """Name of a bucket from its ARN; S3 also takes the bare name."""
    return arn.rpartition(":")[2].rpartition("/")[2]


def region_in_arn(arn: str) -> str | None:
    """Region that the ARN itself names, as those of S3 on Outposts do; bucket ARNs name none."""
    if not arn.startswith("arn:"):
        return None
    _, _partition, _service, region, _rest = arn.split(":", 4)
    return region or None


def _owners(rules: Iterable[Answer]) -> Mapping[str, str]:
    """Owners of destinations by ARN, as far as a rule names them: it tells of all rules there.

    Where two rules name two owners, each stands for itself.
    """
    named: dict[str, set[str]] = {}
    for rule in rules:
        destination = rule["Destination"]
        if owner := destination.get("Account"):
            named.setdefault(destination["Bucket"], set()).add(owner)
    return {arn: next(iter(found)) for arn, found in named.items() if len(found) == 1}


def _replication_rule(
    rule: Answer, places: Mapping[str, Place], owners: Mapping[str, str], account_id: str
) -> ReplicationRule:
    destination = rule["Destination"]
    place = places[destination["Bucket"]]
    owner = destination.get("Account") or owners.get(destination["Bucket"])
    return ReplicationRule(
        name=str(rule.get("ID") or ""),
        enabled=rule["Status"] == "Enabled",
        prefix=_replicated_prefix(rule),
        destination=bucket_name(destination["Bucket"]),
        destination_account_id=_account(owner, place, account_id),
        destination_region_id=place.region_id,
        destination_code=place.code,
        storage_class=destination.get("StorageClass"),
    )


def _replicated_prefix(rule: Answer) -> str:
    """The newer `Filter` (alone or with `And`), or the bare `Prefix` of the first version."""
    found = rule.get("Filter")
    if found is None:
        return rule.get("Prefix") or ""
    return found.get("Prefix") or found.get("And", {}).get("Prefix") or ""


def _account(named: str | None, place: Place, account_id: str) -> str | None:
    """None for our own account. A rule names the account only if it changes the owner, so one
    that names none may still lead out of the account.
    """
    if named:
        return None if named == account_id else named
    return None if place.ours else UNKNOWN_ACCOUNT
