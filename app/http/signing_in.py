"""Signing in and out for pages: where people come from, where they go, what throttles them."""

from datetime import datetime
from urllib.parse import quote, urlsplit

from starlette.requests import Request

from app.http.fragments import is_htmx
from app.http.paths import SIGN_IN, address_of
from app.services import accounts
from app.services import signing_in as services
from app.services.accounts import OpenSession
from app.store.session import transaction

LONGEST_NEXT = 2000


def sign_in(request: Request, email: str, password: str, now: datetime) -> OpenSession:
    """Opens a session by password; errors as in `app.services.signing_in.sign_in`."""
    return services.sign_in(
        transaction, email=email, password=password, address=client_address(request), now=now
    )


def use_link(token: str, now: datetime) -> OpenSession:
    """Opens a session by a one-time link and uses it up; NotSignedInError when it is spent."""
    with transaction() as session:
        user = accounts.consume_link(session, token, now)
        return accounts.open_session(session, user, now)


def client_address(request: Request) -> str:
    """The peer's address; the server replaces it by a trusted proxy's word, and nobody else's."""
    return request.client.host if request.client else ""


def safe_next(value: str) -> str:
    """A path on this site to go on to, `/` for anything that would lead elsewhere.

    Browsers read `//host`, `/\\host` and tabs or newlines inside them as another site.
    """
    plain = value.startswith("/") and not value.startswith(("//", "/\\"))
    clean = value.isprintable() and "\\" not in value and len(value) <= LONGEST_NEXT
    if not (plain and clean):
        return "/"
    return "/" if value.partition("?")[0] in {SIGN_IN, f"{SIGN_IN}/link"} else value


def sign_in_address(request: Request) -> str:
    """The sign-in page that leads back to where the caller was.

    For htmx that is the page it sits in; after an unsafe request the page it was sent from.
    """
    if is_htmx(request.headers):
        back = _own_page(request.headers.get("HX-Current-URL", ""))
    elif request.method in {"GET", "HEAD"}:
        back = address_of(request.scope)
    else:
        back = _own_page(request.headers.get("referer", ""))
    back = safe_next(back)
    return SIGN_IN if back == "/" else f"{SIGN_IN}?next={quote(back, safe='/')}"


def _own_page(address: str) -> str:
    try:
        parts = urlsplit(address)
    except ValueError:
        return "/"
    return parts.path + (f"?{parts.query}" if parts.query else "")
