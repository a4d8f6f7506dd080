"""What is known of a resource: every fact is present, absent or unreadable, never a guess.

A fact document is a frozen dataclass whose attributes are `Fact`s; its annotations are the
published schema (`app.domain.fact_schema`). Stored and evaluated in the flat form `FactSet`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Present(Generic[T]):
    """The source answered with a value."""

    value: T


@dataclass(frozen=True, slots=True)
class Absent:
    """The source answered that there is none (such as NoSuchLifecycleConfiguration)."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """The source did not answer; `code` is its error code, such as AccessDenied."""

    code: str


ABSENT = Absent()
Fact = Present[T] | Absent | Unreadable


def fact(doc: str, source: str) -> Any:  # noqa: ANN401 - dataclasses.field is typed so
    """An attribute of a fact document: its meaning and the operation that reads it."""
    return field(metadata={"doc": doc, "source": source})


@dataclass(frozen=True, slots=True)
class FactDocument:
    """Base of the typed documents; subclasses are frozen dataclasses of `Fact` attributes.

    `AREA` is the word of the pages and rooms that show resources of this kind.
    """

    KIND: ClassVar[str] = ""
    AREA: ClassVar[str] = ""


@dataclass(frozen=True, slots=True)
class FactSet:
    """Facts in stored form: JSON values by name, names known absent, error codes by name.

    A name in none of the three was never collected. Values are JSON (timestamps as ISO 8601
    text in UTC, integers of any size).
    """

    present: Mapping[str, Any]
    absent: frozenset[str]
    unreadable: Mapping[str, str]

    def to_json(self) -> dict[str, Any]:
        """The form that the database keeps and digests."""
        return {
            "present": dict(self.present),
            "absent": sorted(self.absent),
            "unreadable": dict(self.unreadable),
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> "FactSet":
        """The inverse of `to_json`."""
        return cls(document["present"], frozenset(document["absent"]), document["unreadable"])


def fact_names(kind: type[FactDocument]) -> tuple[str, ...]:
    """Names of all facts of a document type, in order of declaration."""
    return tuple(found.name for found in fields(kind))
