import json
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import httpx2
import pytest

from app.bench import aws_estate
from app.bench.estate import limit
from app.bench.estate.answers import Organization
from app.bench.estate.documents import ACCOUNTS, EXTERNAL_ID, OWN_KEY, REGIONS, ROLE
from app.bench.estate.replay import CALLS, Replay
from app.bench.processes import BenchError
from app.collectors import registry
from app.domain.collecting import (
    Cell,
    ListingDone,
    Observation,
    Provider,
    Reach,
    ResourceSeen,
    ScopeReport,
)
from app.sandbox.wire import LoopbackServer
from tests.support.aws_fixtures import aws_connection

# One of each of the ten kinds in every cell, and a second of each in the first cell.
RESOURCES = 810
FIRST, LAST = Cell("", REGIONS[0]), Cell(ACCOUNTS[-1], REGIONS[-1])
KINDS = {
    "ec2_instance",
    "ebs_volume",
    "ebs_snapshot",
    "ec2_image",
    "ec2_capacity_reservation",
    "eks_cluster",
    "hyperpod_cluster",
    "hyperpod_node",
    "fsx_file_system",
    "efs_file_system",
    "s3_access_point",
}


@pytest.fixture
def url() -> Iterator[str]:
    server = LoopbackServer(Replay(Organization(RESOURCES)))
    server.start()
    yield server.endpoint
    server.stop()


def swept(url: str, cell: Cell, now: datetime) -> list[Observation]:
    """What all regional collectors see in a cell."""
    connection = aws_connection(
        url,
        cell=cell,
        home_region=REGIONS[0],
        organization={"role_name": ROLE, "external_id": EXTERNAL_ID},
        credentials={
            "mode": "access_key",
            "access_key_id": OWN_KEY,
            "secret_access_key": "env:AWS_SECRET",
        },
    )
    return [
        one
        for collector in registry.collectors().values()
        if collector.provider is Provider.AWS and collector.reach is Reach.REGION
        for one in collector.collect(connection, now)
    ]


@pytest.mark.parametrize(("cell", "each"), [(FIRST, 2), (LAST, 1)])
def test_a_cell_has_as_many_of_each_kind(url: str, now: datetime, cell: Cell, each: int) -> None:
    found = swept(url, cell, now)
    kinds = Counter(one.kind for one in found if isinstance(one, ResourceSeen))
    assert kinds == dict.fromkeys(KINDS, each) | {"hyperpod_cluster": 1}
    assert all(one.complete for one in found if isinstance(one, ListingDone))
    reports = [one for one in found if isinstance(one, ScopeReport)]
    assert [one for one in reports if one.denied or one.failed] == []


def test_the_clusters_of_nodes_are_found_besides() -> None:
    assert Organization(RESOURCES).expected() == 810 + 80
    assert Organization(10).expected() == 10 + 1
    assert Organization(0).expected() == 0


def test_every_call_is_told_once_and_the_limit_can_make_it_again(
    url: str, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    swept(url, LAST, now)
    calls = httpx2.get(url + CALLS).json()
    assert {"ec2", "eks", "sagemaker", "fsx", "efs", "s3control", "s3"} <= {
        call["service"] for call in calls
    }
    assert httpx2.get(url + CALLS).json() == []
    for name, value in {
        "AWS_ENDPOINT_URL": url,
        "AWS_ACCESS_KEY_ID": OWN_KEY,
        "AWS_SECRET_ACCESS_KEY": "x",
    }.items():
        monkeypatch.setenv(name, value)
    reads = [call for call in calls if call["service"] != "sts"]
    clients = limit.Clients()
    assert sum(limit.answered(clients, call) for call in reads) == len(reads)
    again = [call for call in httpx2.get(url + CALLS).json() if call["service"] != "sts"]
    assert list(map(_plain, again)) == list(map(_plain, reads))


def _plain(call: object) -> str:
    return json.dumps(call, sort_keys=True)


def test_a_sweep_that_is_not_whole_is_no_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    size = aws_estate.Size(10, "http://127.0.0.1:1")
    said = {"seconds": 1.0, "rss_mb": 1.0, "resources": 10, "states": {"complete": 3}}
    monkeypatch.setattr(aws_estate, "finished", lambda *_: json.dumps(said))
    monkeypatch.setattr(aws_estate, "_asked", lambda _: b"[]")
    with pytest.raises(BenchError, match="all 11 resources"):
        aws_estate.sweep(size, Path("unused"))
