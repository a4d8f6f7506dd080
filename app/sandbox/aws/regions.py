"""Which regions each account may use, as Account Management and EC2 tell it."""

from functools import cache
from typing import Any
from urllib.parse import parse_qs

import botocore.session
from moto.core.serialize import get_serializer_class
from moto.core.utils import get_service_model

from app.sandbox.aws.errors import AwsRefusal, access_denied
from app.sandbox.aws.requests import json_parameters
from app.sandbox.story import AWS_ACCOUNTS
from app.sandbox.wire import Answer, Request

# Off in every account until it switches them on (Account Management: regions by opt-in status).
OPT_IN = frozenset(
    {
        "af-south-1",
        "ap-east-1",
        "ap-east-2",
        "ap-south-2",
        "ap-southeast-3",
        "ap-southeast-4",
        "ap-southeast-5",
        "ap-southeast-6",
        "ap-southeast-7",
        "ca-west-1",
        "eu-central-2",
        "eu-south-1",
        "eu-south-2",
        "il-central-1",
        "me-central-1",
        "me-south-1",
        "mx-central-1",
    }
)
_OPTED_IN = {account.account_id: account.opted_in for account in AWS_ACCOUNTS}
_MOST = 50


@cache
def all_regions() -> tuple[str, ...]:
    """The regions of the commercial partition in name order."""
    return tuple(sorted(botocore.session.Session().get_available_regions("ec2")))


def is_on(region: str, account_id: str) -> bool:
    """Whether an account may use a region."""
    return region not in OPT_IN or region in _OPTED_IN.get(account_id, ())


def list_regions(request: Request, caller: str) -> Answer:
    """`account:ListRegions` in pages; AwsRefusal (AccessDenied) for another account's regions."""
    asked = json_parameters(request)
    if asked.get("AccountId", caller) != caller:
        raise access_denied("account:ListRegions of another account")
    wanted = asked.get("RegionOptStatusContains")
    rows = [
        {"RegionName": name, "RegionOptStatus": _status(name, caller)} for name in all_regions()
    ]
    if isinstance(wanted, list):
        rows = [row for row in rows if row["RegionOptStatus"] in wanted]
    size, start = _size(asked.get("MaxResults", _MOST)), _start(asked.get("NextToken", "0"))
    page: dict[str, Any] = {"Regions": rows[start : start + size]}
    if start + size < len(rows):
        page["NextToken"] = str(start + size)
    return _serialized("account", "rest-json", "ListRegions", page)


def describe_regions(request: Request, caller: str) -> Answer:
    """`ec2:DescribeRegions`: without AllRegions, only those that the account may use."""
    form = {name: values[0] for name, values in parse_qs(request.body.decode()).items()}
    everywhere = form.get("AllRegions", "").lower() == "true"
    rows = [
        {"RegionName": name, "Endpoint": f"ec2.{name}.amazonaws.com", "OptInStatus": word}
        for name in all_regions()
        for word in [_opt_in(name, caller)]
        if everywhere or is_on(name, caller)
    ]
    return _serialized("ec2", "ec2", "DescribeRegions", {"Regions": rows})


def _status(region: str, account_id: str) -> str:
    if region not in OPT_IN:
        return "ENABLED_BY_DEFAULT"
    return "ENABLED" if is_on(region, account_id) else "DISABLED"


def _opt_in(region: str, account_id: str) -> str:
    if region not in OPT_IN:
        return "opt-in-not-required"
    return "opted-in" if is_on(region, account_id) else "not-opted-in"


def _size(asked: object) -> int:
    if not isinstance(asked, int) or not 1 <= asked <= _MOST:
        raise _invalid(f"MaxResults must lie between 1 and {_MOST}")
    return asked


def _start(token: object) -> int:
    if not isinstance(token, str) or not token.isdecimal():
        raise _invalid("NextToken is none of ours")
    return int(token)


def _invalid(message: str) -> AwsRefusal:
    return AwsRefusal(400, "ValidationException", message)


def _serialized(service: str, protocol: str, action: str, result: dict[str, Any]) -> Answer:
    """A result in boto3's words, written as the service writes it on the wire."""
    model: Any = get_service_model(service)
    serializer: Any = get_serializer_class(service, protocol)
    out = serializer(model.operation_model(action)).serialize(result)
    body = out["body"]
    data = body.encode() if isinstance(body, str) else body
    return Answer(out["status_code"], data, dict(out["headers"]))
