"""A checked expression, the programs made of two of them, and the rows they judge."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from app.policies.language.tree import Node
from app.policies.language.types import Scope, Type

_NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False)
class Expression:
    """Source, tree and the type of every node; only the checker makes them."""

    source: str
    tree: Node
    types: Mapping[Node, Type]
    scope: Scope
    referenced_facts: frozenset[str]

    @property
    def type(self) -> Type:
        """The type of its result."""
        return self.types[self.tree]


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """A policy for one resource kind: when it applies (None: always) and what it demands."""

    when: Expression | None
    assertion: Expression

    @property
    def referenced_facts(self) -> frozenset[str]:
        """Names of the facts that either expression may read."""
        when = self.when.referenced_facts if self.when else frozenset[str]()
        return when | self.assertion.referenced_facts


class Row(NamedTuple):
    """One resource as policies see it.

    `present` has stored values by fact name, `absent` the names known to have none,
    `unreadable` an error code by name; a name in none of the three was never collected.
    """

    resource: Mapping[str, object]
    present: Mapping[str, object]
    absent: AbstractSet[str] = frozenset()
    unreadable: Mapping[str, str] = _NOTHING
