"""Every kind of fault, over a real socket, on both clouds; and what the admin paths refuse."""

import json
import time
from typing import Any

import httpx2
import pytest
from botocore.exceptions import ClientError, ConnectionClosedError, ReadTimeoutError

from app.sandbox.faults import Effect, Fault, Faults, parse
from app.sandbox.story import AWS_RESEARCH
from app.sandbox.wire import Request
from tests.sandbox.conftest import AwsWire, AzureWire

FAULTS = "/_sandbox/faults"
COST = "x-ms-ratelimit-microsoft.costmanagement-"
POLICY = "/managementPolicies/default"


def inject(azure: AzureWire, **fault: Any) -> None:
    """Adds one fault by the admin path."""
    assert azure.http.post(FAULTS, json=[fault]).json() == {"added": 1}


@pytest.mark.parametrize("status", [403, 404, 409, 429, 500, 502, 503, 504])
def test_any_status_can_be_injected_as_an_arm_error(azure: AzureWire, status: int) -> None:
    inject(azure, path="managementPolicies", status=status, code="Told", message="to say so")
    answer = azure.account("stcierzoweu", POLICY)
    assert answer.status_code == status
    assert answer.json() == {"error": {"code": "Told", "message": "to say so"}}


@pytest.mark.parametrize(
    "headers",
    [
        {"Retry-After": "7"},
        {"retry-after-ms": "250"},
        {"x-ms-user-quota-remaining": "0", "x-ms-user-quota-resets-after": "00:00:05"},
        {f"{COST}qpu-retry-after": "12", f"{COST}entity-retry-after": "37"},
        {f"{COST}tenant-retry-after": "5", f"{COST}client-retry-after": "9"},
    ],
)
def test_throttling_carries_any_header(azure: AzureWire, headers: dict[str, str]) -> None:
    inject(azure, path="/subscriptions", status=429, headers=headers)
    answer = azure.get("/subscriptions")
    assert answer.status_code == 429
    assert answer.json()["error"]["code"] == "429"
    assert {name: answer.headers[name] for name in headers} == headers


def test_a_fault_ends_after_its_times(azure: AzureWire) -> None:
    inject(azure, path="/subscriptions", status=503, times=2)
    assert [azure.get("/subscriptions").status_code for _ in range(3)] == [503, 503, 200]


def test_a_fault_can_let_calls_pass_first(azure: AzureWire) -> None:
    inject(azure, path="/subscriptions", status=500, after=1, times=1)
    assert [azure.get("/subscriptions").status_code for _ in range(3)] == [200, 500, 200]


def test_a_fault_can_be_bound_to_an_operation_or_method(azure: AzureWire) -> None:
    inject(azure, operation="arm.managementPolicies.get", status=500)
    inject(azure, method="POST", status=502)
    assert azure.account("stcierzoweu", POLICY).status_code == 500
    assert azure.graph("resources | project id").status_code == 502
    assert azure.account("stcierzoweu").status_code == 200


def test_the_newest_fault_wins_and_clearing_lifts_all(azure: AzureWire) -> None:
    inject(azure, path="/subscriptions", status=500)
    inject(azure, path="/subscriptions", status=404)
    assert azure.get("/subscriptions").status_code == 404
    assert [fault["status"] for fault in azure.http.get(FAULTS).json()] == [404, 500]
    assert azure.http.delete(FAULTS).status_code == 204
    assert azure.get("/subscriptions").status_code == 200


def test_a_slow_answer_is_the_right_one_late(azure: AzureWire) -> None:
    inject(azure, path="/subscriptions", delay_ms=120)
    began = time.monotonic()
    assert azure.get("/subscriptions").status_code == 200
    assert time.monotonic() - began >= 0.12


def test_a_client_that_waits_less_runs_out_of_time(azure: AzureWire) -> None:
    inject(azure, path="/subscriptions", delay_ms=400)
    with pytest.raises(httpx2.ReadTimeout):
        azure.http.get("/subscriptions?api-version=1", timeout=0.05)


def test_a_truncated_body_ends_in_the_middle(azure: AzureWire) -> None:
    inject(azure, path="/subscriptions", effect="truncated", times=1)
    with pytest.raises(httpx2.RemoteProtocolError):
        azure.get("/subscriptions")
    assert azure.get("/subscriptions").status_code == 200


def test_a_malformed_body_is_no_json(azure: AzureWire) -> None:
    inject(azure, path="/subscriptions", effect="malformed")
    answer = azure.get("/subscriptions")
    assert answer.status_code == 200
    with pytest.raises(json.JSONDecodeError):
        answer.json()


def test_a_dropped_connection_gives_no_answer(azure: AzureWire) -> None:
    inject(azure, path="/subscriptions", effect="disconnect", times=1)
    with pytest.raises(httpx2.RemoteProtocolError):
        azure.get("/subscriptions")
    assert azure.get("/subscriptions").status_code == 200


def test_any_body_can_be_given(azure: AzureWire) -> None:
    inject(azure, path="/subscriptions", body='{"value": null}')
    assert azure.get("/subscriptions").json() == {"value": None}


def test_a_next_link_can_lead_to_itself(azure: AzureWire) -> None:
    inject(azure, operation="arm.containers.list", effect="repeated_next")
    page = azure.account("stcierzoweu", "/blobServices/default/containers").json()
    again = azure.http.get(page["nextLink"]).json()
    assert again["nextLink"] == page["nextLink"]
    assert again["value"] == page["value"]


def test_a_next_link_can_lead_to_another_host(azure: AzureWire) -> None:
    inject(azure, operation="arm.containers.list", effect="foreign_next")
    page = azure.account("stcierzoweu", "/blobServices/default/containers").json()
    assert page["nextLink"].startswith("https://azure.example.invalid/subscriptions/")


def test_a_skip_token_can_repeat(azure: AzureWire) -> None:
    inject(azure, operation="arm.graph.query", effect="repeated_next")
    query = "resources | project id | order by id asc"
    first = azure.graph(query, **{"$top": 3}).json()["$skipToken"]
    again = azure.graph(query, **{"$top": 3, "$skipToken": first}).json()
    assert again["$skipToken"] == first


@pytest.mark.parametrize("size", ["5", "5000"])
def test_a_blob_marker_can_repeat(azure: AzureWire, size: str) -> None:
    inject(azure, operation="blob.blobs.list", effect="repeated_next")
    path = f"/stcierzoweu/eval?restype=container&comp=list&maxresults={size}"

    def marker(text: str) -> str:
        return text.partition("<NextMarker>")[2].partition("</NextMarker>")[0]

    first = marker(azure.http.get(path).text)
    second = marker(azure.http.get(f"{path}&marker={first}").text)
    assert first == second != ""


def test_a_blob_fault_is_xml(azure: AzureWire) -> None:
    inject(azure, operation="blob.containers.list", status=503, code="ServerBusy")
    answer = azure.http.get("/stcierzoweu?comp=list")
    assert (answer.status_code, answer.headers["x-ms-error-code"]) == (503, "ServerBusy")
    assert "<Code>ServerBusy</Code>" in answer.text


def test_calls_are_counted_by_operation_and_forgotten(azure: AzureWire) -> None:
    azure.get("/subscriptions")
    azure.account("stcierzoweu", POLICY)
    azure.account("stnopolicyweu", POLICY)
    azure.http.get("/nothing/of/ours")
    assert azure.http.get("/_sandbox/calls").json() == {
        "total": 4,
        "counts": {"arm.managementPolicies.get": 2, "arm.subscriptions.list": 1, "unknown": 1},
    }
    assert azure.http.delete("/_sandbox/calls").status_code == 204
    assert azure.http.get("/_sandbox/calls").json()["total"] == 0


def test_an_unknown_admin_path_is_not_found(azure: AzureWire) -> None:
    assert azure.http.get("/_sandbox/nothing").status_code == 404
    assert azure.http.put(FAULTS).status_code == 404


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ("{", None),
        ("{}", None),
        ("[1]", "[0]"),
        ('[{"pth": "x"}]', "[0].pth"),
        ('[{}, {"status": 1000}]', "[1].status"),
        ('[{"status": "429"}]', "[0].status"),
        ('[{"status": true}]', "[0].status"),
        ('[{"times": -1}]', "[0].times"),
        ('[{"path": "("}]', "[0].path"),
        ('[{"effect": "explode"}]', "[0].effect"),
        ('[{"headers": []}]', "[0].headers"),
    ],
)
def test_wrong_faults_are_refused_whole(azure: AzureWire, body: str, where: str | None) -> None:
    answer = azure.http.post(FAULTS, content=body)
    assert answer.status_code == 422
    assert [error["where"] for error in answer.json()["errors"]] == ([where] if where else [])
    assert azure.http.get(FAULTS).json() == []


def test_faults_can_be_set_from_code_too() -> None:
    faults = Faults()
    faults.add(*parse([{"path": "/x", "times": 1, "effect": "truncated"}]))
    request = Request("GET", "/a/x?b=1")
    assert faults.take(request, "any") == Fault(path="/x", times=1, effect=Effect.TRUNCATED)
    assert faults.take(request, "any") is None


# ------------------------------------------------------------------ the same on AWS


def test_one_bucket_can_be_denied_one_answer(aws: AwsWire) -> None:
    s3 = aws.client("s3", AWS_RESEARCH)
    aws.server.faults.add(
        Fault(path=r"^/cierzo-ct-thorax-fra\?versioning", status=403, code="AccessDenied")
    )
    with pytest.raises(ClientError, match="AccessDenied"):
        s3.get_bucket_versioning(Bucket="cierzo-ct-thorax-fra")
    assert s3.get_bucket_versioning(Bucket="cierzo-tags-fra")["Status"] == "Enabled"
    assert s3.get_bucket_encryption(Bucket="cierzo-ct-thorax-fra")


@pytest.mark.parametrize(("status", "code"), [(503, "SlowDown"), (429, "TooManyRequests")])
def test_slow_down_ends_after_its_times(aws: AwsWire, status: int, code: str) -> None:
    s3 = aws.client("s3", AWS_RESEARCH)
    aws.server.faults.add(
        Fault(operation="s3.GetBucketVersioning", status=status, code=code, times=1)
    )
    with pytest.raises(ClientError, match=code) as error:
        s3.get_bucket_versioning(Bucket="cierzo-tags-fra")
    assert error.value.response["ResponseMetadata"]["HTTPStatusCode"] == status
    assert s3.get_bucket_versioning(Bucket="cierzo-tags-fra")["Status"] == "Enabled"


def test_an_sts_fault_is_in_its_own_protocol(aws: AwsWire) -> None:
    aws.server.faults.add(Fault(operation="sts.GetCallerIdentity", status=400, code="Throttling"))
    with pytest.raises(ClientError, match="Throttling"):
        aws.client("sts").get_caller_identity()


def test_an_organizations_fault_is_in_its_own_protocol(aws: AwsWire) -> None:
    aws.server.faults.add(
        Fault(operation="organizations.ListAccounts", status=400, code="TooManyRequestsException")
    )
    with pytest.raises(ClientError, match="TooManyRequestsException"):
        aws.client("organizations").list_accounts()


def test_a_slow_bucket_runs_into_the_clients_limit(aws: AwsWire) -> None:
    from botocore.config import Config  # noqa: PLC0415 - only here a shorter limit

    config = Config(read_timeout=0.1, retries={"total_max_attempts": 1})
    s3 = aws.client("s3", AWS_RESEARCH, config=config)
    aws.server.faults.add(Fault(path="cierzo-tags-fra", delay_ms=400))
    with pytest.raises(ReadTimeoutError):
        s3.get_bucket_versioning(Bucket="cierzo-tags-fra")


def test_a_dropped_connection_reaches_boto3(aws: AwsWire) -> None:
    s3 = aws.client("s3", AWS_RESEARCH)
    aws.server.faults.add(Fault(path="cierzo-tags-fra", effect=Effect.DISCONNECT))
    with pytest.raises(ConnectionClosedError):
        s3.get_bucket_versioning(Bucket="cierzo-tags-fra")


def test_continuation_tokens_can_repeat(aws: AwsWire) -> None:
    s3 = aws.client("s3", AWS_RESEARCH)
    aws.server.faults.add(Fault(effect=Effect.REPEATED_NEXT))
    first = s3.list_buckets(MaxBuckets=5)["ContinuationToken"]
    again = s3.list_buckets(MaxBuckets=5, ContinuationToken=first)["ContinuationToken"]
    assert first == again
    bucket = "cierzo-ct-thorax-fra"
    page = s3.list_bucket_inventory_configurations(Bucket=bucket)
    assert page["IsTruncated"] is True
    token = page["NextContinuationToken"]
    page = s3.list_bucket_inventory_configurations(Bucket=bucket, ContinuationToken=token)
    assert page["NextContinuationToken"] == token


def test_aws_has_the_same_admin_paths(aws: AwsWire) -> None:
    with httpx2.Client(base_url=aws.server.endpoint) as http:
        assert http.post(FAULTS, json=[{"status": 500}]).status_code == 201
        assert http.delete(FAULTS).status_code == 204
        http.delete("/_sandbox/calls")
        aws.client("sts").get_caller_identity()
        assert http.get("/_sandbox/calls").json()["counts"] == {"sts.GetCallerIdentity": 1}
        assert http.get("/_sandbox/accounts").status_code == 404
