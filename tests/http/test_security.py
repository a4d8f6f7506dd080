"""What every answer carries, and what no request may do."""

import pytest
from starlette.testclient import TestClient

from app.http.errors import WrongHostError
from app.http.security import BODY_LIMIT_BYTES, CSP, check_host
from app.kit.settings import settings

ME = "/api/v1/me"
CASES = [ME, "/api/v1/healthz", "/nowhere", "/static/nowhere.css", "/login"]


@pytest.mark.parametrize("path", CASES)
def test_every_answer_carries_the_strict_policy(stranger: TestClient, path: str) -> None:
    headers = stranger.get(path).headers
    assert headers["content-security-policy"] == CSP
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "same-origin"


def test_the_policy_allows_nothing_inline_and_nothing_from_elsewhere() -> None:
    rules = dict(rule.strip().split(" ", 1) for rule in CSP.split(";"))
    assert rules.pop("default-src") == rules.pop("base-uri") == "'none'"
    assert rules.pop("frame-ancestors") == "'none'"
    assert set(rules.values()) == {"'self'"}


def test_private_answers_are_not_stored(browser: TestClient, stranger: TestClient) -> None:
    assert browser.get(ME).headers["cache-control"] == "private, no-cache"
    assert stranger.get(ME).headers["cache-control"] == "no-store"
    assert browser.get("/nowhere").headers["cache-control"] == "no-store"


def test_pages_vary_on_what_htmx_says(browser: TestClient) -> None:
    answer = browser.get("/nowhere")
    assert answer.headers["content-type"].startswith("text/html")
    found = {name.strip() for name in answer.headers["vary"].split(",")}
    assert {"HX-Request", "HX-Boosted", "HX-History-Restore-Request"} <= found


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "", "[::1", "localhost@evil.example"]
)
def test_a_foreign_host_is_turned_away(stranger: TestClient, host: str) -> None:
    answer = stranger.get(ME, headers={"Host": host})
    assert answer.status_code == 421
    assert "ATALAYA_BASE_URL" in answer.json()["mend"]


def test_own_names_are_welcome(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATALAYA_BASE_URL", "https://Atalaya.Example:8443")
    settings.cache_clear()
    for host in ("atalaya.example", "ATALAYA.example:8443", "localhost:1", "127.0.0.1", "[::1]:80"):
        check_host(host)
    with pytest.raises(WrongHostError):
        check_host("other.example")


def test_probes_may_call_by_address(stranger: TestClient) -> None:
    assert stranger.get("/healthz", headers={"Host": "10.0.0.7:8000"}).status_code == 200


def test_a_body_over_the_limit_is_refused(program: TestClient) -> None:
    wish = {"name": "x" * BODY_LIMIT_BYTES, "scopes": ["findings:read"]}
    answer = program.post("/api/v1/tokens", json=wish)
    assert answer.status_code == 413
    assert answer.headers["content-type"] == "application/problem+json"


def test_a_body_that_hides_its_length_is_refused_too(program: TestClient) -> None:
    chunks = (b"x" * 65_536 for _ in range(32))
    answer = program.post(
        "/api/v1/tokens", content=chunks, headers={"Content-Type": "application/json"}
    )
    assert answer.status_code == 413
    assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("path", ["/api/v1/me%00", "/api/v1/me%0a", "/api/v1/tokens?after=%00"])
def test_control_characters_in_the_address_are_refused(program: TestClient, path: str) -> None:
    assert program.get(path).status_code == 400
