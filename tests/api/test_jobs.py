"""Jobs register through the API, and are then resources like any other."""

from datetime import timedelta
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.domain.access import SYSTEM, Scope
from app.kit.clock import utc_now
from app.store.queries.accounts import UserItem
from app.store.queries.audit_trail import events_of
from app.store.session import transaction
from tests.support import callers, estate

JOBS = "/api/v1/jobs"
TRAINING = {
    "namespace": "atlas-llm",
    "name": "atlas-7b",
    "tags": {"owner": "atlas-llm"},
    "phase": "training",
    "model_kind": "large_language_model",
    "parameter_count": 7_000_000_000,
    "provider": "azure",
    "region": "East US",
    "machine_type": "Standard_NC80adis_H100_v5",
    "node_count": 4,
    "capacity": "on_demand",
    "orchestrator": "none",
    "logged": None,
    "state": "running",
    "started_at": "2026-11-30T08:00:00+01:00",
}


def registered(program: TestClient, **changed: Any) -> dict[str, Any]:
    answer = program.post(JOBS, json=TRAINING | changed)
    assert answer.status_code in {200, 201}, answer.text
    found: dict[str, Any] = answer.json()
    return found


def history(program: TestClient, job_id: str) -> list[int]:
    items = program.get(f"/api/v1/resources/{job_id}/revisions").json()["items"]
    return [one["number"] for one in items]


def test_what_is_said_what_is_none_and_what_is_not_known_are_told_apart(
    program: TestClient,
) -> None:
    made = program.post(JOBS, json=TRAINING)
    assert made.status_code == 201
    found = program.get(made.headers["location"]).json()
    assert (found["kind"], found["name"], found["native_id"]) == (
        "job",
        "atlas-7b",
        "atlas-llm/atlas-7b",
    )
    assert found["region_id"] == "eastus"
    facts = found["facts"]
    assert facts["present"]["started_at"] == "2026-11-30T07:00:00+00:00"
    assert {"orchestrator", "logged"} <= set(facts["absent"])
    assert facts["unreadable"]["uses_rdma"] == "NotDeclared"
    assert facts["present"]["better_machine_type"] == "Standard_ND96isr_H100_v5"
    assert facts["present"]["price_difference_per_hour"] == 84.36
    assert facts["present"]["practices_missing"] == ["logged"]


def test_it_is_listed_searched_and_judged_like_any_resource(program: TestClient) -> None:
    job_id = registered(program)["id"]
    listed = program.get("/api/v1/resources", params={"kind": "job", "q": "ATLAS"}).json()
    assert [one["id"] for one in listed["items"]] == [job_id]
    estate.judge(utc_now())
    assert program.get(f"/api/v1/resources/{job_id}").json()["worst_rank"] >= 0


def test_the_same_name_is_declared_anew_with_its_history(program: TestClient) -> None:
    first = registered(program)
    again = program.post(JOBS, json=TRAINING | {"node_count": 8})
    assert again.status_code == 200
    assert again.json()["id"] == first["id"]
    assert again.json()["created_at"] == first["created_at"]
    assert history(program, first["id"]) == [2, 1]
    registered(program, node_count=8)
    assert history(program, first["id"]) == [2, 1]


def test_two_spellings_of_one_name_are_one_job(program: TestClient) -> None:
    assert (
        registered(program, name="caf\u00e9")["id"] == registered(program, name="cafe\u0301")["id"]
    )


def test_a_repeated_request_happens_once(program: TestClient) -> None:
    key = {"Idempotency-Key": "job-1"}
    answers = [program.post(JOBS, json=TRAINING, headers=key) for _ in range(2)]
    assert [one.status_code for one in answers] == [201, 201]
    assert answers[0].json() == answers[1].json()


def test_a_change_leaves_the_rest_as_it_was(program: TestClient) -> None:
    job_id = registered(program)["id"]
    ended = {"state": "succeeded", "ended_at": "2026-11-30T12:00:00Z"}
    answer = program.patch(f"{JOBS}/{job_id}", json=ended)
    assert answer.status_code == 200
    facts = answer.json()["facts"]
    assert (facts["present"]["state"], facts["present"]["node_count"]) == ("succeeded", 4)
    assert "logged" in facts["absent"]
    assert facts["unreadable"]["uses_rdma"] == "NotDeclared"
    assert answer.json()["tags"] == {"owner": "atlas-llm"}


def test_an_end_before_the_start_is_refused_with_its_place(program: TestClient) -> None:
    job_id = registered(program)["id"]
    answer = program.patch(f"{JOBS}/{job_id}", json={"ended_at": "2026-11-29T12:00:00Z"})
    assert answer.status_code == 422
    assert [one["where"] for one in answer.json()["errors"]] == ["#/ended_at"]
    assert history(program, job_id) == [1]


@pytest.mark.parametrize(
    ("changed", "where"),
    [
        ({"phase": "learning"}, "#/phase"),
        ({"node_count": 0}, "#/node_count"),
        ({"node_count": "4"}, "#/node_count"),
        ({"uses_rdma": "yes"}, "#/uses_rdma"),
        ({"started_at": "2026-11-30T08:00:00"}, "#/started_at"),
        ({"name": "a/b"}, "#/name"),
        ({"name": "   "}, "#/name"),
        ({"name": "a "}, "#/name"),
        ({"name": "a\x7fb"}, "#/name"),
        ({"name": "a\x9b31m"}, "#/name"),
        ({"name": "\u202ea"}, "#/name"),
        ({"namespace": "\u200b"}, "#/namespace"),
        ({"colour": "blue"}, "#/colour"),
    ],
)
def test_a_fault_is_named_with_its_field(
    program: TestClient, changed: dict[str, Any], where: str
) -> None:
    answer = program.post(JOBS, json=TRAINING | changed)
    assert answer.status_code == 422
    assert any(one["where"].startswith(where) for one in answer.json()["errors"])
    assert program.get("/api/v1/resources?kind=job").json()["items"] == []


def test_a_withdrawn_job_keeps_its_history_and_loses_its_findings(program: TestClient) -> None:
    job_id = registered(program)["id"]
    other = registered(program, name="atlas-1b")["id"]
    estate.judge(utc_now())
    assert program.delete(f"{JOBS}/{job_id}").status_code == 204
    assert program.get(f"/api/v1/resources/{job_id}").json()["deleted_at"]
    assert history(program, job_id) == [1]
    open_ones = program.get("/api/v1/findings", params={"resource_id": job_id}).json()["items"]
    assert open_ones == []
    assert program.get(f"/api/v1/resources/{other}").json()["deleted_at"] is None
    assert program.delete(f"{JOBS}/{job_id}").status_code == 404
    assert registered(program)["id"] != job_id, "a job made anew is another one"


def test_only_jobs_can_be_changed_here(program: TestClient) -> None:
    now = utc_now()
    estate.sweep(estate.connect(now), [estate.seen()], now)
    bucket = program.get("/api/v1/resources").json()["items"][0]["id"]
    assert program.patch(f"{JOBS}/{bucket}", json={"state": "failed"}).status_code == 404
    assert program.delete(f"{JOBS}/{bucket}").status_code == 404


def test_what_is_declared_does_not_grow_stale(program: TestClient) -> None:
    job_id = registered(program, orchestrator="slurm", logged="/lustre/log")["id"]
    estate.judge(utc_now())
    fresh = _verdicts(program, job_id)
    estate.judge(utc_now() + timedelta(days=100))
    assert _verdicts(program, job_id) == fresh
    assert "compliant" in fresh.values()


def _verdicts(program: TestClient, job_id: str) -> dict[str, str]:
    found = program.get(f"/api/v1/resources/{job_id}/verdicts").json()["items"]
    return {one["policy_id"]: one["verdict"] for one in found}


def test_the_source_of_declared_jobs_cannot_be_swept_tried_or_configured(
    program: TestClient,
) -> None:
    registered(program)
    (source,) = program.get("/api/v1/connections").json()["items"]
    assert (source["provider"], source["resources"]) == ("declared", 1)
    at = f"/api/v1/connections/{source['id']}"
    assert program.post(f"{at}/sweeps").status_code == 409
    assert program.post(f"{at}/test").status_code == 409
    etag = {"If-Match": program.get(at).headers["etag"]}
    assert program.patch(at, json={"enabled": False}, headers=etag).status_code == 409
    assert program.patch(at, json={"name": "By hand"}, headers=etag).status_code == 200
    registered(program, name="another")
    assert len(program.get("/api/v1/connections").json()["items"]) == 1


def test_nobody_makes_such_a_source_by_hand(program: TestClient) -> None:
    body = {"name": "x", "provider": "declared", "config": {}}
    assert program.post("/api/v1/connections", json=body).status_code == 422


def test_a_taken_name_does_not_stop_the_first_job(program: TestClient) -> None:
    estate.connect(utc_now(), "Declared jobs")
    assert registered(program)["connection_name"] == "Declared jobs (declared)"


def test_a_token_limited_to_other_connections_registers_nothing(
    app: FastAPI, program: TestClient, ana: UserItem
) -> None:
    theirs = estate.connect(utc_now(), "theirs")
    limited = callers.client(app, callers.token_of(ana, connection_ids=frozenset({theirs})))
    assert limited.post(JOBS, json=TRAINING).status_code == 403
    made = registered(program)
    assert limited.post(JOBS, json=TRAINING).status_code == 403
    assert limited.patch(f"{JOBS}/{made['id']}", json={"node_count": 1}).status_code == 404
    own = frozenset({made["connection_id"]})
    fitting = callers.client(app, callers.token_of(ana, connection_ids=own))
    assert fitting.post(JOBS, json=TRAINING).status_code == 200


def test_it_needs_a_scope_of_its_own(app: FastAPI, ana: UserItem) -> None:
    reader = callers.client(app, callers.token_of(ana, frozenset({Scope.CONNECTIONS_WRITE})))
    assert reader.post(JOBS, json=TRAINING).status_code == 403
    writer = callers.client(app, callers.token_of(ana, frozenset({Scope.JOBS_WRITE})))
    assert writer.post(JOBS, json=TRAINING).status_code == 201


def test_every_change_is_in_the_trail(program: TestClient) -> None:
    job_id = registered(program)["id"]
    registered(program, node_count=2)
    program.patch(f"{JOBS}/{job_id}", json={"node_count": 3})
    program.delete(f"{JOBS}/{job_id}")
    with transaction(readonly=True) as session:
        found = events_of(session, access=SYSTEM, subject=("job", job_id))
    assert [one.action for one in found] == [
        "job.withdraw",
        "job.change",
        "job.declare",
        "job.register",
    ]
