"""Every failure in the form its reader can use: problem+json, a page, a part, or the sign-in page.

RFC 9457 for programs. Answers never hold what the caller sent, nor anything of our insides.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import orjson
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute, iter_route_contexts
from markupsafe import escape
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.http import errors, paths, signing_in
from app.http.callers import find_caller
from app.http.fragments import is_htmx, wants_fragment
from app.kit.clean import without_controls
from app.kit.clock import utc_now
from app.kit.errors import AtalayaError, InvalidInputError, NotFoundError, NotSignedInError

MEDIA_TYPE = "application/problem+json"
RETRY_AFTER_SECONDS = {429: "900", 503: "5"}
LONGEST_TEXT = 300


@dataclass(frozen=True, slots=True)
class ErrorPage:
    """What the error page of the web may show."""

    status: int
    title: str
    detail: str
    mend: str
    errors: tuple[dict[str, str], ...]
    request_id: str


RenderError = Callable[..., HTMLResponse]


def register(app: FastAPI, render_error: RenderError | None = None) -> None:
    """Installs the handlers.

    `render_error(request, page, *, fragment)` sets the web's own error page; without it a plain
    one is sent.
    """
    app.state.render_error = render_error or plain_page
    app.add_exception_handler(AtalayaError, _on_expected)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(HTTPException, _on_http)


def request_id(request: Request) -> str:
    """The id of this request, as in its log lines."""
    return str(getattr(request.state, "request_id", ""))


def answer(
    request: Request, error: AtalayaError, headers: Mapping[str, str] | None = None
) -> Response:
    """The failure for whoever asked."""
    response = _answer(request, error)
    if response.status_code == HTTPStatus.UNAUTHORIZED:
        response.headers["WWW-Authenticate"] = 'Bearer realm="atalaya"'
    if wait := RETRY_AFTER_SECONDS.get(error.status):
        response.headers["Retry-After"] = wait
    response.headers.update(headers or {})
    return response


def _answer(request: Request, error: AtalayaError) -> Response:
    if paths.is_for_programs(request.url.path):
        body = document(
            error, instance=paths.path_of(request.scope), request_id=request_id(request)
        )
        return Response(orjson.dumps(body), error.status, media_type=MEDIA_TYPE)
    if isinstance(error, NotSignedInError) and not request.url.path.startswith(paths.SIGN_IN):
        return _to_sign_in(request)
    page = ErrorPage(
        error.status, error.title, error.detail, error.mend, error.errors, request_id(request)
    )
    render: RenderError = request.app.state.render_error
    return render(request, page, fragment=wants_fragment(request))


def document(error: AtalayaError, *, instance: str, request_id: str) -> dict[str, Any]:
    """The members of a problem, RFC 9457 §3.1, with `mend`, `errors` and `request_id` of ours."""
    return {
        "type": f"urn:atalaya:problem:{_slug(type(error).__name__)}",
        "title": error.title,
        "status": error.status,
        "detail": without_controls(error.detail),
        "instance": instance,
        "mend": error.mend,
        "errors": [
            {name: without_controls(text) for name, text in fault.items()} for fault in error.errors
        ],
        "request_id": request_id,
    }


def _slug(class_name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "-", class_name.removesuffix("Error")).lower()


def _to_sign_in(request: Request) -> Response:
    """A lost session: htmx is told to leave the page, so that no form lands inside a table."""
    address = signing_in.sign_in_address(request)
    if is_htmx(request.headers):
        return Response(status_code=401, headers={"HX-Redirect": address})
    return RedirectResponse(address, status_code=303)


def plain_page(request: Request, page: ErrorPage, *, fragment: bool) -> HTMLResponse:
    """An error page without templates: the fall-back when there is no web, or it failed itself."""
    del request
    body = (
        f"<h1>{escape(page.title)}</h1><p>{escape(page.detail)}</p><p>{escape(page.mend)}</p>"
        f"<p><code>{escape(page.request_id)}</code></p>"
    )
    if not fragment:
        head = f'<!doctype html><html lang="en"><title>{escape(page.title)}</title>'
        body = f"{head}<main>{body}</main></html>"
    return HTMLResponse(without_controls(body), page.status)


def last_resort(request: Request) -> Response:
    """What is sent when even the error page fails."""
    page = ErrorPage(500, "Something failed here", "", "", (), request_id(request))
    return plain_page(request, page, fragment=wants_fragment(request))


def _on_expected(request: Request, error: Exception) -> Response:
    if not isinstance(error, AtalayaError):
        raise error
    return answer(request, error)


def _on_invalid(request: Request, error: Exception) -> Response:
    if not isinstance(error, RequestValidationError):
        raise error
    return answer(request, of_validation(error.errors(), error.body))


def of_validation(faults: Sequence[Any], body: object = None) -> AtalayaError:
    """FastAPI's list of faults as one error, each with the place where it is."""
    if any(fault["type"] == "json_invalid" for fault in faults):
        position = faults[0]["loc"][-1]
        return errors.MalformedRequestError(
            f"the body is not JSON; reading stopped at character {position}",
            mend="send one JSON document in UTF-8",
        )
    if isinstance(body, bytes):
        return errors.UnsupportedMediaTypeError(
            "the body is not declared as JSON", mend="send Content-Type: application/json"
        )
    found = tuple({"where": _place(f["loc"]), "what": f["msg"][:LONGEST_TEXT]} for f in faults)
    return _invalid(found)


def _invalid(found: tuple[dict[str, str], ...]) -> AtalayaError:
    lines = "; ".join(f"{fault['where']}: {fault['what']}" for fault in found[:3])
    return InvalidInputError(lines[:LONGEST_TEXT], mend="correct what is listed", errors=found)


def _place(location: Sequence[int | str]) -> str:
    """`#/config/regions/0` in the body (RFC 6901), `?limit`, `path id` or `header If-Match`."""
    source, *rest = location
    if source == "body":
        steps = (str(step).replace("~", "~0").replace("/", "~1") for step in rest)
        return ("#" + "".join(f"/{step}" for step in steps))[:LONGEST_TEXT]
    name = str(rest[0])[:LONGEST_TEXT] if rest else ""
    return f"?{name}" if source == "query" else f"{source} {name}"


def _on_http(request: Request, error: Exception) -> Response:
    """Starlette's own failures: no route, wrong method, body too large or unreadable."""
    if not isinstance(error, HTTPException):
        raise error
    if error.status_code == HTTPStatus.NOT_FOUND and not request.url.path.startswith(
        f"{paths.STATIC}/"
    ):
        return answer(request, _nothing_here(request))
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        return answer(request, _of_http(error), {"Allow": ", ".join(_allowed(request))})
    return answer(request, _of_http(error), error.headers)


def _allowed(request: Request) -> list[str]:
    """All methods of this address; each route by itself knows only its own."""
    found = {
        method
        for context in iter_route_contexts(request.app.routes)
        if isinstance(context.original_route, APIRoute)
        and context.path_regex.match(request.url.path)
        for method in context.methods or ()
    }
    return sorted(found | ({"HEAD"} if "GET" in found else set()))


def _nothing_here(request: Request) -> AtalayaError:
    """Without a session no address is told apart from another: first sign in, then learn of it."""
    try:
        caller = find_caller(request, utc_now())
    except NotSignedInError as error:
        return error
    if caller is None:
        return NotSignedInError("nobody is signed in", mend="sign in, or send an API token")
    return NotFoundError("there is nothing at this address", mend="check the address")


def _of_http(error: HTTPException) -> AtalayaError:
    kind, detail, mend = _MEANINGS.get(error.status_code, _UNFORESEEN)
    return kind(detail, mend=mend)


_UNFORESEEN: tuple[type[AtalayaError], str, str] = (
    errors.UnexpectedError,
    "the request could not be answered",
    "try again; the log knows more under the request id",
)
_MEANINGS: dict[int, tuple[type[AtalayaError], str, str]] = {
    400: (
        errors.MalformedRequestError,
        "the body cannot be read",
        "send it in UTF-8 and in the declared Content-Type",
    ),
    404: (NotFoundError, "there is no such file", "check the address"),
    405: (
        errors.MethodNotAllowedError,
        "this address does not know this method",
        "see the Allow header",
    ),
    413: (errors.TooLargeError, "the body is over 1 MiB", "send less at once"),
}
