"""A name given twice in a JSON body is a mistake: of two values nobody knows which is meant."""

import json
from typing import Any

from fastapi import Request

from app.kit.errors import InvalidInputError

SHOWN = 60


async def strict_body(request: Request) -> None:
    """InvalidInputError for a JSON object that has a name twice, at whatever depth.

    Runs after the body was read and found to be JSON; other kinds of bodies are left alone.
    """
    if "json" in request.headers.get("content-type", ""):
        body = await request.body()
        if body:
            json.loads(body, object_pairs_hook=_distinct)


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)[:SHOWN]
        raise InvalidInputError(
            f"{twice!r} is given more than once in one object",
            mend="send each name once",
            errors=({"where": f"#/{twice}", "what": "given more than once"},),
        )
    return found
