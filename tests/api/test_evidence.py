"""Evidence through the API: every figure has its formula, inputs, sources, ages and digest."""

from typing import Any

import pytest
from starlette.testclient import TestClient

from app.api.evidence import Metric
from app.services.evidence import METRICS
from tests.api.conftest import Estate

EVIDENCE = "/api/v1/evidence"


def test_the_api_knows_every_metric() -> None:
    assert set(Metric) == set(METRICS)


@pytest.fixture
def params(judged: Estate, program: TestClient) -> dict[str, dict[str, str]]:
    resource = program.get("/api/v1/resources", params={"q": "alpha"}).json()["items"][0]
    finding = program.get("/api/v1/findings", params={"limit": 1}).json()["items"][0]
    return {
        "posture": {},
        "pillar": {"pillar": "lifecycle"},
        "policy-count": {"policy_id": "versioning-on"},
        "finding": {"number": finding["id"]},
        "resource-fact": {"resource_id": resource["id"], "fact": "versioning_on"},
        "connection-read": {"connection_id": judged.ours},
    }


@pytest.mark.parametrize("metric", list(Metric))
def test_a_figure_shows_how_it_was_made(
    program: TestClient, params: dict[str, dict[str, str]], metric: str
) -> None:
    answer = program.get(f"{EVIDENCE}/{metric}", params=params[metric])
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    assert found["formula"]
    assert found["title"]
    assert found["value"] is not None
    assert found["inputs"]
    assert all(one["source"] for one in found["inputs"])
    assert len(found["digest"]) == 64
    again = program.get(
        f"{EVIDENCE}/{metric}",
        params=params[metric],
        headers={"If-None-Match": answer.headers["etag"]},
    )
    assert again.status_code == 304


def test_the_proof_of_a_count_is_the_count(
    program: TestClient, params: dict[str, dict[str, str]]
) -> None:
    found = program.get(f"{EVIDENCE}/policy-count", params=params["policy-count"]).json()
    assert found["value"] == len(found["inputs"]) == 4


def test_outsiders_prove_only_what_they_see(
    outsider: TestClient, params: dict[str, dict[str, str]]
) -> None:
    found = outsider.get(f"{EVIDENCE}/policy-count", params=params["policy-count"]).json()
    assert found["value"] == 1
    for metric in ("resource-fact", "connection-read"):
        answer = outsider.get(f"{EVIDENCE}/{metric}", params=params[metric])
        assert answer.status_code == 404


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("nonsense", 422),
        ("pillar", 422),
        ("pillar?pillar=x", 422),
        ("policy-count?policy_id=nothing", 404),
        ("finding?number=abc", 422),
        ("finding?number=99999999999999999999", 404),
        ("resource-fact?resource_id=x&fact=y", 404),
        ("posture?extra=1", 422),
    ],
)
def test_what_has_no_proof_is_told_so(program: TestClient, path: str, status: int) -> None:
    answer = program.get(f"{EVIDENCE}/{path}")
    assert answer.status_code == status
    assert answer.json()["detail"]
