"""Against requests that other sites make in a signed-in person's name.

Cookie sessions prove with a token that the page came from here. The token is masked anew for each
page: one that never repeats cannot be guessed from the lengths of compressed answers (BREACH).
"""

import base64
import binascii
import hmac
import secrets
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import Request

from app.http.errors import MalformedRequestError
from app.kit.errors import ForbiddenError
from app.kit.settings import settings

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
HEADER = "X-CSRF-Token"
FIELD = "csrf_token"
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
SECRET_BYTES = 32


def mask(secret: str) -> str:
    """A form of the secret (64 hex digits) that differs every time."""
    pad = secrets.token_bytes(SECRET_BYTES)
    hidden = _xor(pad, bytes.fromhex(secret))
    return base64.urlsafe_b64encode(pad + hidden).decode()


def fits(candidate: str, secret: str) -> bool:
    """Whether the candidate is a masked form of the secret; takes the same time either way."""
    try:
        raw = base64.urlsafe_b64decode(candidate.encode())
    except (binascii.Error, ValueError):
        return False
    if len(raw) != 2 * SECRET_BYTES:
        return False
    seen = _xor(raw[:SECRET_BYTES], raw[SECRET_BYTES:])
    return hmac.compare_digest(seen, bytes.fromhex(secret))


def _xor(left: bytes, right: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(left, right, strict=True))


async def sent_token(request: Request) -> str:
    """The token that came with an unsafe request: header first, then the form field."""
    if request.method in SAFE_METHODS:
        return ""
    header = request.headers.get(HEADER)
    if header is not None:
        return header
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type not in FORMS:
        return ""
    form = await request.form()
    for name, value in form.multi_items():
        if isinstance(value, str) and "\x00" in value + name:
            raise MalformedRequestError(
                "a form field holds a NUL character", mend="send text without it"
            )
    field = form.get(FIELD)
    return field if isinstance(field, str) else ""


def check_token(candidate: str, secret: str) -> None:
    """Raises ForbiddenError unless the candidate belongs to the session."""
    if not fits(candidate, secret):
        raise ForbiddenError(
            f"the {HEADER} header or {FIELD} field is missing or of another session",
            mend="load the page again and repeat",
        )


def check_origin(method: str, headers: Headers) -> None:
    """Raises ForbiddenError for an unsafe request that a browser sent from another site.

    Browsers say where a request comes from in headers that no page can forge. Programs that send
    neither are held by the token, or carry no cookie at all.
    """
    if method in SAFE_METHODS or headers.get("authorization"):
        return
    if headers.get("sec-fetch-site", "none") not in {"same-origin", "none"}:
        raise _foreign()
    origin = headers.get("origin")
    if origin is not None and not _is_ours(origin, headers.get("host", "")):
        raise _foreign()


def _is_ours(origin: str, host: str) -> bool:
    try:
        netloc = urlsplit(origin).netloc.lower()
    except ValueError:
        return False
    return netloc != "" and netloc in {host.lower(), urlsplit(settings().address).netloc.lower()}


def _foreign() -> ForbiddenError:
    return ForbiddenError(
        "this request was sent by another site",
        mend="open Atalaya itself; behind a proxy set ATALAYA_BASE_URL to the public address",
    )
