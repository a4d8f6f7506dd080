"""The outermost layer: an id, one log line and two metrics per request, and no leaking failures."""

import re
import time

import structlog
from prometheus_client import Counter, Histogram
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.http import paths, problems
from app.http.errors import BusyError, UnexpectedError
from app.kit.errors import AtalayaError, ConflictError
from app.kit.ids import uuid7

log = structlog.get_logger()
HEADER = "X-Request-ID"
# An id from a proxy is kept if it cannot break a log line or a header.
ACCEPTED_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
REQUESTS = Counter("atalaya_http_requests", "Requests answered.", ["method", "route", "status"])
SECONDS = Histogram("atalaya_http_request_seconds", "Time until the answer began.", ["route"])
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class Telemetry:
    """Pure ASGI, so that streams pass untouched."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Runs one request and tells of it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        given = Headers(scope=scope).get(HEADER, "")
        request_id = given if ACCEPTED_ID.fullmatch(given) else uuid7().hex
        scope.setdefault("state", {})["request_id"] = request_id
        with structlog.contextvars.bound_contextvars(request_id=request_id):
            await _Watch(scope, send, request_id).run(self.app, receive)


class _Watch:
    """One request being answered: `status` 0 until the answer began."""

    def __init__(self, scope: Scope, send: Send, request_id: str) -> None:
        self.scope = scope
        self._send = send
        self._request_id = request_id
        self._started_at = time.perf_counter()
        self._seconds = 0.0
        self.status = 0

    async def run(self, app: ASGIApp, receive: Receive) -> None:
        try:
            await app(self.scope, receive, self.send)
        except Exception as error:
            if self.status:  # half an answer cannot be taken back: the connection has to break
                log.exception("http.broken_off", path=self.scope["path"])
                raise
            await self._apologise(error, receive)
        finally:
            self._tell()

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self._seconds = time.perf_counter() - self._started_at
            MutableHeaders(scope=message)[HEADER] = self._request_id
        await self._send(message)

    async def _apologise(self, error: Exception, receive: Receive) -> None:
        log.error("http.failed", path=self.scope["path"], exc_info=error)
        request = Request(self.scope, receive)
        try:
            response = problems.answer(request, _public_form(error))
        except Exception:
            log.exception("http.error_page_failed")
            response = problems.last_resort(request)
        await response(self.scope, receive, self.send)

    def _tell(self) -> None:
        method = self.scope["method"] if self.scope["method"] in METHODS else "other"
        route = _route_of(self.scope)
        REQUESTS.labels(method, route, self.status).inc()
        SECONDS.labels(route).observe(self._seconds)
        caller = self.scope["state"].get("caller")
        # Never the query: searches name people and things, and sign-in links carry their secret.
        log.info(
            "http.request",
            method=method,
            path=self.scope["path"],
            status=self.status,
            milliseconds=round(self._seconds * 1000, 1),
            actor=caller.access.actor if caller else "",
        )


def _public_form(error: Exception) -> AtalayaError:
    """What the caller learns of an unforeseen failure: nothing but the request id."""
    if isinstance(error, IntegrityError):
        return ConflictError(
            "somebody else changed the same thing at the same moment; nothing was changed here",
            mend="read it again and repeat",
        )
    if isinstance(error, OperationalError | PoolTimeoutError):
        return BusyError("the database did not answer in time", mend="try again in a moment")
    return UnexpectedError(
        "an unforeseen failure; nothing was changed",
        mend="try again, and report the request id if it happens again",
    )


def _route_of(scope: Scope) -> str:
    """The template of the path, so that ids do not make a metric of their own each."""
    path = str(getattr(scope.get("route"), "path", ""))
    prefix = paths.API if scope["path"].startswith(f"{paths.API}/") else ""
    return prefix + path if path else "none"
