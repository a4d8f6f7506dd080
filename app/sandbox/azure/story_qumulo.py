"""The Azure Native Qumulo file systems of the story; what they hold only Qumulo tells."""

from dataclasses import dataclass

from app.sandbox.azure.held import Chapter
from app.sandbox.azure.model import Json
from app.sandbox.story import AMERICAS, PATHOLOGY, RESEARCH, SYNTHETIC, WEU, Dataset, Subscription


@dataclass(frozen=True, slots=True)
class Qumulo:
    """One file system; `case` says what is special. `zone` '' is in several."""

    name: str
    case: str
    dataset: Dataset
    region: str = WEU
    subscription: Subscription = RESEARCH
    sku: str = "Hot_LRS"
    zone: str = "1"
    state: str = "Succeeded"
    status: str = "Subscribed"


FILE_SYSTEMS = (
    Qumulo(
        "anq-archive-weu",
        "slides in the cold class of three zones",
        PATHOLOGY,
        sku="Cold_ZRS",
        zone="",
    ),
    Qumulo(
        "anq-labs-eus2",
        "its plan was suspended for an unpaid bill, so nobody can read it",
        SYNTHETIC,
        region="eastus2",
        subscription=AMERICAS,
        status="Suspended",
    ),
    Qumulo(
        "anq-new-weu",
        "it is being made, so nobody can say yet how it is",
        SYNTHETIC,
        state="Creating",
    ),
)


def _document(one: Qumulo) -> Json:
    scope = f"/subscriptions/{one.subscription.subscription_id}/resourceGroups/rg-qumulo"
    properties: Json = {
        "marketplaceDetails": {
            "planId": "azure-native-qumulo-v3",
            "offerId": "qumulo-saas-mpp",
            "publisherId": "qumulo1584033880660",
            "marketplaceSubscriptionStatus": one.status,
        },
        "provisioningState": one.state,
        "storageSku": one.sku,
        "performanceTier": "Standard",
        "userDetails": {},
        "delegatedSubnetId": f"{scope}/providers/Microsoft.Network/virtualNetworks/vnet/subnets/q",
        "clusterLoginUrl": f"https://{one.name}.qumulo.example",
        "privateIPs": ["10.60.0.4", "10.60.0.5"],
    }
    if one.zone:
        properties["availabilityZone"] = one.zone
    return {
        "id": f"{scope}/providers/Qumulo.Storage/fileSystems/{one.name}",
        "name": one.name,
        "type": "Qumulo.Storage/fileSystems",
        "location": one.region,
        "tags": one.dataset.tags(),
        "properties": properties,
    }


CHAPTER = Chapter(
    resources=[_document(one) for one in FILE_SYSTEMS],
    cases=[(one.name, one.region, one.case) for one in FILE_SYSTEMS],
)
