"""What one sweep of a tenant yielded, for the tests of any collector of Azure."""

from dataclasses import dataclass, fields

from app.domain.collecting import (
    Collector,
    Connection,
    ListingDone,
    Observation,
    ResourceSeen,
    ScopeReport,
)
from app.domain.facts import Fact, FactDocument, Unreadable
from app.kit.clock import utc_now


@dataclass(frozen=True)
class Swept:
    """The observations of one sweep: resources by kind and name, lists by kind and scope."""

    resources: dict[tuple[str, str], ResourceSeen]
    listings: dict[tuple[str, str], ListingDone]
    reports: tuple[ScopeReport, ...]
    order: tuple[type[Observation], ...]

    def of(self, operation: str) -> tuple[ScopeReport, ...]:
        """The coverage of one operation in all subscriptions."""
        return tuple(one for one in self.reports if one.operation == operation)

    def names(self, kind: str) -> set[str]:
        """The names of the resources of a kind."""
        return {name for of_kind, name in self.resources if of_kind == kind}

    def calls(self, operation: str) -> int:
        """How often an operation was asked for."""
        return sum(one.asked for one in self.of(operation))


def swept(collector: Collector, connection: Connection) -> Swept:
    """Runs a collector to its end."""
    seen = list(collector.collect(connection, utc_now()))
    resources = [one for one in seen if isinstance(one, ResourceSeen)]
    assert len({(one.kind, one.immutable_id) for one in resources}) == len(resources)
    return Swept(
        {(one.kind, one.name): one for one in resources},
        {(one.kind, one.scope): one for one in seen if isinstance(one, ListingDone)},
        tuple(one for one in seen if isinstance(one, ScopeReport)),
        tuple(type(one) for one in seen),
    )


def assert_nothing_is_invented(before: Swept, after: Swept) -> None:
    """After a fault every fact is what it was, or unread; nothing that exists is taken for gone."""
    for key, resource in after.resources.items():
        assert key in before.resources, f"{key} is none that exists"
        was = before.resources[key].facts
        changed = {
            name: fact
            for name, fact in _facts(resource.facts).items()
            if fact != _facts(was)[name] and not isinstance(fact, Unreadable)
        }
        assert not changed, f"{key} has other facts: {changed}"
        assert resource.tags in (before.resources[key].tags, None)
    for key in before.resources.keys() - after.resources.keys():
        done = after.listings[key[0], before.resources[key].scope]
        assert not done.complete, f"{key} would be deleted"


def _facts(document: FactDocument) -> dict[str, Fact[object]]:
    return {one.name: getattr(document, one.name) for one in fields(document)}
