"""Addresses that more than one layer has to know."""

API = "/api/v1"
STATIC = "/static"
SIGN_IN = "/login"
LIVE = "/healthz"
READY = "/readyz"
METRICS = "/metrics"


def is_for_programs(path: str) -> bool:
    """Whether what lies at this path is read by programs rather than shown in a browser."""
    return path.startswith(f"{API}/") or path in {LIVE, READY, METRICS}
