"""The static checker: every name, type and bound, before a policy is accepted."""

from collections.abc import Callable, Iterator
from typing import Any

from app.policies.language import arithmetic, rules
from app.policies.language.calls import MAX_LOOPS, ROOTS, type_of_call
from app.policies.language.errors import PolicySyntaxError, did_you_mean
from app.policies.language.expression import Expression, Program
from app.policies.language.parser import parse
from app.policies.language.rules import Context
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
from app.policies.language.types import (
    BoolType,
    FloatType,
    IntType,
    ListType,
    MapType,
    NullType,
    ObjectType,
    Scope,
    StringType,
    Type,
)


def check(source: str, scope: Scope, *, want: str | None = "bool") -> Expression:
    """Parses an expression and checks it against the scope.

    `want` is the name of the type the result must have (None: any). PolicySyntaxError for the
    first fault, with line, column, a caret and the likely name.
    """
    tree = parse(source)
    checker = _Checker(source, scope)
    found = checker.type_of(tree, Context({}))
    if want is not None and str(found) != want:
        needed = "true or false" if want == "bool" else want
        raise checker.fault(f"this gives {found}, but {needed} is needed", tree)
    return Expression(source, tree, checker.types, scope, frozenset(checker.facts))


def check_program(when: str | None, assertion: str, scope: Scope) -> Program:
    """Checks both expressions of a policy; an empty `when` applies always."""
    checked = check(when, scope) if when is not None and when.strip() else None
    return Program(checked, check(assertion, scope))


class _Checker:
    """Types of all nodes, gathered on one walk down the tree."""

    def __init__(self, source: str, scope: Scope) -> None:
        self.source = source
        self.scope = scope
        self.roots = scope.roots()
        self.types: dict[Node, Type] = {}
        self.facts: set[str] = set()
        self.macros = 0

    def type_of(self, node: Node, context: Context) -> Type:
        found = _RULES[type(node)](self, node, context)
        self.types[node] = found
        return found

    def fault(self, message: str, node: Node) -> PolicySyntaxError:
        return PolicySyntaxError(message, self.source, node.offset)

    def literal(self, node: Literal, _: Context) -> Type:
        return _LITERALS[type(node.value)]

    def name(self, node: Name, context: Context) -> Type:
        found = context.names.get(node.name) or self.roots.get(node.name)
        if found is None:
            known = [*self.roots, *context.names]
            raise self.fault(f"unknown name {node.name!r}{did_you_mean(node.name, known)}", node)
        if isinstance(found, ObjectType) and node.name in self.roots:
            raise self.fault(f"name one field, such as {node.name}.x", node)
        return found

    def holder(self, node: Node, context: Context) -> Type:
        if isinstance(node, Name) and node.name in ROOTS:
            self.types[node] = self.roots[node.name]
            return self.roots[node.name]
        return self.type_of(node, context)

    def list_of(self, node: ListOf, context: Context) -> Type:
        item: Type = NullType()
        for entry in node.items:
            found = self.type_of(entry, context)
            both = rules.joined(item, found)
            if both is None:
                raise self.fault(
                    f"a list has items of one type; this is {found}, not {item}", entry
                )
            item = both
        return ListType(item)

    def select(self, node: Select, context: Context) -> Type:
        holder = self.holder(node.operand, context)
        if isinstance(holder, MapType):
            return holder.value
        if not isinstance(holder, ObjectType):
            raise self.fault(f"{describe(node.operand)} is {holder} and has no fields", node)
        field = holder.fields.get(node.field)
        if field is None:
            message = self.unknown_field(node) + did_you_mean(node.field, holder.fields)
            raise self.fault(message, node)
        if isinstance(node.operand, Name) and node.operand.name == "facts":
            self.facts.add(node.field)
        return field.type

    def unknown_field(self, node: Select) -> str:
        holder = describe(node.operand)
        if holder == "facts":
            kind = f" of {self.scope.kind}" if self.scope.kind else ""
            return f"unknown fact {node.field!r}{kind}"
        return f"{holder} has no field {node.field!r}"

    def index(self, node: Index, context: Context) -> Type:
        holder = self.type_of(node.operand, context)
        key = self.type_of(node.key, context)
        if isinstance(holder, ListType) and isinstance(key, IntType):
            return holder.item
        if isinstance(holder, MapType) and isinstance(key, StringType):
            return holder.value
        path = describe(node.operand)
        if isinstance(holder, ListType | MapType):
            wanted = "an int" if isinstance(holder, ListType) else "a string"
            raise self.fault(f"the key of {path} is {wanted}, not {key}", node.key)
        hint = f"; write {path}.x" if isinstance(holder, ObjectType) else ""
        raise self.fault(f"{path} is {holder} and has no [...]{hint}", node)

    def unary(self, node: Unary, context: Context) -> Type:
        if node.op == "!":
            self.need_bool(node.operand, "'!'", context)
            return BoolType()
        found = self.type_of(node.operand, context)
        if arithmetic.negation(found) is None:
            raise self.fault(f"'-' needs a number; {describe(node.operand)} is {found}", node)
        return found

    def need_bool(self, node: Node, who: str, context: Context) -> None:
        found = self.type_of(node, context)
        if not isinstance(found, BoolType):
            raise self.fault(f"{who} needs true or false; {describe(node)} is {found}", node)

    def logical(self, node: Logical, context: Context) -> Type:
        for operand in node.operands:
            self.need_bool(operand, repr(node.op), context)
        return BoolType()

    def conditional(self, node: Conditional, context: Context) -> Type:
        self.need_bool(node.test, "'?'", context)
        then, other = self.type_of(node.then, context), self.type_of(node.other, context)
        both = rules.joined(then, other)
        if both is None:
            raise self.fault(f"both branches need one type; they are {then} and {other}", node)
        return both

    def binary(self, node: Binary, context: Context) -> Type:
        left, right = self.type_of(node.left, context), self.type_of(node.right, context)
        if node.op == "in":
            return self.membership(node, left, right, context)
        if node.op in {"==", "!="}:
            return self.equality(node, left, right, context)
        if node.op in {"<", "<=", ">", ">="}:
            if not rules.orderable(left, right):
                raise self.fault(f"cannot order {left} and {right}", node)
            return BoolType()
        found = arithmetic.sum_of(node.op, left, right)
        if found is None:
            raise self.fault(_no_sum(node.op, left, right), node)
        return found[1]

    def equality(self, node: Binary, left: Type, right: Type, context: Context) -> Type:
        if not rules.comparable(left, right):
            raise self.fault(f"cannot compare {left} with {right}", node)
        if isinstance(left, ListType) and isinstance(right, ListType):
            self.bound_search(node, (node.left, node.right), context)
        self.refuse_foreign(node.left, node.right)
        self.refuse_foreign(node.right, node.left)
        return BoolType()

    def membership(self, node: Binary, left: Type, right: Type, context: Context) -> Type:
        if isinstance(right, MapType):
            if not isinstance(left, StringType):
                raise self.fault(f"the keys of a map are strings, not {left}", node)
            return BoolType()
        if not isinstance(right, ListType):
            raise self.fault(f"'in' needs a list or a map; {describe(node.right)} is {right}", node)
        if isinstance(left, ListType) or not rules.comparable(left, right.item):
            raise self.fault(f"cannot look for {left} in {right}", node)
        self.bound_search(node, (node.right,), context)
        self.refuse_foreign(node.left, node.right)
        self.refuse_foreign(node.right, node.left)
        return BoolType()

    def bound_search(self, node: Node, lists: tuple[Node, ...], context: Context) -> None:
        """A search through a stored list is a loop as well, and bounded like one."""
        if context.loops < MAX_LOOPS or any(isinstance(found, ListOf) for found in lists):
            return
        roots = [root_of(found) for found in lists]
        if any(root is None or root.name != "params" for root in roots):
            message = f"no search through a list inside {MAX_LOOPS} macros; that is a third loop"
            raise self.fault(message, node)

    def refuse_foreign(self, node: Node, other: Node) -> None:
        """Refuses text in `node` that is not among the documented values of `other`."""
        known = self.types[other]
        known = known.item if isinstance(known, ListType) else known
        if not isinstance(known, StringType) or not known.values:
            return
        for literal in _texts(node):
            if literal.value not in known.values:
                hint = did_you_mean(str(literal.value), known.values)
                message = f"{describe(other)} is never {literal.value!r}{hint}"
                raise self.fault(message, literal)


def _texts(node: Node) -> Iterator[Literal]:
    """The strings that a node may give, as far as they are written out."""
    match node:
        case Literal(value=str()):
            yield node
        case ListOf():
            yield from (found for item in node.items for found in _texts(item))
        case Conditional():
            yield from _texts(node.then)
            yield from _texts(node.other)


def _no_sum(op: str, left: Type, right: Type) -> str:
    if isinstance(left, StringType | ListType) and isinstance(right, StringType | ListType):
        return f"policies build no strings or lists: no {op!r} on {left} and {right}"
    hint = ""
    if {type(left), type(right)} == {IntType, FloatType}:
        hint = "; write the whole number as a float, such as 2.0"
    return f"no {op!r} for {left} and {right}{hint}"


_LITERALS: dict[type, Type] = {
    bool: BoolType(),
    str: StringType(),
    int: IntType(),
    float: FloatType(),
    type(None): NullType(),
}
_RULES: dict[type[Node], Callable[[_Checker, Any, Context], Type]] = {
    Literal: _Checker.literal,
    Name: _Checker.name,
    ListOf: _Checker.list_of,
    Select: _Checker.select,
    Index: _Checker.index,
    Unary: _Checker.unary,
    Logical: _Checker.logical,
    Binary: _Checker.binary,
    Conditional: _Checker.conditional,
    Call: type_of_call,
}
