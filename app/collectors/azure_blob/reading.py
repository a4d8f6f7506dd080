"""Asks everything about one account; every call is a cell of its own. Runs in worker threads."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from app.clouds.failures import CallFailedError
from app.collectors.azure_blob import mapping
from app.collectors.azure_blob.client import StorageClient
from app.collectors.azure_blob.listing import Known
from app.collectors.azure_blob.operations import (
    BY_NAME,
    CONTAINERS,
    DOCUMENTS,
    GRAPH,
    REPLICATION,
)
from app.collectors.azure_words import canonical_id
from app.domain.collecting import Outcome
from app.domain.fact_check import typed
from app.domain.facts import ABSENT, Fact
from app.domain.replies import SKIPPED, Parse, Reply, understood
from app.domain.storage import AzureStorageAccountFacts

_FILES_ONLY = "filestorage"
_OF_BLOBS = (*DOCUMENTS, REPLICATION, CONTAINERS)
NO_DESTINATION = "UnknownDestination"


@dataclass(slots=True)
class AccountRead:
    """What one account answered, call by call. `document` is empty when it was not read."""

    known: Known
    document: Mapping[str, Any]
    facts: dict[str, Fact[Any]] = field(default_factory=dict)
    replies: list[tuple[str, Reply]] = field(default_factory=list)


class AccountReader:
    """Reads single accounts. `accounts` are all that were listed, by id and by name.

    Empty `wanted` means every operation.
    """

    def __init__(
        self,
        client: StorageClient,
        accounts: Mapping[str, Known],
        wanted: tuple[str, ...] = (),
    ) -> None:
        self._client = client
        self._accounts = accounts
        self._by_name = {known.name: known for known in accounts.values()}
        self._wanted = frozenset(wanted or BY_NAME)
        self._places: dict[str, tuple[str | None, str]] = {}

    def read(self, found: tuple[Known, Mapping[str, Any] | None]) -> AccountRead:
        """One account with its row of Resource Graph, or None when that does not know it yet."""
        known, row = found
        read = AccountRead(known, row or {})
        if row is None:
            self._ask_resource_manager(read)
        else:
            # One call answered a thousand rows and was counted as one; only its faults count here.
            self._take(read, GRAPH, Reply(Outcome.ANSWERED, row), mapping.account)
            read.replies = [one for one in read.replies if one[1].outcome is not Outcome.ANSWERED]
        if str(read.document.get("kind", "")).lower() == _FILES_ONLY:
            read.facts.update(dict.fromkeys(_blob_facts(), ABSENT))
            return read
        for operation, (_, parse) in DOCUMENTS.items():
            self._ask(read, operation, parse)
        self._ask(read, REPLICATION, partial(self._replication, read))
        self._ask(read, CONTAINERS, lambda answer: mapping.containers(answer["value"]))
        return read

    def _ask_resource_manager(self, read: AccountRead) -> None:
        try:
            read.document = self._client.account(read.known.id)
            reply = Reply(Outcome.ANSWERED, read.document)
        except CallFailedError as error:
            outcome = Outcome.DENIED if error.denied else Outcome.FAILED
            reply = Reply(outcome, {}, error.code, error.detail)
        self._take(read, GRAPH, reply, mapping.account)

    def _ask(self, read: AccountRead, operation: str, parse: Parse) -> None:
        reply = SKIPPED
        if operation in self._wanted:
            reply = self._client.ask(operation, read.known.id)
        self._take(read, operation, reply, parse)

    def _take(self, read: AccountRead, operation: str, reply: Reply, parse: Parse) -> None:
        reply, found = understood(
            reply, BY_NAME[operation].feeds, typed(AzureStorageAccountFacts, parse)
        )
        read.facts.update(found)
        read.replies.append((operation, reply))

    def _replication(self, read: AccountRead, answer: Mapping[str, Any]) -> Mapping[str, Any]:
        policies = [one for one in answer["value"] if mapping.is_source(one, read.known.id)]
        places = {
            destination: self._place(destination)
            for destination in map(mapping.destination_of, policies)
        }
        return {"replication_rules": mapping.replication_rules(policies, places) or None}

    def _place(self, destination: str) -> tuple[str | None, str]:
        """Region of a destination: in our own list, or asked for once per sweep."""
        ours = self._accounts.get(canonical_id(destination)) or self._by_name.get(
            destination.lower()
        )
        if ours is not None and ours.region_id:
            return ours.region_id, ""
        if "/" not in destination:
            return None, NO_DESTINATION  # a bare name in a subscription that we do not see
        if destination not in self._places:
            self._places[destination] = self._asked_place(destination)
        return self._places[destination]

    def _asked_place(self, destination: str) -> tuple[str | None, str]:
        try:
            document = self._client.account(destination)
        except CallFailedError as error:
            return None, error.code
        region = mapping.account(document)["primary_region"]
        return (region, "") if region else (None, NO_DESTINATION)


def _blob_facts() -> tuple[str, ...]:
    return tuple(name for operation in _OF_BLOBS for name in BY_NAME[operation].feeds)
