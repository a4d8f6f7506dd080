"""Azure subscriptions as Resource Manager reports them, with the regions they may use."""

from dataclasses import dataclass
from typing import ClassVar

from app.domain.facts import Fact, FactDocument, fact

ENABLED = "Enabled"

_SUBSCRIPTIONS = "resourcemanager:subscriptions/read"
_LOCATIONS = "subscriptions:locations/read"
_PROVIDERS = "providers:providers/read"
_GRAPH = "resourcegraph:Resources"


@dataclass(frozen=True, slots=True)
class AzureLocation:
    """A region as one subscription sees it.

    `geography` groups regions under one law but is no country; `physical_location` is a city or a
    state. `paired_region` is where geo-redundant copies go, '' without a pair. `zones` pairs each
    logical zone of this subscription with the building behind it ("1=westeurope-az2"): zone 1 is
    another building in another subscription.
    """

    region_id: str
    display_name: str
    geography: str
    geography_group: str
    physical_location: str
    paired_region: str
    zones: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AzureSubscriptionFacts(FactDocument):
    """An Azure subscription that the identity sees."""

    KIND: ClassVar[str] = "azure_subscription"
    AREA: ClassVar[str] = "accounts"

    account_state: Fact[str] = fact("Enabled, Warned, PastDue or Disabled.", _SUBSCRIPTIONS)
    tenant_id: Fact[str] = fact("The tenant that it belongs to.", _SUBSCRIPTIONS)
    quota_id: Fact[str] = fact(
        "The kind of its contract, such as EnterpriseAgreement_2014-09-01.", _SUBSCRIPTIONS
    )
    management_groups: Fact[tuple[str, ...]] = fact(
        "Management groups above it, the nearest first; absent when it lies in none.", _GRAPH
    )
    enabled_regions: Fact[tuple[str, ...]] = fact(
        "Regions that it may use; groups of regions such as europe are none.", _LOCATIONS
    )
    locations: Fact[tuple[AzureLocation, ...]] = fact(
        "Those regions with pair, place and zones.", _LOCATIONS
    )
    registered_providers: Fact[tuple[str, ...]] = fact(
        "Resource providers that it registered, of those that Atalaya reads.", _PROVIDERS
    )
    unregistered_providers: Fact[tuple[str, ...]] = fact(
        "Those that it did not register, so that it can have nothing of theirs; absent when all "
        "are registered. Atalaya never registers one.",
        _PROVIDERS,
    )
