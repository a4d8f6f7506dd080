"""Asks Azure about storage accounts, thinly: one method per question, failures as replies."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any
from urllib.parse import quote

from app.clouds.azure import AzureClient
from app.clouds.failures import CallFailedError
from app.clouds.paging import Pages
from app.collectors.azure_blob.operations import (
    ABSENT_CODES,
    CONTAINERS,
    DOCUMENTS,
    GEO_COPY,
    LISTS,
    RETENTION,
)
from app.domain.collecting import Outcome
from app.domain.replies import Reply

Json = dict[str, Any]
TYPE = "microsoft.storage/storageaccounts"
ACCOUNTS_QUERY = (
    f"resources | where type =~ '{TYPE}' | project id, name, type, kind, location, "
    "resourceGroup, subscriptionId, tags, sku, properties | order by id asc"
)


class StorageClient:
    """Storage accounts of one connection. Safe to share between threads."""

    def __init__(self, azure: AzureClient) -> None:
        self.azure = azure

    @property
    def throttled(self) -> int:
        """Throttled answers within the last call of this thread."""
        return self.azure.throttled

    def accounts(self, subscription: str) -> Pages[Json]:
        """Pages of the accounts of a subscription, as Resource Manager knows them now."""
        path = f"/subscriptions/{subscription}/providers/Microsoft.Storage/storageAccounts"
        return self.azure.pages(path, "storage")

    def graph(self, subscriptions: Sequence[str]) -> Pages[Json]:
        """Pages of the accounts of some subscriptions, as Resource Graph knows them."""
        return self.azure.graph(ACCOUNTS_QUERY, subscriptions)

    def account(self, account_id: str) -> Json:
        """One account's own document; CallFailedError when there is none for us."""
        return self.azure.get(account_id, "storage")

    def ask(self, operation: str, account_id: str) -> Reply:
        """The reply to one question about an account; lists are read to their end."""
        return self._reply(operation, lambda: self._answer(operation, account_id))

    def ask_geo_copy(self, account_id: str) -> Reply:
        """The account's own document with how far its geo-redundant copy has come."""
        expanded = {"$expand": "geoReplicationStats"}
        return self._reply(GEO_COPY, lambda: self.azure.get(account_id, "storage", **expanded))

    def ask_retention(self, account_id: str, container: str) -> Reply:
        """The time-based retention of one container."""
        place = f"{account_id}/{LISTS[CONTAINERS]}/{quote(container, safe='')}"
        path = f"{place}/immutabilityPolicies/default"
        return self._reply(RETENTION, lambda: self.azure.get(path, "storage"))

    def _reply(self, operation: str, ask: Callable[[], Json]) -> Reply:
        try:
            answer = ask()
        except CallFailedError as error:
            return self._no_answer(operation, error)
        return Reply(Outcome.ANSWERED, answer, throttled=self.azure.throttled)

    def _answer(self, operation: str, account_id: str) -> Json:
        if operation in LISTS:
            return {"value": self._whole(f"{account_id}/{LISTS[operation]}")}
        return self.azure.get(f"{account_id}/{DOCUMENTS[operation][0]}", "storage")

    def _whole(self, path: str) -> list[Json]:
        """All items of a list; CallFailedError when it does not end, so that no part passes."""
        pages = self.azure.pages(path, "storage")
        found = [item for page in pages for item in items(page)]
        if not pages.complete:
            raise CallFailedError(f"The list {path} goes in circles.", code=pages.code)
        return found

    def _no_answer(self, operation: str, error: CallFailedError) -> Reply:
        outcome = Outcome.DENIED if error.denied else Outcome.FAILED
        if error.code in ABSENT_CODES.get(operation, frozenset()):
            outcome = Outcome.ABSENT
        return Reply(outcome, {}, error.code, error.detail, throttled=self.azure.throttled)


def items(page: Json) -> Iterator[Json]:
    """The items of a page; CallFailedError when it is no list: that must not pass as empty."""
    found = page.get("value")
    if not isinstance(found, list):
        raise CallFailedError("A list was answered without items.", code="UnexpectedAnswer")
    yield from found


def rows(page: Json) -> Iterator[Json]:
    """The rows of a page of Resource Graph."""
    found = page.get("data")
    if not isinstance(found, list):
        raise CallFailedError("A query was answered without rows.", code="UnexpectedAnswer")
    yield from found
