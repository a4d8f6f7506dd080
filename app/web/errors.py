"""The page of a failure: what happened, what to do, and the request to ask about."""

from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar

from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request
from starlette.responses import HTMLResponse

from app.http.callers import find_caller
from app.http.problems import ErrorPage
from app.kit.clean import without_controls
from app.kit.clock import utc_now
from app.kit.errors import AtalayaError
from app.kit.i18n import mark
from app.web.pages import Page
from app.web.render import environment, render
from app.web.shell import bare_shell

TITLES: dict[int, str] = {
    400: mark("The request could not be read"),
    401: mark("Sign in first"),
    403: mark("Not allowed"),
    404: mark("Nothing here"),
    405: mark("Not possible at this address"),
    409: mark("It changed in the meantime"),
    413: mark("Too large"),
    421: mark("Wrong host"),
    422: mark("That can't be used"),
    429: mark("Too many tries"),
    500: mark("Something failed here"),
    502: mark("The source could not be read"),
    503: mark("Busy, try again"),
}
SHAPES: dict[int, str] = {401: "lock", 403: "lock", 404: "search", 503: "clock"}


@dataclass(frozen=True, slots=True, kw_only=True)
class FailurePage(Page):
    """A failure, as `app.http.problems` describes it; its texts are English."""

    TEMPLATE: ClassVar[str] = "errors/error.html"
    AREA: ClassVar[str] = ""

    failure: ErrorPage
    shape: str


def render_error(request: Request, page: ErrorPage, *, fragment: bool) -> HTMLResponse:
    """The failure as a page, or for htmx as a block that becomes a toast."""
    _remember_caller(request)
    shell = bare_shell(request, utc_now())
    title = shell.t.gettext(TITLES.get(page.status, page.title))
    failure = FailurePage(title=title, failure=page, shape=SHAPES.get(page.status, "st-fail"))
    if not fragment:
        return render(request, shell, failure, status=page.status)
    template = environment(shell.language).get_template("errors/_error.html")
    text = without_controls(template.render(page=failure, shell=shell, part=True))
    return HTMLResponse(text, page.status)


def _remember_caller(request: Request) -> None:
    """An address without a route never asked who calls; a database that is down cannot say."""
    if hasattr(request.state, "caller"):
        return
    request.state.caller = None
    with suppress(AtalayaError, SQLAlchemyError):
        request.state.caller = find_caller(request, utc_now())
