"""Findings through the API: read, assigned, snoozed, commented and waived."""

from datetime import timedelta
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.kit.clock import utc_now
from tests.api.conftest import Estate

FINDINGS = "/api/v1/findings"


@pytest.fixture
def path(judged: Estate, program: TestClient) -> str:
    """The address of the worst finding."""
    del judged
    found = program.get(FINDINGS, params={"limit": 1}).json()["items"]
    return f"{FINDINGS}/{found[0]['id']}"


def in_days(days: int) -> str:
    return (utc_now() + timedelta(days=days)).isoformat()


def actions(finding: dict[str, Any]) -> list[str]:
    return [event["action"] for event in finding["events"]]


def test_a_finding_rests_on_facts_and_tells_its_history(path: str, program: TestClient) -> None:
    found = program.get(path).json()
    assert found["used"]
    assert found["severity"] == "high"
    assert actions(found) == ["opened"]


def test_it_is_assigned_and_given_back(path: str, program: TestClient) -> None:
    assigned = program.patch(path, json={"owner": "Ana"}).json()
    assert assigned["owner"] == "Ana"
    assert program.get(FINDINGS, params={"owner": "Ana"}).json()["total"] == 1
    assert program.patch(path, json={}).json()["owner"] == "Ana"
    assert program.patch(path, json={"owner": None}).json()["owner"] is None


def test_snoozing_hides_it_until_then(path: str, program: TestClient) -> None:
    snoozed = program.patch(path, json={"snoozed_until": in_days(3)}).json()
    assert (snoozed["state"], snoozed["overlay"]) == ("open", "snoozed")
    listed = program.get(FINDINGS, params={"state": "snoozed"}).json()["items"]
    assert [item["id"] for item in listed] == [snoozed["id"]]
    assert program.patch(path, json={"snoozed_until": None}).json()["overlay"] == ""


def test_a_waiver_excuses_it_and_is_taken_back(path: str, program: TestClient) -> None:
    wish = {"reason": "emptied soon", "until": in_days(20)}
    waived = program.post(f"{path}/waivers", json=wish)
    assert waived.status_code == 201
    assert waived.headers["location"] == path
    assert waived.json()["overlay"] == "waived"
    assert program.post(f"{path}/waivers", json=wish).status_code == 409
    waiver = waived.json()["waivers"][0]
    assert waiver["requested_by"].startswith("ana@example.org")
    other = f"{path}/waivers/0193a6c0-8f7e-7c4e-9a53-2f1f0b8f3c11"
    assert program.delete(other).status_code == 404
    revoked = program.delete(f"{path}/waivers/{waiver['id']}")
    assert revoked.json()["overlay"] == ""
    assert program.delete(f"{path}/waivers/{waiver['id']}").status_code == 409


def test_a_comment_that_is_sent_twice_is_there_once(path: str, program: TestClient) -> None:
    for _ in range(2):
        answer = program.post(
            f"{path}/comments", json={"text": "asked"}, headers={"Idempotency-Key": "c-1"}
        )
        assert answer.status_code == 201
    assert actions(program.get(path).json()).count("comment") == 1


@pytest.mark.parametrize(
    ("rest", "method", "body"),
    [
        ("", "PATCH", {"owner": "x" * 201}),
        ("", "PATCH", {"snoozed_until": "2020-01-01T00:00:00Z"}),
        ("", "PATCH", {"snoozed_until": "soon"}),
        ("", "PATCH", {"state": "resolved"}),
        ("/waivers", "POST", {"reason": "", "until": "2026-12-31T00:00:00Z"}),
        ("/waivers", "POST", {"reason": "x", "until": "2199-01-01T00:00:00Z"}),
        ("/waivers", "POST", {"reason": "x", "until": "2026-12-31T00:00:00"}),
        ("/waivers", "POST", {"reason": "x" * 2001, "until": "2026-12-31T00:00:00Z"}),
        ("/comments", "POST", {"text": ""}),
        ("/comments", "POST", {"text": "a\x00b"}),
    ],
)
def test_bad_wishes_change_nothing(
    path: str, program: TestClient, rest: str, method: str, body: dict[str, str]
) -> None:
    before = program.get(path).json()
    assert program.request(method, path + rest, json=body).status_code == 422
    assert program.get(path).json() == before


def test_numbers_that_are_none_are_refused(program: TestClient) -> None:
    assert program.get(f"{FINDINGS}/1182").status_code == 422
    for number in ("F-0", "F-999999", "F-9999999999999999999999"):
        assert program.get(f"{FINDINGS}/{number}").status_code == 404


def test_the_list_filters_and_sorts(judged: Estate, program: TestClient) -> None:
    del judged
    everything = program.get(FINDINGS, params={"limit": 200}).json()
    assert everything["total"] == len(everything["items"])
    ranks = ["critical", "high", "medium", "low", "informational"]
    shown = [ranks.index(item["severity"]) for item in everything["items"]]
    assert shown == sorted(shown)
    high = program.get(FINDINGS, params={"severity": "high", "pillar": "reproducibility"}).json()
    assert {item["policy_id"] for item in high["items"]} == {"versioning-on"}
    for query in ("severity=loud", "pillar=x", "state=closed", "sort=name"):
        assert program.get(f"{FINDINGS}?{query}").status_code == 422
