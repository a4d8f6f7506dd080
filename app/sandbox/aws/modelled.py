"""Any AWS service beside S3 by botocore's own description: requests read, answers written."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import unquote

import botocore.session
from moto.core.parse import PROTOCOL_PARSERS
from moto.core.serialize import get_serializer_class
from moto.core.utils import get_service_model
from werkzeug.datastructures import Headers, MultiDict
from werkzeug.wrappers import Request as Form

from app.sandbox.wire import Answer, Request

Json = dict[str, Any]

# A service by the name that its requests are signed with, where that is another one.
_BY_SIGNATURE = {
    "monitoring": "cloudwatch",
    "elasticfilesystem": "efs",
    "s3express": "s3",  # directory buckets, asked for at a host of their own
}
_TOKENS = (("NextToken", "NextToken"), ("nextToken", "nextToken"), ("NextMarker", "Marker"))
# S3 Control signs as S3; its paths begin with the version of its API.
_S3_CONTROL = "/v20180820/"


@dataclass(frozen=True, slots=True)
class Asked:
    """An operation with its parameters, both in boto3's words."""

    service: str
    action: str
    params: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Route:
    """One operation of a REST service: its method, path, and what the query must hold."""

    action: str
    method: str
    path: re.Pattern[str]
    fixed: tuple[tuple[str, str], ...]


def service_of(signed: str, path: str) -> str:
    """boto3's name of the service that a request is signed for."""
    if path.startswith(_S3_CONTROL):
        return "s3control"
    return _BY_SIGNATURE.get(signed, signed)


def read(service: str, request: Request) -> Asked | None:
    """The operation that a request asks for; None when the service has no such one."""
    protocol = protocol_of(service)
    values = _form(request)
    labels: dict[str, str] = {}
    if protocol == "json":
        action = request.headers.get("x-amz-target", "").rpartition(".")[2]
    elif protocol in ("ec2", "query"):
        action = values.get("Action", "")
    else:
        action, labels = _routed(service, request)
    if action not in _model(service).operation_names:
        return None
    parsed = PROTOCOL_PARSERS[protocol](_operation(service, action)).parse(
        {
            "body": request.body,
            "headers": Headers(dict(request.headers)),
            "method": request.method,
            "url_params": labels,
            "url_path": request.path,
            "values": values,
        }
    )
    return Asked(service, action, dict(parsed))


def written(service: str, action: str, result: Mapping[str, Any]) -> Answer:
    """A result in boto3's words, written as the service writes it on the wire."""
    serializer: Any = get_serializer_class(service, protocol_of(service))
    out = serializer(_operation(service, action)).serialize(dict(result))
    body = out["body"]
    data = body.encode() if isinstance(body, str) else body
    return Answer(out["status_code"], data, dict(out["headers"]))


def empty_lists(service: str, action: str) -> Json:
    """The result that names nothing: each list of the answer is empty."""
    members = _operation(service, action).output_shape.members
    return {name: [] for name, shape in members.items() if shape.type_name == "list"}


def tokens_of(service: str, action: str) -> tuple[str, str]:
    """The member of an answer that leads to the next page, and the parameter that takes it."""
    operation = _operation(service, action)
    members, parameters = operation.output_shape.members, operation.input_shape.members
    return next(pair for pair in _TOKENS if pair[0] in members and pair[1] in parameters)


@cache
def protocol_of(service: str) -> str:
    """The protocol that botocore speaks with a service: json, rest-json, rest-xml, query or ec2."""
    session = botocore.session.Session()  # moto's models would choose another one
    found: str = session.get_service_model(service).resolved_protocol
    return found


@cache
def _model(service: str) -> Any:  # noqa: ANN401 - moto's form of botocore's ServiceModel
    return get_service_model(service)


@cache
def _operation(service: str, action: str) -> Any:  # noqa: ANN401 - botocore's OperationModel
    return _model(service).operation_model(action)


def _form(request: Request) -> MultiDict[str, str]:
    """What the query and a form in the body say."""
    found: MultiDict[str, str] = MultiDict(request.query)
    if "urlencoded" in request.headers.get("content-type", ""):
        body = Form.from_values(query_string=request.body.decode(errors="replace"))
        found.update(body.args)
    return found


def _routed(service: str, request: Request) -> tuple[str, dict[str, str]]:
    """The action of a REST request and the labels in its path; the most special one wins."""
    query = dict(request.query)
    fitting = [
        (len(route.fixed), len(route.path.pattern), route.action, found.groupdict())
        for route in _routes(service)
        for found in [route.path.fullmatch(request.raw_path)]
        if found and route.method == request.method
        if all(query.get(name) == value for name, value in route.fixed)
    ]
    if not fitting:
        return "", {}
    *_, action, labels = max(fitting, key=lambda found: found[:2])
    return action, {name: unquote(value) for name, value in labels.items()}


@cache
def _routes(service: str) -> tuple[_Route, ...]:
    return tuple(_all_routes(service))


def _all_routes(service: str) -> Iterator[_Route]:
    for action in _model(service).operation_names:
        http = _operation(service, action).http
        path, _, query = http["requestUri"].partition("?")
        pattern = re.sub(r"\\\{(\w+)\\\+\\\}", r"(?P<\1>.+)", re.escape(path))
        pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[^/]+)", pattern)
        fixed = tuple(part.partition("=")[::2] for part in query.split("&") if part)
        yield _Route(action, http["method"], re.compile(pattern + "/?"), fixed)
