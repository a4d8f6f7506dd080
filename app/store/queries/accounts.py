"""People, their sessions and one-time links in SQL.

These queries find out who asks, so they alone take no `Access`; services decide who may call.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, delete, insert, select, update
from sqlalchemy.orm import Session

from app.domain.access import Scope
from app.store.models.accounts import SessionRow, SignInLinkRow, UserRow


@dataclass(frozen=True, slots=True)
class UserItem:
    """A person: `language` is en or es, `theme` auto, light or dark."""

    id: str
    email: str
    name: str
    scopes: frozenset[Scope]
    language: str
    theme: str
    shortcuts: bool
    has_password: bool
    disabled_at: datetime | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class SessionItem:
    """A browser session: `key` is the sha256 of its cookie, `csrf_secret` never leaves unmasked."""

    key: str
    user: UserItem
    csrf_secret: str
    created_at: datetime
    expires_at: datetime


USER = (
    UserRow.id,
    UserRow.email,
    UserRow.name,
    UserRow.scopes,
    UserRow.language,
    UserRow.theme,
    UserRow.shortcuts,
    UserRow.password_hash.is_not(None),
    UserRow.disabled_at,
    UserRow.created_at,
)


_KNOWN = {scope.value: scope for scope in Scope}


def scopes_of(names: Iterable[str]) -> frozenset[Scope]:
    """Stored names as scopes; those of a later version are left out."""
    return frozenset(_KNOWN[name] for name in names if name in _KNOWN)


def user_item(row: Sequence[Any]) -> UserItem:
    """The columns of `USER` as an item."""
    identifier, email, name, scopes, *rest = row
    return UserItem(str(identifier), email, name, scopes_of(scopes), *rest)


def _one(session: Session, statement: Select[*tuple[Any, ...]]) -> UserItem | None:
    row = session.execute(statement).first()
    return None if row is None else user_item(row)


def user_by_email(session: Session, email: str) -> UserItem | None:
    """The person with this e-mail address, which is stored casefolded."""
    return _one(session, select(*USER).where(UserRow.email == email.casefold()))


def user_by_id(session: Session, user_id: str) -> UserItem | None:
    """The person with this id."""
    return _one(session, select(*USER).where(UserRow.id == UUID(user_id)))


def first_user(session: Session) -> UserItem | None:
    """Of those who may sign in, the person who was here first; None when there is nobody."""
    enabled = select(*USER).where(UserRow.disabled_at.is_(None))
    return _one(session, enabled.order_by(UserRow.id).limit(1))


def anyone_has_a_password(session: Session) -> bool:
    """Whether somebody can sign in without a link."""
    found = select(UserRow.id).where(
        UserRow.password_hash.is_not(None), UserRow.disabled_at.is_(None)
    )
    return session.execute(found.limit(1)).first() is not None


def insert_user(session: Session, values: dict[str, Any]) -> UserItem:
    """Adds a person; `values` are columns of `UserRow`."""
    row = UserRow(**values)
    session.add(row)
    session.flush()
    stored = user_by_id(session, str(row.id))
    if stored is None:
        raise LookupError("an account vanished while it was made")
    return stored


def update_user(session: Session, user_id: str, values: dict[str, Any]) -> None:
    """Changes columns of one person."""
    session.execute(update(UserRow).where(UserRow.id == UUID(user_id)).values(**values))


def password_hash_of(session: Session, email: str) -> str | None:
    """The stored hash of an enabled account, None when there is nothing to compare with."""
    row = UserRow
    return session.execute(
        select(row.password_hash).where(row.email == email.casefold(), row.disabled_at.is_(None))
    ).scalar_one_or_none()


def insert_session(session: Session, row: SessionRow) -> None:
    """Adds a browser session and forgets those that have ended."""
    session.execute(delete(SessionRow).where(SessionRow.expires_at <= row.created_at))
    session.add(row)
    session.flush()


def _sessions(session: Session, now: datetime, *where: ColumnElement[bool]) -> list[SessionItem]:
    row = SessionRow
    found = session.execute(
        select(row.token_sha256, row.csrf_token, row.created_at, row.expires_at, *USER)
        .join(UserRow, UserRow.id == row.user_id)
        .where(row.expires_at > now, UserRow.disabled_at.is_(None), *where)
        .order_by(row.created_at.desc())
    )
    return [
        SessionItem(key, user_item(tuple(user)), csrf_secret, created_at, expires_at)
        for key, csrf_secret, created_at, expires_at, *user in found
    ]


def session_by_key(session: Session, key: str, now: datetime) -> SessionItem | None:
    """The running session of an enabled person, found by the sha256 of its cookie."""
    found = _sessions(session, now, SessionRow.token_sha256 == key)
    return found[0] if found else None


def sessions_of(session: Session, user_id: str, now: datetime) -> tuple[SessionItem, ...]:
    """A person's running sessions, newest first."""
    return tuple(_sessions(session, now, SessionRow.user_id == UUID(user_id)))


def delete_session(session: Session, key: str) -> None:
    """Ends one session."""
    session.execute(delete(SessionRow).where(SessionRow.token_sha256 == key))


def delete_sessions_of(session: Session, user_id: str, keep: str = "") -> None:
    """Ends all sessions of a person but the one with the key `keep`."""
    session.execute(
        delete(SessionRow).where(
            SessionRow.user_id == UUID(user_id), SessionRow.token_sha256 != keep
        )
    )


def insert_link(session: Session, key: str, user_id: str, expires_at: datetime) -> None:
    """Adds a one-time link by the sha256 of its token."""
    session.execute(
        insert(SignInLinkRow).values(token_sha256=key, user_id=UUID(user_id), expires_at=expires_at)
    )


def usable_link(key: str, now: datetime) -> tuple[Any, ...]:
    """The conditions under which a link still opens a session."""
    row = SignInLinkRow
    return (row.token_sha256 == key, row.used_at.is_(None), row.expires_at > now)


def user_of_link(session: Session, key: str, now: datetime) -> UserItem | None:
    """Whom an unused, unexpired link signs in; the link stays usable."""
    return _one(
        session,
        select(*USER)
        .join(SignInLinkRow, SignInLinkRow.user_id == UserRow.id)
        .where(*usable_link(key, now), UserRow.disabled_at.is_(None)),
    )


def use_link(session: Session, key: str, now: datetime) -> UserItem | None:
    """Marks a link as used and returns its person; of two that race, one gets None."""
    user_id = session.execute(
        update(SignInLinkRow)
        .where(*usable_link(key, now))
        .values(used_at=now)
        .returning(SignInLinkRow.user_id)
    ).scalar_one_or_none()
    user = None if user_id is None else user_by_id(session, str(user_id))
    return None if user is None or user.disabled_at is not None else user


def delete_links_of(session: Session, user_id: str) -> None:
    """Makes all links of a person useless."""
    session.execute(delete(SignInLinkRow).where(SignInLinkRow.user_id == UUID(user_id)))
