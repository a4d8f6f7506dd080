"""API tokens in SQL; like accounts, these queries find out who asks and take no `Access`."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, select, update
from sqlalchemy.orm import Session

from app.domain.access import Access, Scope
from app.store.models.accounts import ApiTokenRow, UserRow
from app.store.models.inventory import ConnectionRow
from app.store.queries.accounts import USER, UserItem, user_item
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


def _token_item(row: ApiTokenRow) -> TokenItem:
    limits = row.connection_ids
    return TokenItem(
        id=str(row.id),
        name=row.name,
        prefix=row.prefix,
        scopes=frozenset(Scope(scope) for scope in row.scopes if scope in set(Scope)),
        connection_ids=None if limits is None else frozenset(limits),
        created_at=row.created_at,
        expires_at=row.expires_at,
        last_used_at=row.last_used_at,
        revoked_at=row.revoked_at,
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
    row = ApiTokenRow(**values)
    session.add(row)
    session.flush()
    return _token_item(row)


def token_by_key(session: Session, key: str, now: datetime) -> tuple[TokenItem, UserItem] | None:
    """The usable token with this sha256 and its enabled owner."""
    row = session.execute(
        select(ApiTokenRow, *USER)
        .join(UserRow, UserRow.id == ApiTokenRow.user_id)
        .where(
            ApiTokenRow.token_sha256 == key,
            ApiTokenRow.revoked_at.is_(None),
            UserRow.disabled_at.is_(None),
        )
    ).first()
    if row is None:
        return None
    token, *user = row
    item = _token_item(token)
    ended = item.expires_at is not None and item.expires_at <= now
    return None if ended else (item, user_item(tuple(user)))


def tokens_of(session: Session, user_id: str) -> tuple[TokenItem, ...]:
    """A person's tokens, revoked and ended ones too, newest first."""
    rows = session.scalars(
        select(ApiTokenRow)
        .where(ApiTokenRow.user_id == UUID(user_id))
        .order_by(ApiTokenRow.id.desc())
    )
    return tuple(_token_item(row) for row in rows)


def token_of(session: Session, user_id: str, token_id: UUID) -> TokenItem | None:
    """One token of a person."""
    row = session.scalars(select(ApiTokenRow).where(*_own(user_id, token_id))).first()
    return None if row is None else _token_item(row)


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
