"""The settings of an AWS connection, checked as a whole; every fault is named at once."""

import re
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any

from botocore.hooks import HierarchicalEmitter
from botocore.loaders import Loader, create_loader
from botocore.session import Session

from app.clouds.aws_organization import (
    ACCOUNT_ID,
    EXTERNAL_ID,
    EXTERNAL_ID_WANTED,
    AwsOrganization,
    organization_faults,
    parse_organization,
)
from app.clouds.config_faults import (
    REFERENCE_WANTED,
    SECRET_REFERENCE,
    Faults,
    field_faults,
    given_settings,
    list_faults,
    mode_faults,
    refuse,
    setting_faults,
)

_ACCESS_KEY_ID = re.compile(r"[A-Za-z0-9_]{3,128}")
_ROLE_ARN = re.compile(r"arn:aws[a-z-]*:iam::\d{12}:role/[\w+=,.@/-]{1,512}", re.ASCII)
_PROFILE = re.compile(r"[^\x00-\x1f]{1,100}")

_KEYS = frozenset(
    {
        "credentials",
        "endpoint_url",
        "home_region",
        "regions",
        "account_id",
        "operations",
        "organization",
        "requests_per_second",
    }
)
# What each field of `credentials` must look like; the first two of the second row are secrets.
_FIELDS: dict[str, tuple[re.Pattern[str], str]] = {
    "access_key_id": (
        re.compile(f"{_ACCESS_KEY_ID.pattern}|{SECRET_REFERENCE.pattern}"),
        "an access key id, env:NAME or file:/path",
    ),
    "secret_access_key": (SECRET_REFERENCE, REFERENCE_WANTED),
    "session_token": (SECRET_REFERENCE, REFERENCE_WANTED),
    "profile": (_PROFILE, "the name of a profile in the shared configuration file"),
    "role_arn": (_ROLE_ARN, "the ARN of a role, arn:aws:iam::123456789012:role/name"),
    "external_id": (EXTERNAL_ID, EXTERNAL_ID_WANTED),
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

    `requests_per_second` None: as fast as `aws_paces` lets each API be asked.
    `organization` None: only the account of the credentials is read.
    """

    credentials: AwsCredentials
    endpoint_url: str
    home_region: str
    regions: tuple[str, ...]
    account_id: str
    operations: tuple[str, ...]
    requests_per_second: float | None
    organization: AwsOrganization | None = None


def parse_config(config: Mapping[str, Any]) -> AwsConfig:
    """The configuration in typed form; InvalidInputError lists every fault with its place."""
    given = given_settings(config)
    refuse(iter([*_faults(given), *_credential_faults(given)]))
    rate = given.get("requests_per_second")
    return AwsConfig(
        credentials=_credentials(given.get("credentials", {})),
        endpoint_url=given.get("endpoint_url", "").rstrip("/"),
        home_region=given.get("home_region", "us-east-1"),
        regions=tuple(given.get("regions", ())),
        account_id=given.get("account_id", ""),
        operations=tuple(given.get("operations", ())),
        requests_per_second=float(rate) if rate else None,
        organization=parse_organization(given.get("organization")),
    )


@lru_cache(maxsize=1)
def _loader() -> Loader:
    return create_loader()


@lru_cache(maxsize=1)
def _handlers() -> HierarchicalEmitter:
    handlers = HierarchicalEmitter()
    Session(event_hooks=handlers)
    return handlers


def new_session(profile: str | None = None) -> Session:
    """A botocore session that shares what botocore reads from its own files with all others.

    The descriptions of services are read once per process instead of once per connection, and
    botocore's own handlers are registered once: that takes 7 ms, a copy of them less than 1 ms.
    """
    handlers = copy(_handlers())
    session = Session(profile=profile, event_hooks=handlers, include_builtin_handlers=False)
    session.register_component("data_loader", _loader())
    # Tokens of a region's own endpoint are good everywhere; those of the global one are not good
    # in regions that have to be switched on (IAM User Guide: managing STS in a region).
    session.set_config_variable("sts_regional_endpoints", "regional")
    return session


@lru_cache(maxsize=1)
def known_regions() -> dict[str, str]:
    """Partition by region code, as the installed botocore knows them."""
    session = new_session()
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


def _faults(given: Mapping[str, Any]) -> Faults:
    yield from setting_faults(given, _KEYS)
    if not ACCOUNT_ID.fullmatch(str(given.get("account_id", "0" * 12))):
        yield "account_id", "must be the twelve digits of an AWS account, as text"
    if "organization" in given:
        yield from organization_faults(given["organization"])
    yield from _region_faults(given)


def _region_faults(given: Mapping[str, Any]) -> Faults:
    regions = given.get("regions", [])
    yield from list_faults("regions", regions)
    named = list(regions) if isinstance(regions, list | tuple) else []
    places = [("home_region", given.get("home_region", "us-east-1"))]
    places += [(f"regions[{place}]", region) for place, region in enumerate(named)]
    for where, region in places:
        if str(region) not in known_regions():
            yield where, f"unknown region {str(region)[:50]!r}; use a code such as eu-west-1"


def _credential_faults(given: Mapping[str, Any]) -> Faults:
    credentials = given.get("credentials", {})
    if not isinstance(credentials, Mapping):
        yield "credentials", 'must be an object such as {"mode": "default_chain"}'
        return
    chosen = credentials.get("mode", CredentialMode.DEFAULT_CHAIN)
    unknown = list(mode_faults(chosen, list(CredentialMode)))
    yield from unknown
    if not unknown:
        mode = CredentialMode(chosen)
        named = {**credentials, "mode": mode}
        yield from field_faults(named, _FIELDS, needs=_NEEDS[mode], may=_MAY[mode])
        yield from _pair_faults(mode, set(given_settings(credentials)))


def _pair_faults(mode: CredentialMode, present: set[str]) -> Faults:
    paired = len(present & {"access_key_id", "secret_access_key"}) != 1
    if mode is CredentialMode.ASSUME_ROLE and not paired:
        yield "credentials", "access_key_id and secret_access_key come together"
