"""Probes and metrics."""

from datetime import timedelta

import pytest
from sqlalchemy import text
from starlette.testclient import TestClient

from app.kit.clock import utc_now
from app.kit.settings import settings
from app.services import health
from app.store.session import transaction
from tests.api.conftest import Estate


@pytest.fixture
def broker(valkey: str, monkeypatch: pytest.MonkeyPatch, stranger: TestClient) -> TestClient:
    """A client of an installation that has a real broker."""
    monkeypatch.setenv("ATALAYA_REDIS_URL", valkey)
    settings.cache_clear()
    return stranger


def test_it_lives_without_anything_else(stranger: TestClient) -> None:
    for path in ("/healthz", "/api/v1/healthz"):
        assert stranger.get(path).json() == {"status": "ok"}


def test_it_is_ready_with_database_schema_and_broker(broker: TestClient) -> None:
    answer = broker.get("/readyz")
    assert answer.status_code == 200
    found = answer.json()
    assert found["checks"] == {"database": "ok", "schema": "ok", "broker": "ok"}
    assert found["dispatch_age_seconds"] is None


def test_it_says_when_beat_last_dispatched(broker: TestClient) -> None:
    health.note_dispatch(utc_now() - timedelta(seconds=90))
    assert 89 < broker.get("/readyz").json()["dispatch_age_seconds"] < 120


def test_without_a_broker_it_is_not_ready(stranger: TestClient) -> None:
    answer = stranger.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["checks"]["broker"] == "cannot be reached"
    assert answer.json()["checks"]["database"] == "ok"


def test_an_old_schema_is_not_ready(broker: TestClient) -> None:
    health._demand_newest.cache_clear()
    with transaction() as session:
        session.execute(text("update alembic_version set version_num = 'older'"))
    answer = broker.get("/readyz")
    health._demand_newest.cache_clear()
    assert answer.status_code == 503
    assert answer.json()["checks"]["schema"] != "ok"


def test_metrics_tell_of_estate_and_work(
    judged: Estate, program: TestClient, broker: TestClient
) -> None:
    del judged, broker
    health.note_dispatch(utc_now())
    lines = program.get("/metrics").text.splitlines()
    assert "atalaya_resources 4.0" in lines
    assert 'atalaya_findings_open{severity="high"} 4.0' in lines
    assert any(line.startswith('atalaya_runs_by_state{state="queued"}') for line in lines)
    assert any(line.startswith("atalaya_dispatch_age_seconds") for line in lines)
    assert any(line.startswith("atalaya_http_requests_total") for line in lines)
