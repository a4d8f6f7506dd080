"""Which regions each account may use, as Account Management and EC2 tell it."""

from functools import cache

import botocore.session

from app.sandbox.aws.answers import Answerer, Json, Question, page_of
from app.sandbox.aws.errors import access_denied
from app.sandbox.story import AWS_ACCOUNTS

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


def list_regions(question: Question) -> Json:
    """`account:ListRegions` in pages; AwsRefusal (AccessDenied) for another account's regions."""
    caller = question.account_id
    if question.params.get("AccountId", caller) != caller:
        raise access_denied("account:ListRegions of another account")
    wanted = question.params.get("RegionOptStatusContains")
    rows = [
        {"RegionName": name, "RegionOptStatus": status}
        for name in all_regions()
        for status in [_status(name, caller)]
        if not wanted or status in wanted
    ]
    return page_of(question, "Regions", rows, most=_MOST)


def describe_regions(question: Question) -> Json:
    """`ec2:DescribeRegions`: without AllRegions, only those that the account may use."""
    everywhere, caller = question.params.get("AllRegions"), question.account_id
    rows = [
        {"RegionName": name, "Endpoint": f"ec2.{name}.amazonaws.com", "OptInStatus": word}
        for name in all_regions()
        for word in [_opt_in(name, caller)]
        if everywhere or is_on(name, caller)
    ]
    return {"Regions": rows}


def _status(region: str, account_id: str) -> str:
    if region not in OPT_IN:
        return "ENABLED_BY_DEFAULT"
    return "ENABLED" if is_on(region, account_id) else "DISABLED"


def _opt_in(region: str, account_id: str) -> str:
    if region not in OPT_IN:
        return "opt-in-not-required"
    return "opted-in" if is_on(region, account_id) else "not-opted-in"


ANSWERS: dict[str, Answerer] = {
    "account.ListRegions": list_regions,
    "ec2.DescribeRegions": describe_regions,
}
