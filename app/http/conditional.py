"""ETags: unchanged answers are not sent again, and nobody overwrites what they have not seen."""

import hashlib
from collections.abc import Mapping
from typing import Annotated

from fastapi import Depends, Header
from starlette.requests import Request
from starlette.responses import Response

from app.http.errors import PreconditionFailedError, PreconditionRequiredError

JSON = "application/json"
# Private to the caller, and asked about each time.
ASKED_EACH_TIME = "private, no-cache"
DIGEST_LENGTH = 32


def answer(
    request: Request, content: bytes, *, version: int | None = None, media_type: str = JSON
) -> Response:
    """200 with an ETag, or 304 when the caller has this very content.

    `version` leads the ETag of things that can be changed; `IfMatch` reads it back.
    """
    etag = etag_of(content, version)
    headers = {"ETag": etag, "Cache-Control": ASKED_EACH_TIME}
    if request.method == "GET" and _matches(request.headers, etag):
        return Response(status_code=304, headers=headers)
    return Response(content, headers=headers, media_type=media_type)


def etag_of(content: bytes, version: int | None = None) -> str:
    """Weak, as the same content may be sent compressed; strong with a version, for If-Match."""
    digest = hashlib.sha256(content).hexdigest()[:DIGEST_LENGTH]
    return f'W/"{digest}"' if version is None else f'"{version}.{digest}"'


def _matches(headers: Mapping[str, str], etag: str) -> bool:
    wanted = headers.get("if-none-match", "")
    found = {part.strip().removeprefix("W/") for part in wanted.split(",")}
    return "*" in found or etag.removeprefix("W/") in found


def get_if_match(
    if_match: Annotated[
        str | None,
        Header(
            alias="If-Match",
            max_length=200,
            description="The ETag under which the thing was read; 412 if it changed since.",
            examples=['"3.5f0c8e1b"'],
        ),
    ] = None,
) -> int:
    """The version that a change is meant for, from the ETag of a GET."""
    if if_match is None:
        raise PreconditionRequiredError(
            "the header If-Match is missing", mend="send the ETag of a GET of the same address"
        )
    version, dot, _ = if_match.strip().removeprefix("W/").strip('"').partition(".")
    if not dot or not version.isascii() or not version.isdecimal():
        raise PreconditionFailedError(
            "the header If-Match is not an ETag of this address", mend="GET it and send its ETag"
        )
    return int(version[:9])


IfMatch = Annotated[int, Depends(get_if_match)]


def demand_version(wanted: int, current: int) -> None:
    """PreconditionFailedError unless the thing still is as the caller read it."""
    if wanted != current:
        raise PreconditionFailedError(
            f"it was changed in the meantime: version {current}, not {wanted}",
            mend="GET it again and repeat the change on what you find",
        )
