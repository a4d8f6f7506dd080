"""The reference evaluation: CEL's rules with three values, and the reasons of what is unknown.

Slow and thorough. It judges the rows that the generated code cannot, and explains verdicts.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from app.policies.language import arithmetic, operations, values
from app.policies.language.errors import position
from app.policies.language.expression import Expression, Row
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
    describe,
    root_of,
)
from app.policies.language.types import ListType, MapType, ObjectType
from app.policies.language.values import (
    MisfitError,
    UnknownError,
    conform,
    conform_deeply,
)


class _Bound(NamedTuple):
    """The value of a macro's variable and the path it was read from."""

    value: object
    path: str


_Names = Mapping[str, _Bound]
_FAULTS = (TypeError, ValueError, ArithmeticError, LookupError, AttributeError)


class Interpreter:
    """Evaluates nodes of one expression for one row; UnknownError carries the reasons."""

    def __init__(
        self,
        expression: Expression,
        row: Row,
        params: Mapping[str, object],
        now: datetime,
        used: dict[str, object] | None,
    ) -> None:
        self.expression = expression
        self.row = row
        self.roots: dict[str, object] = {"resource": row.resource, "params": params, "now": now}
        self.used = used

    def value(self, node: Node, names: _Names) -> object:
        return _RULES[type(node)](self, node, names)

    def known(self, node: Node, names: _Names) -> Any:  # noqa: ANN401 - the checker knows its type
        """The value, which must not be null."""
        value = self.value(node, names)
        if value is None:
            raise UnknownError(f"{self.path(node, names)} is null")
        return value

    def path(self, node: Node, names: _Names) -> str:
        """Where a value comes from, macro variables resolved; evaluates nothing, so it is cheap."""
        if isinstance(node, Name) and node.name in names:
            return names[node.name].path
        if isinstance(node, Select):
            return f"{self.path(node.operand, names)}.{node.field}"
        if isinstance(node, Index):
            return f"{self.path(node.operand, names)}[{self.path(node.key, names)}]"
        return describe(node)

    def place(self, node: Node) -> str:
        line, column = position(self.expression.source, node.offset)
        return f"{line}:{column}"

    def literal(self, node: Literal, _: _Names) -> object:
        return node.value

    def name(self, node: Name, names: _Names) -> object:
        if node.name not in names:
            return self.roots[node.name]
        return self.fitting(names[node.name].value, node, names)

    def fitting(self, stored: object, node: Node, names: _Names) -> object:
        try:
            return conform(stored, self.expression.types[node])
        except MisfitError as misfit:
            raise UnknownError(f"{self.path(node, names)} is not {misfit}") from None

    def list_of(self, node: ListOf, names: _Names) -> object:
        return [self.value(item, names) for item in node.items]

    def read(self, node: Select | Index, names: _Names) -> object:
        """Selection and index: the value by its type; remembers what was stored."""
        stored = self.stored(node, names)
        root = root_of(node)
        if self.used is not None and root is not None and root.name in {"facts", "resource"}:
            self.used[self.path(node, names)] = stored
        return self.fitting(stored, node, names)

    def stored(self, node: Select | Index, names: _Names) -> object:
        if isinstance(node, Select) and _is_root(node.operand, "facts"):
            return self.fact(node.field)
        holder = self.holder(node.operand, names)
        key = node.field if isinstance(node, Select) else self.known(node.key, names)
        try:
            return operations.item(holder, key)
        except LookupError:
            why = self.why_missing(node.operand, holder)
            raise UnknownError(f"{self.path(node, names)} {why}") from None

    def why_missing(self, node: Node, holder: Any) -> str:  # noqa: ANN401 - a mapping or a list
        """Objects of facts say by their own `code` why a part of them is not known."""
        is_object = isinstance(self.expression.types.get(node), ObjectType)
        code = holder.get("code") if is_object else None
        return f"could not be read: {code}" if code and isinstance(code, str) else "is absent"

    def fact(self, name: str) -> object:
        if name in self.row.present:
            return self.row.present[name]
        if name in self.row.absent:
            raise UnknownError(f"facts.{name} is absent")
        raise UnknownError(self.not_read(name))

    def not_read(self, name: str) -> str:
        if name in self.row.unreadable:
            return f"facts.{name} could not be read: {self.row.unreadable[name]}"
        return f"facts.{name} was not collected"

    def holder(self, node: Node, names: _Names) -> Any:  # noqa: ANN401 - a mapping or a list
        """What is selected from; it is not recorded as used, only its selected part is."""
        if isinstance(node, Name) and node.name not in names:
            return self.roots[node.name]
        if not isinstance(node, Select | Index):
            return self.known(node, names)
        found = self.fitting(self.stored(node, names), node, names)
        if found is None:
            raise UnknownError(f"{self.path(node, names)} is null")
        return found

    def whole(self, node: Node, names: _Names) -> object:
        """A list with all its items read by their type, for comparisons and searches."""
        found = self.value(node, names)
        return conform_deeply(found, self.expression.types[node], self.path(node, names))

    def unary(self, node: Unary, names: _Names) -> object:
        operand = self.known(node.operand, names)
        if node.op == "!":
            return not operand
        return self.compute(node, arithmetic.negation(self.expression.types[node.operand]), operand)

    def compute(self, node: Node, operation: Callable[..., object] | None, *args: object) -> object:
        """Applies an operation; a fault of the data is unknown, with the place in the source."""
        try:
            return operation(*args) if operation else None
        except ZeroDivisionError:
            raise UnknownError(f"division by zero at {self.place(node)}") from None
        except OverflowError:
            raise UnknownError(f"the result at {self.place(node)} is out of range") from None
        except _FAULTS:
            raise UnknownError(f"cannot be computed at {self.place(node)}") from None

    def binary(self, node: Binary, names: _Names) -> object:
        if node.op in {"==", "!="}:
            return self.equal(node, names) is (node.op == "==")
        if node.op == "in":
            return self.membership(node, names)
        left, right = self.known(node.left, names), self.known(node.right, names)
        if node.op in operations.ORDER:
            return self.compute(node, operations.ORDER[node.op], left, right)
        types = self.expression.types
        found = arithmetic.sum_of(node.op, types[node.left], types[node.right])
        return self.compute(node, found[0] if found else None, left, right)

    def equal(self, node: Binary, names: _Names) -> bool:
        types = self.expression.types
        both = isinstance(types[node.left], ListType) and isinstance(types[node.right], ListType)
        read = self.whole if both else self.value
        return read(node.left, names) == read(node.right, names)

    def membership(self, node: Binary, names: _Names) -> object:
        if isinstance(self.expression.types[node.right], MapType):
            key = self.known(node.left, names)
            return key in self.known(node.right, names)
        found, items = self.value(node.left, names), self.whole(node.right, names)
        if not isinstance(items, Sequence):
            raise UnknownError(f"{self.path(node.right, names)} is null")
        return found in items

    def logical(self, node: Logical, names: _Names) -> object:
        branches = [lambda at=at: self.known(at, names) for at in node.operands]
        return operations.decide(branches, decisive=node.op == "||")

    def conditional(self, node: Conditional, names: _Names) -> object:
        return self.value(node.then if self.known(node.test, names) else node.other, names)

    def call(self, node: Call, names: _Names) -> object:
        if node.target is not None and len(node.args) > 1:
            return self.macro(node, node.target, names)
        if node.name == "has":
            return self.has(node.args[0], names)
        operands = (*([node.target] if node.target else []), *node.args)
        values_ = [self.known(operand, names) for operand in operands]
        if node.name in {"timestamp", "duration"}:
            return self.convert(node, values_[0], names)
        return self.compute(node, operations.FUNCTIONS[node.name], *values_)

    def convert(self, node: Call, value: object, names: _Names) -> object:
        converter = values.timestamp if node.name == "timestamp" else values.duration
        try:
            return converter(value)
        except (ValueError, OverflowError):
            path = self.path(node.args[0], names)
            raise UnknownError(f"{path} is not a {node.name}") from None

    def has(self, node: Node, names: _Names) -> bool:
        """True for a value, false for null or none; unknown when that was never answered."""
        if not isinstance(node, Select):
            raise UnknownError("has() takes a field")
        if not _is_root(node.operand, "facts"):
            return self.holder(node.operand, names).get(node.field) is not None
        if node.field in self.row.present or node.field in self.row.absent:
            return self.row.present.get(node.field) is not None
        raise UnknownError(self.not_read(node.field))

    def macro(self, node: Call, target: Node, names: _Names) -> object:
        variable, body = node.args
        items = self.known(target, names)
        path = self.path(target, names)
        label = variable.name if isinstance(variable, Name) else ""
        keys = items if isinstance(items, Mapping) else range(len(items))
        inner = [
            {**names, label: _Bound(item, f"{path}[{key!r}]")}
            for key, item in zip(keys, items, strict=True)
        ]
        if node.name in {"exists", "all"}:
            branches = [lambda at=at: self.known(body, at) for at in inner]
            return operations.decide(branches, decisive=node.name == "exists")
        if node.name == "map":
            return [self.value(body, at) for at in inner]
        kept = [at[label].value for at in inner if self.known(body, at)]
        return kept if node.name == "filter" else len(kept) == 1


def _is_root(node: Node, name: str) -> bool:
    return isinstance(node, Name) and node.name == name


_RULES: dict[type[Node], Callable[[Interpreter, Any, _Names], object]] = {
    Literal: Interpreter.literal,
    Name: Interpreter.name,
    ListOf: Interpreter.list_of,
    Select: Interpreter.read,
    Index: Interpreter.read,
    Unary: Interpreter.unary,
    Logical: Interpreter.logical,
    Binary: Interpreter.binary,
    Conditional: Interpreter.conditional,
    Call: Interpreter.call,
}
