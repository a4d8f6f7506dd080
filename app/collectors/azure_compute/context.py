"""What one sweep learns beside the machines' own rows: states, interfaces, sizes and zones."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from app.clouds.parallel import stream
from app.collectors.azure_compute import mapping, sizes
from app.collectors.azure_compute.operations import LOCATIONS, NICS, SKUS, STATUS, USAGES
from app.collectors.azure_reading import AzureReading, Facts, Row
from app.collectors.azure_words import Json, canonical_id, region, subscription_of
from app.domain.azure_compute_regions import AzureComputeRegionFacts
from app.domain.facts import ABSENT, Fact, Present, Unreadable
from app.domain.replies import Reply, understood

T = TypeVar("T")
NOT_LISTED = "NotInList"
_COMPUTE = "providers/Microsoft.Compute"
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
Place = tuple[str, str]  # a subscription and a region


class Context:
    """Asked once for each subscription and each place in which machines were seen."""

    def __init__(self, reading: AzureReading) -> None:
        self._reading = reading
        self._subscriptions: set[str] = set()
        self._places: set[Place] = set()
        self._states: dict[str, Fact[Mapping[str, Fact[str]]]] = {}
        self._nics: dict[str, Fact[Mapping[str, Fact[bool]]]] = {}
        self._zones: dict[str, Fact[Mapping[str, Mapping[str, str]]]] = {}
        self._sizes: dict[Place, Fact[Mapping[str, sizes.Capabilities]]] = {}
        self.regions: dict[Place, Facts] = {}

    def learn(self, rows: Iterable[Row]) -> None:
        """Asks for what these rows need and is not known yet, on threads."""
        places = {place for row in rows for place in [place_of(row)] if place[1]}
        subscriptions = {subscription_of(row["id"]) for row in rows} - self._subscriptions
        new = places - self._places
        self._subscriptions |= subscriptions
        self._places |= new
        asked: list[Callable[[], None]] = [
            *(lambda one=one: self._learn_subscription(one) for one in sorted(subscriptions)),
            *(lambda one=one: self._learn_place(one) for one in sorted(new)),
        ]
        for _ in stream(lambda ask: ask(), asked, threads=self._reading.threads):
            pass

    def state(self, row: Row) -> Fact[str]:
        """The power state of a machine."""
        return _of(self._states.get(subscription_of(row["id"])), canonical_id(row["id"]))

    def acceleration(self, row: Row) -> Fact[bool]:
        """Whether all network interfaces of a machine are accelerated."""
        try:
            ids = mapping.interface_ids(row)
        except (LookupError, TypeError, ValueError, AttributeError):
            return Unreadable("UnexpectedAnswer")
        listed = self._nics.get(subscription_of(row["id"]))
        found = [_of(listed, one) for one in ids]
        if not found:
            return ABSENT
        if Present(False) in found:
            return Present(False)
        return next((one for one in found if isinstance(one, Unreadable)), Present(True))

    def buildings(self, row: Row, zones: tuple[str, ...]) -> Fact[tuple[str, ...]]:
        """The buildings behind zones of a row's subscription."""
        if not zones:
            return Present(())
        listed = self._zones.get(subscription_of(row["id"]), Unreadable(NOT_LISTED))
        if not isinstance(listed, Present):
            return Unreadable(NOT_LISTED) if listed == ABSENT else listed
        numbers = listed.value.get(place_of(row)[1], {})
        found = tuple(numbers[zone] for zone in zones if zone in numbers)
        return Present(found) if len(found) == len(zones) else Unreadable(NOT_LISTED)

    def capabilities(self, row: Row, name: str) -> Fact[sizes.Capabilities]:
        """What the list of SKUs tells of a size where a row lies."""
        listed = self._sizes.get(place_of(row), Unreadable(NOT_LISTED))
        if not isinstance(listed, Present):
            return listed
        found = listed.value.get(name.lower())
        return Unreadable(NOT_LISTED) if found is None else Present(found)

    def _learn_subscription(self, subscription: str) -> None:
        root = f"/subscriptions/{subscription}"
        machines = f"{root}/{_COMPUTE}/virtualMachines"
        nics = f"{root}/providers/Microsoft.Network/networkInterfaces"
        self._states[subscription] = self._told(
            STATUS, machines, lambda rows: dict(mapping.power_states(rows)), statusOnly="true"
        )
        self._nics[subscription] = self._told(
            NICS, nics, lambda rows: dict(mapping.interfaces(rows))
        )
        self._zones[subscription] = self._told(
            LOCATIONS, f"{root}/locations", mapping.physical_zones
        )

    def _learn_place(self, place: Place) -> None:
        """Sizes and quotas; only what is needed of the thousand sizes of a region is kept."""
        subscription, where = place
        root, reading = f"/subscriptions/{subscription}", self._reading
        skus = f"{root}/{_COMPUTE}/skus"
        reply = reading.whole(SKUS, skus, **{"$filter": f"location eq '{where}'"})
        facts = reading.understood(AzureComputeRegionFacts, SKUS, skus, reply, sizes.offers)
        self._sizes[place] = _whole(reply, sizes.capabilities)[1]
        usages = f"{root}/{_COMPUTE}/locations/{where}/usages"
        self.regions[place] = {
            **facts,
            **reading.learn_list(AzureComputeRegionFacts, USAGES, usages, sizes.quotas),
        }

    def _told(
        self, operation: str, path: str, parse: Callable[[list[Json]], T], **parameters: str
    ) -> Fact[T]:
        reply = self._reading.whole(operation, path, **parameters)
        reply, found = _whole(reply, lambda answer: parse(answer["value"]))
        self._reading.count(operation, path, reply)
        return found


def place_of(row: Row) -> Place:
    """Subscription and region of a row; '' for a region that is no name of one."""
    where = region(row.get("location")) or ""
    return subscription_of(row["id"]), where if set(where) <= _LETTERS else ""


def _whole(reply: Reply, parse: Callable[[Json], Any]) -> tuple[Reply, Fact[Any]]:
    """A list as one value, or why there is none."""
    counted, found = understood(reply, ("all",), lambda answer: {"all": parse(answer)})
    return counted, found["all"]


def _of(listed: Fact[Mapping[str, Fact[T]]] | None, key: str) -> Fact[T]:
    if isinstance(listed, Present):
        return listed.value.get(key, Unreadable(NOT_LISTED))
    return listed if isinstance(listed, Unreadable) else Unreadable(NOT_LISTED)
