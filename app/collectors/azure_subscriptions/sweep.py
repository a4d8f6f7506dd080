"""One sweep over the subscriptions of a tenant: their regions, providers and groups."""

from collections.abc import Iterator

from app.clouds.parallel import stream
from app.collectors.azure_reading import AzureReading, Facts, Row
from app.collectors.azure_subscriptions import mapping
from app.collectors.azure_subscriptions.operations import LOCATIONS, PROVIDERS, SUBSCRIPTIONS
from app.domain.azure_subscriptions import AzureSubscriptionFacts
from app.domain.collecting import ListingDone, Observation, ResourceSeen
from app.domain.facts import Unreadable

Document = AzureSubscriptionFacts
_TYPE = "microsoft.resources/subscriptions"
# Resource Graph does not show it yet.
NOT_YET = "NotInResourceGraph"


class Sweep:
    """Reads the subscriptions once."""

    def __init__(self, reading: AzureReading) -> None:
        self._reading = reading
        self._groups: dict[str, Facts] = {}

    def observations(self) -> Iterator[Observation]:
        """Subscriptions as they are read, then whether the list was whole, then the coverage."""
        self._read_groups()
        found = self._reading.subscriptions.items()
        yield from stream(self._read, found, threads=self._reading.threads)
        for subscription in self._reading.subscriptions:
            yield ListingDone(Document.KIND, subscription, complete=True)
        yield from self._reading.reports()

    def _read_groups(self) -> None:
        """Groups above each subscription, from one query over all of them."""
        for row in self._reading.containers(_TYPE):
            subscription = str(row["subscriptionId"]).lower()
            self._groups[subscription] = self._reading.stated(
                Document, row, mapping.management_groups
            )

    def _read(self, found: tuple[str, Row]) -> ResourceSeen:
        subscription, document = found
        path = f"/subscriptions/{subscription}"
        reading = self._reading
        row = {**document, "id": path, "name": document.get("displayName") or subscription}
        facts = {
            **reading.stated(Document, row, mapping.subscription, SUBSCRIPTIONS),
            **self._groups_of(subscription),
            **reading.learn_list(Document, LOCATIONS, f"{path}/locations", mapping.locations),
            **reading.learn_list(Document, PROVIDERS, f"{path}/providers", mapping.providers),
        }
        return reading.seen(Document(**facts), row)

    def _groups_of(self, subscription: str) -> Facts:
        code = self._reading.cut_of(_TYPE, subscription) or NOT_YET
        return self._groups.get(subscription) or {"management_groups": Unreadable(code)}
