"""Sweeps under faults, compared with the same sweep without: what may differ, and what may not."""

from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Any

from app.domain.collecting import (
    Collector,
    Connection,
    ListingDone,
    Observation,
    ResourceSeen,
    ScopeReport,
)
from app.domain.facts import Present, Unreadable
from app.kit.errors import CollectorError

NOW = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)


@dataclass(frozen=True)
class Swept:
    """What one sweep yielded; `error` when it could not read anything."""

    resources: dict[tuple[str, str], ResourceSeen]
    listings: tuple[ListingDone, ...]
    reports: tuple[ScopeReport, ...]
    error: CollectorError | None

    def of(self, operation: str) -> list[ScopeReport]:
        return [report for report in self.reports if report.operation == operation]


def swept(collector: Collector, connection: Connection) -> Swept:
    """One sweep, to its end or to its error."""
    seen: list[Observation] = []
    error = None
    try:
        seen.extend(collector.collect(connection, NOW))
    except CollectorError as found:
        error = found
    return Swept(
        {(one.kind, one.immutable_id): one for one in seen if isinstance(one, ResourceSeen)},
        tuple(one for one in seen if isinstance(one, ListingDone)),
        tuple(one for one in seen if isinstance(one, ScopeReport)),
        error,
    )


# They say who told something; another source may have.
SOURCE_FACTS = {"regions_source", "enabled_regions", "machine_type_details"}


def is_no_lie(before: Any, after: Any) -> bool:
    """A fact under a fault: as it was, or not readable any more, wholly or in some entries."""
    if after == before or isinstance(after, Unreadable):
        return True
    if not (isinstance(before, Present) and isinstance(after, Present)):
        return False
    was, now = before.value, after.value
    return (
        isinstance(was, tuple)
        and isinstance(now, tuple)
        and len(was) == len(now)
        and all(
            one == other or getattr(other, "code", "") for one, other in zip(was, now, strict=True)
        )
    )


def assert_nothing_is_invented(before: Swept, after: Swept) -> None:
    for key, resource in after.resources.items():
        known = before.resources.get(key)
        assert known is not None, f"{key} is none that exists"
        for field in fields(resource.facts):
            if field.name not in SOURCE_FACTS and not field.name.startswith("unread_"):
                was, now = getattr(known.facts, field.name), getattr(resource.facts, field.name)
                assert is_no_lie(was, now), f"{field.name} of {key} was {was} and became {now}"
        assert resource.tags in (known.tags, None)


def assert_nothing_is_taken_for_gone(before: Swept, after: Swept) -> None:
    whole = {(done.kind, done.scope) for done in after.listings if done.complete}
    for key, resource in before.resources.items():
        if key not in after.resources:
            assert (resource.kind, resource.scope) not in whole, f"{key} would be deleted"
