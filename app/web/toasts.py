"""What was just done, said once on the next page; it waits in a short-lived cookie."""

import base64
import binascii
from collections.abc import Mapping

import orjson
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from app.http.cookies import is_https
from app.http.signing_in import safe_next
from app.kit.i18n import Translator, mark
from app.web.pages import Toast

COOKIE = "atalaya_done"
LIFE_SECONDS = 60
LONGEST = 2_000
# What can be said; the cookie holds only a name of this table and its values.
TEXTS: dict[str, str] = {
    "assigned": mark("%(id)s assigned to %(owner)s"),
    "unassigned": mark("%(id)s has no owner now"),
    "snoozed": mark("%(id)s snoozed until %(until)s"),
    "unsnoozed": mark("%(id)s is open again"),
    "waived": mark("%(id)s waived until %(until)s"),
    "waiver_revoked": mark("The waiver of %(id)s was revoked"),
    "commented": mark("Comment added to %(id)s"),
    "connection_created": mark("%(name)s was added; the first sweep has been asked for"),
    "connection_saved": mark("%(name)s was saved"),
    "connection_deleted": mark("%(name)s was deleted"),
    "connection_on": mark("%(name)s is switched on"),
    "connection_off": mark("%(name)s is switched off"),
    "all_sweeps_asked": mark("A sweep of every source has been asked for"),
    "sweep_asked": mark("A sweep of %(name)s has been asked for"),
    "policy_saved": mark("%(id)s was saved; the next evaluation uses it"),
    "policy_deleted": mark("%(id)s was deleted"),
    "report_made": mark("The report of %(week)s was made"),
    "token_revoked": mark("%(name)s was revoked"),
    "profile_saved": mark("Profile saved"),
    "password_saved": mark("Password changed; other sessions were ended"),
}


def said(
    t: Translator,
    name: str,
    values: Mapping[str, str],
    undo_url: str = "",
    undo_fields: Mapping[str, str] | None = None,
) -> Toast:
    """The toast of this name; KeyError when there is none or a value is missing."""
    return Toast(name, values, t.gettext(TEXTS[name]) % dict(values), undo_url, undo_fields or {})


def go_on(url: str, toast: Toast) -> RedirectResponse:
    """Goes on to `url`, where the toast will be shown."""
    response = RedirectResponse(url, status_code=303)
    document = [toast.name, dict(toast.values), toast.undo_url, dict(toast.undo_fields)]
    value = base64.urlsafe_b64encode(orjson.dumps(document)).decode()
    response.set_cookie(
        COOKIE, value, max_age=LIFE_SECONDS, path="/", secure=is_https(), httponly=True,
        samesite="lax",
    )  # fmt: skip
    return response


def waiting(request: Request, t: Translator) -> Toast | None:
    """The toast that waits for this page; a cookie that is not of our making says nothing."""
    value = request.cookies.get(COOKIE, "")
    if not value or len(value) > LONGEST:
        return None
    try:
        name, values, undo_url, undo_fields = orjson.loads(base64.urlsafe_b64decode(value))
        texts = {str(key): str(text) for key, text in values.items()}
        fields = {str(key): str(text) for key, text in undo_fields.items()}
        undo = safe_next(undo_url) if undo_url else ""
        return said(t, name, texts, undo, fields)
    except (ValueError, TypeError, KeyError, AttributeError, binascii.Error):
        return None


def forget(response: Response) -> None:
    """Once shown, a toast is gone."""
    response.delete_cookie(COOKIE, path="/", secure=is_https(), httponly=True, samesite="lax")
