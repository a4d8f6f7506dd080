"""The page of API tokens: make, show once, list, revoke."""

import re
from datetime import timedelta

import pytest
from starlette.testclient import TestClient

from app.domain.access import SYSTEM, Scope
from app.kit.clock import utc_now
from app.services import tokens
from app.services.tokens import GRANTABLE, TokenRequest
from app.store.queries.accounts import UserItem
from app.store.queries.tokens import TokenItem
from app.store.session import transaction
from app.web.words import SCOPES
from tests.support import callers
from tests.support.site import Site

SECRET = re.compile(r"atl_[0-9A-Za-z]{43}")
WISH = {"name": "exporter", "scope": ["findings:read", "reports:read"], "days": "30"}


@pytest.fixture
def mia(site: Site) -> UserItem:
    """Somebody without tokens."""
    del site
    return callers.person(f"mia-{utc_now().timestamp()}@example.org")


@pytest.fixture
def client(site: Site, mia: UserItem) -> TestClient:
    """A browser in which Mia is signed in."""
    return callers.browser(site.app, mia)


def of(user: UserItem) -> tuple[TokenItem, ...]:
    with transaction(readonly=True) as session:
        return tokens.list_tokens(session, access=SYSTEM, user=user)


def test_without_a_token_the_page_says_what_they_are_for(client: TestClient) -> None:
    assert "No token yet" in client.get("/tokens").text


def test_a_token_made_here_works_and_is_shown_once(
    site: Site, client: TestClient, mia: UserItem
) -> None:
    answer = client.post("/tokens", data=WISH)
    (secret,) = SECRET.findall(answer.text)
    assert (answer.status_code, answer.headers["cache-control"]) == (201, "no-store")
    program = callers.client(site.app, secret)
    assert program.get("/api/v1/me").json()["scopes"] == ["findings:read", "reports:read", "self"]
    (item,) = of(mia)
    assert item.expires_at == item.created_at + timedelta(days=30)
    page = client.get("/tokens").text
    assert SECRET.search(page) is None
    assert ("exporter" in page, f"{item.prefix}…" in page) == (True, True)


@pytest.mark.parametrize(
    ("wrong", "what"),
    [
        ({"name": " "}, "name is empty"),
        ({"name": "x" * 201}, "too long"),
        ({"scope": []}, "at least one scope"),
        ({"scope": ["findings:eat"]}, "Unknown scopes: findings:eat"),
        ({"scope": ["public"]}, "Unknown scopes: public"),
    ],
)
def test_a_wish_that_cannot_be_met_comes_back_and_makes_nothing(
    client: TestClient, mia: UserItem, wrong: dict[str, object], what: str
) -> None:
    answer = client.post("/tokens", data={**WISH, **wrong})
    assert answer.status_code == 422
    assert what in answer.text
    if "scope" not in wrong:
        assert 'value="findings:read" checked' in answer.text
    if "name" not in wrong:
        assert 'value="exporter"' in answer.text
    assert of(mia) == ()


@pytest.mark.parametrize("days", ["0", "366", "soon"])
def test_an_end_that_is_not_offered_is_refused(
    client: TestClient, mia: UserItem, days: str
) -> None:
    assert client.post("/tokens", data={**WISH, "days": days}).status_code == 422
    assert of(mia) == ()


def test_revoking_asks_first_and_then_ends_it(
    site: Site, client: TestClient, mia: UserItem
) -> None:
    (secret,) = SECRET.findall(client.post("/tokens", data=WISH).text)
    address = f"/tokens/{of(mia)[0].id}/revoke"
    assert "Revoke exporter" in client.get(address).text
    assert callers.client(site.app, secret).get("/api/v1/me").status_code == 200
    assert client.post(address).headers["location"] == "/tokens"
    assert callers.client(site.app, secret).get("/api/v1/me").status_code == 401
    page = client.get("/tokens").text
    assert ("exporter was revoked" in page, ">Revoked<" in page) == (True, True)
    assert client.post(address).status_code == 303


def test_tokens_of_others_are_neither_shown_nor_revoked(
    site: Site, client: TestClient, mia: UserItem
) -> None:
    client.post("/tokens", data={**WISH, "name": "of mia"})
    address, ana = f"/tokens/{of(mia)[0].id}/revoke", site.client()
    assert "of mia" not in ana.get("/tokens").text
    assert (ana.get(address).status_code, ana.post(address).status_code) == (404, 404)
    assert of(mia)[0].revoked_at is None


def test_a_token_hands_on_no_more_than_it_may(site: Site, mia: UserItem) -> None:
    maker = frozenset({Scope.TOKENS_WRITE, Scope.FINDINGS_READ})
    program = callers.client(site.app, callers.token_of(mia, maker))
    page = program.get("/tokens").text
    assert ('value="findings:read"' in page, 'value="reports:read"' in page) == (True, False)
    answer = program.post("/tokens", data=WISH)
    assert answer.status_code == 403
    assert "scopes that its maker lacks: reports:read" in answer.text


def test_what_ended_and_what_ends_soon_say_so(client: TestClient, mia: UserItem) -> None:
    now = utc_now()
    with transaction() as session:
        for name, made, days in (("old", now - timedelta(days=9), 8), ("soon", now, 5)):
            wanted = TokenRequest(
                name, frozenset({Scope.FINDINGS_READ}), None, made + timedelta(days=days)
            )
            tokens.create(session, access=SYSTEM, user=mia, wanted=wanted, now=made)
    page = client.get("/tokens").text
    assert ">Ended<" in page
    assert "1 is live, 1 ends within a week" in page
    assert page.count(">Revoke<") == 1


def test_every_scope_that_can_be_given_has_its_words() -> None:
    assert set(SCOPES) == {scope.value for scope in GRANTABLE}
