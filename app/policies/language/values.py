"""Stored values read by their declared types; what does not fit is unknown, never guessed."""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from fractions import Fraction

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

MAX_REASONS = 5
MAX_DURATION = timedelta(seconds=315_576_000_000)
"""About 10,000 years: the range of google.protobuf.Duration."""

_RFC3339 = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?"
    r"([Zz]|[+-][0-9]{2}:[0-9]{2})"
)
_DURATION_PART = re.compile(r"([0-9]{1,12})(\.[0-9]{1,12})?(ms|us|ns|d|h|m|s)")
_MICROSECONDS = {
    "d": Fraction(86_400_000_000),
    "h": Fraction(3_600_000_000),
    "m": Fraction(60_000_000),
    "s": Fraction(1_000_000),
    "ms": Fraction(1000),
    "us": Fraction(1),
    "ns": Fraction(1, 1000),
}


class UnknownError(Exception):
    """A value cannot be had for this row; `reasons` say why. `&&` and `||` may absorb it."""

    def __init__(self, *reasons: str) -> None:
        super().__init__(*reasons)
        self.reasons = reasons


class MisfitError(ValueError):
    """A stored value is not of its declared type; the text names the type with its article."""


def first_reasons(reasons: Iterable[str]) -> tuple[str, ...]:
    """The first five different ones, in their order."""
    return tuple(dict.fromkeys(reasons))[:MAX_REASONS]


def timestamp(value: object) -> datetime | None:
    """An aware datetime in UTC from a datetime or RFC 3339 text (cut to microseconds).

    ValueError: no such instant, or no zone. None stays None.
    """
    if value is None:
        return None
    if isinstance(value, str) and _RFC3339.fullmatch(value):
        value = datetime.fromisoformat(value if value[-1] != "z" else value.upper())
    if not isinstance(value, datetime) or value.tzinfo is None:
        raise ValueError("not a timestamp")
    return value if value.tzinfo is UTC else value.astimezone(UTC)


def duration(value: object) -> timedelta | None:
    """A timedelta from one, or from text such as `1h30m`, `-90s`, `30d` (cut to microseconds).

    ValueError: not of that form, or longer than about 10,000 years. None stays None.
    """
    if value is None:
        return None
    if isinstance(value, str):
        value = _parse_duration(value)
    if not isinstance(value, timedelta) or abs(value) > MAX_DURATION:
        raise ValueError("not a duration")
    return value


def _parse_duration(text: str) -> timedelta:
    digits = text.removeprefix("-")
    parts = list(_DURATION_PART.finditer(digits))
    if not parts or "".join(part.group() for part in parts) != digits:
        raise ValueError("not a duration")
    total = sum(Fraction(part[1] + (part[2] or "")) * _MICROSECONDS[part[3]] for part in parts)
    return timedelta(microseconds=int(-total if text.startswith("-") else total))


def text_of_duration(value: timedelta) -> str:
    """The shortest way to write it, such as `1d12h`, `90s` as `1m30s`, `0s`."""
    rest = abs(value) // timedelta(microseconds=1)
    written = "-" if value < timedelta(0) else ""
    for unit in ("d", "h", "m", "s", "ms", "us"):
        count, rest = divmod(rest, int(_MICROSECONDS[unit]))
        written += f"{count}{unit}" if count else ""
    return written or "0s"


def _bool(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError("not a bool")
    return value


def _int(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError("not an int")
    return value


def _float(value: object) -> float:
    number = value if isinstance(value, float) else float(_int(value))
    if not math.isfinite(number):
        raise ValueError("not finite")
    return number


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("not a string")
    return value


def _list(value: object) -> object:
    if not isinstance(value, list | tuple):
        raise TypeError("not a list")
    return value


def _mapping(value: object) -> object:
    if not isinstance(value, Mapping):
        raise TypeError("not a mapping")
    return value


_READERS: dict[type[Type], Callable[[object], object]] = {
    BoolType: _bool,
    IntType: _int,
    FloatType: _float,
    StringType: _string,
    TimestampType: timestamp,
    DurationType: duration,
    ListType: _list,
    MapType: _mapping,
    ObjectType: _mapping,
}


def conform(value: object, type_: Type) -> object:
    """The value as its type wants it; lists, maps and objects are looked at from outside only.

    Null stays null. MisfitError when the stored value is of another type.
    """
    if value is None:
        return None
    try:
        return _READERS[type(type_)](value)
    except (TypeError, ValueError, OverflowError):
        raise MisfitError(_article(str(type_))) from None


def conform_deeply(value: object, type_: Type, path: str) -> object:
    """As `conform`, through all items, values and fields; gives plain lists and dicts.

    UnknownError names the path of the part that does not fit.
    """
    try:
        found = conform(value, type_)
    except MisfitError as misfit:
        raise UnknownError(f"{path} is not {misfit}") from None
    if isinstance(type_, ListType) and isinstance(found, list | tuple):
        return [conform_deeply(x, type_.item, f"{path}[{i}]") for i, x in enumerate(found)]
    if isinstance(type_, MapType) and isinstance(found, Mapping):
        return {k: conform_deeply(v, type_.value, f"{path}.{k}") for k, v in found.items()}
    if isinstance(type_, ObjectType) and isinstance(found, Mapping):
        known = {k: v for k, v in found.items() if k in type_.fields}
        return {k: conform_deeply(v, type_.fields[k].type, f"{path}.{k}") for k, v in known.items()}
    return found


def _article(words: str) -> str:
    return f"an {words}" if words[0] in "aio" else f"a {words}"
