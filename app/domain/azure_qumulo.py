"""Azure Native Qumulo as Azure reports it: what was ordered, and where.

What it holds, how big it is and where it copies to is told by Qumulo's own API alone.
"""

from dataclasses import dataclass
from typing import ClassVar

from app.domain.facts import Fact, FactDocument, fact

_GRAPH = "resourcegraph:Resources"


@dataclass(frozen=True, slots=True)
class AzureQumuloFileSystemFacts(FactDocument):
    """An Azure Native Qumulo file system."""

    KIND: ClassVar[str] = "azure_qumulo_file_system"
    AREA: ClassVar[str] = "file_systems"

    file_system_region: Fact[str] = fact("Region of the file system.", _GRAPH)
    storage_sku: Fact[str] = fact("What was ordered, such as Hot_LRS or Cold_ZRS.", _GRAPH)
    performance_tier: Fact[str] = fact("Performance tier, where there is a choice.", _GRAPH)
    provisioning_state: Fact[str] = fact("Succeeded, Failed, Creating, Updating, …", _GRAPH)
    availability_zone: Fact[str] = fact(
        "Zone number of its subscription; absent when none was chosen.", _GRAPH
    )
    login_url: Fact[str] = fact("Address of its own pages and API.", _GRAPH)
    private_addresses: Fact[tuple[str, ...]] = fact("Addresses that clients mount it by.", _GRAPH)
    subnet_id: Fact[str] = fact("Subnet that it lies in.", _GRAPH)
    marketplace_plan: Fact[str] = fact("Plan that it is paid by.", _GRAPH)
    marketplace_status: Fact[str] = fact(
        "Subscribed, Suspended, Unsubscribed or PendingFulfillmentStart.", _GRAPH
    )
