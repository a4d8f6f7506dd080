"""Facts that are lists of objects, as tables; one that was not read says so instead."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.web.facts_view import Cell, Reader


@dataclass(frozen=True, slots=True)
class TableHead:
    """The head of one column of a table."""

    label: str
    numeric: bool = False
    cls: str = ""


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row: what it is about, a line below, and its cells in the order of the heads."""

    name: str
    note: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A fact that is a list, as a table. `gap`: why it is not known, instead of rows.

    `empty` is said where the source answered that there are none.
    """

    id: str
    title: str
    subtitle: str
    subject: str
    heads: tuple[TableHead, ...]
    rows: tuple[TableRow, ...]
    empty: str
    gap: Cell | None = None


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of one table."""

    id: str
    title: str
    subject: str
    empty: str


def table_of(
    reader: Reader,
    fact: str,
    wording: Wording,
    heads: Sequence[TableHead],
    row: Callable[[Mapping[str, Any]], TableRow],
) -> Table:
    """The table of one fact."""
    found: Sequence[Mapping[str, Any]] = reader.value(fact) or ()
    known = reader.is_known(fact)
    return Table(
        id=wording.id,
        title=wording.title,
        subtitle=reader.count(len(found)) if found else "",
        subject=wording.subject,
        heads=tuple(heads),
        rows=tuple(map(row, found)),
        empty=wording.empty,
        gap=None if known else reader.gap(fact),
    )
