"""F10, collector half: null, "" and EU are places, a denial is not Virginia."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from app.collectors.aws_s3 import COLLECTOR
from app.domain.collecting import ResourceSeen
from app.domain.facts import Present, Unreadable
from app.domain.storage import S3BucketFacts
from tests.support.aws_fixtures import MakeConnection, aws, aws_server, connection
from tests.support.aws_wire import AwsWire, Fault, refusal

__all__ = ["aws", "aws_server", "connection"]

INPUT = json.loads(
    (Path(__file__).parent / "inputs" / "f10_bucket_locations.json").read_text("utf-8")
)["get_bucket_location"]
EXPECTED = {
    "b-null": "us-east-1",
    "b-empty": "us-east-1",
    "b-eu": "eu-west-1",
    "b-ireland": "eu-west-1",
    "b-oregon": "us-west-2",
    "b-denied": None,
}


def answer(bucket: str, told: dict[str, Any]) -> Fault:
    if "Error" in told:
        return refusal(told["Error"]["Code"], 403, bucket=bucket, question="location")
    constraint = told["LocationConstraint"]
    # S3 writes "none" as an empty element; both inputs are that on the wire
    body = (
        '<LocationConstraint xmlns="http://s3.amazonaws.com/doc/2006-03-01/">'
        f"{constraint or ''}</LocationConstraint>"
    )
    return Fault(bucket=bucket, question="location", status=200, body=body)


@pytest.fixture
def read(aws: AwsWire, connection: MakeConnection, now: datetime) -> dict[str, ResourceSeen]:
    for bucket in INPUT:
        aws.bucket(bucket, EXPECTED[bucket] or "us-east-1")
    aws.faults = [answer(bucket, told) for bucket, told in INPUT.items()]
    seen = COLLECTOR.collect(connection(), now)
    return {one.name: one for one in seen if isinstance(one, ResourceSeen)}


def test_every_spelling_of_a_place_is_understood(read: dict[str, ResourceSeen]) -> None:
    assert {name: bucket.region_id for name, bucket in read.items()} == EXPECTED


def test_a_denied_place_is_unreadable_with_its_code(read: dict[str, ResourceSeen]) -> None:
    facts = read["b-denied"].facts
    assert isinstance(facts, S3BucketFacts)
    assert facts.bucket_region == Unreadable("AccessDenied")
    known = read["b-null"].facts
    assert isinstance(known, S3BucketFacts)
    assert known.bucket_region == Present("us-east-1")
