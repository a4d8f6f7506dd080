"""Which subscriptions and accounts there are, and whether the lists of them are whole."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.clouds.failures import CallFailedError
from app.collectors.azure_blob import mapping
from app.collectors.azure_blob.client import StorageClient, items
from app.collectors.azure_blob.operations import LIST
from app.collectors.azure_scopes import read_scopes
from app.collectors.azure_words import canonical_id, instant
from app.domain.collecting import Outcome
from app.domain.coverage import Coverage


@dataclass(frozen=True, slots=True)
class Known:
    """An account as the list shows it: enough to tell its life and to find it again."""

    id: str
    original_id: str
    name: str
    subscription: str
    region_id: str | None
    created_at: datetime | None


class Lists:
    """Reads the lists of one sweep. `ends` has one entry per subscription: '' for a whole list,
    else why it is not; `accounts` is by canonical id.
    """

    def __init__(self, client: StorageClient, coverage: Coverage) -> None:
        self._client, self._coverage = client, coverage
        self.accounts: dict[str, Known] = {}
        self.ends: dict[str, str] = {}

    def read(self) -> None:
        """Every subscription that the settings cover, with its accounts.

        Raises CallFailedError when no subscription can be seen: that is no empty estate.
        """
        scopes = read_scopes(self._client.azure, self._coverage, LIST)
        self.ends |= scopes.left_out
        for subscription in scopes.visible:
            self._read_accounts(subscription)

    def _count(
        self, scope: str, operation: str, outcome: Outcome, fault: tuple[str, str] = ("", "")
    ) -> None:
        """Counts the call that this thread made last."""
        throttled = self._client.throttled
        self._coverage.count(scope, operation, outcome, throttled=throttled, fault=fault)

    def _read_accounts(self, subscription: str) -> None:
        pages = self._client.accounts(subscription)
        try:
            for page in pages:
                self._keep(subscription, items(page))
                self._count(subscription, LIST, Outcome.ANSWERED)
        except CallFailedError as error:
            self.ends[subscription] = error.code
            outcome = Outcome.DENIED if error.denied else Outcome.FAILED
            fault = (error.code, error.detail)
            self._count(subscription, LIST, outcome, fault)
            return
        self.ends[subscription] = pages.code

    def _keep(self, subscription: str, documents: Iterable[dict[str, Any]]) -> None:
        for document in documents:
            found = known_account(document, subscription)
            self.accounts[found.id] = found


def known_account(document: dict[str, Any], subscription: str) -> Known:
    """The entry of an account's document; `created_at` tells one life of a name from another."""
    properties = document.get("properties") or {}
    return Known(
        id=canonical_id(str(document["id"])),
        original_id=str(document["id"]),
        name=str(document["name"]).lower(),
        subscription=subscription,
        region_id=mapping.account(document)["primary_region"],
        created_at=instant(properties.get("creationTime")),
    )
