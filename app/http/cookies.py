"""The session cookie: unreadable for scripts, not sent by other sites, tied to https if we are."""

from starlette.requests import Request
from starlette.responses import Response

from app.kit.settings import settings
from app.services.accounts import OpenSession

NAME = "atalaya_session"


def is_https() -> bool:
    """Whether people reach this installation by https; a proxy may end TLS before us."""
    return settings().address.startswith("https://")


def cookie_name() -> str:
    """With https the name forbids a Domain and demands Secure and Path=/ (RFC 6265bis)."""
    return f"__Host-{NAME}" if is_https() else NAME


def session_token(request: Request) -> str:
    """The token in the cookie, empty without one."""
    return request.cookies.get(cookie_name(), "")


def set_session_cookie(response: Response, opened: OpenSession) -> None:
    """Hands the session to the browser until it ends by itself."""
    response.set_cookie(
        cookie_name(),
        opened.token,
        expires=opened.expires_at,
        path="/",
        secure=is_https(),
        httponly=True,
        samesite="lax",
    )


def clear_session_cookie(response: Response) -> None:
    """Takes the session from the browser."""
    response.delete_cookie(
        cookie_name(), path="/", secure=is_https(), httponly=True, samesite="lax"
    )
