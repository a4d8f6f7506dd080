"""Asks everything about one account; every call is a cell of its own. Runs in worker threads."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any

from app.clouds.failures import CallFailedError
from app.collectors.azure_blob import mapping, replication
from app.collectors.azure_blob.client import StorageClient
from app.collectors.azure_blob.listing import Known
from app.collectors.azure_blob.operations import (
    BY_NAME,
    CONTAINERS,
    DOCUMENTS,
    GEO_COPY,
    GRAPH,
    REPLICATION,
    RETENTION,
    SCOPES,
)
from app.collectors.azure_blob.places import Places
from app.domain.collecting import Outcome
from app.domain.fact_check import typed
from app.domain.facts import ABSENT, Fact, Present, Unreadable
from app.domain.replies import SKIPPED, Parse, Reply, understood
from app.domain.storage_accounts import AzureStorageAccountFacts, ContainerRetention

_FILES_ONLY = "filestorage"
_OF_BLOBS = (*DOCUMENTS, REPLICATION, CONTAINERS, RETENTION, SCOPES)
# Containers of one account whose retention is asked for; those after them are said to be unread.
MOST_RETENTIONS = 100
_TOO_MANY = Reply(Outcome.SKIPPED, code="TooManyContainers")


@dataclass(slots=True)
class AccountRead:
    """What one account answered, call by call. `document` is empty when it was not read."""

    known: Known
    document: Mapping[str, Any]
    facts: dict[str, Fact[Any]] = field(default_factory=dict)
    replies: list[tuple[str, Reply]] = field(default_factory=list)


class AccountReader:
    """Reads single accounts. `accounts` are all that were listed, by id and by name.

    Empty `wanted` means every operation. `now` is what the age of a copy is counted from.
    """

    def __init__(
        self,
        client: StorageClient,
        accounts: Mapping[str, Known],
        now: datetime,
        wanted: tuple[str, ...] = (),
    ) -> None:
        self._client = client
        self._places = Places(client, accounts)
        self._now = now
        self._wanted = frozenset(wanted or BY_NAME)

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
        self._read_geo_copy(read)
        if str(read.document.get("kind", "")).lower() == _FILES_ONLY:
            read.facts.update(dict.fromkeys(_blob_facts(), ABSENT))
            return read
        for operation, (_, parse) in DOCUMENTS.items():
            self._ask(read, operation, parse)
        self._ask(read, REPLICATION, partial(self._replication, read))
        self._ask(read, SCOPES, lambda answer: mapping.encryption_scopes(answer["value"]))
        self._read_containers(read)
        return read

    def _ask_resource_manager(self, read: AccountRead) -> None:
        try:
            read.document = self._client.account(read.known.id)
            reply = Reply(Outcome.ANSWERED, read.document)
        except CallFailedError as error:
            outcome = Outcome.DENIED if error.denied else Outcome.FAILED
            reply = Reply(outcome, {}, error.code, error.detail)
        self._take(read, GRAPH, reply, mapping.account)

    def _ask(self, read: AccountRead, operation: str, parse: Parse) -> Reply:
        reply = SKIPPED
        if operation in self._wanted:
            reply = self._client.ask(operation, read.known.id)
        return self._take(read, operation, reply, parse)

    def _take(self, read: AccountRead, operation: str, reply: Reply, parse: Parse) -> Reply:
        reply, found = understood(
            reply, BY_NAME[operation].feeds, typed(AzureStorageAccountFacts, parse)
        )
        read.facts.update(found)
        read.replies.append((operation, reply))
        return reply

    def _read_geo_copy(self, read: AccountRead) -> None:
        """Asks only accounts that have such a copy; of unknown redundancy it is not known."""
        sku = read.facts["sku_name"]
        if isinstance(sku, Unreadable):
            read.facts.update(dict.fromkeys(BY_NAME[GEO_COPY].feeds, sku))
        elif not mapping.is_geo_redundant(sku.value if isinstance(sku, Present) else ""):
            read.facts.update(dict.fromkeys(BY_NAME[GEO_COPY].feeds, ABSENT))
        else:
            asked = GEO_COPY in self._wanted
            reply = self._client.ask_geo_copy(read.known.id) if asked else SKIPPED
            self._take(read, GEO_COPY, reply, partial(mapping.geo_copy, now=self._now))

    def _read_containers(self, read: AccountRead) -> None:
        reply = self._ask(read, CONTAINERS, lambda answer: mapping.containers(answer["value"]))
        name = "container_retentions"
        if reply.outcome is Outcome.ABSENT:
            read.facts[name] = ABSENT
        elif reply.outcome is not Outcome.ANSWERED:
            read.facts[name] = Unreadable(reply.code)
        else:
            held = [row for row in reply.answer["value"] if mapping.has_retention(row)]
            found = [self._retention(read, row, place) for place, row in enumerate(held)]
            known = tuple(one for one in found if one)
            read.facts[name] = Present(known) if known else ABSENT

    def _retention(
        self, read: AccountRead, row: Mapping[str, Any], place: int
    ) -> ContainerRetention | None:
        """The retention of a container; None when it was gone by the time it was asked for."""
        name = str(row["name"])
        told = row["properties"].get("immutabilityPolicy")
        if told:
            reply = Reply(Outcome.ANSWERED, told)
        elif RETENTION not in self._wanted:
            reply = SKIPPED
        elif place >= MOST_RETENTIONS:
            reply = _TOO_MANY
        else:
            reply = self._client.ask_retention(read.known.id, name)
        reply, found = understood(reply, ("state", "days"), mapping.retention)
        if not told:
            read.replies.append((RETENTION, reply))
        if reply.outcome is Outcome.ABSENT:
            return None
        state, days = (
            one.value if isinstance(one, Present) else None
            for one in (found["state"], found["days"])
        )
        return ContainerRetention(name, state, days, reply.code)

    def _replication(self, read: AccountRead, answer: Mapping[str, Any]) -> Mapping[str, Any]:
        account_id, policies = read.known.id, answer["value"]
        out = [one for one in policies if replication.is_source(one, account_id)]
        into = [one for one in policies if replication.is_destination(one, account_id)]
        places = {named: self._places.of(named) for named in map(replication.destination_of, out)}
        owners = {named: self._places.owner(named) for named in map(replication.source_of, into)}
        return {
            "replication_rules": replication.replication_rules(out, places) or None,
            "replication_origins": replication.replication_origins(into, owners) or None,
        }


def _blob_facts() -> tuple[str, ...]:
    return tuple(name for operation in _OF_BLOBS for name in BY_NAME[operation].feeds)
