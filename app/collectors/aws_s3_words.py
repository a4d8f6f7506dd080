"""Words of S3 that several collectors read: lifecycle rules, encryption, switches. Pure."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from app.domain.quantities import age_days, size_bytes
from app.domain.storage import AgeBasis, LifecycleAction, LifecycleRule, RuleEffect, RuleSubject
from app.domain.storage_exposure import BLOCK_SWITCHES

Answer = Mapping[str, Any]

# From when S3 counts the days of each of its words; old versions age from their replacement on.
_BASES = {
    "Days": AgeBasis.CREATION,
    "NoncurrentDays": AgeBasis.REPLACEMENT,
    "DaysAfterInitiation": AgeBasis.START,
}


_ENABLED = {"Enabled": True, "Disabled": False}
_CONDITIONS = frozenset({"Prefix", "Tag", "Tags", "ObjectSizeGreaterThan", "ObjectSizeLessThan"})


def lifecycle_rules(answer: Answer) -> tuple[LifecycleRule, ...]:
    """Every rule of a GetBucketLifecycleConfiguration answer, disabled ones too.

    ValueError or KeyError for what we do not know: it may narrow a rule in a way we cannot judge.
    """
    return tuple(_rule(rule) for rule in answer["Rules"])


def _rule(rule: Answer) -> LifecycleRule:
    condition = _condition(rule)
    prefix = condition.get("Prefix") or ""
    tags = [*condition.get("Tags", ()), *([condition["Tag"]] if condition.get("Tag") else [])]
    return LifecycleRule(
        name=str(rule.get("ID") or ""),
        enabled=_ENABLED[rule["Status"]],
        prefixes=(prefix,) if prefix else (),
        tags={tag["Key"]: tag["Value"] for tag in tags},
        minimum_size_bytes=size_bytes(condition.get("ObjectSizeGreaterThan")),
        maximum_size_bytes=size_bytes(condition.get("ObjectSizeLessThan")),
        blob_types=(),
        actions=tuple(_actions(rule)),
    )


def _condition(rule: Answer) -> Answer:
    """One flat filter out of the three forms: `Filter`, `Filter.And`, or the old bare `Prefix`."""
    found = rule.get("Filter")
    if found is None:
        return {"Prefix": rule.get("Prefix")}
    joined = {**found, **found.get("And", {})}
    joined.pop("And", None)
    if unknown := joined.keys() - _CONDITIONS:
        raise ValueError(f"unknown filters {sorted(unknown)}")
    return joined


def _actions(rule: Answer) -> Iterator[LifecycleAction]:
    for move in rule.get("Transitions", ()):
        yield _action(RuleEffect.TRANSITION, RuleSubject.CURRENT, move, "Days")
    for move in rule.get("NoncurrentVersionTransitions", ()):
        yield _action(RuleEffect.TRANSITION, RuleSubject.NONCURRENT, move, "NoncurrentDays")
    expiry = rule.get("Expiration", {})
    if "Days" in expiry or "Date" in expiry:
        yield _action(RuleEffect.DELETE, RuleSubject.CURRENT, expiry, "Days")
    elif expiry.get("ExpiredObjectDeleteMarker"):
        # Clears markers that hide nothing any more; no data goes.
        yield _action(RuleEffect.OTHER, RuleSubject.CURRENT, {}, "Days")
    if "NoncurrentVersionExpiration" in rule:
        what = rule["NoncurrentVersionExpiration"]
        yield _action(RuleEffect.DELETE, RuleSubject.NONCURRENT, what, "NoncurrentDays")
    if "AbortIncompleteMultipartUpload" in rule:
        what = rule["AbortIncompleteMultipartUpload"]
        yield _action(RuleEffect.ABORT_MULTIPART, RuleSubject.CURRENT, what, "DaysAfterInitiation")


def _action(effect: RuleEffect, subject: RuleSubject, what: Answer, days: str) -> LifecycleAction:
    return LifecycleAction(
        effect=effect,
        subject=subject,
        basis=_BASES[days],
        after_days=age_days(what[days]) if days in what else None,
        storage_class=what["StorageClass"] if effect is RuleEffect.TRANSITION else None,
        on_date=utc(what.get("Date")),
        newer_versions_kept=what.get("NewerNoncurrentVersions"),
    )


def utc(moment: datetime | None) -> datetime | None:
    """The same instant in UTC; botocore's dates carry a zone."""
    return None if moment is None else moment.astimezone(UTC)


def encryption(answer: Answer) -> Answer:
    """GetBucketEncryption; there is one rule at most."""
    rules = answer["ServerSideEncryptionConfiguration"]["Rules"]
    default = rules[0].get("ApplyServerSideEncryptionByDefault", {}) if rules else {}
    return {
        "encryption_algorithm": default.get("SSEAlgorithm"),
        "encryption_key_id": default.get("KMSMasterKeyID"),
    }


def account_public_access_block(answer: Answer) -> Answer:
    """GetPublicAccessBlock of an account."""
    return {"account_public_access_block": switches(answer["PublicAccessBlockConfiguration"])}


def switches(block: Answer) -> tuple[str, ...]:
    """Those of a public access block that are on; one not mentioned beside others is off."""
    if not block:
        raise KeyError("PublicAccessBlockConfiguration")
    return tuple(name for name in BLOCK_SWITCHES if block.get(name) is True)


def moment(value: object) -> datetime | None:
    """An instant of an answer in UTC; None when it has none or something else there."""
    return value.astimezone(UTC) if isinstance(value, datetime) else None
