"""Field case F30: a lost session never paints a form into a table; CSV cells never run."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.http.problems import ErrorPage, plain_page
from app.kit.csv_text import row

CASE: dict[str, Any] = json.loads(
    Path(__file__).with_name("inputs").joinpath("f30_web.json").read_text(encoding="utf-8")
)
REQUESTS = {found["name"]: found for found in CASE["requests_with_expired_session"]}


@pytest.fixture
def answers(stranger: TestClient) -> dict[str, Any]:
    stranger.cookies.set("atalaya_session", "a session that has ended")
    host = {"Host": "localhost"}
    return {
        name: stranger.get(found["path"], headers=found["headers"] | host)
        for name, found in REQUESTS.items()
    }


def test_htmx_is_told_to_leave_the_page(answers: dict[str, Any]) -> None:
    answer = answers["htmx"]
    assert answer.status_code == 401
    assert answer.headers["hx-redirect"] == "/login?next=/clusters"
    assert "<form" not in answer.text


def test_a_browser_is_sent_to_sign_in(answers: dict[str, Any]) -> None:
    assert answers["browser"].status_code in {302, 303}
    assert answers["browser"].headers["location"] == "/login?next=/clusters"


def test_a_program_gets_json(answers: dict[str, Any]) -> None:
    assert answers["api"].status_code == 401
    assert answers["api"].json()["status"] == 401


def test_cells_of_csv_never_run_and_numbers_stay_numbers() -> None:
    lines = [
        row([found["dataset"], Decimal(found["cost"])]).removesuffix("\r\n")
        for found in CASE["csv_rows"]
    ]
    assert lines == [
        "'=2+5,-250.00",
        "'+34 demo,12.50",
        "'@sum(a1),0",
        "'-lead,3",
        "'\tindent,1",
        "a=b,2",
    ]


def test_markup_is_shown_as_text_where_errors_name_things(stranger: TestClient) -> None:
    page = ErrorPage(404, CASE["html_name"], CASE["html_name"], CASE["html_name"], (), "id")
    request: Any = stranger
    assert "<img" not in bytes(plain_page(request, page, fragment=False).body).decode()
