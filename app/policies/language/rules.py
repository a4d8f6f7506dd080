"""Which types go together: what may be compared, ordered, or stand in one list."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.policies.language.types import (
    NUMBERS,
    SCALARS,
    BoolType,
    DurationType,
    ListType,
    NullType,
    StringType,
    TimestampType,
    Type,
)

_ORDERED = (StringType, TimestampType, DurationType)


@dataclass(frozen=True, slots=True)
class Context:
    """Where a node stands: the variables it sees, and how many macros are around it."""

    names: Mapping[str, Type]
    loops: int = 0


def comparable(left: Type, right: Type) -> bool:
    """Whether `==` has a sense: null with all, numbers with each other, lists of such."""
    if isinstance(left, NullType) or isinstance(right, NullType):
        return True
    if isinstance(left, NUMBERS) and isinstance(right, NUMBERS):
        return True
    if isinstance(left, ListType) and isinstance(right, ListType):
        return comparable(left.item, right.item) and _flat(left) and _flat(right)
    return isinstance(left, SCALARS) and type(left) is type(right)


def _flat(found: ListType) -> bool:
    return isinstance(found.item, (*SCALARS, NullType))


def orderable(left: Type, right: Type) -> bool:
    """Whether `<` has a sense."""
    if isinstance(left, NUMBERS):
        return isinstance(right, NUMBERS)
    return isinstance(left, _ORDERED) and type(left) is type(right)


def joined(left: Type, right: Type) -> Type | None:
    """The one type of two branches or list items; None if they have none in common.

    A bool does not join with null, so that what is asked for true or false is one of them.
    """
    if isinstance(left, NullType) and not isinstance(right, BoolType):
        return right
    if isinstance(right, NullType) and not isinstance(left, BoolType):
        return left
    if isinstance(left, StringType) and isinstance(right, StringType):
        both = bool(left.values and right.values)
        return StringType(tuple(dict.fromkeys(left.values + right.values)) if both else ())
    if isinstance(left, ListType) and isinstance(right, ListType):
        item = joined(left.item, right.item)
        return ListType(item) if item is not None else None
    return left if left == right else None
