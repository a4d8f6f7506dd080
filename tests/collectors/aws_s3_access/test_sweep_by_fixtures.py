"""Answers that neither moto nor the sandbox gives: refusals, regions without hosts, odd rows."""

from dataclasses import fields
from typing import Any

import pytest

from app.clouds.aws import AwsClients
from app.clouds.failures import CallFailedError
from app.collectors.aws_s3_access.operations import OPERATIONS
from app.domain.collecting import Cell
from app.domain.facts import ABSENT, FactDocument, Present, Unreadable
from tests.collectors.aws_s3_access.conftest import Sweep
from tests.support.aws_fixtures import MakeConnection
from tests.support.aws_shapes import fixture, refused
from tests.support.aws_wire import ACCOUNT_BLOCK, AwsWire, Fault, refusal

REGION = "us-west-2"
CELL = Cell(region_id=REGION)
DIRECTORY = "fast--usw2-az3--x-s3"
POINT = {"Name": "door", "NetworkOrigin": "Internet", "Bucket": "corpus"}
SWITCHES = {"BlockPublicAcls": True, "RestrictPublicBuckets": True}
LENS = {"Id": "all", "StorageLensArn": "arn", "HomeRegion": REGION, "IsEnabled": True}
CONFIGURATION: dict[str, Any] = {
    "Id": "all",
    "IsEnabled": True,
    "AccountLevel": {
        "BucketLevel": {"PrefixLevel": {"StorageMetrics": {"IsEnabled": True}}},
        "DetailedStatusCodesMetrics": {"IsEnabled": False},
    },
    "Exclude": {"Regions": ["eu-west-1"], "Buckets": ["arn:aws:s3:::logs"]},
}


def answers(*first: Fault) -> list[Fault]:
    """One door, one directory bucket and one lens; what is given goes before."""
    return [
        *first,
        fixture("s3control", "ListAccessPoints", {"AccessPointList": [POINT]}),
        fixture("s3control", "GetAccessPoint", {"PublicAccessBlockConfiguration": SWITCHES}),
        refused("s3control", "GetAccessPointPolicyStatus", "NoSuchAccessPointPolicy", 404),
        fixture("s3", "ListDirectoryBuckets", {"Buckets": [{"Name": DIRECTORY}]}),
        refusal("NoSuchLifecycleConfiguration", 404, bucket=DIRECTORY, question="lifecycle"),
        refusal(
            "ServerSideEncryptionConfigurationNotFoundError",
            404,
            bucket=DIRECTORY,
            question="encryption",
        ),
        fixture(
            "s3control", "ListStorageLensConfigurations", {"StorageLensConfigurationList": [LENS]}
        ),
        fixture(
            "s3control", "GetStorageLensConfiguration", {"StorageLensConfiguration": CONFIGURATION}
        ),
    ]


def test_everything_of_a_region_is_read_with_one_call_each(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    aws.faults = answers()
    swept = sweep(connection(cell=CELL))
    door, fast, lens = swept.point("door"), swept.directory(DIRECTORY), swept.lens("all")
    assert door.public_access_block == Present(("BlockPublicAcls", "RestrictPublicBuckets"))
    assert (door.policy_is_public, door.account_public_access_block) == (ABSENT, ABSENT)
    assert (fast.zone_id, fast.lifecycle_rules) == (Present("usw2-az3"), ABSENT)
    assert lens.advanced_metrics == Present(("PrefixLevel",))
    assert lens.excluded_buckets == Present(("logs",))
    assert (lens.export_bucket, lens.organization_arn) == (ABSENT, ABSENT)
    assert {report.asked for report in swept.reports.values()} == {1}
    (asked,) = aws.questions("ListAccessPoints")
    assert asked.parameters["DataSourceType"] == "ALL"
    express = [one for one in aws.asked if one.bucket == DIRECTORY]
    assert not any("x-amz-expected-bucket-owner" in one.headers for one in express)
    assert not any("session" in one.parameters for one in express)  # CreateSession is a write


def test_an_access_point_is_a_part_of_its_bucket_whoever_owns_that(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    lent = {**POINT, "Name": "lent", "Bucket": "of-a-partner", "BucketAccountId": "999999999999"}
    files = {**POINT, "Name": "files", "Bucket": "", "DataSourceType": "FSX_OPENZFS"}
    listed = fixture("s3control", "ListAccessPoints", {"AccessPointList": [POINT, lent, files]})
    aws.faults = answers(listed)
    swept = sweep(connection(cell=CELL))
    assert {name: swept.seen[name].parent_native_id for name in ("door", "lent", "files")} == {
        "door": "arn:aws:s3:::corpus",
        "lent": "arn:aws:s3:::of-a-partner",
        "files": "",
    }


def test_a_region_without_anything_is_a_whole_list_of_none(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    aws.faults = [
        fixture("s3control", "ListAccessPoints", {}),
        fixture("s3", "ListDirectoryBuckets", {}),
        fixture("s3control", "ListStorageLensConfigurations", {}),
    ]
    swept = sweep(connection(cell=CELL))
    assert swept.seen == {}
    assert set(swept.listings.values()) == {""}
    assert len(aws.asked) == 4  # who we are, and three lists
    assert aws.questions(ACCOUNT_BLOCK) == []


DETAILS = [one for one in OPERATIONS if ":List" not in one.name and "PublicAccess" not in one.name]


@pytest.mark.parametrize("operation", DETAILS, ids=lambda one: one.name)
def test_a_detail_that_is_denied_costs_its_own_facts(
    operation: Any, aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    service, _, action = operation.name.partition(":")
    question = {"GetBucketEncryption": "encryption", "GetBucketLifecycleConfiguration": "lifecycle"}
    denied = (
        refusal("AccessDenied", 403, bucket=DIRECTORY, question=question[action])
        if service == "s3"
        else refused(service, action, "AccessDenied", 403)
    )
    aws.faults = answers(denied)
    swept = sweep(connection(cell=CELL))
    unread = {name for one in swept.seen.values() for name in unreadable(one.facts)}
    assert unread == set(operation.feeds)
    assert swept.reports[operation.name].denied == 1
    assert set(swept.listings.values()) == {""}


def unreadable(document: FactDocument) -> set[str]:
    kind: Any = document
    return {one.name for one in fields(kind) if isinstance(getattr(document, one.name), Unreadable)}


@pytest.mark.parametrize("others_answer", [True, False])
def test_a_region_that_has_no_host_for_directory_buckets_is_skipped_there(
    others_answer: bool,
    aws: AwsWire,
    connection: MakeConnection,
    sweep: Sweep,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = AwsClients.call

    def call(self: AwsClients, service: str, operation: str, region: str, **more: Any) -> Any:
        if operation == "ListDirectoryBuckets" or (service != "sts" and not others_answer):
            raise CallFailedError("no such host", code="EndpointUnreachable")
        return whole(self, service, operation, region, **more)

    monkeypatch.setattr(AwsClients, "call", call)
    aws.faults = answers()
    if not others_answer:
        with pytest.raises(CallFailedError):
            sweep(connection(cell=CELL))
        return
    swept = sweep(connection(cell=CELL))
    assert "s3_directory_bucket" not in swept.listings  # nobody said that there are none
    report = swept.reports["s3:ListDirectoryBuckets"]
    assert (report.skipped, report.failed, report.code) == (1, 0, "EndpointUnreachable")


PAGE = "<html><body>welcome</body></html>"


@pytest.mark.parametrize(
    "question", ["ListAccessPoints", "ListDirectoryBuckets", "ListStorageLensConfigurations"]
)
def test_a_document_of_another_kind_is_no_empty_list(
    question: str, aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    service = "s3" if "Directory" in question else "s3control"
    aws.faults = answers(Fault(service=service, question=question, status=200, body=PAGE))
    swept = sweep(connection(cell=CELL))
    assert sorted(swept.listings.values()) == ["", "", "MalformedAnswer"]


def test_a_bucket_with_an_odd_name_is_kept_without_a_zone(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    odd = fixture("s3", "ListDirectoryBuckets", {"Buckets": [{"Name": "plain"}]})
    aws.faults = answers(odd)
    facts = sweep(connection(cell=CELL)).directory("plain")
    assert facts.zone_id == Unreadable("UnexpectedAnswer")


def test_the_switches_of_the_account_are_asked_once(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    aws.account_block({"BlockPublicPolicy": True, "IgnorePublicAcls": True})
    aws.faults = answers()
    door = sweep(connection(cell=CELL)).point("door")
    both = ("BlockPublicPolicy", "IgnorePublicAcls")
    assert door.account_public_access_block == Present(both)
    assert len(aws.questions(ACCOUNT_BLOCK)) == 1
