"""Ids, log lines and metrics of requests."""

import pytest
from prometheus_client import REGISTRY
from starlette.testclient import TestClient


def count(route: str, status: str) -> float:
    labels = {"method": "GET", "route": route, "status": status}
    return REGISTRY.get_sample_value("atalaya_http_requests_total", labels) or 0.0


def test_every_request_has_an_id(stranger: TestClient) -> None:
    one, two = (stranger.get("/healthz").headers["x-request-id"] for _ in range(2))
    assert one != two


def test_the_id_of_a_proxy_is_kept_if_it_is_harmless(stranger: TestClient) -> None:
    def sent_back(given: str) -> str:
        return stranger.get("/healthz", headers={"X-Request-ID": given}).headers["x-request-id"]

    assert sent_back("from-the-proxy-1") == "from-the-proxy-1"
    for bad in ("short", "x" * 65, "a b c d e f", "{json: injection}"):
        assert sent_back(bad) != bad


def test_routes_are_counted_by_template_and_not_by_id(program: TestClient) -> None:
    route = "/api/v1/resources/{resource_id}"
    before = count(route, "404")
    for number in range(3):
        program.get(f"/api/v1/resources/{number}")
    assert count(route, "404") == before + 3


def test_the_log_tells_who_asked_what_but_not_what_they_searched(
    program: TestClient, capsys: pytest.CaptureFixture[str]
) -> None:
    program.get("/api/v1/resources?q=confidential")
    line = next(line for line in capsys.readouterr().err.splitlines() if "http.request" in line)
    assert "ana@example.org" in line
    assert "/api/v1/resources" in line
    assert "confidential" not in line


def test_an_address_cannot_steer_the_terminal_that_shows_the_log(
    program: TestClient, capsys: pytest.CaptureFixture[str]
) -> None:
    program.get("/api/v1/resources/zz%1B%5B31m%C2%9B%0Azz")
    line = next(line for line in capsys.readouterr().err.splitlines() if "http.request" in line)
    assert "zz\\x1b[31m\\x9b\\nzz" in line


def test_heads_are_answered_like_gets(program: TestClient) -> None:
    answer = program.head("/api/v1/me")
    assert answer.status_code == 200
    assert answer.headers["etag"] == program.get("/api/v1/me").headers["etag"]
