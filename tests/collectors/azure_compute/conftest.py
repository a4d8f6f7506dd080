"""Sweeps of Azure's machines, and what they saw."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest

from app.collectors.azure_compute import COLLECTOR
from app.domain.collecting import (
    Connection,
    ListingDone,
    Observation,
    ResourceSeen,
    ScopeReport,
)
from app.domain.derive import derive
from app.domain.fact_schema import to_fact_set
from app.domain.facts import FactSet
from tests.support.azure_fixtures import azure, azure_connection, tenant

__all__ = ["azure", "azure_connection", "tenant"]
NOW = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)


@dataclass(frozen=True)
class Swept:
    """What one sweep yielded, in order."""

    observations: tuple[Observation, ...]

    @property
    def resources(self) -> list[ResourceSeen]:
        return [one for one in self.observations if isinstance(one, ResourceSeen)]

    def named(self, name: str, kind: str = "azure_vm") -> ResourceSeen:
        (found,) = [one for one in self.resources if (one.name, one.kind) == (name, kind)]
        return found

    def stored(self, name: str, kind: str = "azure_vm") -> FactSet:
        facts = self.named(name, kind).facts
        return to_fact_set(facts, *derive(facts, NOW))

    def facts(self, name: str, kind: str = "azure_vm") -> Any:
        return self.stored(name, kind).present

    def lists(self, kind: str) -> dict[str, tuple[bool, str]]:
        return {
            one.scope: (one.complete, one.code)
            for one in self.observations
            if isinstance(one, ListingDone) and one.kind == kind
        }

    def reports(self, operation: str) -> list[ScopeReport]:
        return [
            one
            for one in self.observations
            if isinstance(one, ScopeReport) and one.operation == operation
        ]


@pytest.fixture
def sweep(azure_connection: Callable[..., Connection]) -> Callable[..., Swept]:
    """Sweeps the simulated tenant; keywords are settings of the connection."""

    def run(**settings: Any) -> Swept:
        return Swept(tuple(COLLECTOR.collect(azure_connection(**settings), NOW)))

    return run
