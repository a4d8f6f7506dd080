"""Idempotency-Key on POST: a write that is sent twice happens once, and both get the same answer.

The claim is a transaction of its own, so that a duplicate learns at once that the first is under
way. The answer is written in the transaction of the write itself: either both are there or none.
"""

import hashlib
from collections.abc import Iterator
from datetime import timedelta
from typing import Annotated

from fastapi import Depends, FastAPI, Header, Request
from sqlalchemy.orm import Session
from starlette.responses import Response

from app.http.deps import Now, SignedInCaller
from app.kit.errors import ConflictError
from app.store.queries import idempotency
from app.store.queries.idempotency import KeptAnswer
from app.store.session import transaction

LIFE = timedelta(hours=24)
# Longer than any request lives: a claim this old belongs to a process that died.
CLAIM_LIFE = timedelta(minutes=2)
REPLAYED = "Idempotency-Replayed"
KEPT_HEADERS = ("location", "etag")

IdempotencyKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=200,
        pattern=r"^[\x21-\x7e]+$",
        description=(
            "Any text that is unique per intended write, such as a UUID. For 24 hours the same key "
            "with the same request gets the first answer again; with another request 409."
        ),
        examples=["8e03978e-40d5-43e8-bc93-6894a57f9324"],
    ),
]


class Replayed(Exception):  # noqa: N818 - no failure: carries the answer past the endpoint
    """The write was done before; `response` is the answer it got."""

    def __init__(self, response: Response) -> None:
        super().__init__()
        self.response = response


class Once:
    """The claim of one request; without a key it does nothing."""

    def __init__(self, actor: str, key: str | None) -> None:
        self._actor = actor
        self._key = key

    def keep(self, session: Session, response: Response, *, kept: bytes | None = None) -> Response:
        """Stores the answer with the write and returns it.

        `kept` replaces the body in the store, for answers with a secret that is shown once.
        """
        if self._key is None:
            return response
        body = {
            "text": (bytes(response.body) if kept is None else kept).decode(),
            "media_type": response.headers.get("content-type", ""),
            "headers": {
                name: response.headers[name] for name in KEPT_HEADERS if name in response.headers
            },
        }
        held = idempotency.keep(
            session, actor=self._actor, key=self._key, status=response.status_code, body=body
        )
        if not held:
            raise ConflictError(
                "this request took so long that its Idempotency-Key was given to another",
                mend="look whether the other one succeeded",
            )
        return response


async def request_digest(request: Request) -> str:
    """Tells one request from another: method, path, query and body."""
    digest = hashlib.sha256(f"{request.method} {request.url.path}?{request.url.query}\n".encode())
    digest.update(await request.body())
    return digest.hexdigest()


def get_once(
    caller: SignedInCaller,
    now: Now,
    digest: Annotated[str, Depends(request_digest)],
    key: IdempotencyKey = None,
) -> Iterator[Once]:
    """Claims the key before the endpoint runs and gives it up when the endpoint fails."""
    actor = caller.access.actor
    if key is None:
        yield Once(actor, None)
        return
    kept = _claim(actor, key, digest, now)
    if kept is not None:
        raise Replayed(_again(kept, digest))
    try:
        yield Once(actor, key)
    except BaseException:
        with transaction() as session:
            idempotency.release(session, actor=actor, key=key)
        raise


# "request": given up after the session's transaction has ended, one way or the other.
OnceOnly = Annotated[Once, Depends(get_once)]


def _claim(actor: str, key: str, digest: str, now: Now) -> KeptAnswer | None:
    with transaction() as session:
        idempotency.forget(session, answered_before=now - LIFE, claimed_before=now - CLAIM_LIFE)
        if idempotency.claim(session, actor=actor, key=key, digest=digest, now=now):
            return None
        return idempotency.find(session, actor=actor, key=key)


def _again(kept: KeptAnswer, digest: str) -> Response:
    if kept.request_digest != digest:
        raise ConflictError(
            "this Idempotency-Key was used for another request", mend="use a new key per write"
        )
    if kept.status is None or kept.body is None:
        raise ConflictError(
            "the first request with this Idempotency-Key is still being answered",
            mend="wait a moment and repeat",
        )
    headers = {**kept.body["headers"], REPLAYED: "true"}
    return Response(
        kept.body["text"], kept.status, headers=headers, media_type=kept.body["media_type"] or None
    )


def register(app: FastAPI) -> None:
    """Lets a kept answer out."""
    app.add_exception_handler(Replayed, _on_replayed)


async def _on_replayed(_request: Request, error: Exception) -> Response:
    if not isinstance(error, Replayed):
        raise error
    return error.response
