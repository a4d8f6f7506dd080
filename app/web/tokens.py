"""The caller's own API tokens: list, make with scopes and an end, revoke."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, ClassVar

from fastapi import APIRouter, Request
from fastapi import Form as FormField
from fastapi.responses import HTMLResponse
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy.orm import Session
from starlette.responses import Response

from app.domain.access import Access, Scope
from app.http.callers import Caller
from app.http.deps import DbSession, SignedInCaller, TokensWriter
from app.kit.errors import ForbiddenError, InvalidInputError
from app.services import tokens as service
from app.services.tokens import TokenRequest
from app.store.queries.tokens import TokenItem
from app.web import toasts
from app.web.forms import Form, rejected
from app.web.pages import Crumb, Page, Shell
from app.web.render import render
from app.web.shell import FullShell
from app.web.words import SCOPES

router = APIRouter(prefix="/tokens")

# Days a token may live; the form starts with the one that suits most.
LIVES = (30, 90, 365)
USUAL_LIFE = 90
SOON = timedelta(days=7)


class Wish(BaseModel):
    """The form of a new token as sent. `days` until it ends."""

    model_config = ConfigDict(extra="ignore")

    name: str = Field("", max_length=2_000)
    scope: list[str] = Field([], max_length=50)
    days: int = Field(USUAL_LIFE, ge=1, le=max(LIVES))


@dataclass(frozen=True, slots=True)
class TokenRow:
    """One token in the list. `ends_soon`: within a week."""

    item: TokenItem
    live: bool
    ends_soon: bool


@dataclass(frozen=True, slots=True)
class ScopeChoice:
    """A scope that the new token may hold."""

    code: str
    meaning: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class EndChoice:
    """An end that the new token may have, `days` from now."""

    days: int
    at: datetime
    chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TokensPage(Page):
    """The caller's tokens and the form of a new one. `secret` is that of a token just made."""

    TEMPLATE: ClassVar[str] = "tokens/list/page.html"
    AREA: ClassVar[str] = "tokens"

    rows: tuple[TokenRow, ...]
    live: int
    ending: int
    scopes: tuple[ScopeChoice, ...]
    ends: tuple[EndChoice, ...]
    form: Form
    made: str = ""
    secret: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RevokePage(Page):
    """Asks before a token is revoked, and says what then stops."""

    TEMPLATE: ClassVar[str] = "tokens/revoke/page.html"
    PARTS: ClassVar[Mapping[str, str]] = {"dialog-body": "tokens/revoke/_body.html"}
    AREA: ClassVar[str] = "tokens"

    item: TokenItem


@router.get("", response_class=HTMLResponse)
def token_list(
    request: Request,
    shell: FullShell,
    _scope: TokensWriter,
    caller: SignedInCaller,
    session: DbSession,
) -> HTMLResponse:
    """The caller's tokens, ended ones too, newest first."""
    return render(request, shell, _page(session, shell, caller, Wish(), Form()))


@router.post("")
def make(
    request: Request,
    shell: FullShell,
    access: TokensWriter,
    caller: SignedInCaller,
    session: DbSession,
    sent: Annotated[Wish, FormField()],
) -> Response:
    """Makes a token and shows its secret: only in this answer, which no browser keeps."""
    try:
        item, secret = service.create(
            session, access=access, user=caller.user, wanted=_wanted(sent, shell), now=shell.now
        )
    except (InvalidInputError, ForbiddenError) as error:
        form = rejected(error, {"name": sent.name}, "name")
        page = _page(session, shell, caller, sent, form)
        return render(request, shell, page, status=error.status)
    page = _page(session, shell, caller, Wish(), Form(), (item.name, secret))
    return render(request, shell, page, status=201)


def _wanted(sent: Wish, shell: Shell) -> TokenRequest:
    return TokenRequest(
        name=sent.name,
        scopes=service.known_scopes(sent.scope),
        connection_ids=None,
        expires_at=shell.now + timedelta(days=sent.days),
    )


@router.get("/{token_id}/revoke", response_class=HTMLResponse)
def ask_revoke(
    request: Request,
    shell: FullShell,
    access: TokensWriter,
    caller: SignedInCaller,
    session: DbSession,
    token_id: str,
) -> HTMLResponse:
    """Asks before a token ends."""
    page = RevokePage(
        title=shell.t.gettext("Revoke"),
        crumbs=(Crumb(shell.t.gettext("API tokens"), "/tokens"),),
        item=service.get_token(session, access=access, user=caller.user, token_id=token_id),
    )
    return render(request, shell, page)


@router.post("/{token_id}/revoke")
def revoke(
    shell: FullShell,
    access: TokensWriter,
    caller: SignedInCaller,
    session: DbSession,
    token_id: str,
) -> Response:
    """Ends a token at once; it stays in the list."""
    item = service.revoke(
        session, access=access, user=caller.user, token_id=token_id, now=shell.now
    )
    return toasts.go_on("/tokens", toasts.said(shell.t, "token_revoked", {"name": item.name}))


def _page(
    session: Session,
    shell: Shell,
    caller: Caller,
    sent: Wish,
    form: Form,
    made: tuple[str, str] = ("", ""),
) -> TokensPage:
    found = service.list_tokens(session, access=caller.access, user=caller.user)
    rows = tuple(_row(item, shell.now) for item in found)
    return TokensPage(
        title=shell.t.gettext("API tokens"),
        rows=rows,
        live=sum(row.live for row in rows),
        ending=sum(row.ends_soon for row in rows),
        scopes=tuple(_scopes(shell, caller.access, sent.scope)),
        ends=tuple(EndChoice(d, shell.now + timedelta(days=d), d == sent.days) for d in LIVES),
        form=form,
        made=made[0],
        secret=made[1],
    )


def _row(item: TokenItem, now: datetime) -> TokenRow:
    ends = item.expires_at
    live = item.revoked_at is None and (ends is None or ends > now)
    return TokenRow(item, live, live and ends is not None and ends <= now + SOON)


def _scopes(shell: Shell, access: Access, chosen: list[str]) -> Iterator[ScopeChoice]:
    """What the caller may hand on: never more than it may do itself."""
    for scope in Scope:
        if scope in service.GRANTABLE & access.scopes:
            meaning = shell.t.gettext(SCOPES[scope.value])
            yield ScopeChoice(scope.value, meaning, scope.value in chosen)
