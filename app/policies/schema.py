"""The facts of each kind as types of the policy language."""

from functools import cache

from app.domain import fact_kinds, fact_schema
from app.domain.fact_kinds import FACT_KINDS
from app.domain.fact_schema import FactType, ListOf, MapOf, Scalar
from app.policies.language import (
    BoolType,
    Field,
    FloatType,
    IntType,
    ListType,
    MapType,
    ObjectType,
    StringType,
    TimestampType,
    Type,
)

KINDS = tuple(FACT_KINDS)

_SCALARS: dict[str, Type] = {
    "bool": BoolType(),
    "int": IntType(),
    "double": FloatType(),
    "timestamp": TimestampType(),
}


@cache
def facts_of(kind: str) -> ObjectType:
    """All facts that a policy may read of a resource of this kind; any may be absent."""
    return _object(fact_kinds.fields_of_kind(kind), always=True)


def _object(fields: tuple[fact_schema.Field, ...], *, always: bool = False) -> ObjectType:
    return ObjectType(
        {
            found.name: Field(_type(found.type), found.doc, optional=always or found.optional)
            for found in fields
        }
    )


def _type(kind: FactType) -> Type:
    if isinstance(kind, Scalar):
        return StringType(kind.words) if kind.name == "string" else _SCALARS[kind.name]
    if isinstance(kind, ListOf):
        return ListType(_type(kind.element))
    if isinstance(kind, MapOf):
        return MapType(_type(kind.value))
    return _object(kind.fields)
