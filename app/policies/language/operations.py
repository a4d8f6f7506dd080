"""Operations on known values that interpreter and generated code share."""

import operator
from collections.abc import Callable, Mapping
from typing import Any

from app.policies.language import patterns

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


def contains(text: str, part: str) -> bool:
    """`text.contains(part)`."""
    return part in text


def matches(text: str, pattern: str) -> bool:
    """Whether the RE2 pattern is found anywhere in the text."""
    return patterns.searcher(pattern)(text) is not None


FUNCTIONS: dict[str, Callable[..., object]] = {
    "size": len,
    "startsWith": str.startswith,
    "endsWith": str.endswith,
    "contains": contains,
    "matches": matches,
}
