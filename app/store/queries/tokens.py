"""API tokens in SQL; like accounts, these queries find out who asks and take no `Access`."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, insert, select, update
from sqlalchemy.orm import Session

from app.domain.access import Access, Scope
from app.store.models.accounts import ApiTokenRow, UserRow
from app.store.models.inventory import ConnectionRow
from app.store.queries.accounts import USER, UserItem, scopes_of, user_item
from app.store.scoping import visible


@dataclass(frozen=True, slots=True)
class TokenItem:
    """An API token without its secret. `connection_ids` None: all connections."""

    id: str
    name: str
    prefix: str
    scopes: frozenset[Scope]
    connection_ids: frozenset[str] | None
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    revoked_at: datetime | None


TOKEN = (
    ApiTokenRow.id,
    ApiTokenRow.name,
    ApiTokenRow.prefix,
    ApiTokenRow.scopes,
    ApiTokenRow.connection_ids,
    ApiTokenRow.created_at,
    ApiTokenRow.expires_at,
    ApiTokenRow.last_used_at,
    ApiTokenRow.revoked_at,
)


def _token_item(row: Sequence[Any]) -> TokenItem:
    identifier, name, prefix, scopes, limits, *instants = row
    return TokenItem(
        str(identifier),
        name,
        prefix,
        scopes_of(scopes),
        None if limits is None else frozenset(limits),
        *instants,
    )


def unknown_connections(
    session: Session, access: Access, connection_ids: Iterable[str]
) -> tuple[str, ...]:
    """Those ids that are no connection which the caller may see."""
    known = {
        str(found)
        for found in session.scalars(
            select(ConnectionRow.id).where(visible(access, ConnectionRow.id))
        )
    }
    return tuple(sorted(set(connection_ids) - known))


def insert_token(session: Session, values: dict[str, Any]) -> TokenItem:
    """Adds a token; `values` are columns of `ApiTokenRow`."""
    made = session.execute(insert(ApiTokenRow).values(**values).returning(*TOKEN))
    return _token_item(tuple(made.one()))


def token_by_key(session: Session, key: str, now: datetime) -> tuple[TokenItem, UserItem] | None:
    """The usable token with this sha256 and its enabled owner."""
    row = session.execute(
        select(*TOKEN, *USER)
        .join(UserRow, UserRow.id == ApiTokenRow.user_id)
        .where(
            ApiTokenRow.token_sha256 == key,
            ApiTokenRow.revoked_at.is_(None),
            UserRow.disabled_at.is_(None),
        )
    ).first()
    if row is None:
        return None
    item = _token_item(row[: len(TOKEN)])
    ended = item.expires_at is not None and item.expires_at <= now
    return None if ended else (item, user_item(row[len(TOKEN) :]))


def tokens_of(session: Session, user_id: str) -> tuple[TokenItem, ...]:
    """A person's tokens, revoked and ended ones too, newest first."""
    rows = session.execute(
        select(*TOKEN).where(ApiTokenRow.user_id == UUID(user_id)).order_by(ApiTokenRow.id.desc())
    )
    return tuple(_token_item(tuple(row)) for row in rows)


def token_of(session: Session, user_id: str, token_id: UUID) -> TokenItem | None:
    """One token of a person."""
    row = session.execute(select(*TOKEN).where(*_own(user_id, token_id))).first()
    return None if row is None else _token_item(tuple(row))


def revoke_token(session: Session, user_id: str, token_id: UUID, now: datetime) -> None:
    """Ends a token; one that was revoked before keeps its first date."""
    session.execute(
        update(ApiTokenRow)
        .where(*_own(user_id, token_id), ApiTokenRow.revoked_at.is_(None))
        .values(revoked_at=now)
    )


def touch_token(session: Session, token_id: str, now: datetime) -> None:
    """Notes that a token was used."""
    session.execute(
        update(ApiTokenRow).where(ApiTokenRow.id == UUID(token_id)).values(last_used_at=now)
    )


def _own(user_id: str, token_id: UUID) -> tuple[ColumnElement[bool], ...]:
    return (ApiTokenRow.user_id == UUID(user_id), ApiTokenRow.id == token_id)
