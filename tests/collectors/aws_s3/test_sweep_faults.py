"""The collector when AWS denies, breaks, hurries or goes in circles: answers of ours over moto."""

from dataclasses import replace
from datetime import datetime

import pytest

from app.collectors.aws_s3 import COLLECTOR
from app.collectors.aws_s3.operations import OPERATIONS
from app.domain.collecting import Cell, ResourceSeen
from app.domain.facts import ABSENT, Present, Unreadable, fact_names
from app.domain.storage import S3BucketFacts
from app.kit.errors import CollectorError
from tests.collectors.aws_s3.conftest import Sweep
from tests.support.aws_fixtures import MakeConnection
from tests.support.aws_wire import ACCOUNT, ACCOUNT_BLOCK, AwsWire, Fault, not_configured, refusal

QUESTIONS = {
    "location": "s3:GetBucketLocation",
    "versioning": "s3:GetBucketVersioning",
    "lifecycle": "s3:GetBucketLifecycleConfiguration",
    "replication": "s3:GetBucketReplication",
    "encryption": "s3:GetBucketEncryption",
    "publicAccessBlock": "s3:GetPublicAccessBlock",
    "policyStatus": "s3:GetBucketPolicyStatus",
    "object-lock": "s3:GetObjectLockConfiguration",
    "tagging": "s3:GetBucketTagging",
    "inventory": "s3:ListBucketInventoryConfigurations",
    "intelligent-tiering": "s3:ListBucketIntelligentTieringConfigurations",
    "metadataConfiguration": "s3:GetBucketMetadataConfiguration",
    "uploads": "s3:ListMultipartUploads",
}
FEEDS = {operation.name: operation.feeds for operation in OPERATIONS}


@pytest.fixture(autouse=True)
def one_try(monkeypatch: pytest.MonkeyPatch) -> None:
    """Faults here are lasting; how often they are tried again is proven elsewhere."""
    monkeypatch.setattr("app.clouds.aws._ATTEMPTS", 1)


def facts_of(bucket: ResourceSeen) -> S3BucketFacts:
    assert isinstance(bucket.facts, S3BucketFacts)
    return bucket.facts


def unreadable_of(bucket: ResourceSeen) -> dict[str, str]:
    facts = {name: getattr(bucket.facts, name) for name in fact_names(S3BucketFacts)}
    return {name: fact.code for name, fact in facts.items() if isinstance(fact, Unreadable)}


@pytest.mark.parametrize(
    ("code", "status", "outcome"),
    [
        ("AccessDenied", 403, "denied"),
        ("InternalError", 500, "failed"),
        ("SlowDown", 503, "failed"),
        ("ExpiredToken", 400, "failed"),
        ("MethodNotAllowed", 405, "failed"),
    ],
)
def test_a_cell_that_cannot_be_read_costs_itself_alone(
    code: str, status: int, outcome: str, aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    broken = {f"broken-{place}": question for place, question in enumerate(QUESTIONS)}
    for name in ("good", *broken):
        aws.bucket(name, "us-east-1")
    aws.faults = [refusal(code, status, bucket=name, question=broken[name]) for name in broken]
    aws.faults += not_configured()
    swept = sweep(connection())
    assert unreadable_of(swept.buckets["good"]) == {}
    for name, question in broken.items():
        operation = QUESTIONS[question]
        assert unreadable_of(swept.buckets[name]) == dict.fromkeys(FEEDS[operation], code)
        scope = ACCOUNT if question == "location" else f"{ACCOUNT}/us-east-1"
        report = swept.reports[scope, operation]
        assert getattr(report, outcome) == 1
        assert (report.code, report.message) == (code, f"told to say {code}")
        assert report.throttled == (code == "SlowDown")
    assert swept.complete


def test_unreadable_tags_are_no_empty_tags(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    aws.bucket("broken")
    aws.faults = [refusal("AccessDenied", 403, question="tagging")]
    assert sweep(connection()).buckets["broken"].tags is None


def test_a_bucket_whose_place_is_denied_is_still_read_and_lies_nowhere_known(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    s3 = aws.bucket("denied", "us-east-1")
    s3.put_bucket_versioning(Bucket="denied", VersioningConfiguration={"Status": "Enabled"})
    aws.faults = [refusal("AccessDenied", 403, question="location")]
    bucket = sweep(connection(regions=["eu-west-1"])).buckets["denied"]
    assert bucket.region_id is None
    assert bucket.scope == ACCOUNT
    assert facts_of(bucket).bucket_region == Unreadable("AccessDenied")
    assert facts_of(bucket).versioning_status == Present("Enabled")


def test_a_timeout_costs_its_cell(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.clouds.aws._READ_SECONDS", 0.5)
    aws.bucket("slow")
    aws.faults = [Fault(bucket="slow", question="lifecycle", delay_seconds=1, times=1)]
    facts = facts_of(sweep(connection()).buckets["slow"])
    assert facts.lifecycle_rules == Unreadable("Timeout")
    assert facts.encryption_algorithm is ABSENT


@pytest.mark.parametrize("question", [name for name in QUESTIONS if name != "replication"])
def test_a_document_of_another_kind_is_never_a_value(
    question: str, aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    aws.bucket("odd", "us-east-1")
    body = '<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>odd</Name></ListBucketResult>'
    aws.faults = [Fault(bucket="odd", question=question, status=200, body=body)]
    facts = facts_of(sweep(connection()).buckets["odd"])
    for name in FEEDS[QUESTIONS[question]]:
        assert isinstance(getattr(facts, name), Unreadable), name


def test_everything_denied_leaves_a_bucket_with_nothing_known_and_the_list_whole(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    aws.bucket("closed")
    aws.faults = [
        refusal("AccessDenied", 403, bucket="closed"),
        refusal("AccessDenied", 403, question=ACCOUNT_BLOCK),
    ]
    swept = sweep(connection())
    facts = facts_of(swept.buckets["closed"])
    assert {getattr(facts, name) for name in fact_names(S3BucketFacts)} == {
        Unreadable("AccessDenied")
    }
    assert swept.complete


def inventories(*names: str, token: str = "", truncated: bool = False) -> Fault:
    configurations = "".join(
        f"<InventoryConfiguration><Id>{name}</Id><IsEnabled>true</IsEnabled>"
        "<IncludedObjectVersions>All</IncludedObjectVersions>"
        "<Schedule><Frequency>Daily</Frequency></Schedule><Destination><S3BucketDestination>"
        "<Format>CSV</Format><Bucket>arn:aws:s3:::inv</Bucket></S3BucketDestination></Destination>"
        "</InventoryConfiguration>"
        for name in names
    )
    more = f"<NextContinuationToken>{token}</NextContinuationToken>" if token else ""
    body = (
        '<ListInventoryConfigurationsResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">'
        f"{configurations}<IsTruncated>{str(truncated).lower()}</IsTruncated>{more}"
        "</ListInventoryConfigurationsResult>"
    )
    return Fault(question="inventory", status=200, body=body)


def test_inventories_are_read_over_all_pages(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    aws.bucket("corpus")
    first, last = inventories("a", token="T", truncated=True), inventories("b")
    first.times = 1
    aws.faults = [first, last]
    found = facts_of(sweep(connection()).buckets["corpus"]).inventory_configurations
    assert isinstance(found, Present)
    assert [one.name for one in found.value] == ["a", "b"]


@pytest.mark.parametrize("token", ["T", ""])
def test_inventories_that_do_not_end_are_unreadable_not_few(
    token: str, aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    aws.bucket("corpus")
    aws.faults = [inventories("a", token=token, truncated=True)]
    found = facts_of(sweep(connection()).buckets["corpus"]).inventory_configurations
    assert found == Unreadable("RepeatedToken" if token else "ListCut")


def test_a_region_that_is_not_switched_on_is_skipped_not_broken(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    aws.bucket("milan", "eu-south-1")
    aws.faults = [refusal("InvalidToken", 400, bucket="milan", question="versioning")]
    swept = sweep(connection())
    report = swept.reports[f"{ACCOUNT}/eu-south-1", "s3:GetBucketVersioning"]
    assert (report.skipped, report.failed, report.code) == (1, 0, "InvalidToken")
    assert facts_of(swept.buckets["milan"]).versioning_status == Unreadable("InvalidToken")


@pytest.mark.parametrize("code", ["InvalidClientTokenId", "SignatureDoesNotMatch", "ExpiredToken"])
def test_wrong_credentials_fail_the_sweep_for_good(
    code: str, aws: AwsWire, connection: MakeConnection, now: datetime
) -> None:
    body = f"<ErrorResponse><Error><Code>{code}</Code><Message>no</Message></Error></ErrorResponse>"
    aws.faults = [Fault(question="GetCallerIdentity", status=403, body=body)]
    with pytest.raises(CollectorError) as raised:
        list(COLLECTOR.collect(connection(), now))
    assert (raised.value.code, raised.value.permanent) == (code, True)
    assert [one.question for one in aws.asked] == ["GetCallerIdentity"]


def test_a_dead_endpoint_fails_the_sweep_and_is_worth_another_try(
    connection: MakeConnection, now: datetime
) -> None:
    with pytest.raises(CollectorError) as raised:
        list(COLLECTOR.collect(connection(endpoint_url="http://127.0.0.1:9"), now))
    assert (raised.value.code, raised.value.permanent) == ("EndpointUnreachable", False)


@pytest.mark.parametrize(
    "settings",
    [
        {"regions": ["mars-north-1"]},
        {"credentials": {"mode": "access_key", "access_key_id": "A1B", "secret_access_key": "x"}},
        {"endpoint_url": "http://169.254.169.254"},
    ],
)
def test_malformed_settings_fail_the_sweep_for_good_and_call_nobody(
    settings: dict[str, object], aws: AwsWire, connection: MakeConnection, now: datetime
) -> None:
    with pytest.raises(CollectorError) as raised:
        list(COLLECTOR.collect(connection(**settings), now))
    assert (raised.value.code, raised.value.permanent) == ("InvalidConfiguration", True)
    assert aws.asked == []


def test_private_endpoints_are_refused_without_the_switch(
    aws: AwsWire, connection: MakeConnection, now: datetime
) -> None:
    with pytest.raises(CollectorError, match="refused"):
        list(COLLECTOR.collect(replace(connection(), allow_private_endpoints=False), now))
    assert aws.asked == []


def test_settings_that_allow_only_the_calls_of_another_collector_skip_all_of_ours(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    aws.bucket("quiet")
    bucket = sweep(connection(operations=["account:ListRegions"])).buckets["quiet"]
    assert set(unreadable_of(bucket).values()) == {"SkippedByConfiguration"}
    assert [one.question for one in aws.asked] == ["GetCallerIdentity", ""]


def test_the_buckets_of_a_member_are_read_through_its_role(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    aws.bucket("ours-not-theirs")
    member = "111122223333"
    made = connection(organization={"role_name": "AtalayaReader"})
    swept = sweep(replace(made, cell=Cell(member)))
    assert swept.buckets == {}
    assert {listing.scope.partition("/")[0] for listing in swept.listings} == {member}
    assert {one.account for one in aws.asked if one.question == ""} == {member}
