"""`/tokens` and `/me`: who calls, and the API tokens of that person."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Path, Request
from pydantic import Field
from starlette.responses import Response

from app.api.listing import Listing, ListWish, columns, document, whole
from app.api.shapes import In, Instant, Out, PageOut, csv_too, problems
from app.http import paths
from app.http.deps import DbSession, Now, SignedIn, SignedInCaller, TokensWriter
from app.http.idempotency import OnceOnly
from app.services import tokens
from app.services.tokens import TokenRequest
from app.store.queries.tokens import TokenItem

router = APIRouter(tags=["Tokens"])
ID = "0193a6c2-55aa-7c1d-8e9f-0a1b2c3d4e5f"
TokenId = Annotated[str, Path(max_length=64, description="Id of a token.", examples=[ID])]
SCOPES = ["resources:read", "findings:read"]


class MeOut(Out):
    """The caller."""

    email: str = Field(description="The person.", examples=["ana@example.org"])
    name: str = Field(description="The person's name.", examples=["Ana"])
    scopes: list[str] = Field(description="What this caller may do.", examples=[SCOPES])
    connection_ids: list[str] | None = Field(
        description="The connections it may see; null: all.", examples=[None]
    )
    token: str | None = Field(
        description="Start of the API token in use; null for a browser session.",
        examples=["atl_4fQz8LmN"],
    )


class TokenIn(In):
    """The wish for an API token."""

    name: str = Field(
        min_length=1, max_length=200, description="What will use it.", examples=["exporter"]
    )
    scopes: list[str] = Field(
        min_length=1, max_length=50, description="What it may do.", examples=[SCOPES]
    )
    connection_ids: list[str] | None = Field(
        default=None,
        max_length=1000,
        description="The connections it may see; null: all that its maker may see.",
        examples=[None],
    )
    expires_at: Instant | None = Field(
        default=None,
        description="When it ends, at most a year ahead; null: never.",
        examples=["2027-02-28T00:00:00Z"],
    )


class TokenOut(Out):
    """An API token without its secret."""

    id: str = Field(description="Id of the token.", examples=[ID])
    name: str = Field(description="What uses it.", examples=["exporter"])
    prefix: str = Field(description="How it begins.", examples=["atl_4fQz8LmN"])
    scopes: list[str] = Field(description="What it may do.", examples=[SCOPES])
    connection_ids: list[str] | None = Field(
        description="The connections it may see; null: all.", examples=[None]
    )
    created_at: datetime = Field(description="When it was made.")
    expires_at: datetime | None = Field(description="When it ends; null: never.")
    last_used_at: datetime | None = Field(description="Last use, to within five minutes.")
    revoked_at: datetime | None = Field(description="When it was revoked; null: it was not.")

    @classmethod
    def of(cls, item: TokenItem) -> "TokenOut":
        """The token as an answer."""
        limits = item.connection_ids
        return cls(
            id=item.id,
            name=item.name,
            prefix=item.prefix,
            scopes=sorted(item.scopes),
            connection_ids=None if limits is None else sorted(limits),
            created_at=item.created_at,
            expires_at=item.expires_at,
            last_used_at=item.last_used_at,
            revoked_at=item.revoked_at,
        )


class NewTokenOut(TokenOut):
    """A token just made."""

    token: str | None = Field(
        description=(
            "The secret. It is shown here once and stored nowhere; null when this answer is "
            "repeated for the same Idempotency-Key."
        ),
        examples=["atl_4fQz8LmNEXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLE12"],
    )


TOKENS = Listing(
    "tokens",
    TokenOut,
    TokenOut.of,
    columns("id", "name", "prefix", "created_at", "expires_at", "last_used_at", "revoked_at"),
)


@router.get("/me", operation_id="get_me", summary="Read who calls", response_model=MeOut)
def get_me(request: Request, access: SignedIn, caller: SignedInCaller) -> Response:
    """The caller with its scopes: a way to try a token."""
    limits = access.connection_ids
    out = MeOut(
        email=caller.user.email,
        name=caller.user.name,
        scopes=sorted(access.scopes),
        connection_ids=None if limits is None else sorted(limits),
        token=caller.token.prefix if caller.token else None,
    )
    return document(request, out)


@router.get(
    "/tokens",
    operation_id="list_tokens",
    summary="List tokens",
    response_model=PageOut[TokenOut],
    responses=csv_too(),
)
def list_tokens(
    request: Request,
    session: DbSession,
    access: TokensWriter,
    caller: SignedInCaller,
    wish: ListWish,
) -> Response:
    """The caller's own tokens, ended ones too, newest first."""
    found = tokens.list_tokens(session, access=access, user=caller.user)
    return TOKENS.answer(request, session, wish, whole(found))


@router.post(
    "/tokens",
    operation_id="create_token",
    summary="Make a token",
    status_code=201,
    response_model=NewTokenOut,
    responses=problems(409),
)
def create_token(
    once: OnceOnly,
    session: DbSession,
    access: TokensWriter,
    *,
    caller: SignedInCaller,
    now: Now,
    body: TokenIn,
) -> Response:
    """A token that is at most as powerful as its maker; its secret is shown only here."""
    limits = body.connection_ids
    wanted = TokenRequest(
        name=body.name,
        scopes=tokens.known_scopes(body.scopes),
        connection_ids=None if limits is None else frozenset(limits),
        expires_at=body.expires_at,
    )
    item, secret = tokens.create(session, access=access, user=caller.user, wanted=wanted, now=now)
    plain = TokenOut.of(item).model_dump()
    response = Response(
        NewTokenOut(**plain, token=secret).model_dump_json(),
        201,
        headers={"Location": f"{paths.API}/tokens/{item.id}"},
        media_type="application/json",
    )
    kept = NewTokenOut(**plain, token=None).model_dump_json().encode()
    return once.keep(session, response, kept=kept)


@router.delete(
    "/tokens/{token_id}",
    operation_id="revoke_token",
    summary="Revoke a token",
    response_model=TokenOut,
    responses=problems(404),
)
def revoke_token(
    request: Request,
    session: DbSession,
    access: TokensWriter,
    *,
    caller: SignedInCaller,
    now: Now,
    token_id: TokenId,
) -> Response:
    """Ends one of the caller's tokens at once; it stays in the list. Twice is harmless."""
    item = tokens.revoke(session, access=access, user=caller.user, token_id=token_id, now=now)
    return document(request, TokenOut.of(item))
