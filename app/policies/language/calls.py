"""Static checks of functions, methods and macros."""

from collections.abc import Callable
from typing import Protocol

from app.policies.language import patterns, values
from app.policies.language.errors import PolicySyntaxError, did_you_mean
from app.policies.language.rules import Context
from app.policies.language.tree import Call, Literal, Name, Node, Select, describe, root_of
from app.policies.language.types import (
    BoolType,
    DurationType,
    IntType,
    ListType,
    MapType,
    ObjectType,
    StringType,
    TimestampType,
    Type,
)

MAX_LOOPS = 2
MAX_MACROS = 16
FUNCTIONS = ("has", "size", "timestamp", "duration")
TEXT_METHODS = ("startsWith", "endsWith", "contains", "matches")
MACROS = ("exists", "all", "exists_one", "filter", "map")
ROOTS = ("resource", "facts", "params", "now")


class Typing(Protocol):
    """The part of the checker that calls need."""

    macros: int

    def type_of(self, node: Node, context: Context) -> Type:
        """The checked type of a node."""

    def fault(self, message: str, node: Node) -> PolicySyntaxError:
        """The error that refuses the policy at this node."""


def type_of_call(typing: Typing, node: Call, context: Context) -> Type:
    """The type a call gives; PolicySyntaxError when it is not one we have."""
    if node.target is None and node.name in FUNCTIONS:
        _count(typing, node, 1)
        return _FUNCTION_TYPES[node.name](typing, node, context)
    if node.target is not None and node.name in TEXT_METHODS:
        _count(typing, node, 1)
        return _text_method(typing, node, node.target, context)
    if node.target is not None and node.name in MACROS:
        return _macro(typing, node, node.target, context)
    if node.target is None and node.name in TEXT_METHODS + MACROS:
        example = "text.{}('...')" if node.name in TEXT_METHODS else "list.{}(x, ...)"
        raise typing.fault(f"write it as {example.format(node.name)}", node)
    known = FUNCTIONS if node.target is None else TEXT_METHODS + MACROS
    raise typing.fault(f"unknown function {node.name!r}{did_you_mean(node.name, known)}", node)


def _count(typing: Typing, node: Call, wanted: int) -> None:
    if len(node.args) != wanted:
        plural = "argument" if wanted == 1 else "arguments"
        raise typing.fault(f"{node.name}() takes {wanted} {plural}, got {len(node.args)}", node)


def _has(typing: Typing, node: Call, context: Context) -> Type:
    argument = node.args[0]
    if not isinstance(argument, Select):
        raise typing.fault("has() takes a field, such as has(facts.name)", argument)
    typing.type_of(argument, context)
    return BoolType()


def _size(typing: Typing, node: Call, context: Context) -> Type:
    argument = node.args[0]
    found = typing.type_of(argument, context)
    if not isinstance(found, StringType | ListType | MapType):
        raise typing.fault(
            f"size() takes a string, list or map; {describe(argument)} is {found}", node
        )
    return IntType()


def _timestamp(typing: Typing, node: Call, context: Context) -> Type:
    return _convert(typing, node, context, TimestampType())


def _duration(typing: Typing, node: Call, context: Context) -> Type:
    return _convert(typing, node, context, DurationType())


_EXAMPLES = {"timestamp": "2026-11-30T09:00:00Z", "duration": "1h30m' or '30d"}
_FUNCTION_TYPES: dict[str, Callable[[Typing, Call, Context], Type]] = {
    "has": _has,
    "size": _size,
    "timestamp": _timestamp,
    "duration": _duration,
}


def _convert(typing: Typing, node: Call, context: Context, result: Type) -> Type:
    argument = node.args[0]
    found = typing.type_of(argument, context)
    if not isinstance(found, StringType) and found != result:
        raise typing.fault(
            f"{node.name}() takes a string; {describe(argument)} is {found}", argument
        )
    if isinstance(argument, Literal):
        convert = values.timestamp if isinstance(result, TimestampType) else values.duration
        try:
            convert(argument.value)
        except (ValueError, OverflowError):
            message = f"{argument.value!r} is not a {node.name}"
            message += f"; write it as '{_EXAMPLES[node.name]}'"
            raise typing.fault(message, argument) from None
    return result


def _text_method(typing: Typing, node: Call, target: Node, context: Context) -> Type:
    argument = node.args[0]
    for operand in (target, argument):
        found = typing.type_of(operand, context)
        if not isinstance(found, StringType):
            raise typing.fault(
                f"{node.name}() needs strings; {describe(operand)} is {found}", operand
            )
    if node.name == "matches":
        _check_pattern(typing, argument)
    return BoolType()


def _check_pattern(typing: Typing, argument: Node) -> None:
    if not isinstance(argument, Literal) or not isinstance(argument.value, str):
        raise typing.fault("matches() takes a literal pattern", argument)
    try:
        patterns.searcher(argument.value)
    except patterns.BadPatternError as error:
        raise typing.fault(f"bad pattern: {error}", argument) from None


def _macro(typing: Typing, node: Call, target: Node, context: Context) -> Type:
    _count(typing, node, 2)
    variable, body = node.args
    if not isinstance(variable, Name):
        raise typing.fault(f"{node.name}() takes a variable first: {node.name}(x, ...)", variable)
    if variable.name in ROOTS or variable.name in context.names:
        raise typing.fault(f"{variable.name!r} is taken; choose another variable", variable)
    item = _item_type(typing, node, target, context)
    _bound(typing, node, context)
    inner = Context({**context.names, variable.name: item}, context.loops + 1)
    found = typing.type_of(body, inner)
    if node.name == "map":
        return ListType(found)
    if not isinstance(found, BoolType):
        raise typing.fault(
            f"{node.name}() needs true or false for each item, this is {found}", body
        )
    return ListType(item) if node.name == "filter" else BoolType()


def _item_type(typing: Typing, node: Call, target: Node, context: Context) -> Type:
    if root_of(target) is None:
        raise typing.fault(
            f"{node.name}() works on facts only, such as facts.list.{node.name}(...)", node
        )
    found = typing.type_of(target, context)
    if isinstance(found, ListType):
        return found.item
    if isinstance(found, MapType):
        return StringType()
    hint = "; name its fields" if isinstance(found, ObjectType) else ""
    raise typing.fault(
        f"{node.name}() works on lists and maps; {describe(target)} is {found}{hint}", node
    )


def _bound(typing: Typing, node: Call, context: Context) -> None:
    typing.macros += 1
    if context.loops >= MAX_LOOPS:
        raise typing.fault(f"at most {MAX_LOOPS} macros inside each other", node)
    if typing.macros > MAX_MACROS:
        raise typing.fault(f"at most {MAX_MACROS} macros in one expression", node)
