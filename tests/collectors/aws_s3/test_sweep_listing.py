"""What the list of buckets lets us conclude, and what not: answers of ours over moto."""

from datetime import UTC, datetime, timedelta

import pytest

from app.collectors.aws_s3 import COLLECTOR
from app.domain.collecting import ResourceSeen
from app.domain.facts import Present, Unreadable
from app.domain.storage import S3BucketFacts
from app.kit.errors import CollectorError
from tests.collectors.aws_s3.conftest import Sweep
from tests.support.aws_fixtures import MakeConnection
from tests.support.aws_wire import ACCOUNT, AwsWire, Fault, refusal


@pytest.fixture(autouse=True)
def one_try(monkeypatch: pytest.MonkeyPatch) -> None:
    """Faults here are lasting; how often they are tried again is proven elsewhere."""
    monkeypatch.setattr("app.clouds.aws._ATTEMPTS", 1)


def facts_of(bucket: ResourceSeen) -> S3BucketFacts:
    assert isinstance(bucket.facts, S3BucketFacts)
    return bucket.facts


def listing(*entries: str, token: str = "", status: int = 200) -> Fault:
    """A page of ListBuckets; an entry is name, or name@region."""
    buckets = ""
    for entry in entries:
        name, _, region = entry.partition("@")
        where = f"<BucketRegion>{region}</BucketRegion>" if region else ""
        buckets += (
            f"<Bucket><Name>{name}</Name><CreationDate>2026-01-02T03:04:05.000Z</CreationDate>"
            f"{where}</Bucket>"
        )
    more = f"<ContinuationToken>{token}</ContinuationToken>" if token else ""
    body = (
        '<ListAllMyBucketsResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">'
        f"<Buckets>{buckets}</Buckets>{more}</ListAllMyBucketsResult>"
    )
    return Fault(bucket="", method="GET", status=status, body=body)


def test_a_denied_list_forbids_any_conclusion_and_names_the_right(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    aws.bucket("unseen")
    aws.faults = [refusal("AccessDenied", 403, bucket="", method="GET")]
    swept = sweep(connection())
    assert swept.buckets == {}
    assert not any(listing.complete for listing in swept.listings)
    assert [listing.code for listing in swept.listings] == ["AccessDenied"]
    assert swept.reports[ACCOUNT, "s3:ListBuckets"].denied == 1


def test_a_list_that_breaks_on_its_second_page_keeps_the_first_and_is_incomplete(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    aws.bucket("first")
    page, end = listing("first", token="A"), refusal("InternalError", 500, bucket="", method="GET")
    page.times = 1
    aws.faults = [page, end]
    swept = sweep(connection())
    assert list(swept.buckets) == ["first"]
    assert [(one.complete, one.code) for one in swept.listings] == [(False, "InternalError")]


def test_pages_are_read_to_the_end_and_tell_the_regions(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    aws.bucket("one", "eu-west-1")
    aws.bucket("two", "us-east-1")
    first, last = listing("one@eu-west-1", token="A"), listing("two@us-east-1")
    first.times = 1
    aws.faults = [first, last]
    swept = sweep(connection())
    assert sorted(swept.buckets) == ["one", "two"]
    assert swept.complete
    assert facts_of(swept.buckets["one"]).bucket_region == Present("eu-west-1")
    assert aws.questions("location") == []
    pages = [one for one in aws.questions("") if one.method == "GET" and not one.bucket]
    assert [one.parameters.get("continuation-token") for one in pages] == [None, "A"]
    assert {one.parameters["max-buckets"] for one in pages} == {"1000"}


def test_a_list_that_goes_in_circles_ends_incomplete(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    aws.bucket("one")
    aws.faults = [listing("one", token="A")]
    swept = sweep(connection())
    assert not swept.complete
    assert [one.code for one in swept.listings] == ["RepeatedToken"]
    assert swept.reports[ACCOUNT, "s3:ListBuckets"].asked == 2


@pytest.mark.parametrize(
    "body",
    [
        "<html>maintenance</html>",
        '<ListAllMyBucketsResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"/>',
    ],
)
def test_an_answer_without_a_list_is_no_empty_account(
    body: str, aws: AwsWire, connection: MakeConnection, now: datetime
) -> None:
    aws.faults = [Fault(bucket="", method="GET", status=200, body=body)]
    with pytest.raises(CollectorError):
        list(COLLECTOR.collect(connection(), now))


def test_a_bucket_that_vanishes_during_the_sweep_is_left_out(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    aws.bucket("stays", "us-east-1")
    first = listing("stays@us-east-1", "vanished@us-east-1")
    first.times = 1
    aws.faults = [first]
    swept = sweep(connection())
    assert list(swept.buckets) == ["stays"]
    assert swept.complete
    report = swept.reports[f"{ACCOUNT}/us-east-1", "s3:GetBucketVersioning"]
    assert (report.answered, report.skipped, report.code) == (1, 1, "NoSuchBucket")
    assert len([one for one in aws.asked if one.bucket == "vanished"]) == 1


def test_a_bucket_that_the_list_still_shows_is_not_gone(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    aws.bucket("doubtful")
    aws.faults = [refusal("NoSuchBucket", 404, bucket="doubtful", question="versioning")]
    swept = sweep(connection())
    facts = facts_of(swept.buckets["doubtful"])
    assert facts.versioning_status == Unreadable("NoSuchBucket")
    assert facts.lifecycle_rules == Unreadable("NoSuchBucket")


def test_a_bucket_is_not_gone_when_the_second_look_fails(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    first = listing("vanished@us-east-1")
    first.times = 1
    aws.faults = [first, refusal("InternalError", 500, bucket="", method="GET")]
    assert list(sweep(connection()).buckets) == ["vanished"]


@pytest.mark.parametrize("ahead", [timedelta(hours=7), timedelta(hours=-2)])
def test_a_clock_that_is_off_is_measured_at_the_list(
    ahead: timedelta,
    connection: MakeConnection,
    sweep: Sweep,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("app.collectors.aws_s3.sweep.utc_now", lambda: datetime.now(UTC) - ahead)
    report = sweep(connection()).reports[ACCOUNT, "s3:ListBuckets"]
    assert report.clock_skew_seconds == pytest.approx(ahead.total_seconds(), abs=30)
