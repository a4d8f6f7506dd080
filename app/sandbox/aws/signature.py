"""Checks AWS signatures (version 4), so that a wrong secret is found out as AWS would find it.

The algorithm is the one that AWS documents for all its services: a hash over the request in one
canonical form, under a key derived from the secret, the day, the region and the service.
"""

import hashlib
import hmac
import re
from urllib.parse import quote, unquote

from app.sandbox.wire import Request

_AUTHORIZATION = re.compile(
    r"AWS4-HMAC-SHA256 Credential=[^/]+/(\d{8})/([^/]+)/([^/]+)/aws4_request,\s*"
    r"SignedHeaders=([^,\s]+),\s*Signature=([0-9a-f]{64})"
)


def is_genuine(request: Request, secret: str) -> bool:
    """Whether the request was signed with this secret."""
    found = _AUTHORIZATION.match(request.headers.get("authorization", ""))
    if not found:
        return False
    day, region, service, names, signature = found.groups()
    scope = f"{day}/{region}/{service}/aws4_request"
    canonical = _canonical(request, service, names)
    text = "\n".join(
        (
            "AWS4-HMAC-SHA256",
            request.headers.get("x-amz-date", ""),
            scope,
            hashlib.sha256(canonical.encode()).hexdigest(),
        )
    )
    key = ("AWS4" + secret).encode()
    for part in (day, region, service, "aws4_request"):
        key = _sealed(key, part)
    return hmac.compare_digest(_sealed(key, text).hex(), signature)


def _sealed(key: bytes, text: str) -> bytes:
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def _canonical(request: Request, service: str, names: str) -> str:
    """Method, path, sorted query, signed headers and the body's hash, one below the other."""
    body_hash = request.headers.get("x-amz-content-sha256")
    headers = "".join(
        f"{name}:{' '.join(request.headers.get(name, '').split())}\n" for name in names.split(";")
    )
    return "\n".join(
        (
            request.method,
            request.raw_path if service == "s3" else quote(request.raw_path, safe="/~"),
            _query(request),
            headers,
            names,
            body_hash or hashlib.sha256(request.body).hexdigest(),
        )
    )


def _query(request: Request) -> str:
    pairs = [pair.partition("=") for pair in request.target.partition("?")[2].split("&") if pair]
    coded = [(_coded(name), _coded(value)) for name, _, value in pairs]
    return "&".join(f"{name}={value}" for name, value in sorted(coded))


def _coded(text: str) -> str:
    return quote(unquote(text), safe="-_.~")
