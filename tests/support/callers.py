"""People and programs that call the product over HTTP, inside the test process."""

from datetime import timedelta

from fastapi import FastAPI
from starlette.testclient import TestClient

from app.domain.access import SYSTEM, Access, Scope
from app.http import cookies, csrf
from app.kit.clock import utc_now
from app.services import accounts, tokens
from app.services.tokens import GRANTABLE, TokenRequest
from app.store.queries.accounts import UserItem
from app.store.session import transaction

HOST = "http://127.0.0.1:8000"


def client(app: FastAPI, secret: str = "") -> TestClient:
    """A program; with an API token when one is given."""
    headers = {"Authorization": f"Bearer {secret}"} if secret else {}
    return TestClient(app, base_url=HOST, headers=headers, follow_redirects=False)


def person(email: str = "ana@example.org") -> UserItem:
    """An account with every scope."""
    with transaction() as session:
        return accounts.create_user(
            session, access=SYSTEM, email=email, name=email.split("@", maxsplit=1)[0], now=utc_now()
        )


def token_of(
    user: UserItem,
    scopes: frozenset[Scope] = GRANTABLE,
    connection_ids: frozenset[str] | None = None,
) -> str:
    """The secret of a new token of this person."""
    wanted = TokenRequest("test", scopes, connection_ids, utc_now() + timedelta(days=1))
    maker = Access(actor=user.email, scopes=frozenset(Scope))
    with transaction() as session:
        _, secret = tokens.create(session, access=maker, user=user, wanted=wanted, now=utc_now())
    return secret


def new_token(user: UserItem) -> str:
    """The id of a new token of this person."""
    token_of(user)
    with transaction(readonly=True) as session:
        return tokens.list_tokens(session, access=SYSTEM, user=user)[0].id


def browser(app: FastAPI, user: UserItem) -> TestClient:
    """A browser in which this person is signed in; it sends the CSRF token by itself."""
    now = utc_now()
    with transaction() as session:
        opened = accounts.open_session(session, user, now)
        found = accounts.session_of(session, opened.token, now)
    assert found is not None
    signed_in = client(app)
    signed_in.cookies.set(cookies.cookie_name(), opened.token)
    signed_in.headers[csrf.HEADER] = csrf.mask(found.csrf_secret)
    return signed_in
