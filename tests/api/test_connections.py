"""Connections: made, changed under an ETag, tried out, swept and removed."""

import pytest
from starlette.testclient import TestClient

from app.kit.settings import settings
from tests.api.conftest import Estate
from tests.support.aws_fixtures import aws, aws_server
from tests.support.aws_wire import ACCESS_KEY_ID, AwsWire
from tests.support.estate import CONFIG

__all__ = ["aws", "aws_server"]
CONNECTIONS = "/api/v1/connections"


def wish(**changes: object) -> dict[str, object]:
    return {"name": "aws production", "provider": "aws", "config": CONFIG} | changes


def test_a_connection_lives_from_making_to_removing(program: TestClient) -> None:
    made = program.post(CONNECTIONS, json=wish())
    assert made.status_code == 201
    path = made.headers["location"]
    assert path == f"{CONNECTIONS}/{made.json()['id']}"

    read = program.get(path)
    assert read.headers["etag"].startswith('"1.')
    assert made.headers["etag"].startswith('"1.')
    renamed = program.patch(path, json={"name": "aws"}, headers={"If-Match": read.headers["etag"]})
    assert renamed.status_code == 200
    assert (renamed.json()["name"], renamed.json()["version"]) == ("aws", 2)
    assert renamed.json()["config"] == CONFIG

    late = program.patch(path, json={"name": "late"}, headers={"If-Match": read.headers["etag"]})
    assert late.status_code == 412
    assert program.get(path).json()["name"] == "aws"

    etag = {"If-Match": renamed.headers["etag"]}
    assert program.delete(path, headers=etag).status_code == 204
    assert program.get(path).status_code == 404


@pytest.mark.parametrize(
    ("etag", "status"), [(None, 428), ("*", 412), ("nonsense", 412), ('"99.x"', 412)]
)
def test_a_change_says_which_version_it_is_meant_for(
    judged: Estate, program: TestClient, etag: str | None, status: int
) -> None:
    path = f"{CONNECTIONS}/{judged.ours}"
    headers = {} if etag is None else {"If-Match": etag}
    assert program.patch(path, json={"name": "x"}, headers=headers).status_code == status
    assert program.delete(path, headers=headers).status_code == status
    assert program.get(path).json()["name"] == "ours"


@pytest.mark.parametrize(
    "changes",
    [
        {"name": ""}, {"name": "x" * 1_000_000}, {"name": "a\x00b"}, {"name": 7},
        {"provider": "gcp"}, {"provider": None}, {"config": []}, {"config": {"regions": "all"}},
        {"config": {"unknown": 1}}, {"config": {"regions": ["atlantis-1"]}}, {"extra": 1},
        {"config": {"endpoint_url": "http://169.254.169.254/"}},
        {"config": {"credentials": {"mode": "access_key", "access_key_id": "AKIAEXAMPLE",
                                    "secret_access_key": "in-the-clear"}}},
    ],
)  # fmt: skip
def test_bad_settings_are_named_and_nothing_is_made(
    program: TestClient, changes: dict[str, object]
) -> None:
    answer = program.post(CONNECTIONS, json=wish(**changes))
    assert answer.status_code == 422
    assert answer.json()["mend"]
    assert len(answer.content) < 3_000
    assert program.get(CONNECTIONS).json()["items"] == []


def test_two_of_one_name_are_a_conflict(judged: Estate, program: TestClient) -> None:
    del judged
    assert program.post(CONNECTIONS, json=wish(name="ours")).status_code == 409
    assert program.get(CONNECTIONS).json()["total"] == 2


def test_a_sweep_that_is_asked_for_is_a_run_to_look_at(judged: Estate, program: TestClient) -> None:
    path = f"{CONNECTIONS}/{judged.ours}/sweeps"
    key = {"Idempotency-Key": "sweep-1"}
    answer = program.post(path, headers=key)
    assert answer.status_code == 202
    run = program.get(answer.headers["location"]).json()
    assert run["id"] == answer.json()["run_ids"][0]
    assert (run["kind"], run["args"]["connection_id"]) == ("sweep", judged.ours)
    assert program.post(path, headers=key).json() == answer.json()
    assert program.post(path).json() == answer.json(), "what is queued counts for all who ask"


def test_what_was_read_shows_sweeps_scopes_and_rights(judged: Estate, program: TestClient) -> None:
    found = program.get(f"{CONNECTIONS}/{judged.ours}").json()
    assert found["resources"] == 3
    sweep = program.get(f"/api/v1/sweeps/{found['last_sweep']['id']}").json()
    assert sweep["scopes"][0]["asked"] == 3
    rights = program.get(f"{CONNECTIONS}/{judged.ours}/permissions").json()["items"]
    assert {right["result"] for right in rights} <= {"allowed", "denied", "failed", "not_tried"}
    assert rights


def test_trying_out_says_who_we_are_there(
    program: TestClient, aws: AwsWire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ATALAYA_ALLOW_PRIVATE_ENDPOINTS", "true")
    monkeypatch.setenv("AWS_SECRET", "x")
    settings.cache_clear()
    keys = {"mode": "access_key", "access_key_id": ACCESS_KEY_ID}
    keys["secret_access_key"] = "env:AWS_SECRET"
    config = {"endpoint_url": aws.url, "credentials": keys}
    path = program.post(CONNECTIONS, json=wish(config=config)).headers["location"]
    answer = program.post(f"{path}/test")
    assert answer.status_code == 200
    assert answer.json()["identity"]


def test_trying_out_what_cannot_work_says_why(
    program: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MISSING", raising=False)
    keys = {"mode": "access_key", "access_key_id": ACCESS_KEY_ID}
    keys["secret_access_key"] = "env:MISSING"
    path = program.post(CONNECTIONS, json=wish(config={"credentials": keys})).headers["location"]
    answer = program.post(f"{path}/test")
    assert answer.status_code in {422, 502}
    assert "MISSING" in answer.text


@pytest.mark.parametrize(
    "body",
    [
        '{"name": "a", "provider": "aws", "config": {}, "name": "b"}',
        '{"name": "a", "provider": "aws", "config": {"regions": [], "regions": ["eu-west-1"]}}',
    ],
)
def test_a_name_given_twice_in_a_body_is_refused(program: TestClient, body: str) -> None:
    answer = program.post(CONNECTIONS, content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422
    assert "more than once" in answer.json()["detail"]
    assert program.get(CONNECTIONS).json()["items"] == []
