"""Turns botocore's many exceptions into one kind of failure with the provider's code."""

import json
import re
import socket
from collections.abc import Callable, Mapping
from typing import Any
from xml.etree.ElementTree import ParseError

from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConnectTimeoutError,
    EndpointConnectionError,
    NoCredentialsError,
    PartialCredentialsError,
    ProxyConnectionError,
    ReadTimeoutError,
    SSLError,
    TokenRetrievalError,
)
from botocore.parsers import ResponseParserError

from app.clouds.endpoints import EndpointRefusedError
from app.clouds.failures import CallFailedError

FAILURES = (
    BotoCoreError,
    ClientError,
    ResponseParserError,
    ParseError,  # of the handler that reads GetBucketLocation once more
    EndpointRefusedError,
    OSError,
)

# Credentials that are no good: trying again does not help, and no right is missing either.
BAD_CREDENTIALS = frozenset(
    {
        "InvalidAccessKeyId",
        "InvalidClientTokenId",
        "InvalidSecurity",
        "SignatureDoesNotMatch",
        "ExpiredToken",
        "ExpiredTokenException",
        "TokenRefreshRequired",
        "InvalidToken",
        "UnrecognizedClientException",
        "AuthFailure",
        "MissingAuthenticationToken",
        "MissingSecurityHeader",
        "RequestTimeTooSkewed",
        "RequestExpired",
        "NotSignedUp",
    }
)
# Answers of a region that an account has not switched on, while the account itself is fine
# (Account Management: opt-in regions).
REGION_NOT_ENABLED = frozenset(
    {
        "AuthFailure",
        "InvalidClientTokenId",
        "InvalidToken",
        "UnrecognizedClientException",
        "IllegalLocationConstraintException",
    }
)
_DENIED = frozenset(
    {
        "AccessDenied",
        "AccessDeniedException",
        "AllAccessDisabled",
        "UnauthorizedAccess",
        "UnauthorizedOperation",
        "AuthorizationError",
        "Forbidden",
        "403",
    }
)
THROTTLED = frozenset(
    {
        "SlowDown",
        "Throttling",
        "ThrottlingException",
        "ThrottledException",
        "RequestThrottled",
        "RequestThrottledException",
        "RequestLimitExceeded",
        "TooManyRequests",
        "TooManyRequestsException",
        "BandwidthLimitExceeded",
        "LimitExceededException",
        "PriorRequestNotComplete",
    }
)
# botocore takes any well-formed document for the answer, such as a proxy's page or, from stores
# that do not know a question, the list of objects. Where a document without known members reads
# like a valid "nothing", its outermost element must have this word in its name.
NAMED_ROOTS = {
    "ListBuckets": b"ListAllMyBucketsResult",
    "GetBucketLocation": b"LocationConstraint",
    "GetBucketVersioning": b"Versioning",
    "ListBucketInventoryConfigurations": b"Inventory",
    "ListBucketIntelligentTieringConfigurations": b"IntelligentTiering",
    "GetBucketMetadataConfiguration": b"MetadataConfiguration",
    "ListMultipartUploads": b"MultipartUploads",
    "ListDirectoryBuckets": b"DirectoryBuckets",
    "ListAccessPoints": b"AccessPoints",
    "ListMultiRegionAccessPoints": b"MultiRegionAccessPoints",
    "ListStorageLensConfigurations": b"StorageLens",
}
_ROOT = re.compile(rb"<([A-Za-z_][^\s/>]*)")
_OK = 200
_TOO_MANY_REQUESTS = 429
_FORBIDDEN = 403
_OURS: tuple[tuple[type[Exception] | tuple[type[Exception], ...], str], ...] = (
    ((NoCredentialsError, PartialCredentialsError, TokenRetrievalError), "NoCredentials"),
    ((ConnectTimeoutError, ReadTimeoutError, TimeoutError), "Timeout"),
    (SSLError, "TlsFailed"),
    (ProxyConnectionError, "ProxyUnreachable"),
    ((EndpointConnectionError, socket.gaierror), "EndpointUnreachable"),
    ((ResponseParserError, ParseError), "MalformedAnswer"),
    (EndpointRefusedError, "EndpointRefused"),
    (OSError, "ConnectionFailed"),
)
_FOR_GOOD = frozenset({"NoCredentials", "ProfileNotFound", "EndpointRefused"})


def failure_of(error: Exception) -> CallFailedError:
    """The failure that one of `FAILURES` stands for."""
    if isinstance(error, ClientError):
        return _answered(error)
    code = next((code for kind, code in _OURS if isinstance(error, kind)), _class_code(error))
    return CallFailedError(str(error), code=code, permanent=code in _FOR_GOOD)


def parsed(ask: Callable[..., Any], params: Mapping[str, object]) -> dict[str, Any]:
    """The answer to one call of a client; ResponseParserError for one that is of other types.

    botocore's parsers take parts of a document for what they should be, and trip over others.
    """
    try:
        return dict(ask(**params))
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise ResponseParserError(f"the answer is not of its types: {error}"[:200]) from error


def is_throttled(status: int, code: str) -> bool:
    """The answer says that there were too many requests."""
    return status == _TOO_MANY_REQUESTS or code in THROTTLED


def refuse_other_document(
    operation_model: Any,  # noqa: ANN401 - botocore's OperationModel
    response_dict: dict[str, Any],
    **_: object,
) -> None:
    """Handler of botocore's before-parse: an answer that is of another kind is malformed."""
    wanted = NAMED_ROOTS[operation_model.name]
    found = _ROOT.search(response_dict["body"])
    if response_dict["status_code"] == _OK and not (found and wanted in found[1]):
        raise ResponseParserError(f"the answer is no {wanted.decode()}")


def refuse_unreadable_json(response_dict: dict[str, Any], **_: object) -> None:
    """Handler of botocore's before-parse for APIs that speak JSON.

    botocore takes a body that is no JSON for an answer without members, which reads like "none".
    """
    body = response_dict["body"]
    if response_dict["status_code"] != _OK or not body:
        return
    try:
        document = json.loads(body)
    except ValueError as error:
        raise ResponseParserError("the answer is no JSON") from error
    if not isinstance(document, dict):
        raise ResponseParserError("the answer is no JSON object")


def _answered(error: ClientError) -> CallFailedError:
    answer: dict[str, Any] = dict(error.response)
    status = int(answer.get("ResponseMetadata", {}).get("HTTPStatusCode", 0))
    said = answer.get("Error", {})
    code = str(said.get("Code") or status or "Unknown")
    throttled = is_throttled(status, code)
    forbidden = code in _DENIED or (status == _FORBIDDEN and code not in BAD_CREDENTIALS)
    denied = forbidden and not throttled
    failure = CallFailedError(
        str(said.get("Message") or f"HTTP status {status}"),
        code=_named(code),
        status=status,
        denied=denied,
        throttled=throttled,
        permanent=denied or code in BAD_CREDENTIALS,
    )
    failure.headers = dict(answer.get("ResponseMetadata", {}).get("HTTPHeaders", {}))
    return failure


def _named(code: str) -> str:
    """A name also for an answer without a document, which has its status for a code."""
    if code in {str(_FORBIDDEN), "Forbidden"}:
        return "AccessDenied"
    return f"Http{code}" if code.isdecimal() else code


def _class_code(error: Exception) -> str:
    return type(error).__name__.removesuffix("Error").removesuffix("Exception") or "Unknown"
