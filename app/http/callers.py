"""Who asks: a browser session by its cookie, or a program by its API token."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.exc import OperationalError
from starlette.requests import Request

from app.domain.access import Access
from app.http import cookies, csrf
from app.kit.errors import NotSignedInError
from app.services import accounts, tokens
from app.store.queries.accounts import SessionItem, UserItem
from app.store.queries.tokens import TokenItem
from app.store.session import transaction

SCHEME = "bearer"


@dataclass(frozen=True, slots=True)
class Caller:
    """The person, what it may do here, and the session or the token it came with."""

    user: UserItem
    access: Access
    session: SessionItem | None = None
    token: TokenItem | None = None

    @property
    def csrf_token(self) -> str:
        """What forms of this session must send back; '' for tokens, which need none."""
        return "" if self.session is None else csrf.mask(self.session.csrf_secret)


def find_caller(request: Request, now: datetime) -> Caller | None:
    """The caller in a short transaction of its own; None when nobody signed in.

    An Authorization header that does not fit is an error, never a fall-back to the cookie.
    """
    header = request.headers.get("authorization")
    if header is not None:
        return _by_token(header, now)
    cookie = cookies.session_token(request)
    if not cookie:
        return None
    with transaction(readonly=True) as session:
        found = accounts.session_of(session, cookie, now)
    if found is None:
        return None
    return Caller(found.user, accounts.access_of(found.user), session=found)


def _by_token(header: str, now: datetime) -> Caller:
    scheme, _, secret = header.partition(" ")
    if scheme.lower() != SCHEME:
        raise NotSignedInError(
            "the Authorization header is not of the form `Bearer atl_…`",
            mend="send an API token, or leave the header out and sign in",
        )
    with transaction(readonly=True) as session:
        found = tokens.authenticate(session, secret.strip(), now)
    if found is None:
        raise NotSignedInError(
            "this API token is unknown, ended or revoked",
            mend="make a new one with ./atalaya token create",
        )
    item, user, access = found
    if tokens.is_touch_due(item, now):
        with suppress(OperationalError), transaction() as session:  # no reason to fail a request
            tokens.touch(session, item, now)
    return Caller(user, access, token=item)
