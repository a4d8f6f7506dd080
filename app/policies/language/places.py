"""What a batch reads of its rows: each stored value is fetched, checked and converted once.

A `Place` is a stored value under `facts` or `resource`, known by its path. Those reached by names
alone get a local variable per row; a value that is missing or of another type leaves the variable
unbound, so that a policy reading it raises and is judged by the interpreter. Parts of lists and
maps are checked together with the value that holds them.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from app.policies.language.types import (
    BoolType,
    DurationType,
    FloatType,
    IntType,
    ListType,
    MapType,
    ObjectType,
    StringType,
    TimestampType,
    Type,
)

CONVERTED = (TimestampType, DurationType)
EXACT_FLOAT = 2**53
"""Whole numbers up to here are the same as floats, so they need no conversion."""

_SCALAR_TESTS: dict[type[Type], str] = {
    BoolType: "type({0}) is bool",
    IntType: "type({0}) is int",
    StringType: "type({0}) is str",
    FloatType: "(type({0}) is float and {0} - {0} == 0.0 or is_float({0}))",
    ObjectType: "type({0}) is dict",
}
_CONVERTERS = {TimestampType: "timestamp", DurationType: "duration"}
Test = Callable[[object], bool]


def is_float(value: object) -> bool:
    """A finite float, or a whole number that behaves as one in every comparison."""
    if type(value) is float:
        return value - value == 0.0
    return type(value) is int and -EXACT_FLOAT <= value <= EXACT_FLOAT


@dataclass(slots=True)
class Place:
    """A stored value that some policy of the batch reads, and the parts of it that are read."""

    type: Type
    name: str = ""
    fields: dict[str, "Place"] = field(default_factory=dict)
    item: "Place | None" = None

    def part(self, type_: Type) -> "Place":
        """The item of a list, or the value of a map."""
        if self.item is None:
            self.item = Place(type_)
        return self.item

    def under(self, key: str, type_: Type, name: str = "") -> "Place":
        """The field of an object; `name` is the local variable it gets, if any."""
        return self.fields.setdefault(key, Place(type_, name))


def test_of(place: Place) -> Test:
    """A test of a value and of all its parts that are read. Null passes, but not for a bool."""
    return _TESTS.get(type(place.type), _type_test)(place)


def _allowed(place: Place) -> frozenset[type] | None:
    """The Python types of a value for which the type alone decides."""
    return _EXACT.get(type(place.type))


def _type_test(place: Place) -> Test:
    allowed = _allowed(place)
    if allowed is None:
        return lambda _: True  # an instant or a duration is converted where it is read
    return lambda value: type(value) in allowed


def _float_test(_: Place) -> Test:
    return lambda value: value is None or is_float(value)


def _all_test(part: Place | None) -> Callable[[Iterable[object]], bool]:
    """A test of many values; for most types without a call for each."""
    if part is None:
        return lambda _: True
    allowed = _allowed(part)
    if allowed is not None:
        return lambda values: allowed.issuperset(map(type, values))
    test = test_of(part)
    return lambda values: all(map(test, values))


def _list_test(place: Place) -> Test:
    fit = _all_test(place.item)
    return lambda value: value is None or (type(value) is list and fit(value))


def _map_test(place: Place) -> Test:
    fit = _all_test(place.item)
    return lambda value: value is None or (type(value) is dict and fit(value.values()))


def _object_test(place: Place) -> Test:
    exact = [
        (key, allowed, None if _NULL in allowed else True)
        for key, part in place.fields.items()
        if (allowed := _allowed(part))
    ]
    others = [(key, test_of(part)) for key, part in place.fields.items() if not _allowed(part)]

    def test(value: object) -> bool:
        if type(value) is not dict:
            return value is None
        for key, allowed, if_missing in exact:
            if type(value.get(key, if_missing)) not in allowed:
                return False
        return not others or all(fits(value[key]) for key, fits in others if key in value)

    return test


_NULL = type(None)
_EXACT: dict[type[Type], frozenset[type]] = {
    BoolType: frozenset({bool}),
    IntType: frozenset({int, _NULL}),
    StringType: frozenset({str, _NULL}),
}
_TESTS: dict[type[Type], Callable[[Place], Test]] = {
    FloatType: _float_test,
    ListType: _list_test,
    MapType: _map_test,
    ObjectType: _object_test,
}


def fetching(place: Place, holder: str, constants: dict[str, object]) -> Iterator[str]:
    """Lines of Python that bind the local variables of a place's fields, `holder` being bound.

    `odd` is set when a stored value is there but unfit. Tests of lists and maps are put into
    `constants` under the names the lines use.
    """
    for key, part in place.fields.items():
        raw = f"{part.name}r"
        yield f"{raw} = {holder}.get({key!r})"
        yield from _binding(part, raw, constants)
        yield f"elif {key!r} in {holder}:"
        null_fits = not isinstance(part.type, BoolType)
        yield f" {part.name} = None" if null_fits else " odd = True"


def _binding(part: Place, raw: str, constants: dict[str, object]) -> Iterator[str]:
    if isinstance(part.type, CONVERTED):
        yield f"if {raw} is not None:"
        yield " try:"
        yield f"  {part.name} = {_CONVERTERS[type(part.type)]}({raw})"
        yield " except (ValueError, OverflowError):"
        yield "  odd = True"
        return
    yield f"if {_test_code(part, raw, constants)}:"
    yield f" {part.name} = {raw}"
    yield from (f" {line}" for line in fetching(part, part.name, constants))
    yield f"elif {raw} is not None:"
    yield " odd = True"


def _test_code(part: Place, raw: str, constants: dict[str, object]) -> str:
    if type(part.type) in _SCALAR_TESTS:
        return _SCALAR_TESTS[type(part.type)].format(raw)
    constants[f"{part.name}t"] = test_of(part)
    return f"{raw} is not None and {part.name}t({raw})"
