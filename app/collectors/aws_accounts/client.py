"""Asks for accounts and their regions, thinly: failures as replies, lists to their end."""

from collections.abc import Callable
from typing import Any

from app.clouds.aws import AwsClients
from app.clouds.aws_errors import REGION_NOT_ENABLED
from app.clouds.aws_organization import ACCOUNT_ID
from app.clouds.failures import CallFailedError
from app.clouds.paging import Pages
from app.collectors.aws_accounts.operations import ACCOUNTS, EC2_REGIONS, REGIONS
from app.domain.collecting import Outcome
from app.domain.replies import UNEXPECTED, Reply

Ask = Callable[[AwsClients], tuple[str, Reply]]

_REGIONS_PER_PAGE = 50  # the most that ListRegions gives; all of today's fit in


def account_pages(clients: AwsClients) -> Pages[dict[str, Any]]:
    """Pages of ListAccounts, of the account that the credentials belong to.

    Organizations lives in one region of each partition; botocore knows in which.
    """

    def fetch(token: str | None) -> dict[str, Any]:
        page = _ask(clients, ACCOUNTS, **({"NextToken": token} if token else {}))
        accounts = page.get("Accounts")
        if not isinstance(accounts, list) or not all(map(_has_an_id, accounts)):
            raise CallFailedError("ListAccounts answered without accounts.", code=UNEXPECTED)
        return page

    return Pages(fetch, lambda page: page.get("NextToken"))


def ask_regions(clients: AwsClients) -> tuple[str, Reply]:
    """ListRegions, all pages joined: the call that ended the question, and its reply.

    That call is another one when the account could not even be entered.
    """
    throttled = 0

    def fetch(token: str | None) -> dict[str, Any]:
        nonlocal throttled
        more = {"NextToken": token} if token else {}
        try:
            return _ask(clients, REGIONS, MaxResults=_REGIONS_PER_PAGE, **more)
        finally:
            throttled += clients.throttled

    pages = Pages(fetch, lambda page: page.get("NextToken"))
    try:
        found = [one for page in pages for one in page["Regions"]]
    except CallFailedError as error:
        return error.operation or REGIONS, _no_answer(error, throttled)
    except (LookupError, TypeError):
        return REGIONS, Reply(Outcome.FAILED, code=UNEXPECTED, throttled=throttled)
    if not pages.complete:
        return REGIONS, Reply(Outcome.FAILED, code=pages.code, throttled=throttled)
    return REGIONS, Reply(Outcome.ANSWERED, {"Regions": found}, throttled=throttled)


def ask_ec2_regions(clients: AwsClients) -> tuple[str, Reply]:
    """DescribeRegions, asked in the home region; skipped where the account has that switched off.

    Without AllRegions the answer leaves out the regions that are off, which then look unknown.
    """
    try:
        answer = _ask(clients, EC2_REGIONS, AllRegions=True)
    except CallFailedError as error:
        reply = _no_answer(error, clients.throttled, may_be_off=not error.operation)
        return error.operation or EC2_REGIONS, reply
    return EC2_REGIONS, Reply(Outcome.ANSWERED, answer, throttled=clients.throttled)


def _ask(clients: AwsClients, operation: str, **params: object) -> dict[str, Any]:
    service, _, action = operation.partition(":")
    return clients.call(service, action, clients.config.home_region, **params)


def _no_answer(error: CallFailedError, throttled: int, *, may_be_off: bool = False) -> Reply:
    outcome = Outcome.DENIED if error.denied else Outcome.FAILED
    if may_be_off and error.code in REGION_NOT_ENABLED:
        outcome = Outcome.SKIPPED
    return Reply(outcome, {}, error.code, error.detail, throttled=throttled)


def _has_an_id(entry: object) -> bool:
    found = entry.get("Id") if isinstance(entry, dict) else None
    return isinstance(found, str) and ACCOUNT_ID.fullmatch(found) is not None
