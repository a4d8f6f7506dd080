"""How the simulated AWS answers beside S3: from parameters to a result, both in boto3's words."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.sandbox.aws.errors import AwsRefusal
from app.sandbox.story import AwsAccount

Json = dict[str, Any]
_MOST = 100


@dataclass(frozen=True, slots=True)
class Question:
    """One call: who asks, where, and for what."""

    account_id: str
    region: str
    params: Mapping[str, Any]

    def is_at(self, account: AwsAccount, region: str) -> bool:
        """The call goes to this account and region."""
        return (self.account_id, self.region) == (account.account_id, region)


Answerer = Callable[[Question], Json]


def page_of(  # noqa: PLR0913 - AWS calls the same things by four names
    question: Question,
    member: str,
    rows: Sequence[object],
    *,
    token: str = "NextToken",  # noqa: S107 - a parameter's name
    size: str = "MaxResults",
    next_token: str = "",
    most: int = _MOST,
) -> Json:
    """The page that is asked for, with the token of the next one.

    `token` and `size` are the parameters' names, `next_token` that of the answer where it is
    another one. AwsRefusal for more than `most` rows and for tokens that nobody gave out.
    """
    asked, start = question.params.get(size) or most, question.params.get(token) or "0"
    if not str(start).isdecimal() or not 1 <= int(asked) <= most:
        raise AwsRefusal(400, "ValidationException", f"{token} or {size} is none of ours")
    first, end = int(start), int(start) + int(asked)
    more = {next_token or token: str(end)} if end < len(rows) else {}
    return {member: list(rows[first:end]), **more}


def one_of(
    rows: Mapping[str, Json], name: object, code: str = "ResourceNotFound", status: int = 400
) -> Json:
    """The document of that name; AwsRefusal when there is none."""
    found = rows.get(str(name))
    if found is None:
        raise AwsRefusal(status, code, f"There is no {str(name)[:100]!r} here.")
    return found
