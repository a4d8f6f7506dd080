"""API tokens: shown once, kept as a hash, never more powerful than the person who made them."""

import secrets
import string
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy.orm import Session

from app.domain.access import Access, Scope
from app.kit.errors import ForbiddenError, InvalidInputError, NotFoundError
from app.services import audit_trail
from app.services.accounts import token_key
from app.store.queries import tokens
from app.store.queries.accounts import UserItem
from app.store.queries.tokens import TokenItem

PREFIX = "atl_"
BASE62 = string.digits + string.ascii_letters
SECRET_LENGTH = 43  # 32 bytes in base 62
SHOWN_LENGTH = 12
LONGEST_LIFE = timedelta(days=365)
TOUCH_EVERY = timedelta(minutes=5)
NAME_LENGTH = 200
GRANTABLE = frozenset(Scope) - {Scope.PUBLIC, Scope.SELF}


@dataclass(frozen=True, slots=True)
class TokenRequest:
    """What a new token shall be. `connection_ids` None: all connections of its maker."""

    name: str
    scopes: frozenset[Scope]
    connection_ids: frozenset[str] | None
    expires_at: datetime | None


def create(
    session: Session, *, access: Access, user: UserItem, wanted: TokenRequest, now: datetime
) -> tuple[TokenItem, str]:
    """Makes a token; the second value is the secret, which is stored nowhere.

    InvalidInputError for a bad name, no scope or a bad date; ForbiddenError when it would be
    allowed more than its maker.
    """
    access.demand(Scope.TOKENS_WRITE)
    _check(wanted, now)
    _check_power(access, wanted)
    _check_connections(session, access, wanted)
    token = PREFIX + "".join(secrets.choice(BASE62) for _ in range(SECRET_LENGTH))
    limits = wanted.connection_ids
    item = tokens.insert_token(
        session,
        {
            "name": wanted.name.strip(),
            "token_sha256": token_key(token),
            "prefix": token[:SHOWN_LENGTH],
            "user_id": UUID(user.id),
            "scopes": sorted(wanted.scopes),
            "connection_ids": None if limits is None else sorted(limits),
            "created_at": now,
            "expires_at": wanted.expires_at,
        },
    )
    _record(session, access, now, "token.create", item)
    return item, token


def _check(wanted: TokenRequest, now: datetime) -> None:
    name = wanted.name.strip()
    if not name or len(name) > NAME_LENGTH or not name.isprintable():
        raise InvalidInputError(
            "the token's name is empty, too long or has control characters",
            mend=f"say in 1 to {NAME_LENGTH} printable characters what will use it",
        )
    if not wanted.scopes or not wanted.scopes <= GRANTABLE:
        known = ", ".join(sorted(GRANTABLE))
        raise InvalidInputError("a token needs at least one scope", mend=f"choose from {known}")
    ends = wanted.expires_at
    if ends is not None and not now < ends <= now + LONGEST_LIFE:
        raise InvalidInputError(
            f"expires_at {ends.isoformat()} is not within the coming year",
            mend=f"choose an instant up to {LONGEST_LIFE.days} days from now",
        )


def _check_power(access: Access, wanted: TokenRequest) -> None:
    extra = wanted.scopes - access.scopes
    if extra:
        raise ForbiddenError(
            f"a token cannot hold scopes that its maker lacks: {', '.join(sorted(extra))}",
            mend="leave them out",
        )
    own, limits = access.connection_ids, wanted.connection_ids
    if own is not None and (limits is None or not limits <= own):
        raise ForbiddenError(
            "a token cannot see connections that its maker cannot see",
            mend="limit it to connections of your own token",
        )


def _check_connections(session: Session, access: Access, wanted: TokenRequest) -> None:
    unknown = tokens.unknown_connections(session, access, wanted.connection_ids or ())
    if unknown:
        raise InvalidInputError(
            f"no connection {unknown[0][:40]!r}",
            mend="list the connections and take their ids",
            errors=tuple(
                {"where": "#/connection_ids", "what": f"unknown: {found[:40]}"}
                for found in unknown[:10]
            ),
        )


def list_tokens(session: Session, *, access: Access, user: UserItem) -> tuple[TokenItem, ...]:
    """The caller's tokens, newest first."""
    access.demand(Scope.TOKENS_WRITE)
    return tokens.tokens_of(session, user.id)


def get_token(session: Session, *, access: Access, user: UserItem, token_id: str) -> TokenItem:
    """One of the caller's tokens; NotFoundError when it has none of that id."""
    access.demand(Scope.TOKENS_WRITE)
    found = tokens.token_of(session, user.id, _uuid(token_id))
    if found is None:
        raise _unknown(token_id)
    return found


def revoke(
    session: Session, *, access: Access, user: UserItem, token_id: str, now: datetime
) -> TokenItem:
    """Ends one of the caller's tokens at once; doing it twice is harmless."""
    before = get_token(session, access=access, user=user, token_id=token_id)
    key = UUID(before.id)
    tokens.revoke_token(session, user.id, key, now)
    if before.revoked_at is None:
        _record(session, access, now, "token.revoke", before)
    return tokens.token_of(session, user.id, key) or before


def _uuid(token_id: str) -> UUID:
    try:
        return UUID(token_id)
    except ValueError:
        raise _unknown(token_id) from None


def _unknown(token_id: str) -> NotFoundError:
    return NotFoundError(f"no token {token_id[:60]!r} of yours", mend="list your tokens first")


def authenticate(
    session: Session, token: str, now: datetime
) -> tuple[TokenItem, UserItem, Access] | None:
    """Who calls with this token; None when it is unknown, ended or revoked.

    Scopes are those of the token that its owner still holds.
    """
    if not token.startswith(PREFIX) or len(token) != len(PREFIX) + SECRET_LENGTH:
        return None
    found = tokens.token_by_key(session, token_key(token), now)
    if found is None:
        return None
    item, user = found
    access = Access(
        actor=f"{user.email} ({item.prefix})",
        scopes=(item.scopes & user.scopes) | {Scope.SELF},
        connection_ids=item.connection_ids,
    )
    return item, user, access


def is_touch_due(item: TokenItem, now: datetime) -> bool:
    """Whether `last_used_at` is old enough to be written anew: not at every request."""
    return item.last_used_at is None or now - item.last_used_at >= TOUCH_EVERY


def touch(session: Session, item: TokenItem, now: datetime) -> None:
    """Notes that the token is in use."""
    tokens.touch_token(session, item.id, now)


def _record(session: Session, access: Access, now: datetime, action: str, item: TokenItem) -> None:
    audit_trail.record(
        session,
        access=access,
        now=now,
        action=action,
        subject=("api_token", item.id),
        detail=", ".join(sorted(item.scopes)),
    )


def known_scopes(names: Iterable[str]) -> frozenset[Scope]:
    """Scopes by name; InvalidInputError names those that do not exist or cannot be granted."""
    unknown = sorted(set(names) - {scope.value for scope in GRANTABLE})
    if unknown:
        known = ", ".join(sorted(GRANTABLE))
        raise InvalidInputError(
            f"unknown scopes: {', '.join(name[:40] for name in unknown[:5])}",
            mend=f"choose from {known}",
        )
    return frozenset(Scope(name) for name in names)
