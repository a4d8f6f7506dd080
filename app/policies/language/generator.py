"""Writes an expression as Python source: right as long as nothing raises, and then fast.

What Python would answer otherwise than CEL is either excluded beforehand (places test their
values, the checker their types) or written so that it raises, and the interpreter decides.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from typing_extensions import override

from app.policies.language import arithmetic, operations, patterns
from app.policies.language.expression import Expression
from app.policies.language.places import CONVERTED
from app.policies.language.spots import Batch, Names, Spot, Spots
from app.policies.language.tree import (
    Binary,
    Call,
    Conditional,
    Index,
    ListOf,
    Literal,
    Logical,
    Name,
    Node,
    Select,
    Unary,
)
from app.policies.language.types import (
    ListType,
    MapType,
    StringType,
    TimestampType,
)
from app.policies.language.values import duration, timestamp

UNBOUND = "interpreter_decides"
"""A name that is never bound: reading it raises NameError, as reading a missing fact does."""

NOW, RESOURCE = "now", "resource"
_MACROS = {
    "exists": "(True in [{body} for {v} in {items}])",
    "all": "(False not in [{body} for {v} in {items}])",
    "exists_one": "([{body} for {v} in {items}].count(True) == 1)",
    "filter": "[{v} for {v} in {items} if {body}]",
    "map": "[{body} for {v} in {items}]",
}
_METHODS = {
    "startsWith": "{0}.startswith({1})",
    "endsWith": "{0}.endswith({1})",
    "contains": "({1} in {0})",
}


class Generator:
    """Code of the nodes of one expression with its params, for one batch."""

    def __init__(self, batch: Batch, expression: Expression, params: Mapping[str, object]) -> None:
        self.batch = batch
        self.types = expression.types
        self.params = params
        self.spots = Spots(batch, expression.types, params, self.code)

    def code(self, node: Node, names: Names) -> str:
        return _RULES[type(node)](self, node, names)

    def undecided(self) -> str:
        self.batch.undecided = True
        return UNBOUND

    def literal(self, node: Literal, _: Names) -> str:
        return repr(node.value)

    def name(self, node: Name, names: Names) -> str:
        return self.read(names[node.name]) if node.name in names else NOW

    def list_of(self, node: ListOf, names: Names) -> str:
        return f"[{', '.join(self.code(item, names) for item in node.items)}]"

    def path(self, node: Select | Index, names: Names) -> str:
        spot = self.spots.of(node, names)
        return self.read(spot) if spot else self.undecided()

    def read(self, spot: Spot) -> str:
        """The value of a spot: an instant or duration inside a list or map is converted here."""
        if spot.place is None or spot.local or not isinstance(spot.type, CONVERTED):
            return spot.code
        converter = timestamp if isinstance(spot.type, TimestampType) else duration
        return f"{self.batch.function(converter)}({spot.code})"

    def unary(self, node: Unary, names: Names) -> str:
        operand = self.code(node.operand, names)
        negation = arithmetic.negation(self.types[node.operand])
        if node.op == "!" or negation is None:
            return f"(not {operand})"
        return f"{self.batch.function(negation)}({operand})"

    def logical(self, node: Logical, names: Names) -> str:
        return self.logical_code(node.op, [self.code(operand, names) for operand in node.operands])

    def logical_code(self, op: str, operands: Sequence[str]) -> str:
        return f"({(' and ' if op == '&&' else ' or ').join(operands)})"

    def conditional(self, node: Conditional, names: Names) -> str:
        test, then, other = (self.code(x, names) for x in (node.test, node.then, node.other))
        return f"({then} if {test} else {other})"

    def binary(self, node: Binary, names: Names) -> str:
        if node.op == "in":
            return self.membership(node, names)
        if node.op in {"==", "!="}:
            return self.equality(node, names)
        left, right = self.code(node.left, names), self.code(node.right, names)
        if node.op in operations.ORDER:
            return f"({left} {node.op} {right})"
        found = arithmetic.sum_of(node.op, self.types[node.left], self.types[node.right])
        if found is None:
            return self.undecided()
        return f"{self.batch.function(found[0])}({left}, {right})"

    def equality(self, node: Binary, names: Names) -> str:
        types = (self.types[node.left], self.types[node.right])
        both = all(isinstance(type_, ListType) for type_ in types)
        write = self.whole if both else self.code
        return f"({write(node.left, names)} {node.op} {write(node.right, names)})"

    def membership(self, node: Binary, names: Names) -> str:
        left = self.code(node.left, names)
        if isinstance(self.types[node.right], MapType):
            holder = self.code(node.right, names)
            if isinstance(node.left, Literal):
                return f"({left} in {holder})"
            return f"{self.batch.function(operations.has_key)}({holder}, {left})"
        return f"({left} in {self.searched(node.right, names)})"

    def searched(self, node: Node, names: Names) -> str:
        """A list to search: constants as a frozenset, which is found in at once."""
        if isinstance(node, ListOf) and all(isinstance(item, Literal) for item in node.items):
            literals = [item.value for item in node.items if isinstance(item, Literal)]
            return self.batch.constant(frozenset(literals))
        whole = self.whole(node, names)
        constant = self.batch.constants.get(whole)
        if isinstance(constant, list):
            return self.batch.constant(frozenset(constant))
        return whole

    def whole(self, node: Node, names: Names) -> str:
        """A list to compare or search: all its items must be tested, and none need conversion."""
        type_ = self.types[node]
        if not isinstance(type_, ListType) or isinstance(node, ListOf):
            return self.code(node, names)
        if isinstance(node, Call) and node.name == "map":
            return self.code(node, names)
        spot = self.spots.of(node.target if isinstance(node, Call) and node.target else node, names)
        if spot is None:
            return self.undecided()
        if spot.place is not None:
            if isinstance(type_.item, CONVERTED):
                return self.undecided()
            if isinstance(spot.type, ListType):
                spot.place.part(type_.item)
        return self.code(node, names) if isinstance(node, Call) else spot.code

    def call(self, node: Call, names: Names) -> str:
        if node.target is not None and node.name in _MACROS:
            return self.macro(node, node.target, names)
        if node.name == "has":
            return self.has(node.args[0], names)
        argument = self.code(node.args[0], names)
        if node.target is None:
            return self.function(node, argument)
        text = self.code(node.target, names)
        if node.name == "matches" and isinstance(node.args[0], Literal):
            search = self.batch.constant(patterns.searcher(str(node.args[0].value)))
            return f"({search}({text}) is not None)"
        return _METHODS[node.name].format(text, argument)

    def function(self, node: Call, argument: str) -> str:
        if node.name == "size":
            return f"len({argument})"
        stamp = node.name == "timestamp"
        if isinstance(node.args[0], Literal):
            return self.batch.constant((timestamp if stamp else duration)(node.args[0].value))
        converter = operations.to_timestamp if stamp else operations.to_duration
        return f"{self.batch.function(converter)}({argument})"

    def has(self, node: Node, names: Names) -> str:
        if not isinstance(node, Select):
            return self.undecided()
        operand = node.operand
        if isinstance(operand, Name) and operand.name not in names:
            if operand.name == "facts":
                return self.batch.ask(node.field)
            if operand.name == "params":
                return repr(self.params.get(node.field) is not None)
            return f"({RESOURCE}.get({node.field!r}) is not None)"
        spot = self.spots.of(operand, names)
        return f"({spot.code}.get({node.field!r}) is not None)" if spot else self.undecided()

    def macro(self, node: Call, target: Node, names: Names) -> str:
        spot = self.spots.of(target, names)
        variable, body = node.args
        if spot is None or not isinstance(variable, Name):
            return self.undecided()
        name = f"v{len(names)}"
        item = Spot(name, StringType(), None)
        if isinstance(spot.type, ListType):
            place = spot.place.part(spot.type.item) if spot.place else None
            item = Spot(name, spot.type.item, place)
        code = self.code(body, {**names, variable.name: item})
        return self.macro_code(node.name, code, name, spot.code)

    def macro_code(self, macro: str, body: str, variable: str, items: str) -> str:
        return _MACROS[macro].format(body=body, v=variable, items=items)


class CarefulGenerator(Generator):
    """The same code, but each branch of `&&`, `||`, exists and all may fail by itself."""

    @override
    def logical_code(self, op: str, operands: Sequence[str]) -> str:
        branches = "".join(f"lambda: {operand}, " for operand in operands)
        return f"{self.batch.function(operations.settle)}(({branches}), {op == '||'})"

    @override
    def macro_code(self, macro: str, body: str, variable: str, items: str) -> str:
        if macro not in {"exists", "all"}:
            return super().macro_code(macro, body, variable, items)
        branches = f"[lambda {variable}={variable}: {body} for {variable} in {items}]"
        return f"{self.batch.function(operations.settle)}({branches}, {macro == 'exists'})"


_RULES: dict[type[Node], Callable[[Generator, Any, Names], str]] = {
    Literal: Generator.literal,
    Name: Generator.name,
    ListOf: Generator.list_of,
    Select: Generator.path,
    Index: Generator.path,
    Unary: Generator.unary,
    Logical: Generator.logical,
    Binary: Generator.binary,
    Conditional: Generator.conditional,
    Call: Generator.call,
}
