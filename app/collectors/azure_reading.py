"""What the collectors of Azure share: subscriptions, their inventory, and what is learned."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from itertools import islice
from typing import Any

from app.clouds.azure import SUBSCRIPTIONS_PER_QUERY, AzureClient
from app.clouds.failures import CallFailedError
from app.collectors.azure_questions import GRAPH, AzureQuestions, Row, rows_of
from app.collectors.azure_scopes import TENANT, read_scopes
from app.collectors.azure_words import canonical_id, region, subscription_of
from app.domain.collecting import (
    Connection,
    ListingDone,
    Operation,
    Outcome,
    ResourceSeen,
)
from app.domain.fact_check import typed
from app.domain.facts import Fact, FactDocument, fact_names
from app.domain.replies import SKIPPED, SKIPPED_BY_CONFIGURATION, Parse, Reply
from app.domain.replies import understood as understand
from app.kit.errors import CollectorError, InvalidInputError

__all__ = ["GRAPH", "AzureReading", "Facts", "Row", "open_azure", "open_reading"]

_COLUMNS = (
    "id, name, type, kind, location, resourceGroup, subscriptionId, tags, zones, sku, managedBy, "
    "identity, properties"
)
Facts = dict[str, Fact[Any]]


class AzureReading(AzureQuestions):
    """One sweep of the subscriptions of a connection. Safe to share by threads."""

    def __init__(
        self,
        connection: Connection,
        azure: AzureClient,
        operations: tuple[Operation, ...],
        *,
        absent: Mapping[str, frozenset[str]] | None = None,
    ) -> None:
        super().__init__(azure, operations, absent or {})
        self.threads = connection.threads
        self._operations = {operation.name: operation for operation in operations}
        self._originals: dict[str, str] = {}
        self._cuts: dict[tuple[str, str], str] = {}  # by type and subscription
        self._scopes = read_scopes(azure, self._coverage, operations[0].name)

    @property
    def subscriptions(self) -> Mapping[str, Row]:
        """The subscriptions that are read, by id in lower case, with their documents."""
        return self._scopes.visible

    def inventory(self, *types: str) -> Iterator[Row]:
        """Every resource of these types as Resource Graph knows it, which lags by minutes.

        Rows have id, name, type, kind, location, tags, sku, properties and a few more. Ids keep
        the letter case of Resource Graph. `listed` then tells which lists were whole.
        """
        return self._asked("resources", types)

    def containers(self, *types: str) -> Iterator[Row]:
        """As `inventory`, of what holds resources: subscriptions and resource groups."""
        return self._asked("resourcecontainers", types)

    def cut_of(self, one: str, subscription: str) -> str:
        """Why the inventory of a type is not whole in a subscription; '' when it is."""
        return self._cuts.get((one, subscription), "NotRead")

    def original_id(self, resource_id: str) -> str:
        """The id as the inventory of this sweep spells it, so that parents are found by it."""
        return self._originals.get(canonical_id(resource_id), resource_id)

    def learn(
        self,
        document: type[FactDocument],
        operation: str,
        path: str,
        parse: Parse,
        **parameters: str,
    ) -> Facts:
        """Asks, and gives the facts of the document that the operation feeds."""
        return self.understood(
            document, operation, path, self.ask(operation, path, **parameters), parse
        )

    def learn_list(
        self,
        document: type[FactDocument],
        operation: str,
        path: str,
        parse: Parse,
        **parameters: str,
    ) -> Facts:
        """Reads a list to its end, and gives the facts that it feeds; see `whole`."""
        return self.understood(
            document, operation, path, self.whole(operation, path, **parameters), parse
        )

    def understood(
        self, document: type[FactDocument], operation: str, path: str, reply: Reply, parse: Parse
    ) -> Facts:
        """The facts of a reply, which is counted for the subscription that `path` names."""
        feeds = self._feeds(document, operation)
        reply, facts = understand(reply, feeds, typed(document, parse))
        self.count(operation, path, reply)
        return facts

    def stated(
        self, document: type[FactDocument], row: Row, parse: Parse, operation: str = GRAPH
    ) -> Facts:
        """The facts of a row of a list; only a row that is not understood is counted."""
        feeds = self._feeds(document, operation)
        reply, facts = understand(Reply(Outcome.ANSWERED, row), feeds, typed(document, parse))
        if reply.outcome is not Outcome.ANSWERED:
            self.count(operation, str(row.get("id") or ""), reply)
        return facts

    def seen(
        self,
        facts: FactDocument,
        row: Row,
        *,
        name: str = "",
        created_at: datetime | None = None,
        tags: Mapping[str, str] | None = None,
        parent_id: str = "",
    ) -> ResourceSeen:
        """One resource. `tags` None: not read. A name may come again, so a known start of its
        life is a part of its identity.
        """
        resource_id = str(row["id"])
        life = f"@{created_at.isoformat()}" if created_at else ""
        subscription = subscription_of(resource_id)
        return ResourceSeen(
            kind=facts.KIND,
            immutable_id=canonical_id(resource_id) + life,
            native_id=resource_id,
            name=name or str(row.get("name") or resource_id),
            sub_account_id=subscription,
            region_id=region(row.get("location")),
            created_at=created_at,
            tags=tags,
            facts=facts,
            scope=subscription,
            parent_native_id=self.original_id(parent_id) if parent_id else "",
        )

    def listed(
        self, document: type[FactDocument], *types: str, cuts: Mapping[str, str] | None = None
    ) -> Iterator[ListingDone]:
        """How the lists of a kind ended that were made of the inventory of some types.

        Resource Graph lags, so what is missing from it is gone only when it is missing twice.
        `cuts`: why the lists below those resources are not whole, by subscription.
        """
        for subscription in self._all():
            codes = [self.cut_of(one, subscription) for one in types]
            codes.append((cuts or {}).get(subscription, ""))
            code = next(filter(None, codes), "")
            yield ListingDone(document.KIND, subscription, not code, code, is_lagging=True)

    def _all(self) -> list[str]:
        return [*self._scopes.visible, *self._scopes.left_out]

    def _parts(self) -> Iterator[list[str]]:
        names = iter(sorted(self._scopes.visible))
        while part := list(islice(names, SUBSCRIPTIONS_PER_QUERY)):
            yield part

    def _asked(self, table: str, types: tuple[str, ...]) -> Iterator[Row]:
        if GRAPH not in self._wanted:
            code = SKIPPED_BY_CONFIGURATION
            self._cuts |= {(one, each): code for one in types for each in self._all()}
            self.count(GRAPH, TENANT, SKIPPED)
            return
        quoted = ", ".join(f"'{one.lower()}'" for one in types)
        query = f"{table} | where type in~ ({quoted}) | project {_COLUMNS} | order by id asc"
        for part in self._parts():
            yield from self._queried(query, part, types)

    def _queried(self, query: str, part: list[str], types: Iterable[str]) -> Iterator[Row]:
        pages = self.azure.graph(query, part)
        code = ""
        try:
            for page in pages:
                rows = rows_of(page, "data")
                self.count(GRAPH, TENANT, Reply(Outcome.ANSWERED, throttled=self.azure.throttled))
                self._originals |= {canonical_id(row["id"]): row["id"] for row in rows}
                yield from (row for row in rows if subscription_of(row["id"]) in part)
            code = pages.code
        except CallFailedError as error:
            self.count(GRAPH, TENANT, self._no_answer(GRAPH, error))
            code = error.code
        self._cuts |= {(one, subscription): code for one in types for subscription in part}

    def _feeds(self, document: type[FactDocument], operation: str) -> tuple[str, ...]:
        names = frozenset(fact_names(document))
        return tuple(name for name in self._operations[operation].feeds if name in names)


@contextmanager
def open_reading(
    connection: Connection,
    operations: tuple[Operation, ...],
    *,
    absent: Mapping[str, frozenset[str]] | None = None,
) -> Iterator[AzureReading]:
    """A reading of the connection's subscriptions, whose client is closed at the end.

    CollectorError when the settings are wrong, the credential is no good or nothing can be seen.
    """
    with open_azure(connection) as azure:
        yield AzureReading(connection, azure, operations, absent=absent)


@contextmanager
def open_azure(connection: Connection) -> Iterator[AzureClient]:
    """The connection's client; CollectorError when its settings are wrong."""
    try:
        azure = AzureClient(connection)
    except InvalidInputError as error:
        raise CollectorError(
            error.detail, code="InvalidConfiguration", permanent=True, mend=error.mend
        ) from error
    try:
        yield azure
    finally:
        azure.close()
