"""Sweeps of EC2, and what they saw."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest

from app.collectors.aws_ec2 import COLLECTOR
from app.domain.collecting import (
    Cell,
    Connection,
    ListingDone,
    Observation,
    ResourceSeen,
    ScopeReport,
)
from app.domain.derive import derive
from app.domain.fact_schema import to_fact_set
from app.domain.facts import FactSet

NOW = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
REGION = "us-west-2"


@dataclass(frozen=True)
class Swept:
    """What one sweep yielded, in order."""

    observations: tuple[Observation, ...]

    @property
    def seen(self) -> dict[str, ResourceSeen]:
        """Resources by name."""
        return {one.name: one for one in self.observations if isinstance(one, ResourceSeen)}

    @property
    def listings(self) -> dict[str, ListingDone]:
        """How the list of each kind ended."""
        return {one.kind: one for one in self.observations if isinstance(one, ListingDone)}

    @property
    def reports(self) -> dict[str, ScopeReport]:
        """The coverage by operation."""
        found = [one for one in self.observations if isinstance(one, ScopeReport)]
        return {one.operation: one for one in found}

    def facts(self, name: str) -> FactSet:
        """Facts of a resource as stored, derived ones too."""
        document = self.seen[name].facts
        return to_fact_set(document, *derive(document, NOW))

    def present(self, name: str) -> dict[str, Any]:
        """The facts of a resource that are known."""
        return dict(self.facts(name).present)


Sweep = Callable[[Connection], Swept]


@pytest.fixture
def sweep() -> Sweep:
    """Reads a cell once."""
    return lambda connection: Swept(tuple(COLLECTOR.collect(connection, NOW)))


@pytest.fixture
def here() -> Cell:
    """The region of the tests in the account of the credentials."""
    return Cell(region_id=REGION)
