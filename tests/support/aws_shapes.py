"""Answers of AWS that moto does not give, held to botocore's own description of each."""

import json
from typing import Any

from botocore.session import Session
from botocore.validate import ParamValidator

from app.sandbox.aws import modelled
from tests.support.aws_wire import Fault, query_refusal

_SESSION = Session()
_JSON = {"Content-Type": "application/x-amz-json-1.1"}


def fixture(service: str, operation: str, result: dict[str, Any], **where: Any) -> Fault:
    """An answer as the service writes it; AssertionError when botocore knows no such answer.

    `where` narrows it: `parameters` in boto3's words, account, region, times.
    """
    check_shape(service, operation, result)
    answer = modelled.written(service, operation, result)
    return Fault(
        service=service,
        question=operation,
        status=200,
        body=answer.body.decode(),
        headers=dict(answer.headers),
        **where,
    )


def check_shape(service: str, operation: str, result: dict[str, Any]) -> None:
    """AssertionError when a result is none that botocore describes."""
    shape: Any = _SESSION.get_service_model(service).operation_model(operation).output_shape
    report = ParamValidator().validate(result, shape)
    assert not report.has_errors(), report.generate_report()
    wrong = _wrong_words(result, shape)
    assert not wrong, f"{service}:{operation} knows no {wrong}"


def refused(service: str, operation: str, code: str, status: int = 400, **where: Any) -> Fault:
    """An error in the service's own protocol."""
    protocol = modelled.protocol_of(service)
    if "json" in protocol:
        return json_refusal(code, status, operation, service=service, **where)
    if protocol == "ec2":
        return ec2_refusal(code, status, operation, service=service, **where)
    return query_refusal(code, status, question=operation, service=service, **where)


def json_refusal(code: str, status: int, operation: str, **where: Any) -> Fault:
    """An error in the JSON of AWS."""
    body = json.dumps({"__type": code, "message": f"told to say {code}"})
    headers = {**_JSON, "x-amzn-ErrorType": code}
    return Fault(question=operation, status=status, body=body, headers=headers, **where)


def ec2_refusal(code: str, status: int, operation: str, **where: Any) -> Fault:
    """An error document of EC2."""
    error = f"<Error><Code>{code}</Code><Message>told to say {code}</Message></Error>"
    body = f"<Response><Errors>{error}</Errors><RequestID>r</RequestID></Response>"
    return Fault(question=operation, status=status, body=body, **where)


def _wrong_words(value: Any, shape: Any) -> list[str]:
    """Members that botocore does not know, and words outside of a closed list."""
    if shape.type_name == "structure":
        unknown = [name for name in value if name not in shape.members]
        known = [name for name in value if name in shape.members]
        return unknown + [w for n in known for w in _wrong_words(value[n], shape.members[n])]
    if shape.type_name == "list":
        return [word for one in value for word in _wrong_words(one, shape.member)]
    words = getattr(shape, "enum", None)
    return [value] if words and value not in words else []
