"""Keyset pages: a window of a sorted list and the keys of its neighbours."""

from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PageRequest:
    """What the caller wants: `limit` rows after (or before) the opaque key."""

    limit: int = 50
    after: str = ""
    before: str = ""


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """A window: rows, opaque keys of the next and previous windows ('' = none), total, position.

    `total` is None when counting was not asked for; `first` is the 1-based position of the first
    row, None when unknown.
    """

    items: tuple[T, ...]
    next: str
    previous: str
    total: int | None
    first: int | None
