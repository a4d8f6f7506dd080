"""Which operation of Azure a request asks for, from its method, path and query."""

import re
from dataclasses import dataclass

from app.sandbox.wire import Request

_SUBSCRIPTION = r"/subscriptions/(?P<subscription>[^/]+)"
_STORAGE = r"/providers/Microsoft\.Storage/storageAccounts"
_ACCOUNT = rf"{_SUBSCRIPTION}/resourceGroups/(?P<group>[^/]+){_STORAGE}/(?P<account>[^/]+)"
_TENANT = r"/(?P<tenant>[0-9a-fA-F-]{36}|common|organizations)"
_CONTAINERS = rf"{_ACCOUNT}/blobServices/default/containers"


@dataclass(frozen=True, slots=True)
class Route:
    """One operation: its name in the ledger, method and path."""

    operation: str
    method: str
    pattern: re.Pattern[str]


def _route(operation: str, method: str, pattern: str) -> Route:
    return Route(operation, method, re.compile(pattern + "/?", re.IGNORECASE))


ROUTES = (
    _route("arm.subscriptions.list", "GET", "/subscriptions"),
    _route("arm.locations.list", "GET", f"{_SUBSCRIPTION}/locations"),
    _route("arm.graph.query", "POST", r"/providers/Microsoft\.ResourceGraph/resources"),
    _route("arm.storageAccounts.list", "GET", f"{_SUBSCRIPTION}{_STORAGE}"),
    _route("arm.storageAccounts.get", "GET", _ACCOUNT),
    _route("arm.blobServices.get", "GET", f"{_ACCOUNT}/blobServices/default"),
    _route("arm.managementPolicies.get", "GET", f"{_ACCOUNT}/managementPolicies/default"),
    _route("arm.inventoryPolicies.list", "GET", f"{_ACCOUNT}/inventoryPolicies"),
    _route("arm.inventoryPolicies.get", "GET", f"{_ACCOUNT}/inventoryPolicies/default"),
    _route("arm.objectReplicationPolicies.list", "GET", f"{_ACCOUNT}/objectReplicationPolicies"),
    _route(
        "arm.objectReplicationPolicies.get",
        "GET",
        rf"{_ACCOUNT}/objectReplicationPolicies/(?P<policy>[^/]+)",
    ),
    _route("arm.encryptionScopes.list", "GET", f"{_ACCOUNT}/encryptionScopes"),
    _route("arm.containers.list", "GET", _CONTAINERS),
    _route(
        "arm.immutabilityPolicies.get",
        "GET",
        rf"{_CONTAINERS}/(?P<container>[^/]+)/immutabilityPolicies/default",
    ),
    _route(
        "arm.metricDefinitions.list",
        "GET",
        rf"(?P<resource>{_SUBSCRIPTION}/.+)/providers/Microsoft\.Insights/metricDefinitions",
    ),
    _route(
        "monitor.metrics.batch",
        "POST",
        rf"/metrics/(?P<region>[^/]+){_SUBSCRIPTION}/metrics:getBatch",
    ),
    _route("login.discovery", "GET", "/common/discovery/instance"),
    _route("login.openid", "GET", rf"{_TENANT}/v2\.0/\.well-known/openid-configuration"),
    _route("login.token", "POST", rf"{_TENANT}/oauth2/v2\.0/token"),
    _route("blob.containers.list", "GET", r"/(?P<account>[a-z0-9]{3,24})"),
    _route("blob.blobs.list", "GET", r"/(?P<account>[a-z0-9]{3,24})/(?P<container>[^/]+)"),
)


def find(request: Request) -> tuple[str, dict[str, str]]:
    """`(operation, names in the path)`; the operation is `unknown` when no route fits."""
    path = request.path
    for route in ROUTES:
        found = route.pattern.fullmatch(path)
        if found and route.method == request.method and _is_list(route.operation, request):
            return route.operation, found.groupdict()
    return "unknown", {}


def _is_list(operation: str, request: Request) -> bool:
    """Blob storage has many operations on one path; only its lists are served here."""
    return not operation.startswith("blob.") or request.parameter("comp") == "list"
