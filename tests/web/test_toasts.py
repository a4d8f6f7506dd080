"""What was just done is said once on the next page, and a forged cookie says nothing."""

import base64
import json

import pytest
from starlette.requests import Request

from app.kit.i18n import translator
from app.web import toasts

EN, ES = translator("en"), translator("es")


def carrying(cookie: str) -> Request:
    headers = [(b"cookie", f"{toasts.COOKIE}={cookie}".encode())]
    return Request({"type": "http", "method": "GET", "path": "/", "headers": headers})


def cookie_of(document: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(document).encode()).decode()


def test_a_toast_crosses_a_redirect_and_changes_language_on_the_way() -> None:
    said = toasts.said(
        EN, "assigned", {"id": "F-2", "owner": "ana"}, "/findings/F-2/assign", {"owner": ""}
    )
    response = toasts.go_on("/findings/F-2", said)
    assert (response.status_code, response.headers["location"]) == (303, "/findings/F-2")
    cookie = response.headers["set-cookie"].split("=", 1)[1].split(";")[0].strip('"')
    waiting = toasts.waiting(carrying(cookie), ES)
    assert waiting is not None
    assert waiting.text == "F-2 asignado a ana"
    assert (waiting.undo_url, dict(waiting.undo_fields)) == ("/findings/F-2/assign", {"owner": ""})


@pytest.mark.parametrize(
    "cookie",
    [
        "",
        "x",
        "%%%",
        cookie_of("text"),
        cookie_of([]),
        cookie_of(["no such toast", {}, "", {}]),
        cookie_of(["assigned", {}, "", {}]),
        cookie_of(["assigned", None, "", {}]),
        cookie_of(["assigned", {"id": "1", "owner": "2"}, "", "x"]),
        "A" * 5_000,
    ],
)
def test_a_cookie_that_is_not_of_our_making_says_nothing(cookie: str) -> None:
    assert toasts.waiting(carrying(cookie), EN) is None


def test_an_undo_never_leads_to_another_site() -> None:
    document = ["unsnoozed", {"id": "F-1"}, "//evil.example/x", {}]
    waiting = toasts.waiting(carrying(cookie_of(document)), EN)
    assert waiting is not None
    assert waiting.undo_url == "/"
