"""Syntax tree of an expression. Nodes compare by identity, so that types can be kept beside it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True, eq=False)
class Literal:
    """A number, text, true, false or null as written."""

    offset: int
    value: bool | int | float | str | None


@dataclass(frozen=True, slots=True, eq=False)
class Name:
    """A variable: facts, resource, params, now, or one that a macro binds."""

    offset: int
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class ListOf:
    """`[a, b]`."""

    offset: int
    items: "tuple[Node, ...]"


@dataclass(frozen=True, slots=True, eq=False)
class Select:
    """`operand.field`; the offset is that of the field."""

    offset: int
    operand: "Node"
    field: str


@dataclass(frozen=True, slots=True, eq=False)
class Index:
    """`operand[key]`."""

    offset: int
    operand: "Node"
    key: "Node"


@dataclass(frozen=True, slots=True, eq=False)
class Unary:
    """`!x` or `-x`."""

    offset: int
    op: str
    operand: "Node"


@dataclass(frozen=True, slots=True, eq=False)
class Logical:
    """`a && b && c` or `a || b || c`: any number of operands, so that long lists stay flat."""

    offset: int
    op: str
    operands: "tuple[Node, ...]"


@dataclass(frozen=True, slots=True, eq=False)
class Binary:
    """A comparison, `in`, or a sum; the offset is that of the operator."""

    offset: int
    op: str
    left: "Node"
    right: "Node"


@dataclass(frozen=True, slots=True, eq=False)
class Conditional:
    """`test ? then : other`."""

    offset: int
    test: "Node"
    then: "Node"
    other: "Node"


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """`name(args)`, or `target.name(args)`; the offset is that of the name."""

    offset: int
    name: str
    target: "Node | None"
    args: "tuple[Node, ...]"


Node: TypeAlias = (
    Literal | Name | ListOf | Select | Index | Unary | Logical | Binary | Conditional | Call
)
Path: TypeAlias = Name | Select | Index


def children(node: Node) -> "tuple[Node, ...]":
    """The nodes directly below."""
    match node:
        case Literal() | Name():
            return ()
        case ListOf(items=nodes) | Logical(operands=nodes):
            return nodes
        case Select(operand=operand) | Unary(operand=operand):
            return (operand,)
        case Index(operand=left, key=right) | Binary(left=left, right=right):
            return (left, right)
        case Conditional():
            return (node.test, node.then, node.other)
    return node.args if node.target is None else (node.target, *node.args)


def walk(tree: Node) -> Iterator[tuple[Node, int]]:
    """Every node with its depth (the root has 0). Needs no recursion, whatever the depth."""
    waiting = [(tree, 0)]
    while waiting:
        node, depth = waiting.pop()
        yield node, depth
        waiting += [(child, depth + 1) for child in reversed(children(node))]


def root_of(node: Node) -> Name | None:
    """The variable that a chain of selections and indexes starts from, if it is such a chain."""
    while isinstance(node, Select | Index):
        node = node.operand
    return node if isinstance(node, Name) else None


def describe(node: Node) -> str:
    """How messages call a node: its dotted path if it has one."""
    match node:
        case Name():
            return node.name
        case Select():
            return f"{describe(node.operand)}.{node.field}"
        case Index():
            return f"{describe(node.operand)}[{describe(node.key)}]"
        case Call():
            return f"{node.name}()"
        case Literal(value=value):
            return _CONSTANTS.get(repr(value), repr(value))
    return "this"


_CONSTANTS = {"True": "true", "False": "false", "None": "null"}
