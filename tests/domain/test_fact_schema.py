"""The schema is the annotations, and the stored form fits it."""

from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta, timezone
from enum import StrEnum
from typing import Any, ClassVar

import pytest

from app.domain.derive import derive
from app.domain.fact_kinds import FACT_KINDS, fields_of_kind
from app.domain.fact_schema import (
    LIST_LIMIT,
    TRUNCATED,
    Field,
    ListOf,
    MapOf,
    ObjectOf,
    Scalar,
    fields_of,
    schema_of,
    to_fact_set,
)
from app.domain.facts import ABSENT, Fact, FactDocument, Present, Unreadable, fact
from tests.support.stores import account, bucket, container, replication, rule, rules


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a thing."""

    name: str
    weight: float | None
    colour: Colour


@dataclass(frozen=True, slots=True)
class Things(FactDocument):
    """Things for tests."""

    KIND: ClassVar[str] = "thing"

    size_bytes: Fact[int] = fact("Its size.", "things:Get")
    made_at: Fact[datetime] = fact("When.", "things:Get")
    parts: Fact[tuple[Part, ...]] = fact("Its parts.", "things:List")
    labels: Fact[dict[str, str]] = fact("Labels.", "things:Get")
    ratio: Fact[float] = fact("A ratio.", "things:Get")


def things(**known: Any) -> Things:
    given: dict[str, Any] = {found.name: ABSENT for found in fields(Things)}
    return Things(**(given | known))


def test_each_kind_of_annotation_has_a_type() -> None:
    part = ObjectOf(
        "Part",
        "A part of a thing.",
        (
            Field("name", Scalar("string")),
            Field("weight", Scalar("double"), optional=True),
            Field("colour", Scalar("string", ("red", "blue"))),
        ),
    )
    assert [found.type for found in fields_of(Things)] == [
        Scalar("int"),
        Scalar("timestamp"),
        ListOf(part),
        MapOf(Scalar("string")),
        Scalar("double"),
    ]


def test_the_json_form_names_type_doc_and_source() -> None:
    schema = schema_of(Things)
    assert (schema["kind"], schema["doc"]) == ("thing", "Things for tests.")
    assert schema["facts"][0] == {
        "name": "size_bytes",
        "type": {"type": "integer"},
        "doc": "Its size.",
        "source": "things:Get",
        "optional": False,
    }
    assert schema["facts"][2]["type"]["items"]["required"] == ["name", "colour"]
    assert schema["facts"][1]["type"] == {"type": "string", "format": "date-time"}


def test_an_annotation_without_a_type_is_refused() -> None:
    @dataclass(frozen=True, slots=True)
    class Odd(FactDocument):
        blob: Fact[bytes] = fact("Bytes.", "odd:Get")

    with pytest.raises(TypeError, match="bytes"):
        fields_of(Odd)


@pytest.mark.parametrize("kind", FACT_KINDS)
def test_no_two_facts_of_a_kind_share_a_name(kind: str) -> None:
    names = [found.name for found in fields_of_kind(kind)]
    assert len(names) == len(set(names))
    assert TRUNCATED not in names
    assert all(found.doc and found.source for found in fields_of_kind(kind))


def test_the_three_states_stay_apart() -> None:
    stored = to_fact_set(things(size_bytes=Present(0), ratio=Unreadable("AccessDenied")))
    assert stored.present == {"size_bytes": 0}
    assert stored.absent == {"made_at", "parts", "labels"}
    assert stored.unreadable == {"ratio": "AccessDenied"}


@pytest.mark.parametrize("number", [2**53 + 1, 2**63 + 1, 2**100 + 1, -(2**70)])
def test_integers_stay_exact(number: int) -> None:
    assert to_fact_set(things(size_bytes=Present(number))).present["size_bytes"] == number


def test_times_become_utc_text_and_enums_their_words() -> None:
    madrid = timezone(timedelta(hours=2))
    stored = to_fact_set(
        things(
            made_at=Present(datetime(2026, 7, 1, 1, 30, tzinfo=madrid)),
            parts=Present((Part("a", None, Colour.RED), Part("b", 1.5, Colour.BLUE))),
        )
    )
    assert stored.present["made_at"] == "2026-06-30T23:30:00+00:00"
    assert stored.present["parts"] == [
        {"name": "a", "colour": "red"},
        {"name": "b", "weight": 1.5, "colour": "blue"},
    ]


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_a_number_that_json_cannot_say_is_unreadable(number: float) -> None:
    part = Part("a", number, Colour.RED)
    stored = to_fact_set(things(ratio=Present(number), parts=Present((part,))))
    assert stored.unreadable == {"ratio": "NotANumber", "parts": "NotANumber"}


@pytest.mark.parametrize(("length", "said"), [(1000, None), (1001, {"parts": 1001})])
def test_a_long_list_is_cut_and_says_so(length: int, said: dict[str, int] | None) -> None:
    parts = tuple(Part(str(number), None, Colour.RED) for number in range(length))
    stored = to_fact_set(things(parts=Present(parts)))
    assert len(stored.present["parts"]) == LIST_LIMIT
    assert stored.present.get(TRUNCATED) == said


@pytest.mark.parametrize(
    "document",
    [
        bucket(lifecycle_rules=rules(rule()), replication_rules=Present((replication(),))),
        account(containers=Present((container(),))),
    ],
)
def test_what_is_stored_fits_the_published_schema(document: FactDocument) -> None:
    stored = to_fact_set(document, *derive(document, datetime(2026, 11, 30, tzinfo=UTC)))
    types = {
        found["name"]: found["type"]
        for kind in FACT_KINDS[document.KIND]
        for found in schema_of(kind)["facts"]
    }
    for name, value in stored.present.items():
        assert fits(value, types[name]), (name, value)
    assert set(types) == set(stored.present) | stored.absent | set(stored.unreadable)


def fits(value: Any, schema: dict[str, Any]) -> bool:
    """A small reader of the part of JSON Schema that we publish."""
    if schema["type"] == "array":
        return isinstance(value, list) and all(fits(item, schema["items"]) for item in value)
    if "properties" in schema:
        return set(schema["required"]) <= set(value) and all(
            fits(item, schema["properties"][name]) for name, item in value.items()
        )
    if schema["type"] == "object":
        return all(fits(item, schema["additionalProperties"]) for item in value.values())
    python = {"string": str, "integer": int, "number": int | float, "boolean": bool}
    return isinstance(value, python[schema["type"]]) and value in schema.get("enum", [value])
