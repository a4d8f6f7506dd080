"""Which subscriptions of a tenant one sweep reads, and why others are left out."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from app.clouds.azure import AzureClient
from app.clouds.failures import CallFailedError
from app.clouds.paging import Pages
from app.domain.collecting import Operation, Outcome
from app.domain.coverage import Coverage
from app.domain.replies import UNEXPECTED

NOT_VISIBLE = "SubscriptionNotVisible"
# The scope of calls that are not about one subscription.
TENANT = "tenant"
SUBSCRIPTIONS = Operation(
    "resourcemanager:subscriptions/read",
    "Microsoft.Resources/subscriptions/read",
    (),
    "Lists the subscriptions that the identity sees.",
)
_USABLE_STATES = frozenset({"enabled", "warned", "pastdue"})
_BELOW_GROUPS = (
    "resourcecontainers | where type =~ 'microsoft.resources/subscriptions' "
    "| project id, name, subscriptionId | order by id asc"
)
Json = Mapping[str, Any]


@dataclass(slots=True)
class Scopes:
    """The subscriptions to read by id, each with its document, and codes of those left out."""

    visible: dict[str, Json] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)


def read_scopes(azure: AzureClient, coverage: Coverage, counted: str) -> Scopes:
    """What the connection's settings cover of what the identity sees.

    `counted`: the operation for which a subscription that is not visible is counted as skipped.
    Raises CallFailedError when no subscription can be seen: that is no empty estate.
    """
    visible = _visible(azure, coverage)
    scopes = Scopes()
    for subscription in _wanted(azure) or sorted(visible):
        if subscription in visible:
            scopes.visible[subscription] = visible[subscription]
            continue
        scopes.left_out[subscription] = NOT_VISIBLE
        fault = (NOT_VISIBLE, "The identity does not see this subscription.")
        coverage.count(subscription, counted, Outcome.SKIPPED, fault=fault)
    if not scopes.visible:
        message = "The identity sees no subscription; assign it the role Reader."
        raise CallFailedError(message, code="NoSubscriptions", permanent=True)
    return scopes


def list_subscriptions(azure: AzureClient) -> list[Json]:
    """Documents of every subscription that the identity sees; CallFailedError."""
    pages = azure.pages("/subscriptions", "subscriptions")
    rows = list(_items(pages, "value"))
    _check_whole(pages)
    return rows


def _visible(azure: AzureClient, coverage: Coverage) -> dict[str, Json]:
    rows = list_subscriptions(azure)
    coverage.count(TENANT, SUBSCRIPTIONS.name, Outcome.ANSWERED, throttled=azure.throttled)
    return {str(row["subscriptionId"]).lower(): row for row in rows if _is_usable(row)}


def _wanted(azure: AzureClient) -> list[str]:
    """The subscriptions that the settings name, alone or by a management group above them."""
    named = list(azure.config.subscriptions)
    if azure.config.management_groups:
        pages = azure.graph(_BELOW_GROUPS, groups=azure.config.management_groups)
        named += sorted({str(row["subscriptionId"]).lower() for row in _items(pages, "data")})
        _check_whole(pages)
        if not named:
            message = "No subscription lies below the management groups, or none can be seen."
            raise CallFailedError(message, code="NoSubscriptions", permanent=True)
    return list(dict.fromkeys(named))


def _is_usable(row: Json) -> bool:
    return str(row.get("state", "Enabled")).lower() in _USABLE_STATES


def _items(pages: Pages[dict[str, Any]], member: str) -> Iterator[Json]:
    for page in pages:
        found = page.get(member)
        if not isinstance(found, list) or not all(
            isinstance(row, dict) and isinstance(row.get("subscriptionId"), str) for row in found
        ):
            raise CallFailedError("An answer without its list.", code=UNEXPECTED)
        yield from found


def _check_whole(pages: Pages[dict[str, Any]]) -> None:
    if not pages.complete:
        raise CallFailedError("The list of subscriptions is cut.", code=pages.code)
