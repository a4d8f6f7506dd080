"""Multi-region access points by fixtures: moto says us-east-1 of all their regions."""

from datetime import UTC, datetime
from typing import Any

import pytest

from app.collectors.aws_s3_multi_region import COLLECTOR
from app.domain.access_points import MemberBucket, S3MultiRegionAccessPointFacts
from app.domain.collecting import ListingDone, ResourceSeen, ScopeReport
from app.domain.facts import ABSENT, Present, Unreadable
from tests.support.aws_fixtures import MakeConnection, aws, aws_server, connection
from tests.support.aws_shapes import fixture, refused
from tests.support.aws_wire import ACCOUNT, AwsWire, Fault

__all__ = ["aws", "aws_server", "connection"]

MADE = datetime(2026, 5, 4, 3, 2, 1, tzinfo=UTC)
LIST = "ListMultiRegionAccessPoints"
SWITCHES = dict.fromkeys(
    ("BlockPublicAcls", "BlockPublicPolicy", "IgnorePublicAcls", "RestrictPublicBuckets"), True
)


@pytest.fixture(autouse=True)
def one_try(monkeypatch: pytest.MonkeyPatch) -> None:
    """Faults here are lasting; how often they are tried again is proven elsewhere."""
    monkeypatch.setattr("app.clouds.aws._ATTEMPTS", 1)


def row(name: str = "anywhere", **more: Any) -> dict[str, Any]:
    return {
        "Name": name,
        "Alias": f"{name}.mrap",
        "CreatedAt": MADE,
        "PublicAccessBlock": SWITCHES,
        "Status": "READY",
        "Regions": [
            {"Bucket": "fra", "Region": "eu-central-1", "BucketAccountId": ACCOUNT},
            {"Bucket": "theirs", "Region": "us-west-2", "BucketAccountId": "222222222222"},
        ],
        **more,
    }


def listed(*rows: dict[str, Any], **where: Any) -> Fault:
    token = where.pop("token", "")
    more = {"NextToken": token} if token else {}
    return fixture("s3control", LIST, {"AccessPoints": list(rows), **more}, **where)


PRIVATE = fixture(
    "s3control", "GetMultiRegionAccessPointPolicyStatus", {"Established": {"IsPublic": False}}
)


def swept(given: Any, now: datetime) -> tuple[list[ResourceSeen], ListingDone, dict[str, Any]]:
    found = list(COLLECTOR.collect(given, now))
    (done,) = (one for one in found if isinstance(one, ListingDone))
    reports = {one.operation: one for one in found if isinstance(one, ScopeReport)}
    return [one for one in found if isinstance(one, ResourceSeen)], done, reports


def facts_of(seen: ResourceSeen) -> S3MultiRegionAccessPointFacts:
    assert isinstance(seen.facts, S3MultiRegionAccessPointFacts)
    return seen.facts


def test_all_regions_behind_a_point_are_known_with_their_accounts(
    aws: AwsWire, connection: MakeConnection, now: datetime
) -> None:
    aws.faults = [listed(row()), PRIVATE]
    (seen,), done, reports = swept(connection(home_region="eu-west-1"), now)
    facts = facts_of(seen)
    assert facts.member_buckets == Present(
        (
            MemberBucket("fra", "eu-central-1", ACCOUNT),
            MemberBucket("theirs", "us-west-2", "222222222222"),
        )
    )
    assert facts.status == Present("READY")
    assert facts.policy_is_public == Present(value=False)
    assert facts.account_public_access_block == ABSENT
    assert seen.native_id == f"arn:aws:s3::{ACCOUNT}:accesspoint/anywhere.mrap"
    assert seen.immutable_id.endswith(f"anywhere@{MADE.isoformat()}")
    assert (seen.region_id, seen.created_at, done.complete) == (None, MADE, True)
    assert {report.asked for report in reports.values()} == {1}


def test_its_control_plane_is_asked_in_oregon_wherever_we_are_at_home(
    aws: AwsWire, connection: MakeConnection, now: datetime
) -> None:
    aws.faults = [listed(row()), PRIVATE]
    swept(connection(home_region="eu-west-1"), now)
    asked = {one.question: one.region for one in aws.asked if "MultiRegion" in one.question}
    assert asked == {
        LIST: "us-west-2",
        "GetMultiRegionAccessPointPolicyStatus": "us-west-2",
    }


def test_a_point_without_a_policy_is_not_public(
    aws: AwsWire, connection: MakeConnection, now: datetime
) -> None:
    none = refused(
        "s3control",
        "GetMultiRegionAccessPointPolicyStatus",
        "NoSuchMultiRegionAccessPointPolicy",
        404,
    )
    aws.faults = [listed(row()), none]
    (seen,), *_ = swept(connection(), now)
    assert facts_of(seen).policy_is_public == ABSENT


def test_all_pages_are_read(aws: AwsWire, connection: MakeConnection, now: datetime) -> None:
    second = listed(row("second"), parameters={"NextToken": "T"})
    aws.faults = [second, listed(row("first"), token="T"), PRIVATE]
    seen, done, _ = swept(connection(), now)
    assert ({one.name for one in seen}, done.complete) == ({"first", "second"}, True)


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (refused("s3control", LIST, "AccessDenied", 403), "AccessDenied"),
        (listed(row(), token="T"), "RepeatedToken"),
        (
            Fault(service="s3control", question=LIST, status=200, body="<a><b/></a>"),
            "MalformedAnswer",
        ),
    ],
)
def test_a_list_that_is_not_whole_ends_nothing(
    fault: Fault, code: str, aws: AwsWire, connection: MakeConnection, now: datetime
) -> None:
    aws.faults = [fault, PRIVATE]
    if code == "MalformedAnswer":
        with pytest.raises(Exception, match="MultiRegionAccessPoints"):
            swept(connection(), now)
        return
    _, done, _ = swept(connection(), now)
    assert (done.complete, done.code) == (False, code)


def test_without_points_nothing_more_is_asked(
    aws: AwsWire, connection: MakeConnection, now: datetime
) -> None:
    aws.faults = [listed()]
    seen, done, _ = swept(connection(), now)
    assert (seen, done.complete) == ([], True)
    assert [one.question for one in aws.asked] == ["GetCallerIdentity", LIST]


@pytest.mark.parametrize(
    "odd", [{"Regions": None}, {"Regions": [{"Region": "eu-west-1"}]}, {"PublicAccessBlock": {}}]
)
def test_an_odd_row_is_a_point_of_which_nothing_is_known(
    odd: dict[str, Any], connection: MakeConnection, aws: AwsWire, now: datetime
) -> None:
    aws.faults = [listed({**row(), **{k: v for k, v in odd.items() if v is not None}}), PRIVATE]
    if odd.get("Regions", "") is None:
        bare = {name: value for name, value in row().items() if name != "Regions"}
        aws.faults = [listed(bare), PRIVATE]
    (seen,), done, _ = swept(connection(), now)
    assert facts_of(seen).member_buckets == Unreadable("UnexpectedAnswer")
    assert done.complete


def test_other_partitions_have_none_and_are_not_asked(
    aws: AwsWire, connection: MakeConnection, now: datetime
) -> None:
    seen, done, reports = swept(connection(home_region="cn-north-1"), now)
    assert (seen, done.complete) == ([], True)
    assert reports[f"s3control:{LIST}"].code == "NotOffered"
    assert aws.questions(LIST) == []
