"""What a caller may see, as conditions; and ids that may be no ids at all."""

from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, true
from sqlalchemy.orm import InstrumentedAttribute

from app.domain.access import Access
from app.kit.errors import NotFoundError


def visible(
    access: Access, column: InstrumentedAttribute[Any] | ColumnElement[Any]
) -> ColumnElement[bool]:
    """Rows whose connection id lies within the caller's connections."""
    if access.connection_ids is None:
        return true()
    return column.in_(sorted(UUID(found) for found in access.connection_ids))


def key_of(identifier: str, what: str) -> UUID:
    """The id as a key; NotFoundError when it cannot be one, as for an id that nobody has."""
    try:
        return UUID(identifier)
    except ValueError:
        raise NotFoundError(f"no {what} {identifier[:40]!r}") from None
