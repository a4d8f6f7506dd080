import time
from collections.abc import Iterator
from datetime import datetime

import httpx2
import pytest

from app.bench.processes import environment, python, server
from app.bench.s3.answers import answers
from app.bench.s3.prepare import OPERATIONS
from app.collectors.aws_s3 import COLLECTOR
from app.domain.collecting import ListingDone, ResourceSeen, ScopeReport
from app.domain.facts import ABSENT, Present, Unreadable
from app.domain.storage import S3BucketFacts
from tests.support.aws_fixtures import aws_connection


@pytest.fixture
def url() -> Iterator[str]:
    with server(python("app.bench.s3.replay", "12", "5"), environment()) as address:
        yield address


def test_the_answers_are_the_same_in_every_run() -> None:
    assert list(answers(50)) == list(answers(50))


def test_the_replayed_cloud_reads_like_a_real_one(url: str, now: datetime) -> None:
    connection = aws_connection(url, operations=list(OPERATIONS), home_region="us-west-2")
    seen = list(COLLECTOR.collect(connection, now))
    facts = {}
    for one in seen:
        if isinstance(one, ResourceSeen):
            assert isinstance(one.facts, S3BucketFacts)
            facts[one.name] = one.facts
    assert len(facts) == 12
    assert all(one.complete for one in seen if isinstance(one, ListingDone))
    first, closed = facts["atalaya-bench-00000"], facts["atalaya-bench-00003"]
    assert first.bucket_region == Present("us-east-1")
    assert isinstance(first.replication_rules, Present)
    assert first.replication_rules.value[0].destination_region_id == "eu-west-1"
    assert closed.lifecycle_rules == Unreadable("AccessDenied")
    assert first.bucket_tags is ABSENT
    reports = [one for one in seen if isinstance(one, ScopeReport)]
    assert sum(one.denied for one in reports) == 1
    assert sum(one.failed for one in reports) == 0


def test_it_counts_what_it_was_asked_and_takes_its_time(url: str) -> None:
    start = time.monotonic()
    for _ in range(3):
        assert "atalaya-bench-00011" in httpx2.get(f"{url}/").text
    assert time.monotonic() - start >= 3 * 0.005
    for expected in ("3", "0"):
        assert httpx2.get(f"{url}/_served").text == expected
