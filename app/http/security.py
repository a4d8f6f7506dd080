"""What every answer carries and what no request may do, whatever route it goes to."""

from unicodedata import category
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.http import csrf, paths, problems
from app.http.cookies import is_https
from app.http.errors import MalformedRequestError, TooLargeError, WrongHostError
from app.http.fragments import VARY
from app.kit.errors import AtalayaError
from app.kit.settings import settings

BODY_LIMIT_BYTES = 1024 * 1024
CSP = (
    "default-src 'none'; style-src 'self'; script-src 'self'; font-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
HSTS = "max-age=31536000"
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
# Probes call by address; these answers say nothing about the estate.
PROBES = frozenset({paths.LIVE, paths.READY})


class SecureHeaders:
    """Adds the headers above; what has no Cache-Control of its own is never stored."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Wraps `send` for http requests."""

        async def secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                _secure(MutableHeaders(scope=message))
            await send(message)

        await self.app(scope, receive, secured if scope["type"] == "http" else send)


def _secure(headers: MutableHeaders) -> None:
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
    headers.setdefault("Cache-Control", "no-store")
    if is_https():
        headers.setdefault("Strict-Transport-Security", HSTS)
    if headers.get("Content-Type", "").startswith("text/html"):
        for name in VARY:
            headers.add_vary_header(name)


class Gatekeeper:
    """Turns away requests to a foreign host, from a foreign site, too large or unreadable."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers itself, before any route, when a request is refused."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        try:
            _check(scope)
        except AtalayaError as error:
            response = problems.answer(Request(scope, receive), error)
            await response(scope, receive, send)
            return
        await self.app(scope, _counted(receive), send)


def _counted(receive: Receive) -> Receive:
    """Stops a body that did not say how long it is; routes turn the exception into an answer."""
    seen_bytes = 0

    async def counting() -> Message:
        nonlocal seen_bytes
        message = await receive()
        seen_bytes += len(message.get("body", b""))
        if seen_bytes > BODY_LIMIT_BYTES:
            raise HTTPException(TooLargeError.status)
        return message

    return counting


def _check(scope: Scope) -> None:
    headers = Headers(scope=scope)
    if scope["path"] not in PROBES:
        check_host(headers.get("host", ""))
    _check_target(scope["path"], scope["query_string"])
    _check_length(headers.get("content-length", "0"))
    csrf.check_origin(scope["method"], headers)


def check_host(host: str) -> None:
    """Refuses a Host that is neither ours nor loopback (DNS rebinding, poisoned links)."""
    name = _host_name(host)
    ours = {_host_name(urlsplit(settings().address).netloc), settings().host.lower()}
    if not name or name not in ours | LOOPBACK:
        raise WrongHostError(
            "this host name is not one of this installation",
            mend="use the address it was started with, or set ATALAYA_BASE_URL to the public one",
        )


def _host_name(host: str) -> str:
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _check_target(path: str, query: bytes) -> None:
    """No name, id or search holds control characters, and Postgres cannot store NUL at all."""
    if any(category(char) == "Cc" for char in path):
        raise MalformedRequestError(
            "the path holds a control character", mend="send the address without it"
        )
    if b"%00" in query or b"\x00" in query:
        raise MalformedRequestError(
            "the query holds a NUL character", mend="send the address without %00"
        )


def _check_length(length: str) -> None:
    if length.isdecimal() and int(length[:20]) > BODY_LIMIT_BYTES:
        raise TooLargeError("the body is over 1 MiB", mend="send less at once")
