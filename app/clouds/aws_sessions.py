"""Sessions of botocore: with the credentials of a connection, or with those of an assumed role."""

from collections.abc import Callable
from typing import Any

import botocore.session
from botocore.credentials import (
    CredentialProvider,
    CredentialResolver,
    DeferredRefreshableCredentials,
)
from typing_extensions import override

from app.clouds.aws_config import AwsCredentials, new_session
from app.clouds.aws_errors import FAILURES, failure_of
from app.clouds.failures import CallFailedError
from app.kit.clock import utc_now

ASSUME_ROLE = "sts:AssumeRole"
Credentials = dict[str, Any]


def given_session(given: AwsCredentials, secret: Callable[[str], str]) -> botocore.session.Session:
    """A session with the access key or profile of the settings, else with what botocore finds."""
    session = new_session(given.profile or None)
    if given.access_key_id:
        session.set_credentials(
            _resolved(given.access_key_id, secret),
            _resolved(given.secret_access_key, secret),
            _resolved(given.session_token, secret) or None,
        )
    return session


def role_session(assume: Callable[[], Credentials]) -> botocore.session.Session:
    """A session in a role that `assume` answers for: at first use, and anew before it expires."""
    session = new_session()
    session.register_component("credential_provider", CredentialResolver([_Role(assume)]))
    return session


def assumed(sts: Any, role_arn: str, external_id: str) -> Credentials:  # noqa: ANN401 - botocore makes its clients at run time
    """Credentials of a role as botocore refreshes them; they last an hour, also in a chain.

    CallFailedError names sts:AssumeRole as the operation that failed.
    """
    wanted = {"RoleArn": role_arn, "RoleSessionName": "atalaya"}
    if external_id:
        wanted["ExternalId"] = external_id
    try:
        got = sts.assume_role(**wanted)["Credentials"]
    except FAILURES as error:
        raise _not_assumed(failure_of(error)) from error
    if got["Expiration"] <= utc_now():
        raise _not_assumed(_expired(role_arn))
    return {
        "access_key": got["AccessKeyId"],
        "secret_key": got["SecretAccessKey"],
        "token": got["SessionToken"],
        "expiry_time": got["Expiration"].isoformat(),
    }


class _Role(CredentialProvider):
    """Credentials of an assumed role, asked for at first use and renewed before they expire."""

    METHOD = "assume-role"

    def __init__(self, assume: Callable[[], Credentials]) -> None:
        super().__init__()
        self._assume = assume

    @override
    def load(self) -> DeferredRefreshableCredentials:
        return DeferredRefreshableCredentials(self._assume, self.METHOD)


def _not_assumed(failure: CallFailedError) -> CallFailedError:
    failure.operation = ASSUME_ROLE
    return failure


def _expired(role_arn: str) -> CallFailedError:
    """botocore would raise a bare RuntimeError for these, which says nothing of the cause."""
    return CallFailedError(
        f"{role_arn} was assumed for a time that is over already: is this machine's clock right?",
        code="ExpiredToken",
        permanent=True,
    )


def _resolved(value: str, secret: Callable[[str], str]) -> str:
    return secret(value) if value.startswith(("env:", "file:")) else value
