"""Resources: facts, history, and what they were at an instant."""

from datetime import timedelta

import pytest
from starlette.testclient import TestClient

from app.domain.fact_kinds import FACT_KINDS
from app.domain.facts import Present, Unreadable
from tests.api.conftest import Estate
from tests.support import estate
from tests.support.stores import bucket

NUMBERS = ("1764590400", "1764590400000", "1764590400.5", "-1", "0", "909090909090")
BEYOND_FLOATS = 9007199254740993  # 2^53 + 1, as in field case F17


def id_of(program: TestClient, name: str) -> str:
    found = program.get("/api/v1/resources", params={"q": name}).json()["items"]
    return str(found[0]["id"])


def test_a_resource_comes_with_its_facts(judged: Estate, program: TestClient) -> None:
    found = program.get(f"/api/v1/resources/{id_of(program, 'alpha')}").json()
    assert found["facts"]["present"]["encryption_algorithm"] == "AES256"
    assert "versioning_status" in found["facts"]["absent"]
    assert found["as_of"] == found["observed_at"]
    assert found["connection_id"] == judged.ours


def test_history_tells_each_change_and_any_instant(judged: Estate, program: TestClient) -> None:
    later = judged.read_at + timedelta(minutes=30)
    changed = bucket(
        versioning_status=Present("Enabled"), lifecycle_rules=Unreadable("AccessDenied")
    )
    estate.sweep(judged.ours, [estate.seen("alpha", changed)], later)
    path = f"/api/v1/resources/{id_of(program, 'alpha')}"

    revisions = program.get(f"{path}/revisions").json()
    assert [item["number"] for item in revisions["items"]] == [2, 1]
    newest, first = revisions["items"]
    assert newest["facts"]["unreadable"]["lifecycle_rules"] == "AccessDenied"
    assert first["valid_to"] == newest["valid_from"]

    then = program.get(path, params={"as_of": judged.read_at.isoformat()}).json()
    assert "versioning_status" in then["facts"]["absent"]
    now = program.get(path, params={"as_of": later.isoformat()}).json()
    assert now["facts"]["present"]["versioning_status"] == "Enabled"
    before = judged.read_at - timedelta(seconds=1)
    answer = program.get(path, params={"as_of": before.isoformat()})
    assert answer.status_code == 404
    assert "first seen" in answer.json()["mend"]


def test_an_instant_that_is_none_is_refused(judged: Estate, program: TestClient) -> None:
    del judged
    path = f"/api/v1/resources/{id_of(program, 'alpha')}"
    too_early, too_late = "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00"
    for instant in ("yesterday", "2026-11-30T09:00:00", too_early, too_late, "1e400", *NUMBERS):
        assert program.get(path, params={"as_of": instant}).status_code == 422


def test_verdicts_name_the_facts_they_rest_on(judged: Estate, program: TestClient) -> None:
    del judged
    path = f"/api/v1/resources/{id_of(program, 'alpha')}/verdicts"
    verdicts = {item["policy_id"]: item for item in program.get(path).json()["items"]}
    assert verdicts["versioning-on"]["verdict"] == "non_compliant"
    assert verdicts["versioning-on"]["used"]
    assert verdicts["versioning-on"]["message"]


@pytest.mark.parametrize("rest", ["", "/parts", "/revisions", "/verdicts"])
def test_an_unknown_resource_is_not_found(program: TestClient, rest: str) -> None:
    for resource_id in ("nonsense", "0193a6c0-8f7e-7c4e-9a53-2f1f0b8f3c11", "%2e%2e"):
        assert program.get(f"/api/v1/resources/{resource_id}{rest}").status_code == 404


def test_integers_beyond_floats_are_exact(judged: Estate, program: TestClient) -> None:
    later = judged.read_at + timedelta(minutes=30)
    facts = bucket(object_lock_days=Present(BEYOND_FLOATS))
    estate.sweep(judged.ours, [estate.seen("alpha", facts)], later)
    answer = program.get(f"/api/v1/resources/{id_of(program, 'alpha')}")
    assert f'"object_lock_days":{BEYOND_FLOATS}' in answer.text


def test_markup_in_tags_and_names_is_only_text(judged: Estate, program: TestClient) -> None:
    hostile = "<img src=x onerror=alert(1)>"
    later = judged.read_at + timedelta(minutes=30)
    estate.sweep(judged.ours, [estate.seen(hostile)], later)
    answer = program.get("/api/v1/resources", params={"q": "<IMG"})
    assert answer.json()["items"][0]["name"] == hostile
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_fact_schemas_explain_every_fact(program: TestClient) -> None:
    kinds = program.get("/api/v1/fact-schemas").json()["items"]
    assert {kind["kind"] for kind in kinds} == set(FACT_KINDS)
    one = program.get("/api/v1/fact-schemas/s3_bucket").json()
    facts = [fact for document in one["documents"] for fact in document["facts"]]
    assert all(fact["doc"] and fact["source"] and fact["type"] for fact in facts)
    assert program.get("/api/v1/fact-schemas/nothing").status_code == 404
