"""What one sweep of file systems yielded, by the names of these."""

from dataclasses import dataclass
from typing import Any

from app.domain.collecting import Collector, Connection, Outcome, ResourceSeen
from app.domain.derive import derive
from app.domain.facts import Fact, Unreadable, fact_names
from app.kit.clock import utc_now
from tests.support.azure_sweeps import Swept, swept


@dataclass(frozen=True)
class SweptFiles:
    """One sweep whose resources all have names of their own."""

    whole: Swept

    @property
    def resources(self) -> dict[str, ResourceSeen]:
        """Every resource by its name."""
        return {name: one for (_, name), one in self.whole.resources.items()}

    def facts(self, name: str) -> Any:
        """What a resource said of itself."""
        return self.resources[name].facts

    def derived(self, name: str, number: int = 0) -> Any:
        """What follows from that."""
        return derive(self.facts(name), utc_now())[number]

    def ends(self, kind: str) -> dict[str, tuple[bool, str]]:
        """How the lists of a kind ended, by subscription: whole or not, and why not."""
        return {
            scope: (one.complete, one.code)
            for (of_kind, scope), one in self.whole.listings.items()
            if of_kind == kind
        }

    def total(self, operation: str, outcome: Outcome) -> int:
        """How many calls of an operation ended so."""
        return sum(getattr(one, outcome.value) for one in self.whole.of(operation))


def swept_files(collector: Collector, connection: Connection) -> SweptFiles:
    """Runs a collector to its end."""
    found = SweptFiles(swept(collector, connection))
    assert len(found.resources) == len(found.whole.resources)
    return found


def unreadable(facts: Any) -> dict[str, str]:
    """The facts of a document that could not be read, with their codes."""
    found: dict[str, Fact[Any]] = {name: getattr(facts, name) for name in fact_names(type(facts))}
    return {name: one.code for name, one in found.items() if isinstance(one, Unreadable)}
