"""AWS on loopback, and what one sweep of a region yielded."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import pytest

from app.collectors.aws_s3_access import COLLECTOR
from app.domain.access_points import S3AccessPointFacts
from app.domain.collecting import Connection, ListingDone, ResourceSeen, ScopeReport
from app.domain.directory_buckets import S3DirectoryBucketFacts
from app.domain.storage_lens import S3StorageLensFacts
from tests.support.aws_fixtures import aws, aws_server, connection

__all__ = ["aws", "aws_server", "connection"]


@dataclass(frozen=True)
class Swept:
    """The observations of one sweep; `listings`: why the list of a kind was cut, '' if whole."""

    seen: dict[str, ResourceSeen]
    listings: dict[str, str]
    reports: dict[str, ScopeReport]

    def point(self, name: str) -> S3AccessPointFacts:
        found = self.seen[name].facts
        assert isinstance(found, S3AccessPointFacts)
        return found

    def directory(self, name: str) -> S3DirectoryBucketFacts:
        found = self.seen[name].facts
        assert isinstance(found, S3DirectoryBucketFacts)
        return found

    def lens(self, name: str) -> S3StorageLensFacts:
        found = self.seen[name].facts
        assert isinstance(found, S3StorageLensFacts)
        return found


Sweep = Callable[[Connection], Swept]


@pytest.fixture
def sweep(now: datetime) -> Sweep:
    """Runs the collector to its end."""

    def run(connection: Connection) -> Swept:
        found = list(COLLECTOR.collect(connection, now))
        listings = [one for one in found if isinstance(one, ListingDone)]
        return Swept(
            {one.name: one for one in found if isinstance(one, ResourceSeen)},
            {one.kind: one.code if not one.complete else "" for one in listings},
            {one.operation: one for one in found if isinstance(one, ScopeReport)},
        )

    return run


@pytest.fixture(autouse=True)
def one_try(monkeypatch: pytest.MonkeyPatch) -> None:
    """Faults here are lasting; how often they are tried again is proven elsewhere."""
    monkeypatch.setattr("app.clouds.aws._ATTEMPTS", 1)
