"""Every fault of AWS on one call: the rest is kept, the page tells of it, nothing heals."""

from collections.abc import Iterator
from typing import Any

import pytest

from app.clouds import aws
from app.sandbox.aws_server import AwsServer
from app.sandbox.faults import Effect, Fault
from app.sandbox.story import AWS_PLATFORM
from tests.support import own_aws
from tests.support.journeys import Installation, Journey
from tests.support.steadiness import Kept, codes, coverage, kept

SPOILED, WELL = "corpus-one", "corpus-two"
VERSIONING, LIST = "s3:GetBucketVersioning", "s3:ListBuckets"


@pytest.fixture(scope="module")
def cloud() -> Iterator[AwsServer]:
    """An account with two buckets that keep no versions."""
    server = AwsServer()
    server.start()
    for name in (SPOILED, WELL):
        own_aws.make_bucket(server, name)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def filled(
    installation_of_module: Installation, cloud: AwsServer
) -> tuple[Installation, str, Kept]:
    """Both buckets read well; what is kept of them."""
    with installation_of_module.open() as journey, pytest.MonkeyPatch.context() as patch:
        patch.setenv("OWN_AWS_SECRET", cloud.secret_access_key)
        connection = journey.connect("AWS", "aws", own_aws.settings(cloud))
        assert journey.sweep(connection)["state"] == "complete"
        return installation_of_module, connection, kept(journey)


@pytest.fixture
def journey(
    filled: tuple[Installation, str, Kept], cloud: AwsServer, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Journey]:
    """The product, whose client gives up at once."""
    monkeypatch.setenv("OWN_AWS_SECRET", cloud.secret_access_key)
    monkeypatch.setattr(aws, "_ATTEMPTS", 1)
    with filled[0].open() as found:
        yield found
    cloud.faults.clear()


@pytest.fixture
def connection(filled: tuple[Installation, str, Kept]) -> str:
    return filled[1]


@pytest.fixture
def before(filled: tuple[Installation, str, Kept]) -> Kept:
    return filled[2]


def spoiled(**how: Any) -> Fault:
    """A fault of one call about one of the two buckets."""
    return Fault(operation="s3.GetBucketVersioning", path=f"/{SPOILED}", **how)


ONE_CALL = {
    "403": (spoiled(status=403, code="AccessDenied"), "denied", "AccessDenied"),
    "404 of another kind": (spoiled(status=404, code="NoSuchKey"), "failed", "NoSuchKey"),
    "429": (
        spoiled(status=429, code="TooManyRequests", headers={"Retry-After": "3600"}),
        "failed",
        "TooManyRequests",
    ),
    "500": (spoiled(status=500, code="InternalError"), "failed", "InternalError"),
    "503": (spoiled(status=503, code="SlowDown"), "failed", "SlowDown"),
    "late": (spoiled(delay_ms=1500), "failed", "Timeout"),
    "truncated": (spoiled(effect=Effect.TRUNCATED), "failed", ""),
    "malformed": (spoiled(effect=Effect.MALFORMED), "failed", ""),  # botocore calls it a 500
    "other XML": (spoiled(body="<html><body/></html>"), "failed", "MalformedAnswer"),
    "disconnect": (spoiled(effect=Effect.DISCONNECT), "failed", "ConnectionClosed"),
}


@pytest.mark.parametrize("kind", ONE_CALL)
def test_a_fault_of_one_call_costs_one_cell(
    journey: Journey,
    cloud: AwsServer,
    connection: str,
    before: Kept,
    kind: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fault, column, code = ONE_CALL[kind]
    if fault.delay_ms:
        monkeypatch.setattr(aws, "_READ_SECONDS", 0.5)
    cloud.faults.add(fault)
    sweep = journey.sweep(connection)
    assert sweep["state"] == "partial"
    counted = coverage(sweep, VERSIONING)
    assert (counted["asked"], counted[column], counted["answered"]) == (2, 1, 1)
    (told,) = codes(sweep, VERSIONING)
    assert told == (code or told)
    assert kept(journey) == before
    facts = journey.resource(SPOILED)["facts"]
    assert facts["unreadable"]["versioning_status"] == told
    assert "versioning_status" not in facts["absent"]
    assert "versioning_status" not in journey.resource(WELL)["facts"]["unreadable"]
    verdicts = journey.verdicts(journey.resource(SPOILED)["id"])
    assert verdicts["versioning-on"] == "unknown"
    words = journey.words(f"/connections/{connection}")
    assert f"{VERSIONING} {AWS_PLATFORM.account_id}/eu-central-1 · {told} 2 1" in words


@pytest.mark.parametrize(
    "headers", [{"Retry-After": "1"}, {"x-amz-retry-after": "1"}, {"Retry-After-Ms": "40"}]
)
def test_a_throttled_call_is_made_again_and_counted(
    journey: Journey,
    cloud: AwsServer,
    connection: str,
    before: Kept,
    headers: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(aws, "_ATTEMPTS", 2)
    cloud.faults.add(spoiled(status=503, code="SlowDown", headers=headers, times=1))
    sweep = journey.sweep(connection)
    assert (sweep["state"], sweep["trace"]["throttled"]) == ("complete", 1)
    assert kept(journey) == before


LIST_FAULTS = {
    "repeated": Fault(operation="s3.ListBuckets", effect=Effect.REPEATED_NEXT),
    "403": Fault(operation="s3.ListBuckets", status=403, code="AccessDenied"),
}


@pytest.mark.parametrize("kind", LIST_FAULTS)
def test_a_list_of_buckets_that_is_not_whole_deletes_nothing(
    journey: Journey, cloud: AwsServer, connection: str, before: Kept, kind: str
) -> None:
    cloud.faults.add(LIST_FAULTS[kind])
    sweep = journey.sweep(connection)
    assert sweep["state"] == "incomplete"
    assert sweep["trace"]["resources_deleted"] == 0
    assert kept(journey) == before
    words = journey.words(f"/connections/{connection}")
    assert "could not be read to its end" in words
    assert LIST in words


def test_a_bucket_that_says_it_is_gone_while_the_list_shows_it_stays(
    journey: Journey, cloud: AwsServer, connection: str, before: Kept
) -> None:
    cloud.faults.add(spoiled(status=404, code="NoSuchBucket"))
    sweep = journey.sweep(connection)
    assert sweep["trace"]["resources_deleted"] == 0
    assert kept(journey) == before
    facts = journey.resource(SPOILED)["facts"]
    assert facts["unreadable"]["versioning_status"] == "NoSuchBucket"


def test_after_all_faults_the_estate_is_as_before(
    journey: Journey, connection: str, before: Kept
) -> None:
    sweep = journey.sweep(connection)
    assert (sweep["state"], sweep["code"]) == ("complete", "")
    assert kept(journey) == before
    assert journey.resource(SPOILED)["facts"]["unreadable"] == {}
