"""Policies through the API: read, checked, made, set and removed."""

import json

import pytest
from starlette.testclient import TestClient

from tests.api.conftest import Estate
from tests.support import policies as build

POLICIES = "/api/v1/policies"
EVERY = f"{POLICIES}?limit=200"
BUILT_IN = f"{POLICIES}/versioning-on"


def etag(answer: object) -> dict[str, str]:
    return {"If-Match": answer.headers["etag"]}  # type: ignore[attr-defined]


def test_the_list_counts_what_each_says(judged: Estate, program: TestClient) -> None:
    del judged
    found = {item["id"]: item for item in program.get(EVERY).json()["items"]}
    assert found["versioning-on"]["non_compliant"] == 4
    assert found["encryption-at-rest"]["compliant"] == 4
    assert not found["versioning-on"]["own"]


def test_outsiders_count_only_their_own(outsider: TestClient) -> None:
    found = {item["id"]: item for item in outsider.get(EVERY).json()["items"]}
    assert found["versioning-on"]["non_compliant"] == 1


def test_a_policy_of_ones_own_lives_from_text_to_removal(program: TestClient) -> None:
    text = build.text()
    made = program.post(POLICIES, json={"text": text})
    assert made.status_code == 201, made.text
    path = made.headers["location"]
    assert program.get(path).json()["text"] == text
    assert program.post(POLICIES, json={"text": text}).status_code == 409

    off = program.patch(path, json={"mode": "off"}, headers=etag(made))
    assert off.status_code == 200
    assert off.json()["mode"] == "off"
    assert program.patch(path, json={"mode": "report"}, headers=etag(made)).status_code == 412
    assert program.delete(path, headers=etag(off)).status_code == 204
    assert program.get(path).status_code == 404


def test_a_built_in_policy_is_set_but_not_removed(program: TestClient) -> None:
    read = program.get(BUILT_IN)
    changed = program.patch(BUILT_IN, json={"mode": "report"}, headers=etag(read))
    assert changed.json()["mode"] == "report"
    assert program.delete(BUILT_IN, headers=etag(changed)).status_code == 409
    text = read.json()["text"]
    assert program.patch(BUILT_IN, json={"text": text}, headers=etag(changed)).status_code == 409


@pytest.mark.parametrize(
    "change",
    [
        {"mode": "loud"}, {"params": {"nonsense": 1}}, {"params": []}, {"text": ""}, {"other": 1},
        {"params": {"x": float("nan")}}, {"params": {"x": 2**70}},
    ],
)  # fmt: skip
def test_a_bad_setting_changes_nothing(program: TestClient, change: dict[str, object]) -> None:
    read = program.get(BUILT_IN)
    headers = etag(read) | {"Content-Type": "application/json"}
    answer = program.patch(BUILT_IN, content=json.dumps(change), headers=headers)
    assert answer.status_code == 422
    assert program.get(BUILT_IN).json()["params"] == read.json()["params"]
    assert program.get(BUILT_IN).headers["etag"] == read.headers["etag"]


def test_a_text_of_another_policy_is_refused_whole(program: TestClient) -> None:
    made = program.post(POLICIES, json={"text": build.text()})
    other = build.text(id="another-one")
    path = made.headers["location"]
    answer = program.patch(path, json={"text": other}, headers=etag(made))
    assert answer.status_code == 422
    assert program.get(f"{POLICIES}/another-one").status_code == 404
    assert program.get(path).headers["etag"] == made.headers["etag"]


@pytest.mark.parametrize(
    "text", ["nonsense", "a: [", "id: x\n" * 3, "!!python/object/apply:os.system ['true']", "{}"]
)
def test_a_malformed_text_is_told_by_line_and_column(program: TestClient, text: str) -> None:
    checked = program.post(f"{POLICIES}/check", json={"text": text}).json()
    assert not checked["valid"]
    line, _, column = checked["errors"][0]["where"].partition(":")
    assert line.isdecimal()
    assert column.isdecimal()
    refused = program.post(POLICIES, json={"text": text})
    assert refused.status_code == 422
    assert refused.json()["errors"] == checked["errors"]


def test_a_good_text_is_checked_and_not_stored(program: TestClient) -> None:
    before = program.get(POLICIES).json()["total"]
    found = program.post(f"{POLICIES}/check", json={"text": build.text()}).json()
    assert found == {"valid": True, "errors": []}
    assert program.get(POLICIES).json()["total"] == before


def test_verdicts_of_a_policy_are_filtered(judged: Estate, program: TestClient) -> None:
    del judged
    path = f"{BUILT_IN}/verdicts"
    assert program.get(path).json()["total"] == 4
    assert program.get(path, params={"verdict": "compliant"}).json()["items"] == []
    assert program.get(path, params={"verdict": "green"}).status_code == 422
    assert program.get(f"{POLICIES}/nothing/verdicts").status_code == 404
