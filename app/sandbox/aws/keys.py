"""Access keys of the simulated AWS: one fixed key, and those that AssumeRole hands out."""

import re
import threading
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import parse_qs

from app.kit.clock import utc_now
from app.sandbox.aws.errors import AwsRefusal
from app.sandbox.aws.requests import AwsCall
from app.sandbox.aws.signature import is_genuine
from app.sandbox.story import (
    AWS_ACCOUNTS,
    AWS_PARTNER,
    AWS_PLATFORM,
    EXTERNAL_ID,
    AwsAccount,
)
from app.sandbox.wire import Answer, Request

ACCESS_KEY_ID = "AKIACIERZOSANDBOX000"
SECRET_ACCESS_KEY = "sandbox/not-a-secret"  # noqa: S105 - opens nothing but this simulation
SEEDER = "SandboxSeeder"
_ISSUED = re.compile(
    rb"<AccessKeyId>([^<]+)</AccessKeyId>\s*<SecretAccessKey>([^<]+)</SecretAccessKey>\s*"
    rb"<SessionToken>([^<]+)</SessionToken>\s*<Expiration>([^<]+)</Expiration>"
)


@dataclass(frozen=True, slots=True)
class Key:
    """One access key and the account it acts in; temporary ones have a token and an end."""

    secret: str
    account_id: str
    token: str = ""
    ends_at: datetime | None = None


def seeder_role(account: AwsAccount) -> str:
    """The role that fills an account at the start."""
    return f"arn:aws:iam::{account.account_id}:role/{SEEDER}"


class Keys:
    """All keys in force; safe to use from many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._keys = {ACCESS_KEY_ID: Key(SECRET_ACCESS_KEY, AWS_PLATFORM.account_id)}

    def account_of(self, call: AwsCall, request: Request) -> str:
        """The account that signed the request; AwsRefusal in S3's or STS's words when none did."""
        if not call.access_key:
            raise AwsRefusal(403, "AccessDenied", "Anonymous access is forbidden.")
        key = self._keys.get(call.access_key)
        if key is None:
            code = "InvalidAccessKeyId" if call.service == "s3" else "InvalidClientTokenId"
            raise AwsRefusal(403, code, "The access key does not exist in our records.")
        if not is_genuine(request, key.secret):
            message = "The signature does not match the one that the secret key gives."
            raise AwsRefusal(403, "SignatureDoesNotMatch", message)
        if request.headers.get("x-amz-security-token", "") != key.token:
            raise AwsRefusal(400, "InvalidToken", "The security token is malformed or missing.")
        if key.ends_at and key.ends_at <= utc_now():
            raise AwsRefusal(400, "ExpiredToken", "The security token has expired.")
        return key.account_id

    def remember(self, role_arn: str, answer: Answer) -> None:
        """Takes the credentials out of an AssumeRole answer."""
        found = _ISSUED.search(answer.body)
        if found is None:
            return
        key_id, secret, token, ends = (group.decode() for group in found.groups())
        key = Key(secret, role_arn.split(":")[4], token, datetime.fromisoformat(ends))
        with self._lock:
            self._keys[key_id] = key


def role_asked(request: Request) -> str:
    """The role an AssumeRole call may have; AwsRefusal (403) for any other."""
    form = {name: values[0] for name, values in parse_qs(request.body.decode()).items()}
    role = form.get("RoleArn", "")
    ours = {account.role_arn for account in AWS_ACCOUNTS}
    seeders = {seeder_role(account) for account in (*AWS_ACCOUNTS, AWS_PARTNER)}
    if role in seeders or (role in ours and form.get("ExternalId") == EXTERNAL_ID):
        return role
    message = f"The caller is not authorized to perform: sts:AssumeRole on resource: {role}"
    raise AwsRefusal(403, "AccessDenied", message)
