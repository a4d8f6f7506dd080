"""The account list of AWS Organizations, in AWS's JSON protocol."""

import json

from app.sandbox.aws.errors import access_denied
from app.sandbox.aws.requests import json_parameters
from app.sandbox.story import AWS_ACCOUNTS, AWS_PLATFORM, AwsAccount
from app.sandbox.wire import Answer, Request

_PAGE = 20
_JOINED_AT = 1_704_699_000  # seconds since 1970, as this protocol writes times


def list_accounts(request: Request, caller: str) -> Answer:
    """`ListAccounts` in pages; AwsRefusal unless the management account asks."""
    if caller != AWS_PLATFORM.account_id:
        raise access_denied("organizations:ListAccounts from a member account")
    parameters = json_parameters(request)
    asked = parameters.get("MaxResults")
    size = asked if isinstance(asked, int) and asked > 0 else _PAGE
    token = str(parameters.get("NextToken") or "0")
    start = int(token) if token.isdigit() else 0
    page: dict[str, object] = {
        "Accounts": [_account(account) for account in AWS_ACCOUNTS[start : start + size]]
    }
    if start + size < len(AWS_ACCOUNTS):
        page["NextToken"] = str(start + size)
    headers = {"Content-Type": "application/x-amz-json-1.1"}
    return Answer(200, json.dumps(page).encode(), headers)


def _account(account: AwsAccount) -> dict[str, object]:
    owner = AWS_PLATFORM.account_id
    return {
        "Id": account.account_id,
        "Arn": f"arn:aws:organizations::{owner}:account/o-cierzo0000/{account.account_id}",
        "Email": f"{account.name}@cierzo.example",
        "Name": account.name,
        "Status": "ACTIVE",
        "State": "ACTIVE",
        "JoinedMethod": "CREATED",
        "JoinedTimestamp": _JOINED_AT,
    }
