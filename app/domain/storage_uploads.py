"""What follows for the parts of multipart uploads that were begun and never finished."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from app.domain.fact_sums import present_or_absent
from app.domain.facts import Absent, Fact, FactDocument, Present, Unreadable, fact
from app.domain.storage import LifecycleRule, RuleEffect, S3BucketFacts

LIST_CUT = "ListCut"


@dataclass(frozen=True, slots=True)
class UnfinishedUploadFacts(FactDocument):
    """Derived facts of the unfinished uploads of a bucket."""

    KIND: ClassVar[str] = "unfinished_uploads"

    aborts_uploads_after_days: Fact[float] = fact(
        "Age at which an enabled lifecycle rule aborts any unfinished upload; absent when none "
        "does for all of them.",
        "derived",
    )
    oldest_upload_at: Fact[datetime] = fact(
        "When the oldest unfinished upload was begun; absent without any, not readable when there "
        "are more than were listed.",
        "derived",
    )


def unfinished_uploads(bucket: S3BucketFacts) -> UnfinishedUploadFacts:
    """The derived facts of one bucket."""
    return UnfinishedUploadFacts(
        aborts_uploads_after_days=_aborts_after_days(bucket.lifecycle_rules),
        oldest_upload_at=_oldest(bucket),
    )


def _aborts_after_days(rules: Fact[tuple[LifecycleRule, ...]]) -> Fact[float]:
    """A rule for a prefix reaches a part only; S3 allows neither tags nor sizes in such a rule."""
    if isinstance(rules, Unreadable):
        return rules
    known = () if isinstance(rules, Absent) else rules.value
    return present_or_absent(min(_ages(known), default=None))


def _ages(rules: Iterable[LifecycleRule]) -> Iterable[float]:
    for rule in rules:
        if rule.enabled and not any(rule.prefixes):
            for action in rule.actions:
                if action.effect is RuleEffect.ABORT_MULTIPART and action.after_days is not None:
                    yield action.after_days


def _oldest(bucket: S3BucketFacts) -> Fact[datetime]:
    """The oldest of those listed, unless older ones may stand on the pages that were not read."""
    if bucket.unfinished_uploads_listed_whole == Present(False):
        return Unreadable(LIST_CUT)
    return bucket.oldest_listed_upload_at
