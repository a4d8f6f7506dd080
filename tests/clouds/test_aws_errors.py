import socket
from typing import Any

import pytest
from botocore.exceptions import (
    ClientError,
    ConnectTimeoutError,
    EndpointConnectionError,
    NoCredentialsError,
    ProfileNotFound,
    ReadTimeoutError,
    SSLError,
)
from botocore.parsers import ResponseParserError

from app.clouds.aws_errors import failure_of
from app.clouds.endpoints import EndpointRefusedError


def answered(code: str, status: int, message: str = "said") -> ClientError:
    metadata: Any = {"HTTPStatusCode": status, "HTTPHeaders": {"x-amz-bucket-region": "r"}}
    said: Any = {"Code": code, "Message": message}
    return ClientError({"Error": said, "ResponseMetadata": metadata}, "GetBucketVersioning")


@pytest.mark.parametrize("code", ["AccessDenied", "AccessDeniedException", "AllAccessDisabled"])
def test_a_missing_right_is_denied_for_good(code: str) -> None:
    failure = failure_of(answered(code, 403))
    assert (failure.code, failure.denied, failure.permanent) == (code, True, True)


def test_a_refused_head_request_without_a_body_is_a_denial_too() -> None:
    failure = failure_of(answered("403", 403, ""))
    assert (failure.code, failure.denied, failure.http_status) == ("AccessDenied", True, 403)
    assert failure.headers["x-amz-bucket-region"] == "r"


@pytest.mark.parametrize(
    "code", ["InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "RequestTimeTooSkewed"]
)
def test_bad_credentials_are_no_missing_right_although_they_come_as_403(code: str) -> None:
    failure = failure_of(answered(code, 403))
    assert (failure.denied, failure.permanent) == (False, True)


@pytest.mark.parametrize(
    ("code", "status"), [("SlowDown", 503), ("Throttling", 400), ("x", 429), ("SlowDown", 403)]
)
def test_too_many_requests_is_throttled_and_worth_another_try(code: str, status: int) -> None:
    failure = failure_of(answered(code, status))
    assert (failure.throttled, failure.denied, failure.permanent) == (True, False, False)


def test_an_answer_without_a_document_is_named_by_its_status() -> None:
    assert failure_of(answered("502", 502, "")).code == "Http502"


def test_a_fault_of_the_service_is_a_failure_worth_another_try() -> None:
    failure = failure_of(answered("InternalError", 500))
    assert (failure.code, failure.denied, failure.permanent) == ("InternalError", False, False)


@pytest.mark.parametrize(
    ("error", "code", "permanent"),
    [
        (ConnectTimeoutError(endpoint_url="http://x"), "Timeout", False),
        (ReadTimeoutError(endpoint_url="http://x"), "Timeout", False),
        (EndpointConnectionError(endpoint_url="http://x"), "EndpointUnreachable", False),
        (socket.gaierror(-2, "Name or service not known"), "EndpointUnreachable", False),
        (
            SSLError(endpoint_url="http://x", error=ValueError("forged")),
            "TlsFailed",
            False,
        ),
        (NoCredentialsError(), "NoCredentials", True),
        (ProfileNotFound(profile="p"), "ProfileNotFound", True),
        (ResponseParserError("no element found"), "MalformedAnswer", False),
        (EndpointRefusedError("leads inside"), "EndpointRefused", True),
        (ConnectionResetError("reset"), "ConnectionFailed", False),
    ],
)
def test_faults_without_an_answer_have_codes_of_ours(
    error: Exception, code: str, permanent: bool
) -> None:
    failure = failure_of(error)
    assert (failure.code, failure.permanent, failure.http_status) == (code, permanent, 0)
    assert failure.detail


def test_a_hostile_message_becomes_one_short_line() -> None:
    failure = failure_of(answered("X\nY", 500, "a\x00b\r\nc" + "z" * 10_000))
    assert failure.code == "X Y"
    assert failure.detail.startswith("a b c")
    assert len(failure.detail) <= 500
