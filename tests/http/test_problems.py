"""Failures in the form their reader can use."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from fastapi import APIRouter, FastAPI
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.orm import Session
from starlette.responses import HTMLResponse
from starlette.testclient import TestClient

from app.http import problems
from app.http.deps import Public
from app.kit.errors import ConflictError
from app.main import create_app
from app.store.session import transaction
from tests.support import callers

TOKENS = "/api/v1/tokens"
MEMBERS = {"type", "title", "status", "detail", "instance", "mend", "errors", "request_id"}


@pytest.mark.parametrize(
    ("body", "status", "where"),
    [
        (b"{", 400, None),
        (b"\xff\xfe{}", 400, None),
        (b"[" * 100_000, 400, None),
        (b"[]", 422, "#"),
        (b"{}", 422, "#/name"),
        (b'{"name": 3, "scopes": ["findings:read"]}', 422, "#/name"),
        (b'{"name": "a", "scopes": ["findings:read", 7]}', 422, "#/scopes/1"),
        (b'{"name": "a", "scopes": [], "extra/~": 1}', 422, "#/extra~1~0"),
        (b'{"name": "a\\u0000b", "scopes": ["findings:read"]}', 422, "#"),
        (b'{"name": "a\\ud800b", "scopes": ["findings:read"]}', 422, "#"),
        (b'{"name": "' + b"x" * 1_000_000 + b'", "scopes": ["findings:read"]}', 422, "#/name"),
        (b'{"name": "a", "scopes": ["findings:read"], "expires_at": "soon"}', 422, None),
    ],
)
def test_bad_input_is_named_and_changes_nothing(
    program: TestClient, body: bytes, status: int, where: str | None
) -> None:
    before = program.get(TOKENS).json()["total"]
    answer = program.post(TOKENS, content=body, headers={"Content-Type": "application/json"})
    problem = answer.json()
    assert answer.status_code == problem["status"] == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert set(problem) == MEMBERS
    assert problem["mend"]
    assert where is None or where in {fault["where"] for fault in problem["errors"]}
    assert len(answer.content) < 3_000, "an answer must not repeat what was sent"
    assert program.get(TOKENS).json()["total"] == before


def test_a_body_that_is_not_declared_as_json_is_told_so(program: TestClient) -> None:
    answer = program.post(TOKENS, content=b"{}", headers={"Content-Type": "text/plain"})
    assert answer.status_code == 415


def test_a_wrong_method_and_a_wrong_address_are_problems_too(program: TestClient) -> None:
    assert program.get("/api/v1/nowhere").status_code == 404
    wrong = program.put(TOKENS)
    assert wrong.status_code == 405
    assert wrong.headers["allow"] == "GET, HEAD, POST"
    for answer in (program.get("/api/v1/nowhere"), wrong):
        assert set(answer.json()) == MEMBERS


@pytest.mark.parametrize("sent", ["/zz%1B%5B31m", "/x?zz%1B%5B31m=1", "/x?limit=%C2%9B%7F"])
def test_a_problem_repeats_nothing_that_steers_a_terminal(program: TestClient, sent: str) -> None:
    answer = program.get(f"/api/v1/resources{sent}")
    assert answer.status_code in {400, 404, 422}
    told = answer.text + str(answer.json()) + "".join(answer.headers.values())
    assert told.isprintable()
    assert answer.json()["instance"] == f"/api/v1/resources{sent.partition('?')[0]}"


def test_people_get_a_page_and_htmx_a_part(browser: TestClient) -> None:
    page = browser.get("/nowhere")
    part = browser.get("/nowhere", headers={"HX-Request": "true"})
    assert page.status_code == part.status_code == 404
    assert "<html" in page.text
    assert "<html" not in part.text


def failing(error: Exception) -> FastAPI:
    """An application with a page and an API address that fail so."""
    app = create_app()
    router = APIRouter()

    @router.get("/boom")
    @router.get("/api/v1/boom")
    def boom(_: Public) -> None:
        raise error

    app.include_router(router)
    return app


def test_the_unforeseen_says_nothing_but_a_request_id() -> None:
    answer = callers.client(failing(RuntimeError("the secret is hunter2"))).get("/api/v1/boom")
    assert answer.status_code == 500
    assert "hunter2" not in answer.text
    assert answer.json()["request_id"] == answer.headers["x-request-id"]
    assert answer.headers["content-security-policy"]


def test_the_unforeseen_is_a_page_for_people() -> None:
    answer = callers.client(failing(RuntimeError("hunter2"))).get("/boom")
    assert answer.status_code == 500
    assert answer.headers["x-request-id"] in answer.text
    assert "hunter2" not in answer.text


def test_a_locked_database_asks_to_come_back() -> None:
    error = OperationalError("select 1", {}, Exception("database is locked"))
    answer = callers.client(failing(error)).get("/api/v1/boom")
    assert answer.status_code == 503
    assert answer.headers["retry-after"]


def test_a_lost_race_is_a_conflict() -> None:
    error = IntegrityError("insert", {}, Exception("unique constraint"))
    answer = callers.client(failing(error)).get("/api/v1/boom")
    assert answer.status_code == 409
    assert "unique" not in answer.text


def test_an_error_page_that_fails_itself_still_ends_in_an_answer() -> None:
    app = failing(RuntimeError("first"))

    def broken(*_: object, **__: object) -> HTMLResponse:
        raise RuntimeError("second")

    app.state.render_error = broken
    answer = callers.client(app).get("/boom")
    assert answer.status_code == 500
    assert "second" not in answer.text


def test_an_answer_waits_for_the_commit(
    program: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def failing_at_the_end(*, readonly: bool = False) -> Iterator[Session]:
        with transaction(readonly=readonly) as session:
            yield session
            raise OperationalError("commit", {}, Exception("disk full"))

    monkeypatch.setattr("app.http.deps.transaction", failing_at_the_end)
    answer = program.post(TOKENS, json={"name": "a", "scopes": ["findings:read"]})
    assert answer.status_code == 503


def test_what_a_plain_error_page_shows_is_escaped() -> None:
    app = failing(ConflictError("<img src=x onerror=alert(1)>", mend="<b>no</b>"))
    app.state.render_error = problems.plain_page
    answer = callers.client(app).get("/boom")
    assert answer.status_code == 409
    assert "<img" not in answer.text
    assert "<b>" not in answer.text


def test_a_problem_is_typed_by_its_class() -> None:
    found = problems.document(ConflictError("x"), instance="/a", request_id="r")
    assert found["type"] == "urn:atalaya:problem:conflict"
