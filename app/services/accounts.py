"""Local accounts: people, their passwords, one-time links and browser sessions."""

import hashlib
import re
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy.orm import Session

from app.domain.access import SYSTEM, Access, Scope
from app.kit.errors import ConflictError, InvalidInputError, NotFoundError, NotSignedInError
from app.kit.settings import settings
from app.services import audit_trail, passwords
from app.store.models.accounts import SessionRow
from app.store.queries import accounts
from app.store.queries.accounts import SessionItem, UserItem

LINK_LIFE = timedelta(hours=24)
FIRST_EMAIL = "admin@localhost"
EMAIL_LENGTH = 180  # fits the actor column of the audit trail together with a token's prefix
NAME_LENGTH = 200
LANGUAGES = ("en", "es")
THEMES = ("auto", "light", "dark")
# One @ with something on both sides and no space or control character: mail proves the rest.
EMAIL = re.compile(r"[^\s@\x00-\x1f\x7f]+@[^\s@\x00-\x1f\x7f]+")
TOKEN_BYTES = 32


@dataclass(frozen=True, slots=True)
class OpenSession:
    """A session just opened: `token` goes into the cookie and is kept nowhere else."""

    token: str
    user: UserItem
    expires_at: datetime


def token_key(token: str) -> str:
    """What is stored of a secret token: its sha256 in hex."""
    return hashlib.sha256(token.encode()).hexdigest()


def create_user(
    session: Session, *, access: Access, email: str, name: str, now: datetime
) -> UserItem:
    """Adds a person with all scopes (roles come later) and no password yet.

    InvalidInputError for a malformed address or name, ConflictError when the address is taken.
    """
    access.demand(Scope.TOKENS_WRITE)
    email, name = _valid_email(email), _valid_name(name)
    if accounts.user_by_email(session, email) is not None:
        raise ConflictError(
            f"there is already an account {email}", mend="make a sign-in link for it instead"
        )
    scopes = sorted(scope.value for scope in Scope)
    values = {"email": email, "name": name, "scopes": scopes, "created_at": now}
    user = accounts.insert_user(session, values)
    audit_trail.record(
        session, access=access, now=now, action="account.create", subject=("account", user.id)
    )
    return user


def _valid_email(email: str) -> str:
    email = email.strip().casefold()
    if len(email) > EMAIL_LENGTH or not EMAIL.fullmatch(email):
        raise InvalidInputError(
            f"{email[:60]!r} is not an e-mail address",
            mend=f"give one such as ana@example.org of at most {EMAIL_LENGTH} characters",
        )
    return email


def _valid_name(name: str) -> str:
    name = name.strip()
    if not name or len(name) > NAME_LENGTH or not name.isprintable():
        raise InvalidInputError(
            "the name is empty, too long or has control characters",
            mend=f"give 1 to {NAME_LENGTH} printable characters",
        )
    return name


def first_sign_in_link(session: Session, now: datetime, address: str) -> str | None:
    """A link for the first administrator, who is made if need be.

    None once anybody has a password, and when the administrator was locked out on purpose.
    `address` is the public address without trailing slash.
    """
    if accounts.anyone_has_a_password(session):
        return None
    user = accounts.first_user(session)
    if user is None and accounts.user_by_email(session, FIRST_EMAIL) is not None:
        return None
    user = user or create_user(
        session, access=SYSTEM, email=FIRST_EMAIL, name="Administrator", now=now
    )
    return make_link(session, user.email, now, address)


def make_link(session: Session, email: str, now: datetime, address: str) -> str:
    """A sign-in link that works once within 24 hours. NotFoundError without such an account."""
    user = _account(session, email)
    if user.disabled_at is not None:
        raise NotFoundError(
            f"the account {user.email} is disabled", mend=f"./atalaya user enable {user.email}"
        )
    token = secrets.token_urlsafe(TOKEN_BYTES)
    accounts.insert_link(session, token_key(token), user.id, now + LINK_LIFE)
    return f"{address}/login/link?token={token}"


def _account(session: Session, email: str) -> UserItem:
    user = accounts.user_by_email(session, email)
    if user is None:
        raise NotFoundError(f"no account {email[:60]}", mend="add it, or correct the address")
    return user


def peek_link(session: Session, token: str, now: datetime) -> UserItem:
    """Whom a link would sign in; the link stays usable, so that link previewers do no harm."""
    return _of_link(accounts.user_of_link(session, token_key(token), now))


def consume_link(session: Session, token: str, now: datetime) -> UserItem:
    """Uses a link up. NotSignedInError when it is unknown, expired or used."""
    return _of_link(accounts.use_link(session, token_key(token), now))


def _of_link(user: UserItem | None) -> UserItem:
    if user is None:
        raise NotSignedInError(
            "this sign-in link is unknown, used up or older than 24 hours",
            mend="ask for a new one: ./atalaya link E-MAIL",
        )
    return user


def open_session(session: Session, user: UserItem, now: datetime) -> OpenSession:
    """Opens a browser session that ends by itself after `session_hours`."""
    token = secrets.token_urlsafe(TOKEN_BYTES)
    expires_at = now + timedelta(hours=settings().session_hours)
    row = SessionRow(
        token_sha256=token_key(token),
        user_id=UUID(user.id),
        csrf_token=secrets.token_hex(TOKEN_BYTES),
        created_at=now,
        expires_at=expires_at,
    )
    accounts.insert_session(session, row)
    audit_trail.record(
        session,
        access=access_of(user),
        now=now,
        action="session.open",
        subject=("account", user.id),
    )
    return OpenSession(token, user, expires_at)


def access_of(user: UserItem) -> Access:
    """What a person may do when signed in by a browser."""
    return Access(actor=user.email, scopes=user.scopes | {Scope.SELF})


def session_of(session: Session, token: str, now: datetime) -> SessionItem | None:
    """The running session behind a cookie; None when unknown, ended or the account disabled."""
    return accounts.session_by_key(session, token_key(token), now)


def list_sessions(session: Session, user_id: str, now: datetime) -> tuple[SessionItem, ...]:
    """A person's running sessions, newest first."""
    return accounts.sessions_of(session, user_id, now)


def close_session(session: Session, key: str) -> None:
    """Signs out one session by its key."""
    accounts.delete_session(session, key)


def close_other_sessions(session: Session, user_id: str, keep: str) -> None:
    """Signs a person out everywhere but in the session with the key `keep`."""
    accounts.delete_sessions_of(session, user_id, keep)


def set_password(
    session: Session, *, user: UserItem, password: str, now: datetime, keep: str = ""
) -> None:
    """Sets a new password, ends all other sessions and unused links of that person.

    InvalidInputError when it is too short, too long or the e-mail address. The costly hash is
    worked out before the database is touched, so that no other writer waits for it.
    """
    password_hash = passwords.hash_new(password, user.email)
    accounts.update_user(session, user.id, {"password_hash": password_hash})
    accounts.delete_sessions_of(session, user.id, keep)
    accounts.delete_links_of(session, user.id)
    audit_trail.record(
        session,
        access=access_of(user),
        now=now,
        action="account.password",
        subject=("account", user.id),
    )


def set_preferences(
    session: Session, user_id: str, *, language: str, theme: str, shortcuts: bool
) -> None:
    """Changes language, theme and keyboard shortcuts. InvalidInputError for unknown words."""
    if language not in LANGUAGES or theme not in THEMES:
        raise InvalidInputError(
            "unknown language or theme",
            mend=f"languages: {', '.join(LANGUAGES)}; themes: {', '.join(THEMES)}",
        )
    values = {"language": language, "theme": theme, "shortcuts": shortcuts}
    accounts.update_user(session, user_id, values)


def disable_user(session: Session, *, access: Access, email: str, now: datetime) -> UserItem:
    """Locks an account out at once: sessions end, links and tokens stop working.

    NotFoundError without such an account; doing it twice is harmless.
    """
    access.demand(Scope.TOKENS_WRITE)
    user = _account(session, email)
    accounts.delete_sessions_of(session, user.id)
    accounts.delete_links_of(session, user.id)
    if user.disabled_at is None:
        accounts.update_user(session, user.id, {"disabled_at": now})
        _record(session, access, now, "account.disable", user)
    return user


def enable_user(session: Session, *, access: Access, email: str, now: datetime) -> UserItem:
    """Lets an account in again; its password and its tokens that have not ended work as before.

    NotFoundError without such an account; doing it twice is harmless.
    """
    access.demand(Scope.TOKENS_WRITE)
    user = _account(session, email)
    if user.disabled_at is not None:
        accounts.update_user(session, user.id, {"disabled_at": None})
        _record(session, access, now, "account.enable", user)
    return user


def _record(session: Session, access: Access, now: datetime, action: str, user: UserItem) -> None:
    audit_trail.record(session, access=access, now=now, action=action, subject=("account", user.id))
