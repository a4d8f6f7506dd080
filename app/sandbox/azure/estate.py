"""All storage accounts of the tenant: the scripted ones first, then as many invented as asked."""

import threading
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from app.kit.errors import InvalidInputError
from app.sandbox.azure import (
    fill,
    story_datasets,
    story_lifecycle,
    story_promises,
    story_protection,
)
from app.sandbox.azure.documents import account as account_document
from app.sandbox.azure.model import Account, Json
from app.sandbox.story import SUBSCRIPTIONS, Subscription, azure_time

SCRIPTED: tuple[Account, ...] = (
    *story_datasets.ACCOUNTS,
    *story_lifecycle.ACCOUNTS,
    *story_protection.ACCOUNTS,
    *story_promises.ACCOUNTS,
)


@dataclass(frozen=True, slots=True)
class Change:
    """An account deleted, or made again under its old name at an instant."""

    account: str
    made_again_at: datetime | None = None


class AzureEstate:
    """Accounts by place and by name; holds nothing per invented account.

    `accounts` is how many there are in all; never fewer than the scripted ones.
    """

    def __init__(self, accounts: int = 0, scripted: Sequence[Account] = SCRIPTED) -> None:
        self.scripted = tuple(scripted)
        self.size = max(accounts, len(self.scripted))
        self._places = {account.name: place for place, account in enumerate(self.scripted)}
        self._changes: dict[str, Change] = {}
        self._by_subscription: dict[str, array[int]] = {}
        self._lock = threading.Lock()

    def at(self, place: int) -> Account:
        """The account at a place from 0 to size - 1, whether deleted or not."""
        if place < len(self.scripted):
            return self.scripted[place]
        return fill.account(place - len(self.scripted))

    def named(self, name: str) -> Account | None:
        """The living account of that name; names compare without case."""
        place = self._place(name.lower())
        return None if place is None or self.is_deleted(name.lower()) else self.at(place)

    def _place(self, name: str) -> int | None:
        number = fill.number_of(name)
        if number is None:
            return self._places.get(name)
        place = number + len(self.scripted)
        return place if place < self.size else None

    def places(self) -> Iterator[int]:
        """The places of the living accounts, in order."""
        gone = {self._place(name) for name in tuple(self._changes) if self.is_deleted(name)}
        return (place for place in range(self.size) if place not in gone)

    def places_of(self, subscription: Subscription) -> Sequence[int]:
        """The places of one subscription's living accounts, four bytes each."""
        with self._lock:
            if not self._by_subscription:
                found = {each.subscription_id: array("I") for each in SUBSCRIPTIONS}
                for place in self.places():
                    found[self._subscription_at(place).subscription_id].append(place)
                self._by_subscription = found
            return self._by_subscription[subscription.subscription_id]

    def _subscription_at(self, place: int) -> Subscription:
        if place < len(self.scripted):
            return self.scripted[place].subscription
        return fill.subscription_of(place - len(self.scripted))

    def is_deleted(self, name: str) -> bool:
        """Whether a change has removed the account of this name."""
        change = self._changes.get(name)
        return change is not None and change.made_again_at is None

    def change(self, *changes: Change) -> None:
        """Deletes accounts or makes them again; InvalidInputError for a name that never was."""
        unknown = [change.account for change in changes if self._place(change.account) is None]
        if unknown:
            raise InvalidInputError(f"No such accounts: {', '.join(unknown)}.")
        with self._lock:
            self._changes |= {change.account: change for change in changes}
            self._by_subscription = {}

    def restore(self) -> None:
        """Undoes every change."""
        with self._lock:
            self._changes.clear()
            self._by_subscription = {}

    def document(self, account: Account, *, with_geo: bool = False) -> Json:
        """The account as ARM sends it; one made again has a new creation time."""
        change = self._changes.get(account.name)
        made_at = (change and change.made_again_at) or account.created_at
        return account_document(account, azure_time(made_at), with_geo=with_geo)
