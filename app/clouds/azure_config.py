"""The settings of an Azure connection, checked as a whole; every fault is named at once."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from urllib.parse import urlsplit

from app.clouds.azure_paces import READS_PER_SECOND
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
from app.kit.settings import settings

_GUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
# Management groups: naming rules, 1 to 90 of these characters.
_GROUP = re.compile(r"[A-Za-z0-9_.()-]{1,90}")
_TENANT = re.compile(rf"{_GUID.pattern}|[A-Za-z0-9][A-Za-z0-9.-]{{1,250}}\.[A-Za-z]{{2,}}")
_KEYS = frozenset(
    {
        "credentials",
        "cloud",
        "endpoint_url",
        "subscriptions",
        "management_groups",
        "operations",
        "requests_per_second",
    }
)
_FIELDS: dict[str, tuple[re.Pattern[str], str]] = {
    "tenant_id": (_TENANT, "the id of a tenant or one of its domains"),
    "client_id": (_GUID, "the id of an application or identity"),
    "client_secret": (SECRET_REFERENCE, REFERENCE_WANTED),
    "certificate": (
        SECRET_REFERENCE,
        "a reference to a PEM file with certificate and key, file:/path",
    ),
    "token": (SECRET_REFERENCE, REFERENCE_WANTED),
}


class CredentialMode(StrEnum):
    """Where tokens come from: always an explicit choice, never what a machine happens to have."""

    WORKLOAD_IDENTITY = "workload_identity"
    MANAGED_IDENTITY = "managed_identity"
    CLIENT_CERTIFICATE = "client_certificate"
    CLIENT_SECRET = "client_secret"  # noqa: S105 - a word, not a secret
    STATIC_TOKEN = "static_token"  # noqa: S105 - a word, not a secret
    DEVELOPER_DEFAULT = "developer_default"


_NEEDS: dict[CredentialMode, tuple[str, ...]] = {
    CredentialMode.WORKLOAD_IDENTITY: (),
    CredentialMode.MANAGED_IDENTITY: (),
    CredentialMode.CLIENT_CERTIFICATE: ("tenant_id", "client_id", "certificate"),
    CredentialMode.CLIENT_SECRET: ("tenant_id", "client_id", "client_secret"),
    CredentialMode.STATIC_TOKEN: ("token",),
    CredentialMode.DEVELOPER_DEFAULT: (),
}
_MAY: dict[CredentialMode, frozenset[str]] = {
    CredentialMode.WORKLOAD_IDENTITY: frozenset({"tenant_id", "client_id"}),
    CredentialMode.MANAGED_IDENTITY: frozenset({"client_id"}),
    CredentialMode.CLIENT_CERTIFICATE: frozenset(),
    CredentialMode.CLIENT_SECRET: frozenset(),
    CredentialMode.STATIC_TOKEN: frozenset({"tenant_id"}),
    CredentialMode.DEVELOPER_DEFAULT: frozenset(),
}
# It takes whatever identity a machine happens to have, which nobody should find out in production.
_DEVELOPERS_ONLY = (
    "developer_default is for development; choose another mode, or set "
    "ATALAYA_ALLOW_DEVELOPER_CREDENTIALS=true"
)


@dataclass(frozen=True, slots=True)
class AzureCloud:
    """Addresses of one cloud. Host and token scope differ in the US Government cloud."""

    authority: str
    resource_manager: str
    scope: str
    metrics_host: str
    metrics_scope: str


CLOUDS: Mapping[str, AzureCloud] = {
    "public": AzureCloud(
        "login.microsoftonline.com",
        "https://management.azure.com",
        "https://management.azure.com/.default",
        "metrics.monitor.azure.com",
        "https://metrics.monitor.azure.com/.default",
    ),
    "us_government": AzureCloud(
        "login.microsoftonline.us",
        "https://management.usgovcloudapi.net",
        "https://management.core.usgovcloudapi.net/.default",
        "metrics.monitor.azure.us",
        "https://metrics.monitor.azure.us/.default",
    ),
    "china": AzureCloud(
        "login.chinacloudapi.cn",
        "https://management.chinacloudapi.cn",
        "https://management.chinacloudapi.cn/.default",
        "metrics.monitor.azure.cn",
        "https://metrics.monitor.azure.cn/.default",
    ),
}


@dataclass(frozen=True, slots=True)
class AzureCredentials:
    """As configured: values may be references that are resolved at use. '' = not given."""

    mode: CredentialMode
    tenant_id: str = ""
    client_id: str = ""
    client_secret: str = ""
    certificate: str = ""
    token: str = ""


@dataclass(frozen=True, slots=True)
class AzureConfig:
    """A checked configuration. Empty `subscriptions` means all that the identity sees.

    With `management_groups`, only what lies below one of them. `own_endpoint`: the address of a
    server that plays all parts of Azure; '' for Azure itself. `requests_per_second` counts per
    subscription, see `azure_paces`.
    """

    credentials: AzureCredentials
    cloud: AzureCloud
    resource_manager: str
    subscriptions: tuple[str, ...]
    management_groups: tuple[str, ...]
    operations: tuple[str, ...]
    requests_per_second: float
    own_endpoint: str = ""

    def metrics_url(self, region: str) -> str:
        """Where Azure Monitor answers for a region. A server of one's own has one address."""
        if self.own_endpoint:
            return f"{self.own_endpoint}/metrics/{region}"
        return f"https://{region}.{self.cloud.metrics_host}"


def parse_config(config: Mapping[str, Any]) -> AzureConfig:
    """The configuration in typed form; InvalidInputError lists every fault with its place."""
    given = given_settings(config)
    refuse(iter([*_faults(given), *_credential_faults(given)]))
    cloud = CLOUDS[given.get("cloud", "public")]
    return AzureConfig(
        credentials=_credentials(given["credentials"]),
        cloud=cloud,
        resource_manager=given.get("endpoint_url", cloud.resource_manager).rstrip("/"),
        subscriptions=tuple(item.lower() for item in given.get("subscriptions", ())),
        management_groups=tuple(given.get("management_groups", ())),
        operations=tuple(given.get("operations", ())),
        requests_per_second=float(given.get("requests_per_second", _rate(given))),
        own_endpoint=given.get("endpoint_url", "").rstrip("/"),
    )


def _rate(given: Mapping[str, Any]) -> float:
    # A server of one's own has no refill to respect.
    return 10_000.0 if "endpoint_url" in given else READS_PER_SECOND


def _credentials(given: Mapping[str, Any]) -> AzureCredentials:
    fields = {name: str(given.get(name) or "") for name in _FIELDS}
    return AzureCredentials(CredentialMode(given["mode"]), **fields)


def _faults(given: Mapping[str, Any]) -> Faults:
    yield from setting_faults(given, _KEYS)
    if given.get("cloud", "public") not in CLOUDS:
        yield "cloud", f"must be one of {', '.join(CLOUDS)}"
    subscriptions = given.get("subscriptions", [])
    yield from list_faults("subscriptions", subscriptions)
    for place, one in enumerate(subscriptions if isinstance(subscriptions, list | tuple) else ()):
        if isinstance(one, str) and not _GUID.fullmatch(one):
            yield f"subscriptions[{place}]", f"{one[:50]!r} is no subscription id"
    groups = given.get("management_groups", [])
    yield from list_faults("management_groups", groups)
    for place, one in enumerate(groups if isinstance(groups, list | tuple) else ()):
        if isinstance(one, str) and not _GROUP.fullmatch(one):
            yield f"management_groups[{place}]", f"{one[:50]!r} is no id of a management group"


def _credential_faults(given: Mapping[str, Any]) -> Faults:
    credentials = given.get("credentials")
    modes = list(CredentialMode)
    if not isinstance(credentials, Mapping) or not credentials.get("mode"):
        yield "credentials.mode", f"choose one of {', '.join(modes)}"
        return
    unknown = list(mode_faults(credentials["mode"], modes))
    yield from unknown
    if not unknown:
        mode = CredentialMode(credentials["mode"])
        yield from field_faults(credentials, _FIELDS, needs=_NEEDS[mode], may=_MAY[mode])
        yield from _static_token_faults(mode, given.get("endpoint_url"))
        if mode is CredentialMode.DEVELOPER_DEFAULT and not settings().allow_developer_credentials:
            yield "credentials.mode", _DEVELOPERS_ONLY


def _static_token_faults(mode: CredentialMode, url: object) -> Faults:
    host = urlsplit(url).hostname if isinstance(url, str) else None
    azure = {urlsplit(cloud.resource_manager).hostname for cloud in CLOUDS.values()}
    if mode is CredentialMode.STATIC_TOKEN and (host is None or host in azure):
        yield (
            "credentials.mode",
            "static_token is for an endpoint_url of one's own: a token of Azure ends within hours",
        )
