"""What people set for themselves: language, theme, keys and password."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from fastapi import APIRouter, Request
from fastapi import Form as FormField
from fastapi.responses import HTMLResponse
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy.orm import Session
from starlette.responses import RedirectResponse, Response

from app.http import cookies, signing_in
from app.http.callers import Caller
from app.http.deps import CurrentCaller, DbSession, Public, SignedIn, SignedInCaller
from app.kit.errors import InvalidInputError
from app.kit.i18n import LANGUAGES
from app.services import accounts, passwords
from app.store.queries.accounts import password_hash_of
from app.web import toasts
from app.web.forms import Form, rejected
from app.web.pages import Page, Shell
from app.web.render import render
from app.web.shell import LANGUAGE_COOKIE, THEME_COOKIE, THEMES, FullShell

router = APIRouter()

YEAR_SECONDS = 365 * 24 * 3600
Word = Annotated[str, FormField(max_length=20)]


class Preferences(BaseModel):
    """The form of the profile as sent."""

    model_config = ConfigDict(extra="ignore")

    language: str = Field("", max_length=20)
    theme: str = Field("", max_length=20)
    shortcuts: bool = False


class Passwords(BaseModel):
    """The form of a new password as sent."""

    model_config = ConfigDict(extra="ignore")

    current: str = Field("", max_length=2_000)
    password: str = Field("", max_length=2_000)
    repeated: str = Field("", max_length=2_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfilePage(Page):
    """What a person sets for itself. `first_password`: there is none yet."""

    TEMPLATE: ClassVar[str] = "accounts/profile/page.html"
    AREA: ClassVar[str] = "profile"

    email: str
    language: str
    theme: str
    shortcuts: bool
    first_password: bool
    form: Form
    password_form: Form


@router.post("/language")
def set_language(
    _public: Public,
    caller: CurrentCaller,
    session: DbSession,
    language: Word = "",
    back: Annotated[str, FormField(alias="next", max_length=2_000)] = "/",
) -> Response:
    """Chooses the language in this browser, and for the person who is signed in."""
    response = RedirectResponse(signing_in.safe_next(back), status_code=303)
    if language in LANGUAGES:
        _remember(response, LANGUAGE_COOKIE, language)
        if caller is not None:
            accounts.set_preferences(
                session,
                caller.user.id,
                language=language,
                theme=caller.user.theme,
                shortcuts=caller.user.shortcuts,
            )
    return response


@router.post("/theme")
def set_theme(
    _public: Public,
    theme: Word = "",
    back: Annotated[str, FormField(alias="next", max_length=2_000)] = "/",
) -> Response:
    """Chooses the theme in this browser."""
    response = RedirectResponse(signing_in.safe_next(back), status_code=303)
    if theme in THEMES:
        _remember(response, THEME_COOKIE, theme)
    return response


def _remember(response: Response, name: str, value: str) -> None:
    """A choice of looks; scripts may read it, for the theme is switched without a request."""
    response.set_cookie(
        name, value, max_age=YEAR_SECONDS, path="/", secure=cookies.is_https(), samesite="lax"
    )


@router.get("/profile", response_class=HTMLResponse)
def profile(
    request: Request, shell: FullShell, _scope: SignedIn, caller: SignedInCaller
) -> HTMLResponse:
    """What the person set for itself."""
    return render(request, shell, _profile_page(shell, caller, Form(), Form()))


@router.post("/profile")
def save_profile(
    request: Request,
    shell: FullShell,
    _scope: SignedIn,
    caller: SignedInCaller,
    session: DbSession,
    sent: Annotated[Preferences, FormField()],
) -> Response:
    """Saves language, theme and keys."""
    try:
        accounts.set_preferences(
            session,
            caller.user.id,
            language=sent.language,
            theme=sent.theme,
            shortcuts=sent.shortcuts,
        )
    except InvalidInputError as error:
        form = rejected(error, sent.model_dump(mode="json"), "language", "theme")
        page = _profile_page(shell, caller, form, Form())
        return render(request, shell, page, status=422)
    response = toasts.go_on("/profile", toasts.said(shell.t, "profile_saved", {}))
    _remember(response, LANGUAGE_COOKIE, sent.language)
    _remember(response, THEME_COOKIE, sent.theme)
    return response


@router.post("/profile/password")
def save_password(
    request: Request,
    shell: FullShell,
    _scope: SignedIn,
    caller: SignedInCaller,
    session: DbSession,
    sent: Annotated[Passwords, FormField()],
) -> Response:
    """Sets a new password and ends the person's other sessions."""
    try:
        _demand_right(session, shell, caller, sent)
        accounts.set_password(
            session,
            user=caller.user,
            password=sent.password,
            now=shell.now,
            keep=caller.session.key if caller.session else "",
        )
    except InvalidInputError as error:
        wrong = rejected(error, {}, "current", "password", "repeated")
        page = _profile_page(shell, caller, Form(), wrong)
        return render(request, shell, page, status=422)
    return toasts.go_on("/profile", toasts.said(shell.t, "password_saved", {}))


def _demand_right(session: Session, shell: Shell, caller: Caller, sent: Passwords) -> None:
    """The old password, when there is one, and the new one twice the same."""
    t, known = shell.t, password_hash_of(session, caller.user.email)
    faults = []
    if known is not None and not passwords.is_right(known, sent.current):
        faults.append({"where": "current", "what": t.gettext("This is not the present password.")})
    if sent.password != sent.repeated:
        faults.append({"where": "repeated", "what": t.gettext("The two are not the same.")})
    if faults:
        raise InvalidInputError("the password was not changed", errors=tuple(faults))


def _profile_page(shell: Shell, caller: Caller, form: Form, password_form: Form) -> ProfilePage:
    return ProfilePage(
        title=shell.t.gettext("Profile"),
        email=caller.user.email,
        language=form.value("language", shell.language),
        theme=form.value("theme", shell.theme),
        shortcuts=shell.shortcuts,
        first_password=not caller.user.has_password,
        form=form,
        password_form=password_form,
    )
