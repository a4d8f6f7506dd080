"""F13, collector half: one denied bucket costs one cell, and a missing rule is not a denied one."""

import json
from datetime import datetime
from pathlib import Path

from app.collectors.aws_s3 import COLLECTOR
from app.domain.collecting import ListingDone, ResourceSeen, ScopeReport
from app.domain.facts import ABSENT, Present, Unreadable
from app.domain.storage import S3BucketFacts
from tests.support.aws_fixtures import MakeConnection, aws, aws_server, connection
from tests.support.aws_wire import AwsWire, refusal

__all__ = ["aws", "aws_server", "connection"]

INPUT = json.loads((Path(__file__).parent / "inputs" / "f13_sweep_denied.json").read_text("utf-8"))
# S3 wants three characters at least, the input has two
NAMES = {name: f"bucket-{name}" for name in INPUT["buckets_in_order"]}


def test_the_sweep_goes_on_and_tells_denied_from_missing(
    aws: AwsWire, connection: MakeConnection, now: datetime
) -> None:
    for name, told in INPUT["get_bucket_lifecycle_configuration"].items():
        s3 = aws.bucket(NAMES[name], "us-east-1")
        if "Error" in told:
            aws.faults.append(
                refusal(
                    told["Error"]["Code"],
                    told["Error"]["HTTPStatusCode"],
                    bucket=NAMES[name],
                    question="lifecycle",
                )
            )
        else:
            s3.put_bucket_lifecycle_configuration(Bucket=NAMES[name], LifecycleConfiguration=told)
    seen = list(COLLECTOR.collect(connection(), now))
    rules = {}
    for one in seen:
        if isinstance(one, ResourceSeen):
            assert isinstance(one.facts, S3BucketFacts)
            rules[one.name] = one.facts.lifecycle_rules
    assert rules[NAMES["s2"]] == Unreadable("AccessDenied")
    assert rules[NAMES["s3"]] is ABSENT
    for name in ("s1", "s4"):
        found = rules[NAMES[name]]
        assert isinstance(found, Present)
        assert found.value[0].actions[0].after_days == 30
    (report,) = (
        one
        for one in seen
        if isinstance(one, ScopeReport) and one.operation == "s3:GetBucketLifecycleConfiguration"
    )
    assert (report.asked, report.answered, report.absent, report.denied) == (4, 2, 1, 1)
    assert all(one.complete for one in seen if isinstance(one, ListingDone))
