"""The published schema of the facts, read from the typed documents, and their stored form.

Three forms of one truth: `fields_of` (neutral, for the policy language), `schema_of` (JSON, for
the API and the docs) and `to_fact_set` (the values). The annotations are the only source.
"""

import types
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from datetime import UTC, datetime
from enum import StrEnum
from functools import cache
from math import isfinite
from typing import Any, Union, get_args, get_origin, get_type_hints

from app.domain.facts import Absent, FactDocument, FactSet, Present, Unreadable

LIST_LIMIT = 1000
# Whole floats up to here are the same integers; written so, 30 days are "30" everywhere.
_EXACT = 2**53
_AS_IT_IS = frozenset({str, int, bool, types.NoneType})
# Name of the stored note that says how long a capped list really was.
TRUNCATED = "truncated_facts"


@dataclass(frozen=True, slots=True)
class Scalar:
    """bool, int, double, string or timestamp; `words` are the values a string may have."""

    name: str
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list, of at most LIST_LIMIT entries as stored."""

    element: "FactType"


@dataclass(frozen=True, slots=True)
class MapOf:
    """A map with string keys."""

    value: "FactType"


@dataclass(frozen=True, slots=True)
class Field:
    """One named fact, or one attribute of an object; an `optional` one may be missing."""

    name: str
    type: "FactType"
    doc: str = ""
    source: str = ""
    optional: bool = False


@dataclass(frozen=True, slots=True)
class ObjectOf:
    """An object with known attributes."""

    name: str
    doc: str
    fields: tuple[Field, ...]


FactType = Scalar | ListOf | MapOf | ObjectOf

_SCALARS: dict[object, Scalar] = {
    bool: Scalar("bool"),
    int: Scalar("int"),
    float: Scalar("double"),
    str: Scalar("string"),
    datetime: Scalar("timestamp"),
}
_JSON_TYPES: dict[str, dict[str, Any]] = {
    "bool": {"type": "boolean"},
    "int": {"type": "integer"},
    "double": {"type": "number"},
    "string": {"type": "string"},
    "timestamp": {"type": "string", "format": "date-time"},
}


def fields_of(document: type[FactDocument]) -> tuple[Field, ...]:
    """The facts of a document type in order of declaration; TypeError for a type unknown here."""
    hints = get_type_hints(document)
    return tuple(
        Field(
            name=found.name,
            type=type_of(_inside_fact(hints[found.name])),
            doc=str(found.metadata["doc"]),
            source=str(found.metadata["source"]),
        )
        for found in fields(document)
    )


def schema_of(document: type[FactDocument]) -> dict[str, Any]:
    """`{"kind", "doc", "facts": [{"name", "type", "doc", "source", "optional"}]}`.

    `type` is a JSON Schema of the stored value. Every fact may be absent or unreadable.
    """
    return {
        "kind": document.KIND,
        "doc": (document.__doc__ or "").strip(),
        "facts": [
            {
                "name": found.name,
                "type": json_type(found.type),
                "doc": found.doc,
                "source": found.source,
                "optional": found.optional,
            }
            for found in fields_of(document)
        ],
    }


def json_type(kind: FactType) -> dict[str, Any]:
    """The JSON Schema (2020-12) of one type."""
    if isinstance(kind, Scalar):
        return _JSON_TYPES[kind.name] | ({"enum": list(kind.words)} if kind.words else {})
    if isinstance(kind, ListOf):
        return {"type": "array", "items": json_type(kind.element), "maxItems": LIST_LIMIT}
    if isinstance(kind, MapOf):
        return {"type": "object", "additionalProperties": json_type(kind.value)}
    return {
        "type": "object",
        "title": kind.name,
        "description": kind.doc,
        "properties": {found.name: json_type(found.type) for found in kind.fields},
        "required": [found.name for found in kind.fields if not found.optional],
    }


def to_fact_set(*documents: FactDocument) -> FactSet:
    """The stored form of documents about one resource.

    Times become ISO 8601 in UTC, objects maps without their None attributes, so that reading such
    an attribute is unknown. A list longer than LIST_LIMIT is cut and its real length noted under
    TRUNCATED; a number that JSON cannot say makes its fact unreadable.
    """
    present: dict[str, Any] = {}
    absent: set[str] = set()
    unreadable: dict[str, str] = {}
    for name, value in _values(documents):
        if isinstance(value, Unreadable):
            unreadable[name] = value.code
        elif isinstance(value, Absent):
            absent.add(name)
        else:
            try:
                present[name] = _plain(value.value)
            except _NotJsonError:
                unreadable[name] = "NotANumber"
    return FactSet(_capped(present), frozenset(absent), unreadable)


def type_of(annotation: object) -> FactType:
    """The type behind an annotation; TypeError names what this schema cannot say."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if annotation in _SCALARS:
        return _SCALARS[annotation]
    if origin is tuple and arguments[1:] == (Ellipsis,):
        return ListOf(type_of(arguments[0]))
    if origin is dict and arguments[0] is str:
        return MapOf(type_of(arguments[1]))
    if isinstance(annotation, type) and issubclass(annotation, StrEnum):
        return Scalar("string", tuple(member.value for member in annotation))
    if isinstance(annotation, type) and is_dataclass(annotation):
        return _object_type(annotation)
    raise TypeError(f"{annotation!r} has no place in the schema of facts")


def _object_type(kind: type) -> ObjectOf:
    hints = get_type_hints(kind)
    return ObjectOf(
        name=kind.__name__,
        doc=" ".join((kind.__doc__ or "").split()),
        fields=tuple(
            Field(found.name, type_of(inner), optional=inner is not hints[found.name])
            for found in fields(kind)
            for inner in [_without_none(hints[found.name])]
        ),
    )


def _without_none(annotation: Any) -> Any:  # noqa: ANN401 - annotations have no common type
    arguments = get_args(annotation)
    if get_origin(annotation) in (Union, types.UnionType) and types.NoneType in arguments:
        inner = [found for found in arguments if found is not types.NoneType]
        return inner[0] if len(inner) == 1 else annotation
    return annotation


def _inside_fact(annotation: object) -> object:
    """`T` of `Fact[T]`."""
    for part in get_args(annotation):
        if get_origin(part) is Present:
            return get_args(part)[0]
    raise TypeError(f"{annotation!r} is not a Fact")


def _values(documents: Iterable[FactDocument]) -> Iterator[tuple[str, Any]]:
    for document in documents:
        kind: type = type(document)
        for name in _attributes(kind):
            yield name, getattr(document, name)


@cache
def _attributes(kind: type) -> tuple[str, ...]:
    return tuple(found.name for found in fields(kind))


def _capped(present: dict[str, Any]) -> Mapping[str, Any]:
    long = {
        name: len(value)
        for name, value in present.items()
        if isinstance(value, list) and len(value) > LIST_LIMIT
    }
    if not long:
        return present
    return present | {name: present[name][:LIST_LIMIT] for name in long} | {TRUNCATED: long}


class _NotJsonError(ValueError):
    """A number that JSON cannot say."""


def _plain(value: Any) -> Any:  # noqa: ANN401 - facts are of many types
    """JSON of one value; the plain types come first, since most values are of them."""
    kind = type(value)
    if kind in _AS_IT_IS:
        return value
    if kind is tuple or kind is list:
        return [_plain(item) for item in value]
    if is_dataclass(kind):
        named = ((name, getattr(value, name)) for name in _attributes(kind))
        return {name: _plain(item) for name, item in named if item is not None}
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return _plain_scalar(value)


def _plain_scalar(value: Any) -> Any:  # noqa: ANN401 - facts are of many types
    if isinstance(value, float):
        if not isfinite(value):
            raise _NotJsonError
        return int(value) if value.is_integer() and abs(value) < _EXACT else value
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    return value.value if isinstance(value, StrEnum) else value
