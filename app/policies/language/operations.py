"""Operations on known values that interpreter and generated code share."""

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from app.policies.language import patterns, values
from app.policies.language.values import UnknownError, first_reasons

FAULTS = (NameError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError)
"""What generated code raises for a row that it cannot judge."""

ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def item(holder: Any, key: Any) -> object:  # noqa: ANN401 - a mapping or a list
    """`holder[key]`; LookupError for an index below zero, where Python counts from the end."""
    if not isinstance(holder, Mapping) and key < 0:
        raise IndexError("an index below zero")
    found: object = holder[key]
    return found


def has_key(holder: Mapping[str, object], key: str | None) -> bool:
    """`key in holder`; TypeError for a null key, which is no question."""
    if key is None:
        raise TypeError("a null key")
    return key in holder


def to_timestamp(value: object) -> object:
    """`timestamp(value)`; TypeError for null, ValueError for what is none."""
    if value is None:
        raise TypeError("null is no timestamp")
    return values.timestamp(value)


def to_duration(value: object) -> object:
    """`duration(value)`; TypeError for null, ValueError for what is none."""
    if value is None:
        raise TypeError("null is no duration")
    return values.duration(value)


def contains(text: str, part: str) -> bool:
    """`text.contains(part)`."""
    return part in text


def matches(text: str, pattern: str) -> bool:
    """Whether the RE2 pattern is found anywhere in the text."""
    return patterns.searcher(pattern)(text) is not None


def decide(branches: Sequence[Callable[[], object]], *, decisive: bool) -> bool:
    """Kleene's logic: a branch that decides wins, even over branches that are unknown."""
    reasons: list[str] = []
    for branch in branches:
        try:
            if branch() is decisive:
                return decisive
        except UnknownError as unknown:
            reasons += unknown.reasons
    if reasons:
        raise UnknownError(*first_reasons(reasons))
    return not decisive


def settle(branches: Iterable[Callable[[], object]], decisive: bool) -> bool:  # noqa: FBT001 - called by generated code
    """As `decide` for generated code, whose branches raise any of FAULTS; LookupError itself."""
    unknown = False
    for branch in branches:
        try:
            if branch() is decisive:
                return decisive
        except FAULTS:
            unknown = True
    if unknown:
        raise LookupError("unknown")
    return not decisive


FUNCTIONS: dict[str, Callable[..., object]] = {
    "size": len,
    "startsWith": str.startswith,
    "endsWith": str.endswith,
    "contains": contains,
    "matches": matches,
}
