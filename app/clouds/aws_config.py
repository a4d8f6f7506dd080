"""The settings of an AWS connection, checked as a whole; every fault is named at once."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any

import botocore.session

from app.kit.errors import InvalidInputError

SECRET_REFERENCE = re.compile(r"env:[A-Za-z_][A-Za-z0-9_]*|file:/.+")
_ACCESS_KEY_ID = re.compile(r"[A-Za-z0-9_]{3,128}")
_ROLE_ARN = re.compile(r"arn:aws[a-z-]*:iam::\d{12}:role/[\w+=,.@/-]{1,512}")
_EXTERNAL_ID = re.compile(r"[\w+=,.@:/-]{2,1224}")
_ACCOUNT_ID = re.compile(r"\d{12}")
_PROFILE = re.compile(r"[^\x00-\x1f]{1,100}")

_KEYS = frozenset(
    {
        "credentials",
        "endpoint_url",
        "home_region",
        "regions",
        "account_id",
        "operations",
        "requests_per_second",
    }
)
# What each field of `credentials` must look like; the first two of the second row are secrets.
_FIELDS: dict[str, tuple[re.Pattern[str], str]] = {
    "access_key_id": (
        re.compile(f"{_ACCESS_KEY_ID.pattern}|{SECRET_REFERENCE.pattern}"),
        "an access key id, env:NAME or file:/path",
    ),
    "secret_access_key": (
        SECRET_REFERENCE,
        "a reference, env:NAME or file:/path; a secret itself is never stored",
    ),
    "session_token": (
        SECRET_REFERENCE,
        "a reference, env:NAME or file:/path; a secret itself is never stored",
    ),
    "profile": (_PROFILE, "the name of a profile in the shared configuration file"),
    "role_arn": (_ROLE_ARN, "the ARN of a role, arn:aws:iam::123456789012:role/name"),
    "external_id": (_EXTERNAL_ID, "2 to 1,224 characters of letters, digits and +=,.@:/-_"),
}


class CredentialMode(StrEnum):
    """Where the credentials come from; without a choice, where botocore looks by itself."""

    DEFAULT_CHAIN = "default_chain"
    ACCESS_KEY = "access_key"
    PROFILE = "profile"
    ASSUME_ROLE = "assume_role"


_NEEDS = {
    CredentialMode.DEFAULT_CHAIN: (),
    CredentialMode.ACCESS_KEY: ("access_key_id", "secret_access_key"),
    CredentialMode.PROFILE: ("profile",),
    CredentialMode.ASSUME_ROLE: ("role_arn",),
}
_MAY = {
    CredentialMode.DEFAULT_CHAIN: frozenset[str](),
    CredentialMode.ACCESS_KEY: frozenset({"session_token"}),
    CredentialMode.PROFILE: frozenset[str](),
    # A role is assumed from an access key or a profile where given, else from the default chain.
    CredentialMode.ASSUME_ROLE: frozenset(_FIELDS) - {"role_arn"},
}


@dataclass(frozen=True, slots=True)
class AwsCredentials:
    """As configured: values may be references that are resolved at use. '' = not given."""

    mode: CredentialMode
    access_key_id: str = ""
    secret_access_key: str = ""
    session_token: str = ""
    profile: str = ""
    role_arn: str = ""
    external_id: str = ""


@dataclass(frozen=True, slots=True)
class AwsConfig:
    """A checked configuration. Empty `regions` means all, empty `operations` all of a collector.

    `requests_per_second` None: as fast as the threads go, unless AWS asks to wait.
    """

    credentials: AwsCredentials
    endpoint_url: str
    home_region: str
    regions: tuple[str, ...]
    account_id: str
    operations: tuple[str, ...]
    requests_per_second: float | None


def parse_config(config: Mapping[str, Any]) -> AwsConfig:
    """The configuration in typed form; InvalidInputError lists every fault with its place."""
    given = {key: value for key, value in config.items() if value not in (None, "")}
    faults = tuple(
        {"where": where, "what": what}
        for where, what in (*_faults(given), *_credential_faults(given))
    )
    if faults:
        raise InvalidInputError(
            "; ".join(f"{fault['where']}: {fault['what']}" for fault in faults),
            mend="Correct the named settings of the connection; nothing was changed.",
            errors=faults,
        )
    rate = given.get("requests_per_second")
    return AwsConfig(
        credentials=_credentials(given.get("credentials", {})),
        endpoint_url=given.get("endpoint_url", "").rstrip("/"),
        home_region=given.get("home_region", "us-east-1"),
        regions=tuple(given.get("regions", ())),
        account_id=given.get("account_id", ""),
        operations=tuple(given.get("operations", ())),
        requests_per_second=float(rate) if rate else None,
    )


@lru_cache(maxsize=1)
def known_regions() -> dict[str, str]:
    """Partition by region code, as the installed botocore knows them."""
    session = botocore.session.Session()
    return {
        region: partition
        for partition in session.get_available_partitions()
        for region in session.get_available_regions("s3", partition)
    }


def partition_of(region: str) -> str:
    """The partition (aws, aws-cn, …) of a region; unknown ones are taken for the commercial one."""
    return known_regions().get(region, "aws")


def _credentials(given: Mapping[str, Any]) -> AwsCredentials:
    fields = {name: str(given.get(name) or "") for name in _FIELDS}
    return AwsCredentials(CredentialMode(given.get("mode", "default_chain")), **fields)


def _faults(given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name in sorted(given.keys() - _KEYS):
        yield name, f"unknown setting; known are {', '.join(sorted(_KEYS))}"
    if not isinstance(given.get("endpoint_url", ""), str):
        yield "endpoint_url", "must be text"
    if not _ACCOUNT_ID.fullmatch(str(given.get("account_id", "0" * 12))):
        yield "account_id", "must be the twelve digits of an AWS account, as text"
    yield from _region_faults(given)
    yield from _list_faults("operations", given.get("operations", []))
    rate = given.get("requests_per_second", 1)
    if isinstance(rate, bool) or not isinstance(rate, int | float) or not 0 < rate <= 10_000:  # noqa: PLR2004 - a bound against typing mistakes
        yield "requests_per_second", "must be a number above 0, at most 10,000"


def _region_faults(given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    regions = given.get("regions", [])
    yield from _list_faults("regions", regions)
    named = list(regions) if isinstance(regions, list | tuple) else []
    places = [("home_region", given.get("home_region", "us-east-1"))]
    places += [(f"regions[{place}]", region) for place, region in enumerate(named)]
    for where, region in places:
        if str(region) not in known_regions():
            yield where, f"unknown region {str(region)[:50]!r}; use a code such as eu-west-1"


def _list_faults(where: str, value: object) -> Iterator[tuple[str, str]]:
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        yield where, "must be a list of texts"


def _credential_faults(given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    credentials = given.get("credentials", {})
    if not isinstance(credentials, Mapping):
        yield "credentials", 'must be an object such as {"mode": "default_chain"}'
        return
    modes = list(CredentialMode)
    mode = credentials.get("mode", "default_chain")
    if mode not in modes:
        yield "credentials.mode", f"unknown mode {str(mode)[:50]!r}; use one of {', '.join(modes)}"
        return
    yield from _field_faults(CredentialMode(mode), credentials)


def _field_faults(mode: CredentialMode, given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    present = {name for name, value in given.items() if value not in (None, "")} - {"mode"}
    for name in _NEEDS[mode]:
        if name not in present:
            yield f"credentials.{name}", f"is needed in mode {mode}"
    for name in sorted(present):
        if name not in _MAY[mode] and name not in _NEEDS[mode]:
            yield f"credentials.{name}", f"does not belong to mode {mode}"
        elif not _FIELDS[name][0].fullmatch(str(given[name])):
            yield f"credentials.{name}", f"must be {_FIELDS[name][1]}"
    paired = len(present & {"access_key_id", "secret_access_key"}) != 1
    if mode is CredentialMode.ASSUME_ROLE and not paired:
        yield "credentials", "access_key_id and secret_access_key come together"
