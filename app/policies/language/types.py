"""Types of the policy language, and the schema form in which facts and params are declared."""

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as attribute
from typing import TypeAlias

from typing_extensions import override


@dataclass(frozen=True, slots=True)
class BoolType:
    """True or false; never a number."""

    @override
    def __str__(self) -> str:
        return "bool"


@dataclass(frozen=True, slots=True)
class IntType:
    """A whole number. Facts may have any size (bytes); literals and sums stay within 64 bits."""

    @override
    def __str__(self) -> str:
        return "int"


@dataclass(frozen=True, slots=True)
class FloatType:
    """A finite IEEE 754 double; a whole number in stored facts is read as one."""

    @override
    def __str__(self) -> str:
        return "float"


@dataclass(frozen=True, slots=True)
class StringType:
    """Text. `values` are the only ones its source documents; empty means any text.

    A stored value outside `values` is still a string: clouds add words before we learn them.
    """

    values: tuple[str, ...] = ()

    @override
    def __str__(self) -> str:
        return "string"


@dataclass(frozen=True, slots=True)
class TimestampType:
    """An instant with a zone: a datetime, or RFC 3339 text in stored facts."""

    @override
    def __str__(self) -> str:
        return "timestamp"


@dataclass(frozen=True, slots=True)
class DurationType:
    """A length of time: a timedelta, or text such as `1h30m` or `30d`."""

    @override
    def __str__(self) -> str:
        return "duration"


@dataclass(frozen=True, slots=True)
class NullType:
    """The type of the literal `null`; any value may be compared with it."""

    @override
    def __str__(self) -> str:
        return "null"


@dataclass(frozen=True, slots=True)
class ListType:
    """A list whose items all have one type."""

    item: "Type"

    @override
    def __str__(self) -> str:
        return f"list of {self.item}"


@dataclass(frozen=True, slots=True)
class MapType:
    """Free keys (strings) to values of one type, such as tags."""

    value: "Type"

    @override
    def __str__(self) -> str:
        return f"map of {self.value}"


@dataclass(frozen=True, slots=True)
class ObjectType:
    """Named fields, all known beforehand."""

    fields: "Mapping[str, Field]" = attribute(default_factory=dict)

    @override
    def __str__(self) -> str:
        return "object"


Type: TypeAlias = (
    BoolType
    | IntType
    | FloatType
    | StringType
    | TimestampType
    | DurationType
    | NullType
    | ListType
    | MapType
    | ObjectType
)
NUMBERS = (IntType, FloatType)
SCALARS = (BoolType, IntType, FloatType, StringType, TimestampType, DurationType)


@dataclass(frozen=True, slots=True)
class Field:
    """One field of an object: its type, its meaning, and whether it may be left out."""

    type: Type
    doc: str = ""
    optional: bool = False


RESOURCE = ObjectType(
    {
        "id": Field(StringType(), "Identifier of the resource in this product."),
        "name": Field(StringType(), "Name as its cloud shows it."),
        "kind": Field(StringType(), "Kind of resource, such as s3_bucket."),
        "provider": Field(StringType(), "Cloud or system that holds it, such as aws."),
        "account_id": Field(StringType(), "Account, subscription or site it belongs to."),
        "region_id": Field(StringType(), "Region as its provider names it."),
        "tags": Field(MapType(StringType()), "Tags or labels."),
        "created_at": Field(TimestampType(), "When its cloud created it.", optional=True),
    }
)


@dataclass(frozen=True, slots=True)
class Scope:
    """What an expression may name: the facts of one resource kind, the resource, the params."""

    facts: ObjectType
    params: ObjectType = attribute(default_factory=ObjectType)
    resource: ObjectType = RESOURCE
    kind: str = ""

    def roots(self) -> dict[str, Type]:
        """The variables that every expression sees."""
        return {
            "resource": self.resource,
            "facts": self.facts,
            "params": self.params,
            "now": TimestampType(),
        }
