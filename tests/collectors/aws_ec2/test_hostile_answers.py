"""Whatever stands at any place of a row: facts of their own types come out, or none."""

import copy
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from app.clouds.aws import AwsClients
from app.collectors.aws_ec2.machines import Machines
from app.collectors.aws_ec2.operations import OPERATIONS
from app.collectors.aws_ec2.storage import Storage
from app.collectors.aws_reading import AwsReading
from app.domain.collecting import Cell, Observation, ResourceSeen
from app.domain.derive import derive
from app.domain.fact_schema import to_fact_set
from tests.collectors.aws_ec2.rows import (
    block,
    image,
    instance,
    launch,
    reservation,
    snapshot,
    tagged,
    volume,
)
from tests.support.aws_fixtures import aws_connection

NOW = datetime(2026, 12, 1, tzinfo=UTC)
HOSTILE: list[Any] = [
    None, 0, -1, True, "", "x", [], {}, [None], ["x"], {"x": 1}, 1.5, 10**400, float("nan"),
]  # fmt: skip
_ATTACHED = {"InstanceId": "i-1", "State": "attached"}
_PART = {"CapacityReservationId": "cr-1", "TotalUnavailableCapacity": 1}
ANSWERS: dict[str, dict[str, Any]] = {
    "DescribeInstances": {
        "Reservations": [launch(instance(Tags=tagged(a="b"), IamInstanceProfile={"Arn": "x"}))]
    },
    "DescribeCapacityReservations": {"CapacityReservations": [block(), reservation()]},
    "DescribeCapacityBlockStatus": {
        "CapacityBlockStatuses": [
            {"CapacityBlockId": "cb-1", "CapacityReservationStatuses": [_PART]}
        ]
    },
    "DescribeVolumes": {"Volumes": [volume(Attachments=[_ATTACHED], Tags=tagged(a="b"))]},
    "DescribeImages": {"Images": [image("snap-1", DeprecationTime="2027-01-02T03:04:00.000Z")]},
    "DescribeSnapshots": {"Snapshots": [snapshot(FullSnapshotSizeInBytes=1)]},
    "GetEbsEncryptionByDefault": {"EbsEncryptionByDefault": True},
    "DescribeInstanceTypes": {"InstanceTypes": []},
}


def places(document: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place of a document that something stands at."""
    if at:
        yield at
    inner = dict(enumerate(document)) if isinstance(document, list) else document
    for key, value in inner.items() if isinstance(inner, dict) else ():
        yield from places(value, (*at, key))


def spoiled(document: Any, place: tuple[Any, ...], value: Any) -> Any:
    found = copy.deepcopy(document)
    inner = found
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    return found


CONNECTION = aws_connection("http://127.0.0.1:1", cell=Cell(region_id="us-west-2"))


def storable(one: ResourceSeen) -> bool:
    """It can be judged, and said in JSON."""
    facts = to_fact_set(one.facts, *derive(one.facts, NOW))
    texts = (one.name, one.native_id, *(one.tags or {}).values())
    return bool(json.dumps(facts.to_json(), allow_nan=False)) and all(
        isinstance(text, str) for text in texts
    )


@pytest.fixture
def answering(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What EC2 answers, by operation; to be changed."""
    answers = dict(ANSWERS)
    monkeypatch.setattr(
        AwsClients, "call", lambda _self, _service, action, _region, **_: answers[action]
    )
    monkeypatch.setattr(AwsClients, "own_account_id", "123456789012")
    return answers


def swept(clients: AwsClients) -> list[Observation]:
    """All that one sweep yields."""
    reading = AwsReading(CONNECTION, clients, OPERATIONS)
    machines = Machines(reading)
    return [
        *machines.reservations(),
        *machines.instances(),
        *Storage(reading).observations(),
        *reading.reports(),
    ]


@pytest.mark.parametrize("operation", sorted(set(ANSWERS) - {"DescribeInstanceTypes"}))
def test_no_answer_of_ec2_breaks_the_sweep(operation: str, answering: dict[str, Any]) -> None:
    with AwsClients(CONNECTION) as clients:
        for place in places(ANSWERS[operation]):
            for value in HOSTILE:
                answering[operation] = spoiled(ANSWERS[operation], place, value)
                seen = [one for one in swept(clients) if isinstance(one, ResourceSeen)]
                assert all(map(storable, seen)), (place, value)
