"""Sums over facts that keep what is not known not known."""

from collections.abc import Callable
from typing import Any, TypeVar

from app.domain.facts import ABSENT, Absent, Fact, Present, Unreadable

T = TypeVar("T")
U = TypeVar("U")


def mapped(source: Fact[T], change: Callable[[T], U]) -> Fact[U]:
    """The changed value of a present fact; absent and unreadable stay what they are."""
    return Present(change(source.value)) if isinstance(source, Present) else source


def value_or(source: Fact[T], default: T) -> Fact[T]:
    """The fact, or the value that its absence means."""
    return Present(default) if isinstance(source, Absent) else source


def reported(source: Fact[T]) -> Fact[T]:
    """The fact, unreadable when the source left out what it always says."""
    return Unreadable("NotReported") if isinstance(source, Absent) else source


def first_unreadable(*sources: Fact[Any]) -> Unreadable | None:
    """The first fact that could not be read."""
    return next((found for found in sources if isinstance(found, Unreadable)), None)


def present_or_absent(value: T | None) -> Fact[T]:
    """A known value, or known to be none."""
    return ABSENT if value is None else Present(value)
