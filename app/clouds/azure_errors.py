"""Turns Azure's error documents and network faults into one kind of failure."""

import ssl
from typing import Any

import httpx2
import orjson

from app.clouds.failures import CallFailedError

# The token is no good: neither a missing right nor something that passes.
BAD_TOKEN = frozenset(
    {
        "AuthenticationFailed",
        "ExpiredAuthenticationToken",
        "InvalidAuthenticationToken",
        "InvalidAuthenticationTokenAudience",
        "InvalidAuthenticationTokenTenant",
    }
)
_UNAUTHORIZED, _FORBIDDEN, _TOO_MANY_REQUESTS = 401, 403, 429
_OURS: tuple[tuple[type[Exception], str], ...] = (
    (httpx2.TimeoutException, "Timeout"),
    (httpx2.ConnectError, "EndpointUnreachable"),
    (httpx2.RemoteProtocolError, "ConnectionBroken"),
    (httpx2.DecodingError, "MalformedAnswer"),
)


def failure_of(answer: httpx2.Response) -> CallFailedError:
    """The failure that an answer with an error status stands for."""
    status = answer.status_code
    code, message = _said(answer)
    throttled = status == _TOO_MANY_REQUESTS
    denied = status == _FORBIDDEN
    failure = CallFailedError(
        message or f"HTTP status {status}",
        # Some services give their status for a code (Cost Management: "429").
        code=code if code and not code.isdecimal() else f"Http{status}",
        status=status,
        denied=denied,
        throttled=throttled,
        permanent=denied or status == _UNAUTHORIZED,
    )
    failure.headers = {name.lower(): value for name, value in answer.headers.items()}
    return failure


def network_failure(error: httpx2.HTTPError) -> CallFailedError:
    """The failure of a call that got no answer."""
    if isinstance(error.__cause__, ssl.SSLError) or "CERTIFICATE" in str(error).upper():
        return CallFailedError(str(error), code="TlsFailed")
    code = next((code for kind, code in _OURS if isinstance(error, kind)), "ConnectionFailed")
    return CallFailedError(str(error) or type(error).__name__, code=code)


def _said(answer: httpx2.Response) -> tuple[str, str]:
    """Code and message of ARM's error document; both empty when it is something else."""
    try:
        document: Any = orjson.loads(answer.content)
    except ValueError:
        return "", ""
    error = document.get("error", document) if isinstance(document, dict) else {}
    if not isinstance(error, dict):
        return "", ""
    return str(error.get("code") or ""), str(error.get("message") or "")
