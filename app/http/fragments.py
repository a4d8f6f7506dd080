"""One place that decides whether htmx gets a part of a page or the whole of it."""

from typing import Annotated

from fastapi import Depends, Request
from starlette.datastructures import Headers

# What the answer depends on; sent as Vary with every HTML answer.
VARY = ("HX-Request", "HX-Boosted", "HX-History-Restore-Request")


def is_htmx(headers: Headers) -> bool:
    """Whether htmx sent the request, for a part or for a whole page."""
    return headers.get("HX-Request") == "true"


def wants_fragment(request: Request) -> bool:
    """Whether a part of the page will be swapped in.

    Boosted links and restored history come from htmx too, but need whole pages.
    """
    headers = request.headers
    whole = (
        headers.get("HX-Boosted") == "true"
        or headers.get("HX-History-Restore-Request") == "true"
        or headers.get("HX-Request-Type") == "full"
    )
    return is_htmx(headers) and not whole


async def _fragment(request: Request) -> bool:
    return wants_fragment(request)


Fragment = Annotated[bool, Depends(_fragment)]
