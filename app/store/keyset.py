"""Keyset pages: windows of a sorted select, forwards and backwards, by an opaque key."""

import base64
import binascii
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar
from uuid import UUID

import orjson
from sqlalchemy import ColumnElement, Row, Select, UnaryExpression, tuple_, type_coerce
from sqlalchemy.orm import InstrumentedAttribute, Session
from sqlalchemy.sql.operators import custom_op

from app.domain.paging import Page, PageRequest
from app.kit.errors import InvalidInputError

T = TypeVar("T")
MAX_LIMIT = 1_000
KEY_CHARACTERS = 6_000
AnyRow = Row[*tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Order:
    """A sort order that is unique (the last column is an id) and runs in one direction.

    `name` is written into keys, so that a key of one order is refused by another.
    """

    name: str
    columns: tuple[InstrumentedAttribute[Any], ...]
    descending: bool = False


@dataclass(frozen=True, slots=True)
class _Key:
    position: int
    values: tuple[Any, ...]


def fetch(
    session: Session,
    statement: Select[*tuple[Any, ...]],
    order: Order,
    page: PageRequest,
    *,
    total: int | None,
    item: Callable[[AnyRow], T],
) -> Page[T]:
    """The window of `statement` that `page` asks for; the order's columns must be selected.

    InvalidInputError for a malformed key, a key of another order or a limit out of range.
    """
    if not 1 <= page.limit <= MAX_LIMIT:
        raise InvalidInputError(f"limit {page.limit} is out of range", mend=f"1 to {MAX_LIMIT}")
    if page.after and page.before:
        raise InvalidInputError("after and before exclude each other", mend="send one of them")
    backwards = bool(page.before)
    key = _decode(page.before or page.after, order)
    rows = session.execute(_window(statement, order, key, page.limit, backwards=backwards)).all()
    more = len(rows) > page.limit
    rows = rows[: page.limit]
    return _page(rows[::-1] if backwards else rows, order, key, (backwards, more), total, item)


def _window(
    statement: Select[*tuple[Any, ...]],
    order: Order,
    key: _Key | None,
    limit: int,
    *,
    backwards: bool,
) -> Select[*tuple[Any, ...]]:
    downwards = order.descending != backwards
    if key is not None:
        columns = tuple_(*order.columns)
        edge = tuple_(*key.values, types=[column.type for column in order.columns])
        statement = statement.where(columns < edge if downwards else columns > edge)
    ordering = [column.desc() if downwards else column.asc() for column in order.columns]
    return statement.order_by(*ordering).limit(limit + 1)


def _page(
    rows: Sequence[AnyRow],
    order: Order,
    key: _Key | None,
    direction: tuple[bool, bool],
    total: int | None,
    item: Callable[[AnyRow], T],
) -> Page[T]:
    backwards, more = direction
    first = 1
    if key is not None and not backwards:
        first = key.position + 1
    elif key is not None and more:
        first = max(1, key.position - len(rows))
    has_next = more if not backwards else True
    has_previous = more if backwards else key is not None
    if total is None and not has_next and (rows or key is None):
        total = first + len(rows) - 1  # whoever stands on the last page knows it
    return Page(
        items=tuple(item(row) for row in rows),
        next=_encode(order, rows[-1], first + len(rows) - 1) if rows and has_next else "",
        previous=_encode(order, rows[0], first) if rows and has_previous else "",
        total=total,
        first=first if rows else None,
    )


def _encode(order: Order, row: AnyRow, position: int) -> str:
    values = [_plain(getattr(row, column.key)) for column in order.columns]
    text = orjson.dumps([order.name, position, *values])
    return base64.urlsafe_b64encode(text).decode().rstrip("=")


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    return str(value) if isinstance(value, UUID) else value


def _decode(text: str, order: Order) -> _Key | None:
    if not text:
        return None
    try:
        return _read(text, order)
    except (ValueError, TypeError, binascii.Error):
        raise InvalidInputError(
            "the page key is not one of this list in this order",
            mend="leave out `after` and `before`, and follow the links of the answer",
        ) from None


def _read(text: str, order: Order) -> _Key:
    if len(text) > KEY_CHARACTERS:
        raise ValueError
    padded = text + "=" * (-len(text) % 4)
    name, position, *values = orjson.loads(base64.b64decode(padded, b"-_", validate=True))
    if name != order.name or type(position) is not int:
        raise ValueError
    pairs = zip(order.columns, values, strict=True)
    return _Key(max(0, position), tuple(_typed(column, value) for column, value in pairs))


def _typed(column: InstrumentedAttribute[Any], value: object) -> object:
    kind = column.type.python_type
    if kind is UUID:
        return UUID(str(value))
    if kind is datetime:
        found = datetime.fromisoformat(str(value))
        return found if found.tzinfo else _refuse()
    return value if type(value) is kind and _storable(value) else _refuse()


def _storable(value: object) -> bool:
    if isinstance(value, int):
        return -(2**63) <= value < 2**63
    return "\0" not in str(value)


def _refuse() -> object:
    raise ValueError


def unindexed(column: InstrumentedAttribute[Any], session: Session) -> ColumnElement[Any]:
    """The same value, but SQLite will not pick an index for it: it guesses badly without ANALYZE.

    Postgres knows how many rows a value has, so there the column stays as it is.
    """
    if session.get_bind().dialect.name != "sqlite":
        return column.expression
    return type_coerce(UnaryExpression(column.expression, operator=_PLUS), column.type)


# A term with a unary plus is not used to pick an index (SQLite, query optimizer overview).
_PLUS: custom_op[Any] = custom_op("+")
