"""Azure regions of the story as `GET /subscriptions/{id}/locations` tells them."""

from dataclasses import dataclass

from app.sandbox.azure.model import Json


@dataclass(frozen=True, slots=True)
class Place:
    """One region; `pair` is where geo-redundant copies go, `zones` how many zones it has."""

    name: str
    display_name: str
    geography: str
    group: str
    city: str
    latitude: str
    longitude: str
    pair: str = ""
    zones: int = 3
    category: str = "Recommended"


PLACES = (
    Place("swedencentral", "Sweden Central", "Sweden", "Europe", "Gävle", "60.67488", "17.14127",
          "swedensouth"),
    Place("swedensouth", "Sweden South", "Sweden", "Europe", "Staffanstorp", "55.6417", "13.2064",
          "swedencentral", 0, "Other"),
    Place("westeurope", "West Europe", "Europe", "Europe", "Netherlands", "52.3667", "4.9",
          "northeurope"),
    Place("northeurope", "North Europe", "Europe", "Europe", "Ireland", "53.3478", "-6.2597",
          "westeurope"),
    Place("francecentral", "France Central", "France", "Europe", "Paris", "46.3772", "2.373",
          "francesouth"),
    Place("francesouth", "France South", "France", "Europe", "Marseille", "43.8345", "2.1972",
          "francecentral", 0, "Other"),
    Place("spaincentral", "Spain Central", "Spain", "Europe", "Madrid", "40.4259", "-3.4209"),
    Place("uksouth", "UK South", "United Kingdom", "UK", "London", "50.941", "-0.799", "ukwest"),
    Place("ukwest", "UK West", "United Kingdom", "UK", "Cardiff", "53.427", "-3.084", "uksouth",
          0, "Other"),
    Place("switzerlandnorth", "Switzerland North", "Switzerland", "Europe", "Zurich", "47.451542",
          "8.564572", "switzerlandwest"),
    Place("switzerlandwest", "Switzerland West", "Switzerland", "Europe", "Geneva", "46.204391",
          "6.143158", "switzerlandnorth", 0, "Other"),
    Place("brazilsouth", "Brazil South", "Brazil", "South America", "Sao Paulo State", "-23.55",
          "-46.633", "southcentralus"),
    Place("southcentralus", "South Central US", "United States", "US", "Texas", "29.4167", "-98.5",
          "northcentralus"),
    Place("northcentralus", "North Central US", "United States", "US", "Illinois", "41.8819",
          "-87.6278", "southcentralus", 0),
    Place("eastus", "East US", "United States", "US", "Virginia", "37.3719", "-79.8164", "westus"),
    Place("westus", "West US", "United States", "US", "California", "37.783", "-122.417", "eastus",
          0, "Other"),
)  # fmt: skip
PAIR_OF = {place.name: place.pair for place in PLACES}
_SHORT = {"United States": "US", "United Kingdom": "UK", "South America": "South America"}


def location(place: Place, subscription_id: str) -> Json:
    """One physical region; a region without zones has no zone mappings, without pair none."""
    prefix = f"/subscriptions/{subscription_id}/locations/"
    document: Json = {
        "id": prefix + place.name,
        "name": place.name,
        "type": "Region",
        "displayName": place.display_name,
        "regionalDisplayName": f"({_SHORT.get(place.geography, place.group)}) {place.display_name}",
        "metadata": {
            "regionType": "Physical",
            "regionCategory": place.category,
            "geography": place.geography,
            "geographyGroup": place.group,
            "longitude": place.longitude,
            "latitude": place.latitude,
            "physicalLocation": place.city,
            "pairedRegion": [{"name": place.pair, "id": prefix + place.pair}] if place.pair else [],
        },
    }
    if place.zones:
        document["availabilityZoneMappings"] = _zones(place, subscription_id)
    return document


def _zones(place: Place, subscription_id: str) -> list[Json]:
    """Logical zone 1 is another building in another subscription: the order turns with its id."""
    turn = int(subscription_id[-1], 16)
    return [
        {
            "logicalZone": str(n + 1),
            "physicalZone": f"{place.name}-az{(n + turn) % place.zones + 1}",
        }
        for n in range(place.zones)
    ]


def logical_location(subscription_id: str) -> Json:
    """A row that is no place: `europe` only groups regions."""
    return {
        "id": f"/subscriptions/{subscription_id}/locations/europe",
        "name": "europe",
        "type": "Region",
        "displayName": "Europe",
        "regionalDisplayName": "Europe",
        "metadata": {"regionType": "Logical", "regionCategory": "Other", "geographyGroup": ""},
    }


def locations(subscription_id: str) -> list[Json]:
    """The `value` of the locations list."""
    rows = [location(place, subscription_id) for place in PLACES]
    return [*rows, logical_location(subscription_id)]
