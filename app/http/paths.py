"""Addresses that more than one layer has to know."""

from urllib.parse import quote

from starlette.types import Scope

API = "/api/v1"
STATIC = "/static"
SIGN_IN = "/login"
LIVE = "/healthz"
READY = "/readyz"
METRICS = "/metrics"
# RFC 3986 §3.3 and §3.4; a query comes encoded, and its % must stay.
_IN_PATH = "/:@!$&'()*+,;="
_IN_QUERY = f"{_IN_PATH}?%"


def is_for_programs(path: str) -> bool:
    """Whether what lies at this path is read by programs rather than shown in a browser."""
    return path.startswith(f"{API}/") or path in {LIVE, READY, METRICS}


def address_of(scope: Scope) -> str:
    """Path and query of a request as an address: what it may not hold is percent-encoded."""
    query = quote(scope["query_string"], safe=_IN_QUERY)
    return path_of(scope) + (f"?{query}" if query else "")


def path_of(scope: Scope) -> str:
    """The path alone, which a server hands over decoded (ASGI: HTTP connection scope)."""
    return quote(scope["path"], safe=_IN_PATH)
