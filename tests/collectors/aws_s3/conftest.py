"""What one sweep yielded, sorted out for assertions."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import pytest

from app.collectors.aws_s3 import COLLECTOR
from app.domain.collecting import (
    Connection,
    ListingDone,
    Observation,
    ResourceSeen,
    ScopeReport,
)


@dataclass(frozen=True)
class Swept:
    """The observations of one sweep."""

    buckets: dict[str, ResourceSeen]
    listings: tuple[ListingDone, ...]
    reports: dict[tuple[str, str], ScopeReport]
    order: tuple[type[Observation], ...]

    @property
    def complete(self) -> bool:
        return all(listing.complete for listing in self.listings)


Sweep = Callable[[Connection], Swept]


@pytest.fixture
def sweep(now: datetime) -> Sweep:
    """Runs the collector to its end."""

    def run(connection: Connection) -> Swept:
        seen = list(COLLECTOR.collect(connection, now))
        buckets = [one for one in seen if isinstance(one, ResourceSeen)]
        reports = [one for one in seen if isinstance(one, ScopeReport)]
        assert len({one.immutable_id for one in buckets}) == len(buckets)
        return Swept(
            {one.name: one for one in buckets},
            tuple(one for one in seen if isinstance(one, ListingDone)),
            {(one.scope, one.operation): one for one in reports},
            tuple(type(one) for one in seen),
        )

    return run
