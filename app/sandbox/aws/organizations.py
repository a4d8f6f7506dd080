"""The account list of AWS Organizations, in AWS's JSON protocol."""

from datetime import UTC, datetime

from app.sandbox.aws.answers import Answerer, Json, Question, page_of
from app.sandbox.aws.errors import access_denied
from app.sandbox.story import AWS_ACCOUNTS, AWS_PLATFORM, AwsAccount

_PAGE = 20
_JOINED_AT = datetime(2024, 1, 8, 7, 31, 40, tzinfo=UTC)


def list_accounts(question: Question) -> Json:
    """`ListAccounts` in pages; AwsRefusal unless the management account asks."""
    if question.account_id != AWS_PLATFORM.account_id:
        raise access_denied("organizations:ListAccounts from a member account")
    return page_of(question, "Accounts", [*map(_account, AWS_ACCOUNTS)], most=_PAGE)


def _account(account: AwsAccount) -> Json:
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


ANSWERS: dict[str, Answerer] = {"organizations.ListAccounts": list_accounts}
