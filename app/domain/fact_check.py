"""Whether values are of the types that a fact document declares: a wrong type is no value."""

from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from datetime import datetime
from functools import cache, wraps
from math import isfinite
from typing import Any

from app.domain.fact_schema import FactType, ListOf, MapOf, ObjectOf, Scalar, fields_of
from app.domain.facts import FactDocument
from app.domain.replies import Parse

_SCALARS: Mapping[str, Callable[[Any], bool]] = {
    "bool": lambda value: isinstance(value, bool),
    "int": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "double": lambda value: (
        isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
    ),
    "string": lambda value: isinstance(value, str),
    "timestamp": lambda value: isinstance(value, datetime),
}


def typed(document: type[FactDocument], parse: Parse) -> Parse:
    """The same parser, with a ValueError for a value of another type than its fact has."""
    kind: type = document
    types = _types(kind)

    @wraps(parse)
    def checked(answer: Mapping[str, Any]) -> Mapping[str, Any]:
        values = parse(answer)
        for name, value in values.items():
            if value is not None and not conforms(value, types[name]):
                raise ValueError(f"{name} is of another type than documented")
        return values

    return checked


def conforms(value: Any, kind: FactType) -> bool:  # noqa: ANN401 - facts are of many types
    """Whether a value is what the type says, all the way down."""
    if isinstance(kind, Scalar):
        return _SCALARS[kind.name](value)
    if isinstance(kind, ListOf):
        return isinstance(value, tuple) and all(conforms(one, kind.element) for one in value)
    if isinstance(kind, MapOf):
        return isinstance(value, Mapping) and all(
            isinstance(key, str) and conforms(one, kind.value) for key, one in value.items()
        )
    return is_dataclass(value) and _has_its_fields(value, kind)


def _has_its_fields(value: object, kind: ObjectOf) -> bool:
    return all(
        (found is None and field.optional) or conforms(found, field.type)
        for field in kind.fields
        for found in [getattr(value, field.name)]
    )


@cache
def _types(document: type) -> Mapping[str, FactType]:
    return {field.name: field.type for field in fields_of(document)}
