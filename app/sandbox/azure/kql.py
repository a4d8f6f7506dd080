"""Reads the small part of Kusto's query language that an inventory asks Resource Graph in."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

_CONDITION = re.compile(r"(\w[\w.]*)\s*(=~|==|!=|!~|in~|in)\s*(.+)", re.IGNORECASE | re.DOTALL)
_LITERAL = re.compile(r"'([^']*)'|\"([^\"]*)\"")
_COLUMN = re.compile(r"(?:(\w+)\s*=\s*)?(\w[\w.]*)")
TABLES = ("resources", "resourcecontainers")
COLUMNS = (
    "id", "name", "type", "tenantId", "kind", "location", "resourceGroup", "subscriptionId",
    "managedBy", "sku", "plan", "properties", "tags", "identity", "zones", "extendedLocation",
)  # fmt: skip


class QueryError(ValueError):
    """The query uses what this simulation does not know."""


@dataclass(frozen=True, slots=True)
class Condition:
    """`column operator values`; the tilde operators compare without case."""

    column: str
    operator: str
    values: tuple[str, ...]

    def holds(self, row: Mapping[str, Any]) -> bool:
        """Whether the row's cell is (or is not) one of the values."""
        cell = str(row.get(self.column) or "")
        if "~" in self.operator:
            hit = cell.lower() in {value.lower() for value in self.values}
        else:
            hit = cell in self.values
        return hit is not self.operator.startswith("!")


@dataclass(slots=True)
class Query:
    """A parsed query; `columns` maps the name in the answer to the column it comes from."""

    table: str
    conditions: list[Condition] = field(default_factory=list)
    columns: dict[str, str] = field(default_factory=lambda: {name: name for name in COLUMNS})
    order: list[tuple[str, bool]] = field(default_factory=list)  # column, descending
    limit: int | None = None

    @property
    def pageable(self) -> bool:
        """Resource Graph gives a token for more pages only when the id is projected."""
        return self.columns.get("id") == "id"


def parse(text: str) -> Query:
    """The query in `text`; QueryError says which part is not understood."""
    table, *steps = [part.strip() for part in _split(text, "|")]
    if table.lower() not in TABLES:
        raise QueryError(f"unknown table {table!r}; known are {', '.join(TABLES)}")
    query = Query(table.lower())
    for step in steps:
        _apply(query, step)
    return query


def _apply(query: Query, step: str) -> None:
    """Adds one `| operator ...` to the query."""
    verb, _, rest = step.partition(" ")
    match verb.lower():
        case "where":
            query.conditions += [_condition(part) for part in re.split(r"(?i)\band\b", rest)]
        case "project":
            query.columns = dict(_column(part) for part in _split(rest, ","))
        case "order" | "sort":
            query.order = [_order(part) for part in _split(rest.strip()[len("by") :], ",")]
        case "limit" | "take":
            query.limit = _number(rest)
        case _:
            raise QueryError(f"unknown operator {verb!r}")


def _split(text: str, separator: str) -> list[str]:
    """Splits outside quotes and brackets."""
    parts, depth, quote = [""], 0, ""
    for sign in text:
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "'\"":
            quote = sign
        else:
            depth += (sign == "(") - (sign == ")")
        if sign == separator and not quote and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


def _condition(text: str) -> Condition:
    found = _CONDITION.fullmatch(text.strip())
    values = tuple(a or b for a, b in _LITERAL.findall(found[3])) if found else ()
    if not found or not values:
        raise QueryError(f"condition not understood: {text.strip()!r}")
    return Condition(_canonical(found[1]), found[2].lower(), values)


def _column(text: str) -> tuple[str, str]:
    found = _COLUMN.fullmatch(text.strip())
    if not found:
        raise QueryError(f"column not understood: {text.strip()!r}")
    return found[1] or found[2].replace(".", "_"), _canonical(found[2])


def _canonical(name: str) -> str:
    """Kusto's columns keep their letter case; an unknown one is refused as Kusto does."""
    root = name.partition(".")[0]
    if root not in COLUMNS:
        raise QueryError(f"failed to resolve column {root!r}")
    return name


def _order(text: str) -> tuple[str, bool]:
    name, _, direction = text.strip().partition(" ")
    if direction.strip().lower() not in ("", "asc", "desc"):
        raise QueryError(f"order not understood: {text.strip()!r}")
    return _canonical(name), direction.strip().lower() != "asc"  # Kusto's own default is desc


def _number(text: str) -> int:
    if not text.strip().isdigit():
        raise QueryError(f"a number is wanted: {text.strip()!r}")
    return int(text)
