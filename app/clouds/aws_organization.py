"""The setting that opens the other accounts of an AWS organization, checked as a whole."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.clouds.config_faults import Faults, given_settings, list_faults
from app.clouds.failures import CallFailedError
from app.kit.errors import InvalidInputError

ACCOUNT_ID = re.compile(r"[0-9]{12}")
EXTERNAL_ID = re.compile(r"[\w+=,.@:/-]{2,1224}", re.ASCII)
EXTERNAL_ID_WANTED = "2 to 1,224 characters of letters, digits and +=,.@:/-_"
# A role may lie on a path, which is then part of its ARN (IAM API: CreateRole).
_ROLE_NAME = re.compile(r"(?:[\w+=,.@-]{1,64}/){0,7}[\w+=,.@-]{1,64}", re.ASCII)
_KEYS = frozenset({"role_name", "external_id", "accounts", "exclude"})
_PLACE = "organization"


@dataclass(frozen=True, slots=True)
class AwsOrganization:
    """How the accounts of an organization are entered, and which of them are to be read.

    `role_name` is the role that each member has; empty `accounts` means all of them. The account
    of the credentials needs no role and is always read.
    """

    role_name: str
    external_id: str = ""
    accounts: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def covers(self, account_id: str) -> bool:
        """Whether the settings let this member be read."""
        return account_id not in self.exclude and (not self.accounts or account_id in self.accounts)

    def role_arn(self, account_id: str, partition: str) -> str:
        """The role of a member account."""
        return f"arn:{partition}:iam::{account_id}:role/{self.role_name}"


def parse_organization(given: object) -> AwsOrganization | None:
    """The checked setting in typed form; None when there is none."""
    if not isinstance(given, Mapping):
        return None
    return AwsOrganization(
        role_name=str(given["role_name"]),
        external_id=str(given.get("external_id") or ""),
        accounts=tuple(given.get("accounts") or ()),
        exclude=tuple(given.get("exclude") or ()),
    )


def organization_faults(given: object) -> Faults:
    """Everything that is wrong with the setting, each with its place."""
    if not isinstance(given, Mapping):
        yield _PLACE, 'must be an object such as {"role_name": "AtalayaReader"}'
        return
    present = given_settings(given)
    for name in sorted(map(str, present.keys() - _KEYS)):
        yield f"{_PLACE}.{name}", f"unknown setting; known are {', '.join(sorted(_KEYS))}"
    yield from _role_faults(present)
    for name in ("accounts", "exclude"):
        yield from _account_faults(f"{_PLACE}.{name}", present.get(name, []))


def _role_faults(present: Mapping[str, Any]) -> Faults:
    role, external_id = present.get("role_name"), present.get("external_id", "none")
    if role is None:
        yield f"{_PLACE}.role_name", "is needed: the name of the role that every member has"
    elif not _ROLE_NAME.fullmatch(str(role)):
        yield f"{_PLACE}.role_name", "must be the name of a role, such as AtalayaReader, not an ARN"
    if not EXTERNAL_ID.fullmatch(str(external_id)):
        yield f"{_PLACE}.external_id", f"must be {EXTERNAL_ID_WANTED}"


def _account_faults(where: str, accounts: object) -> Faults:
    unlisted = list(list_faults(where, accounts))
    yield from unlisted
    named = accounts if isinstance(accounts, list | tuple) and not unlisted else ()
    for place, account_id in enumerate(named):
        if not ACCOUNT_ID.fullmatch(account_id):
            yield f"{where}[{place}]", "must be the twelve digits of an AWS account, as text"


def checked_account(account_id: str) -> str:
    """The id of an account, or ''; InvalidInputError for anything else."""
    if account_id and not ACCOUNT_ID.fullmatch(account_id):
        raise InvalidInputError(
            f"{account_id[:50]!r} is no AWS account.", mend="Name an account by its twelve digits."
        )
    return account_id


def not_open(account_id: str, why: str) -> CallFailedError:
    """The failure of a call in an account that the settings do not open."""
    return CallFailedError(
        f"Account {account_id} is not the one of these credentials, and {why}.",
        code="AccountNotCovered",
        permanent=True,
    )
