"""Finds where stored values are at hand in generated code: variables, parts, constants."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from app.policies.language import operations
from app.policies.language.places import Place
from app.policies.language.tree import Index, Literal, Name, Node, Select
from app.policies.language.types import (
    SCALARS,
    BoolType,
    ListType,
    MapType,
    ObjectType,
    Type,
)
from app.policies.language.values import UnknownError, conform_deeply


class Spot(NamedTuple):
    """Where a stored value is at hand: its code, its type, and its place in the row.

    `place` is None for params and map keys, which need no test; `local` says that the code is a
    variable of the row's own, already converted.
    """

    code: str
    type: Type
    place: Place | None
    local: bool = False


Names = Mapping[str, Spot]


@dataclass(slots=True)
class Batch:
    """What the generators of one batch share.

    The places they read, the facts that has() asks for with the variable of the answer, and the
    constants and functions that the code names. `undecided` is set when a part was left to the
    interpreter.
    """

    facts: Place = field(default_factory=lambda: Place(ObjectType()))
    resource: Place = field(default_factory=lambda: Place(ObjectType()))
    asked: dict[str, str] = field(default_factory=dict)
    constants: dict[str, object] = field(default_factory=dict)
    made: int = 0
    undecided: bool = False

    def fresh(self, letter: str) -> str:
        self.made += 1
        return f"{letter}{self.made}"

    def constant(self, value: object) -> str:
        name = self.fresh("k")
        self.constants[name] = value
        return name

    def ask(self, fact: str) -> str:
        if fact not in self.asked:
            self.asked[fact] = self.fresh("h")
        return self.asked[fact]

    def function(self, function: Callable[..., object]) -> str:
        self.constants[function.__name__] = function
        return function.__name__


@dataclass(frozen=True, slots=True)
class Spots:
    """The spots of one expression with its params; `code` writes the keys of indexes."""

    batch: Batch
    types: Mapping[Node, Type]
    params: Mapping[str, object]
    code: Callable[[Node, Names], str]

    def of(self, node: Node, names: Names) -> Spot | None:
        """The spot of a path; None for anything else, and for params that do not fit."""
        if isinstance(node, Name):
            return names.get(node.name)
        if isinstance(node, Select):
            if isinstance(node.operand, Name) and node.operand.name not in names:
                return self.field_of_root(node, node.operand.name)
            return self.selected(node, self.of(node.operand, names))
        return self.part(node, names) if isinstance(node, Index) else None

    def field_of_root(self, node: Select, root: str) -> Spot | None:
        if root == "params":
            return self.param(node.field, self.types[node])
        place = self.batch.facts if root == "facts" else self.batch.resource
        return self.local(place, node)

    def local(self, holder: Place, node: Select) -> Spot:
        type_ = self.types[node]
        if node.field not in holder.fields:
            holder.under(node.field, type_, self.batch.fresh("f"))
        place = holder.fields[node.field]
        return Spot(place.name, type_, place, local=True)

    def selected(self, node: Select, holder: Spot | None) -> Spot | None:
        if holder is None:
            return None
        if holder.local and holder.place and isinstance(holder.type, ObjectType):
            return self.local(holder.place, node)
        type_ = self.types[node]
        place = holder.place
        if place is not None:
            of_map = isinstance(holder.type, MapType)
            place = place.part(type_) if of_map else place.under(node.field, type_)
        return Spot(f"{holder.code}[{node.field!r}]", type_, place)

    def part(self, node: Index, names: Names) -> Spot | None:
        holder = self.of(node.operand, names)
        if holder is None:
            return None
        key, type_ = self.code(node.key, names), self.types[node]
        place = holder.place.part(type_) if holder.place else None
        literal = isinstance(node.key, Literal) and not key.startswith("-")
        if isinstance(holder.type, MapType) or literal:
            return Spot(f"{holder.code}[{key}]", type_, place)
        return Spot(f"{self.batch.function(operations.item)}({holder.code}, {key})", type_, place)

    def param(self, name: str, type_: Type) -> Spot | None:
        """A param as a constant; None for what only the interpreter can judge."""
        value = self.param_value(name, type_)
        return None if value is None else Spot(self.batch.constant(value), type_, None)

    def param_value(self, name: str, type_: Type) -> object:
        item = _item_type(type_)
        if not isinstance(item, SCALARS) or (isinstance(item, BoolType) and item is not type_):
            return None
        try:
            return conform_deeply(self.params.get(name), type_, name)
        except UnknownError:
            return None


def _item_type(type_: Type) -> Type:
    if isinstance(type_, ListType):
        return type_.item
    return type_.value if isinstance(type_, MapType) else type_
