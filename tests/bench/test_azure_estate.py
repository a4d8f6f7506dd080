"""The bench azure-estate in small: it measures what it says."""

import json
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from app.bench.azure_estate import measured
from app.bench.tenant import limit, replay
from app.bench.tenant.documents import TENANT
from app.bench.tenant.replay import CALLS, Bucket, Tenant
from app.collectors.registry import collectors
from app.domain.collecting import Connection, Provider, ResourceSeen
from app.sandbox.wire import LoopbackServer
from tests.support.fault_sweeps import swept

RESOURCES = 200
OURS = [one for one in collectors().values() if one.provider is Provider.AZURE]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    server = LoopbackServer(Tenant(RESOURCES))
    server.start()
    yield server.endpoint
    server.stop()


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "REPLY_SECONDS", 0)


def told(url: str, how: str = "") -> dict[str, Any]:
    found: dict[str, Any] = httpx2.get(url + CALLS + how).json()
    return found


def connection(url: str) -> Connection:
    config = {
        "endpoint_url": url,
        "credentials": {"mode": "static_token", "token": "env:BENCH_TOKEN"},
    }
    return Connection("0", "bench", Provider.AZURE, config, lambda _: "bench", True, threads=4)


def test_every_collector_reads_the_tenant_whole(url: str) -> None:
    told(url, "?bare")
    found: list[ResourceSeen] = []
    for one in OURS:
        sweep = swept(one, connection(url))
        assert sweep.error is None
        assert not [report for report in sweep.reports if report.denied]
        assert all(listing.complete for listing in sweep.listings), one.id
        found += sweep.resources.values()
    assert len({one.kind for one in found}) >= len(OURS)
    assert {one.sub_account_id for one in found} <= {one.subscription_id for one in TENANT}


def test_the_limit_asks_the_very_same(
    url: str, tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    told(url, "?bare")
    swept(OURS[0], connection(url))
    calls = told(url, "?bare")
    file = tmp_path / "calls.json"
    file.write_text(json.dumps(calls), "utf-8")
    limit.main(url, str(file))
    assert capsys.readouterr().out.split()[0] == str(len(calls["calls"]))
    again = told(url)["calls"]
    assert sorted(map(str, again)) == sorted(map(str, calls["calls"]))


def test_an_empty_bucket_refuses() -> None:
    bucket = Bucket(2, 0.0)
    assert [bucket.take() for _ in range(3)] == [True, True, False]


def test_who_asks_too_much_is_throttled_and_counted(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay, "_QUERIES_PER_SECOND", 0.0)
    told(url)
    query = {"query": "resources | project id"}
    answers = [httpx2.post(url + replay.GRAPH, json=query).status_code for _ in range(16)]
    assert answers[0] == 200
    assert 429 in answers
    assert told(url)["throttled"] >= 1


@pytest.mark.slow
def test_one_round_is_measured() -> None:
    line = measured(RESOURCES, 1)
    assert line["stored"] > 0
    assert line["throttled"] == 0
    assert line["ratio_limit"] > 0
