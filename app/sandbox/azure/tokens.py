"""Bearer tokens of the simulated tenant: made, checked, and refused in Azure's own ways."""

import hashlib
import hmac
from datetime import UTC, datetime

from app.kit.clock import utc_now
from app.sandbox.azure.refusal import Refusal
from app.sandbox.story import TENANT_ID

CLIENT_ID = "c1e72000-0000-4000-8000-0000000000c1"
CLIENT_SECRET = "sandbox~not-a-secret"  # noqa: S105 - opens nothing but this simulation
AUDIENCES = {
    "https://management.azure.com": "arm",
    "https://management.core.windows.net": "arm",
    "https://storage.azure.com": "storage",
    "https://metrics.monitor.azure.com": "metrics",
}
LIFETIME_SECONDS = 3600
_ANY = "any"
_CHALLENGE = (
    f'Bearer authorization_uri="https://login.microsoftonline.com/{TENANT_ID}",'
    ' error="invalid_token", error_description="The access token is missing or not valid."'
)


def issue(audience: str = _ANY, expires_at: datetime | None = None) -> str:
    """A token for `arm`, `storage`, `metrics` or `any` of them; by default it never expires."""
    ends = int(expires_at.timestamp()) if expires_at else 0
    text = f"sandbox.{audience}.{ends}"
    return f"{text}.{_seal(text)}"


def audience_of(scope: str) -> str | None:
    """The audience that an OAuth scope such as `https://storage.azure.com/.default` asks for."""
    return AUDIENCES.get(scope.removesuffix("/.default").rstrip("/"))


def check(authorization: str | None, audience: str) -> None:
    """Raises Refusal (401) unless the header carries a living token for that audience."""
    scheme, _, token = (authorization or "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise _refusal("AuthenticationFailed", "The 'Authorization' header is missing.")
    text, _, seal = token.rpartition(".")
    if not hmac.compare_digest(seal.encode(), _seal(text).encode()):
        raise _refusal("InvalidAuthenticationToken", "The access token is invalid.")
    _, granted, ends = text.split(".")
    if int(ends) and int(ends) <= utc_now().timestamp():
        end = datetime.fromtimestamp(int(ends), UTC).isoformat()
        raise _refusal("ExpiredAuthenticationToken", f"The access token expired at {end}.")
    if granted not in (_ANY, audience):
        message = f"The access token was issued for {granted}, not for this audience."
        raise _refusal("InvalidAuthenticationTokenAudience", message)


def _refusal(code: str, message: str) -> Refusal:
    return Refusal(401, code, message, {"WWW-Authenticate": _CHALLENGE})


def _seal(text: str) -> str:
    return hmac.new(CLIENT_SECRET.encode(), text.encode(), hashlib.sha256).hexdigest()[:32]


STATIC_TOKEN = issue()
