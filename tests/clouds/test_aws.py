import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from typing_extensions import override

from app.clouds.aws import AwsClients, WriteRefusedError, check_config
from app.clouds.aws_paces import ServicePacers
from app.clouds.endpoints import EndpointRefusedError
from app.clouds.failures import CallFailedError
from app.clouds.pacing import LONGEST_PAUSE_SECONDS, Pacer
from app.kit.errors import InvalidInputError
from app.kit.version import VERSION
from tests.support.aws_fixtures import MakeConnection
from tests.support.aws_wire import ACCOUNT, AwsWire, Fault, refusal

WEST = "us-west-2"
BUCKET = "training"
ROLE = f"arn:aws:iam::{ACCOUNT}:role/AtalayaReader"


def versioning(clients: AwsClients, bucket: str = BUCKET) -> dict[str, object]:
    return clients.call("s3", "GetBucketVersioning", WEST, Bucket=bucket)


def failing(clients: AwsClients, bucket: str = BUCKET) -> CallFailedError:
    with pytest.raises(CallFailedError) as raised:
        versioning(clients, bucket)
    return raised.value


@pytest.mark.parametrize(
    ("operation", "parameters"),
    [
        ("DeleteBucket", {"Bucket": BUCKET}),
        (
            "PutBucketVersioning",
            {"Bucket": BUCKET, "VersioningConfiguration": {"Status": "Enabled"}},
        ),
        ("CreateBucket", {"Bucket": "another"}),
        ("RestoreObject", {"Bucket": BUCKET, "Key": "k"}),
    ],
)
def test_a_write_never_leaves_the_process(
    operation: str, parameters: dict[str, object], aws: AwsWire, connection: MakeConnection
) -> None:
    aws.bucket(BUCKET)
    with pytest.raises(WriteRefusedError, match=operation):
        AwsClients(connection()).call("s3", operation, WEST, **parameters)
    assert aws.asked == []


def test_requests_name_the_product(aws: AwsWire, connection: MakeConnection) -> None:
    AwsClients(connection()).identity()
    assert f"atalaya/{VERSION}" in aws.asked[0].headers["user-agent"]


def test_one_client_per_service_and_region_serves_all_threads(
    aws: AwsWire, connection: MakeConnection
) -> None:
    aws.bucket(BUCKET)
    clients = AwsClients(connection())
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: versioning(clients), range(16)))
    assert list(clients._clients) == [("s3", WEST)]


class WatchedPacer(Pacer):
    """Remembers how long it was asked to wait."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[float] = []

    @override
    def pause(self, seconds: float) -> bool:
        self.asked.append(seconds)
        return super().pause(seconds)


def test_a_throttled_call_waits_as_long_as_the_answer_asks_and_is_counted(
    aws: AwsWire, connection: MakeConnection
) -> None:
    aws.bucket(BUCKET)
    aws.faults = [
        refusal("SlowDown", 503, question="versioning", times=2, headers={"Retry-After": "0.05"})
    ]
    clients = AwsClients(connection())
    pacer = WatchedPacer()
    clients.pacers = ServicePacers(lambda: pacer)
    versioning(clients)
    assert clients.throttled == 2
    assert pacer.asked == [0.05, 0.05]
    versioning(clients)
    assert clients.throttled == 0


def test_a_wait_longer_than_a_sweep_can_bear_fails_at_once(
    aws: AwsWire, connection: MakeConnection
) -> None:
    wait = {"Retry-After": str(LONGEST_PAUSE_SECONDS + 1)}
    aws.faults = [refusal("SlowDown", 503, question="versioning", headers=wait)]
    clients = AwsClients(connection())
    failure = failing(clients)
    assert (failure.code, failure.throttled, clients.throttled) == ("SlowDown", True, 1)
    assert len(aws.questions("versioning")) == 1


def test_a_persistent_fault_is_tried_four_times(aws: AwsWire, connection: MakeConnection) -> None:
    aws.faults = [refusal("InternalError", 500, question="versioning")]
    failure = failing(AwsClients(connection()))
    assert (failure.code, failure.http_status) == ("InternalError", 500)
    assert len(aws.questions("versioning")) == 4


@pytest.mark.parametrize(
    ("body", "code"),
    [
        # botocore takes a broken document of S3 for a fault of the service and asks again
        ("<VersioningConfiguration", "Http500"),
        ("no xml", "Http500"),
        ("<html>proxy</html>", "MalformedAnswer"),
    ],
)
def test_a_malformed_or_foreign_answer_is_no_answer(
    body: str, code: str, aws: AwsWire, connection: MakeConnection
) -> None:
    aws.faults = [Fault(question="versioning", status=200, body=body)]
    assert failing(AwsClients(connection())).code == code


def test_a_silent_server_times_out(
    aws: AwsWire, connection: MakeConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.clouds.aws._READ_SECONDS", 0.05)
    monkeypatch.setattr("app.clouds.aws._ATTEMPTS", 1)
    aws.bucket(BUCKET)
    aws.faults = [Fault(question="versioning", delay_seconds=0.3, times=1)]
    assert failing(AwsClients(connection())).code == "Timeout"


def test_a_closed_port_is_unreachable(
    connection: MakeConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.clouds.aws._ATTEMPTS", 1)
    clients = AwsClients(connection(endpoint_url="http://127.0.0.1:9"))
    assert failing(clients).code == "EndpointUnreachable"


def test_a_wrong_region_is_followed_to_the_right_one(
    aws: AwsWire, connection: MakeConnection
) -> None:
    aws.bucket(BUCKET, "eu-west-1")
    moved = {"x-amz-bucket-region": "eu-west-1"}
    aws.faults = [refusal("PermanentRedirect", 301, question="versioning", times=1, headers=moved)]
    versioning(AwsClients(connection()))
    regions = [
        re.findall(r"/\d{8}/([^/]+)/s3/", asked.headers["authorization"])[0]
        for asked in aws.questions("versioning")
    ]
    assert regions == [WEST, "eu-west-1"]


def test_a_private_endpoint_needs_the_switch(aws: AwsWire, connection: MakeConnection) -> None:
    with pytest.raises(InvalidInputError, match="loopback"):
        AwsClients(replace(connection(), allow_private_endpoints=False))
    with pytest.raises(InvalidInputError, match="loopback"):
        check_config(connection().config, allow_private=False)
    assert check_config(connection().config, allow_private=True).endpoint_url == aws.url


def test_a_name_that_now_leads_inside_is_not_called(
    aws: AwsWire, connection: MakeConnection
) -> None:
    answers = iter([("52.218.1.1",), ("169.254.169.254",)])
    port = aws.url.rpartition(":")[2]
    made = replace(
        connection(endpoint_url=f"http://localhost:{port}"), allow_private_endpoints=False
    )
    clients = AwsClients(made, resolve=lambda _host, _port: next(answers))
    failure = failing(clients)
    assert (failure.code, failure.permanent) == ("EndpointRefused", True)
    assert isinstance(failure.__cause__, EndpointRefusedError)
    assert aws.asked == []


@pytest.mark.parametrize("body", ["[]", "7", '{"clusters": 7}'])
def test_a_document_that_trips_the_parser_is_malformed(
    body: str, aws: AwsWire, connection: MakeConnection
) -> None:
    aws.faults = [Fault(question="ListClusters", status=200, body=body)]
    with AwsClients(connection()) as clients, pytest.raises(CallFailedError) as raised:
        clients.call("eks", "ListClusters", "us-west-2")
    assert raised.value.code == "MalformedAnswer"


@pytest.mark.parametrize("body", ["<html>busy</html>", '{"ClusterSummaries": [', "[]", "7"])
def test_an_answer_that_is_no_json_object_is_no_empty_answer(
    aws: AwsWire, connection: MakeConnection, body: str
) -> None:
    aws.faults = [Fault(question="ListClusters", status=200, body=body)]
    with AwsClients(connection()) as clients, pytest.raises(CallFailedError) as caught:
        clients.call("sagemaker", "ListClusters", WEST)
    assert caught.value.code == "MalformedAnswer"


def test_a_location_that_is_no_document_is_malformed(
    aws: AwsWire, connection: MakeConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.clouds.aws._ATTEMPTS", 1)
    body = "<LocationConstraint><html><body>gone away"
    aws.faults = [Fault(question="location", status=200, body=body)]
    with AwsClients(connection()) as clients, pytest.raises(CallFailedError) as caught:
        clients.call("s3", "GetBucketLocation", WEST, Bucket=BUCKET)
    assert caught.value.code in {"MalformedAnswer", "Http500"}
