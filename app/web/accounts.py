"""Signing in by password or one-time link, and signing out."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from fastapi import APIRouter, Query, Request
from fastapi import Form as FormField
from fastapi.responses import HTMLResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import RedirectResponse, Response

from app.http import cookies, signing_in
from app.http.deps import CurrentCaller, DbSession, Now, Public, SignedIn, SignedInCaller
from app.kit.errors import NotSignedInError, TooManyRequestsError
from app.services import accounts
from app.store.session import transaction
from app.web.forms import Form
from app.web.pages import Page, Shell
from app.web.render import render
from app.web.shell import bare_shell

router = APIRouter()


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInPage(Page):
    """The sign-in page. `next` is where to go on to."""

    TEMPLATE: ClassVar[str] = "accounts/sign_in/page.html"

    next: str
    form: Form


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkPage(Page):
    """Asks before a one-time link is used up, so that previews of it do no harm."""

    TEMPLATE: ClassVar[str] = "accounts/link/page.html"

    name: str
    token: str
    problem: str


class Credentials(BaseModel):
    """The sign-in form as sent."""

    model_config = ConfigDict(extra="ignore")

    email: str = Field("", max_length=400)
    password: str = Field("", max_length=2_000)
    next: str = Field("/", max_length=2_000)


def _sign_in_page(shell: Shell, back: str, form: Form) -> SignInPage:
    return SignInPage(title=shell.t.gettext("Sign in"), next=back, form=form)


@router.get("/login", response_class=HTMLResponse)
def sign_in_form(
    request: Request,
    _public: Public,
    caller: CurrentCaller,
    now: Now,
    back: Annotated[str, Query(alias="next", max_length=2_000)] = "/",
) -> Response:
    """The sign-in page; who is signed in goes on at once."""
    back = signing_in.safe_next(back)
    if caller is not None:
        return RedirectResponse(back, status_code=303)
    shell = bare_shell(request, now)
    return render(request, shell, _sign_in_page(shell, back, Form()))


@router.post("/login")
def sign_in(
    request: Request,
    _public: Public,
    now: Now,
    sent: Annotated[Credentials, FormField()],
) -> Response:
    """Signs in by password."""
    shell, back = bare_shell(request, now), signing_in.safe_next(sent.next)
    try:
        opened = signing_in.sign_in(request, sent.email, sent.password, now)
    except (NotSignedInError, TooManyRequestsError) as error:
        problem = shell.t.gettext("This e-mail and password do not fit together.")
        if isinstance(error, TooManyRequestsError):
            problem = shell.t.gettext("Too many tries. Wait 15 minutes, or use a sign-in link.")
        form = Form({"email": sent.email}, {"": problem})
        return render(request, shell, _sign_in_page(shell, back, form), status=error.status)
    response = RedirectResponse(back, status_code=303)
    cookies.set_session_cookie(response, opened)
    return response


@router.get("/login/link", response_class=HTMLResponse)
def link_form(
    request: Request,
    _public: Public,
    now: Now,
    token: Annotated[str, Query(max_length=200)] = "",
) -> HTMLResponse:
    """Says whom the link signs in, and asks."""
    shell = bare_shell(request, now)
    try:
        with transaction(readonly=True) as session:
            user = accounts.peek_link(session, token, now)
    except NotSignedInError as error:
        return render(request, shell, _link_page(shell, "", ""), status=error.status)
    return render(request, shell, _link_page(shell, user.name, token))


@router.post("/login/link")
def use_link(
    request: Request,
    _public: Public,
    now: Now,
    token: Annotated[str, FormField(max_length=200)] = "",
) -> Response:
    """Uses the link up and opens a session."""
    try:
        opened = signing_in.use_link(token, now)
    except NotSignedInError as error:
        shell = bare_shell(request, now)
        return render(request, shell, _link_page(shell, "", ""), status=error.status)
    response = RedirectResponse("/", status_code=303)
    cookies.set_session_cookie(response, opened)
    return response


def _link_page(shell: Shell, name: str, token: str) -> LinkPage:
    t = shell.t
    spent = t.gettext("This link was used before, has ended or is not whole.")
    return LinkPage(
        title=t.gettext("Sign in by link"),
        name=name,
        token=token,
        problem="" if name else spent,
    )


@router.post("/logout")
def sign_out(_scope: SignedIn, caller: SignedInCaller, session: DbSession) -> Response:
    """Ends this session."""
    if caller.session is not None:
        accounts.close_session(session, caller.session.key)
    response = RedirectResponse("/login", status_code=303)
    cookies.clear_session_cookie(response)
    return response
