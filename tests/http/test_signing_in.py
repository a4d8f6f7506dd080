"""Where people go after signing in, and what a lost session is told."""

import pytest
from starlette.requests import Request
from starlette.testclient import TestClient

from app.http.signing_in import safe_next, sign_in_address


@pytest.mark.parametrize(
    "value",
    [
        "https://evil.example/", "//evil.example", "/\\evil.example", "\\\\evil.example",
        "/\t/evil.example", "/\n/evil.example", "javascript:alert(1)", "evil.example", "",
        "/a\\b", "/" + "x" * 2001, "/login", "/login?next=/login", "/login/link?token=a", "/\x00",
    ],
)  # fmt: skip
def test_nobody_is_led_to_another_site(value: str) -> None:
    assert safe_next(value) == "/"


@pytest.mark.parametrize("value", ["/", "/findings?q=a%20b&sort=risk", "/storage/1", "/a//b"])
def test_pages_of_ours_are_kept(value: str) -> None:
    assert safe_next(value) == value


def request(method: str, target: str, **headers: str) -> Request:
    path, _, query = target.partition("?")
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return Request(
        {
            "type": "http",
            "method": method,
            "path": path,
            "query_string": query.encode(),
            "headers": raw,
            "server": ("127.0.0.1", 8000),
            "scheme": "http",
        }
    )


def test_the_way_back_is_the_page_that_was_asked_for() -> None:
    found = sign_in_address(request("GET", "/findings?state=open&q=a%20b"))
    assert found == "/login?next=/findings%3Fstate%3Dopen%26q%3Da%2520b"


def test_the_way_back_is_an_address_again_although_servers_decode_paths() -> None:
    found = sign_in_address(request("GET", "/storage/a#b\x1b"))
    assert found == "/login?next=/storage/a%2523b%251B"


def test_for_htmx_it_is_the_page_around_the_part() -> None:
    around = {"hx_request": "true", "hx_current_url": "http://127.0.0.1:8000/findings?q=a"}
    found = sign_in_address(request("GET", "/findings/rows", **around))
    assert found == "/login?next=/findings%3Fq%3Da"


def test_after_a_form_it_is_the_page_of_the_form() -> None:
    found = sign_in_address(request("POST", "/logout", referer="http://127.0.0.1:8000/storage"))
    assert found == "/login?next=/storage"


@pytest.mark.parametrize("page", ["https://evil.example//evil.example", "http://[", ""])
def test_a_forged_page_leads_nowhere_else(page: str) -> None:
    found = sign_in_address(request("GET", "/x", hx_request="true", hx_current_url=page))
    assert found == "/login"


def test_a_browser_is_sent_to_sign_in(stranger: TestClient) -> None:
    answer = stranger.get("/nowhere?a=1", headers={"Accept": "text/html"})
    assert answer.status_code == 303
    assert answer.headers["location"] == "/login?next=/nowhere%3Fa%3D1"
