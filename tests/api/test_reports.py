"""Reports through the API: made, listed, and given out in four formats."""

import json

import pytest
from starlette.testclient import TestClient

from app.kit.clock import utc_now
from tests.api.conftest import Estate

REPORTS = "/api/v1/reports"


@pytest.fixture
def week() -> str:
    """The week that runs."""
    year, number, _ = utc_now().isocalendar()
    return f"{year}-W{number:02d}"


def test_a_report_is_made_listed_and_read(judged: Estate, program: TestClient, week: str) -> None:
    del judged
    made = program.post(REPORTS, json={"week": week})
    assert made.status_code == 201
    assert made.headers["location"] == f"{REPORTS}/{week}"
    listed = program.get(REPORTS).json()
    assert [item["digest"] for item in listed["items"]] == [made.json()["digest"]]
    read = program.get(f"{REPORTS}/{week}")
    assert read.json()["week"] == week
    assert "content-disposition" not in read.headers


@pytest.mark.parametrize(
    ("form", "media_type", "start"),
    [
        ("html", "text/html", b"<!doctype html>"),
        ("pdf", "application/pdf", b"%PDF-"),
        ("csv", "text/csv", b""),
        ("json", "application/json", b"{"),
    ],
)
def test_it_is_given_out_in_four_formats(
    judged: Estate, program: TestClient, week: str, form: str, media_type: str, start: bytes
) -> None:
    del judged
    program.post(REPORTS, json={"week": week})
    answer = program.get(f"{REPORTS}/{week}.{form}", params={"language": "es"})
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith(media_type)
    assert answer.headers["content-disposition"].endswith(f'-es.{form}"')
    assert answer.content.lower().startswith(start.lower())
    again = program.get(
        f"{REPORTS}/{week}.{form}?language=es", headers={"If-None-Match": answer.headers["etag"]}
    )
    assert again.status_code == 304


@pytest.mark.parametrize(
    "week", ["2026-W54", "2025-W53", "2199-W01", "2026-48", "W48", "", None, 7]
)
def test_a_week_that_does_not_exist_is_refused(program: TestClient, week: object) -> None:
    answer = program.post(
        REPORTS,
        content=json.dumps({"week": week}),
        headers={"Content-Type": "application/json"},
    )
    assert answer.status_code == 422
    assert program.get(REPORTS).json()["items"] == []


def test_a_week_without_a_report_is_not_found(program: TestClient) -> None:
    answer = program.get(f"{REPORTS}/2026-W01")
    assert answer.status_code == 404
    assert answer.json()["mend"]
    assert program.get(f"{REPORTS}/2026-W01.pdf").status_code == 404
    assert program.get(f"{REPORTS}/2026-W01.docx").status_code == 422
    assert program.get(f"{REPORTS}/2025-W53").status_code == 422
