"""What one sweep over the clusters of a region yielded."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import pytest

from app.collectors.aws_eks import COLLECTOR
from app.domain.collecting import Connection, ListingDone, ResourceSeen, ScopeReport
from app.domain.eks import EksClusterFacts

REGION = "us-west-2"


@dataclass(frozen=True)
class Swept:
    """The observations of one sweep."""

    clusters: dict[str, ResourceSeen]
    listing: ListingDone
    reports: dict[str, ScopeReport]

    def facts(self, name: str) -> EksClusterFacts:
        found = self.clusters[name].facts
        assert isinstance(found, EksClusterFacts)
        return found


Sweep = Callable[[Connection], Swept]


@pytest.fixture(autouse=True)
def one_try(monkeypatch: pytest.MonkeyPatch) -> None:
    """Faults here are lasting; how often they are tried again is proven elsewhere."""
    monkeypatch.setattr("app.clouds.aws._ATTEMPTS", 1)


@pytest.fixture
def sweep(now: datetime) -> Sweep:
    """Runs the collector to its end."""

    def run(connection: Connection) -> Swept:
        seen = list(COLLECTOR.collect(connection, now))
        (listing,) = (one for one in seen if isinstance(one, ListingDone))
        return Swept(
            {one.name: one for one in seen if isinstance(one, ResourceSeen)},
            listing,
            {one.operation: one for one in seen if isinstance(one, ScopeReport)},
        )

    return run
