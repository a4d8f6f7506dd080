"""Who gets in: cookies, tokens, and nobody."""

from datetime import timedelta

import pytest
from fastapi import FastAPI
from starlette.responses import Response
from starlette.testclient import TestClient

from app.domain.access import SYSTEM, Scope
from app.http import cookies
from app.http.deps import get_now
from app.kit.clock import utc_now
from app.kit.settings import settings
from app.services import accounts
from app.store.queries import tokens
from app.store.queries.accounts import UserItem
from app.store.session import transaction
from tests.support import callers

ME = "/api/v1/me"


def test_a_browser_and_a_program_are_the_same_person(
    browser: TestClient, program: TestClient, ana: UserItem
) -> None:
    one, two = browser.get(ME).json(), program.get(ME).json()
    assert one["email"] == two["email"] == ana.email
    assert one["token"] is None
    assert two["token"].startswith("atl_")


def test_nobody_gets_a_problem_that_says_how_to_sign_in(stranger: TestClient) -> None:
    answer = stranger.get(ME)
    assert answer.status_code == 401
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["www-authenticate"].startswith("Bearer")
    assert answer.json()["mend"]


@pytest.mark.parametrize(
    "header",
    ["Bearer atl_wrong", "Bearer", "Basic YTpi", "atl_x", "Bearer " + "atl_" + "x" * 43, ""],
)
def test_a_wrong_header_is_refused_even_beside_a_good_cookie(
    browser: TestClient, header: str
) -> None:
    assert browser.get(ME, headers={"Authorization": header}).status_code == 401


def test_an_ended_session_is_nobody(app: FastAPI, browser: TestClient) -> None:
    later = utc_now() + timedelta(hours=settings().session_hours, seconds=1)
    app.dependency_overrides[get_now] = lambda: later
    try:
        assert browser.get(ME).status_code == 401
    finally:
        app.dependency_overrides.clear()


def test_a_disabled_person_is_nobody(
    browser: TestClient, program: TestClient, ana: UserItem
) -> None:
    with transaction() as session:
        accounts.disable_user(session, access=SYSTEM, email=ana.email, now=utc_now())
    assert browser.get(ME).status_code == 401
    assert program.get(ME).status_code == 401


def test_the_use_of_a_token_is_noted(program: TestClient, ana: UserItem) -> None:
    assert program.get(ME).status_code == 200
    with transaction(readonly=True) as session:
        (item,) = tokens.tokens_of(session, ana.id)
    assert item.last_used_at is not None


def test_a_token_does_only_what_it_was_made_for(app: FastAPI, ana: UserItem) -> None:
    narrow = callers.client(app, callers.token_of(ana, frozenset({Scope.FINDINGS_READ})))
    assert narrow.get(ME).json()["scopes"] == ["findings:read", "self"]
    refused = narrow.get("/api/v1/resources")
    assert refused.status_code == 403
    assert "resources:read" in refused.json()["detail"]


def test_the_cookie_is_out_of_reach_for_scripts_and_other_sites(
    app: FastAPI, ana: UserItem
) -> None:
    del app
    with transaction() as session:
        opened = accounts.open_session(session, ana, utc_now())
    response = Response()
    cookies.set_session_cookie(response, opened)
    cookie = response.headers["set-cookie"].lower()
    assert cookie.startswith("atalaya_session=")
    for part in ("httponly", "samesite=lax", "path=/", "expires="):
        assert part in cookie
    assert "secure" not in cookie


def test_behind_https_the_cookie_is_bound_to_the_host(
    app: FastAPI, ana: UserItem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ATALAYA_BASE_URL", "https://atalaya.example")
    settings.cache_clear()
    signed_in = callers.browser(app, ana)
    signed_in.base_url = "https://atalaya.example"
    answer = signed_in.get(ME)
    assert answer.status_code == 200
    assert answer.headers["strict-transport-security"]
    with transaction() as session:
        opened = accounts.open_session(session, ana, utc_now())
    response = Response()
    cookies.set_session_cookie(response, opened)
    assert response.headers["set-cookie"].startswith("__Host-atalaya_session=")
    assert "; secure" in response.headers["set-cookie"].lower()
