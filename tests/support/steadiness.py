"""What no fault of a source may change: which resources live, and which findings are open."""

from dataclasses import dataclass
from typing import Any

from tests.support.journeys import Journey


@dataclass(frozen=True)
class Kept:
    """Resources by (id, name, deletion) and findings by (number, state, reason)."""

    resources: frozenset[tuple[str, str, str | None]]
    findings: frozenset[tuple[str, str, str | None]]


def kept(journey: Journey) -> Kept:
    """What is kept now."""
    rows = journey.every("/resources", state="all")
    return Kept(
        frozenset((row["id"], row["name"], row["deleted_at"]) for row in rows),
        frozenset((one["id"], one["state"], one["close_reason"]) for one in journey.findings()),
    )


def coverage(sweep: dict[str, Any], operation: str) -> dict[str, int]:
    """Calls of one operation by how they ended, over all scopes; those that are not 0."""
    counted = ("asked", "answered", "absent", "denied", "failed", "skipped", "throttled")
    rows = [row for row in sweep["scopes"] if row["operation"] == operation]
    sums = {word: sum(row[word] for row in rows) for word in counted}
    return {word: n for word, n in sums.items() if n}


def codes(sweep: dict[str, Any], operation: str) -> set[str]:
    """The error codes that the coverage tells of one operation."""
    rows = [row for row in sweep["scopes"] if row["operation"] == operation]
    return {row["code"] for row in rows if row["code"]}
