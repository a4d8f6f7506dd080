"""Requests that another site makes in a signed-in person's name."""

import pytest
from starlette.testclient import TestClient

from app.http import csrf

TOKENS = "/api/v1/tokens"
WISH = {"name": "exporter", "scopes": ["findings:read"]}


def how_many(client: TestClient) -> int:
    return int(client.get(TOKENS).json()["total"])


def test_a_signed_in_page_may_write(browser: TestClient) -> None:
    assert browser.post(TOKENS, json=WISH).status_code == 201


@pytest.mark.parametrize(
    "token",
    ["", "x", "A" * 88, csrf.mask("0" * 64)],
    # a masked token is another one each time, and workers must agree on the names of tests
    ids=["none", "short", "invented", "of another session"],
)
def test_without_its_token_a_session_changes_nothing(browser: TestClient, token: str) -> None:
    before = how_many(browser)
    refused = browser.post(TOKENS, json=WISH, headers={csrf.HEADER: token})
    assert refused.status_code == 403
    assert csrf.HEADER in refused.json()["detail"]
    assert how_many(browser) == before


def test_the_form_field_counts_as_well(browser: TestClient) -> None:
    good = browser.headers.pop(csrf.HEADER)
    missing = browser.post(TOKENS, data={"name": "x"})
    assert missing.status_code == 403
    # The token fits, so the request comes as far as its body, which is no JSON.
    assert browser.post(TOKENS, data={csrf.FIELD: good}).status_code == 415


def test_a_page_without_script_sends_it_in_its_form(browser: TestClient) -> None:
    good = browser.headers.pop(csrf.HEADER)
    assert browser.post("/logout", data={csrf.FIELD: "x"}).status_code == 403
    assert browser.get("/api/v1/me").status_code == 200
    signed_out = browser.post("/logout", data={csrf.FIELD: good})
    assert signed_out.status_code == 303
    assert signed_out.headers["location"] == "/login"
    assert browser.get("/api/v1/me").status_code == 401


def test_a_program_needs_no_csrf_token(program: TestClient) -> None:
    assert program.post(TOKENS, json=WISH).status_code == 201


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://["},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_request_from_another_site_is_refused_before_anything_else(
    browser: TestClient, stranger: TestClient, headers: dict[str, str]
) -> None:
    assert browser.post(TOKENS, json=WISH, headers=headers).status_code == 403
    assert stranger.post("/login", headers=headers).status_code == 403


def test_a_request_from_here_says_so(browser: TestClient) -> None:
    headers = {"Origin": "http://127.0.0.1:8000", "Sec-Fetch-Site": "same-origin"}
    assert browser.post(TOKENS, json=WISH, headers=headers).status_code == 201


def test_masked_tokens_never_repeat_and_always_fit() -> None:
    secret = "ab" * 32
    masked = {csrf.mask(secret) for _ in range(50)}
    assert len(masked) == 50
    assert all(csrf.fits(token, secret) for token in masked)
    assert not any(csrf.fits(token, "cd" * 32) for token in masked)
