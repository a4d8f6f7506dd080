"""What the collectors of AWS share: ask one account and region, count every call, learn facts."""

import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from app.clouds.aws import AwsClients
from app.clouds.aws_config import partition_of
from app.clouds.aws_errors import REGION_NOT_ENABLED
from app.clouds.failures import CallFailedError
from app.clouds.paging import Pages
from app.domain.collecting import (
    Connection,
    ListingDone,
    Operation,
    Outcome,
    ResourceSeen,
    ScopeReport,
)
from app.domain.coverage import Coverage
from app.domain.fact_check import typed
from app.domain.facts import Fact, FactDocument, fact_names
from app.domain.replies import SKIPPED, UNEXPECTED, Parse, Reply
from app.domain.replies import understood as understand

NO_ENDPOINT = "EndpointUnreachable"
Row = dict[str, Any]
Facts = dict[str, Fact[Any]]


@dataclass(frozen=True, slots=True)
class Listing:
    """A list that comes in pages: its operation, and the member of an answer that holds the rows.

    `token` is the parameter that asks for a page, `next_token` the member that names the next
    one where it has another name; `params` go along with every request. `region` is that of a
    service that lives in one place only. `may_lack`: an answer without rows leaves the member
    out; `NAMED_ROOTS` must then hold the name of the answer.
    """

    operation: str
    member: str
    token: str = "NextToken"  # noqa: S105 - a parameter's name
    next_token: str = ""
    params: Mapping[str, object] = field(default_factory=dict)
    region: str = ""
    may_lack: bool = False


class Rows:
    """The rows of one list, read as they are iterated; then `cut` tells why it is not whole.

    A refused or failed page ends the rows and is counted; '' in `cut` is a whole list. `outcome`
    is that of the last page that was asked for.
    """

    def __init__(
        self, reading: "AwsReading", listing: Listing, params: Mapping[str, object]
    ) -> None:
        self._reading, self._listing, self._params = reading, listing, params
        self.cut, self.outcome = "NotRead", Outcome.ANSWERED

    def __iter__(self) -> Iterator[Row]:
        name = self._listing.next_token or self._listing.token
        pages = Pages(self._fetch, lambda page: page.get(name))
        try:
            for page in pages:
                yield from page[self._listing.member]
        except CallFailedError as error:
            self.cut = error.code
            return
        self.cut = pages.code

    def _fetch(self, token: str | None) -> Row:
        operation = self._listing.operation
        params = {**self._listing.params, **self._params}
        if token:
            params[self._listing.token] = token
        reply = self._reading.ask(operation, self._listing.region, **params)
        if reply.outcome is Outcome.ANSWERED and self._listing.may_lack:
            reply = replace(reply, answer={self._listing.member: [], **reply.answer})
        if reply.outcome is Outcome.ANSWERED and not _has_rows(reply.answer, self._listing.member):
            reply = Reply(Outcome.FAILED, {}, UNEXPECTED, "an answer without its list")
        self._reading.count(operation, reply)
        self.outcome = reply.outcome
        if reply.outcome is not Outcome.ANSWERED:
            raise CallFailedError(reply.message, code=reply.code)
        return dict(reply.answer)


class AwsReading:
    """One sweep of one cell: an account, in one region or as a whole. Safe to share by threads.

    `region_id` is the region of the cell, else the connection's home region, which answers for
    a whole account. `scope` is what coverage and lists are counted for. `absent` names the error
    codes that mean "there is none", by operation. `not_everywhere` are operations of services that
    some regions have no endpoint for.
    """

    def __init__(
        self,
        connection: Connection,
        clients: AwsClients,
        operations: tuple[Operation, ...],
        *,
        absent: Mapping[str, frozenset[str]] | None = None,
        not_everywhere: frozenset[str] = frozenset(),
    ) -> None:
        self.clients, self.threads = clients, connection.threads
        self.account_id = connection.sub_account_id or clients.own_account_id
        self.home_region = clients.config.home_region
        self.region_id = connection.cell.region_id or self.home_region
        self.partition = partition_of(self.region_id)
        named = connection.cell.region_id
        self.scope = f"{self.account_id}/{named}" if named else self.account_id
        self._operations = {operation.name: operation for operation in operations}
        self._wanted = frozenset(clients.config.operations or self._operations)
        self._absent, self._not_everywhere = absent or {}, not_everywhere
        self._coverage, self._lock = Coverage(), threading.Lock()
        self._answered = False
        self._first_failure: CallFailedError | None = None

    def ask(self, operation: str, region: str = "", /, **params: object) -> Reply:
        """The reply to one call, not counted yet. `region` for services that live elsewhere."""
        if operation not in self._wanted:
            return SKIPPED
        service, _, action = operation.partition(":")
        try:
            answer = self.clients.call(service, action, region or self.region_id, **params)
        except CallFailedError as error:
            return self._no_answer(operation, error)
        return Reply(Outcome.ANSWERED, answer, throttled=self.clients.throttled)

    def rows(self, listing: Listing, **params: object) -> Rows:
        """The rows of a list, with each page counted."""
        return Rows(self, listing, params)

    def whole(self, listing: Listing, **params: object) -> Reply:
        """All rows of a list under its member; the reply of the page that failed instead.

        Each page is counted, so that only a list that does not end is left to be.
        """
        rows = self.rows(listing, **params)
        found = list(rows)
        if rows.cut:
            ended = Outcome.FAILED if rows.outcome is Outcome.ANSWERED else rows.outcome
            return Reply(ended, {}, rows.cut, "The list could not be read to its end.")
        return Reply(Outcome.ANSWERED, {listing.member: found})

    def learn(
        self, document: type[FactDocument], operation: str, parse: Parse, **params: object
    ) -> Facts:
        """Asks, and gives the facts of the document that the operation feeds."""
        return self.understood(document, operation, self.ask(operation, **params), parse)

    def understood(
        self, document: type[FactDocument], operation: str, reply: Reply, parse: Parse
    ) -> Facts:
        """The facts of a reply, which is counted."""
        reply, facts = understand(reply, self._feeds(document, operation), typed(document, parse))
        self.count(operation, reply)
        return facts

    def stated(
        self, document: type[FactDocument], operation: str, row: Mapping[str, Any], parse: Parse
    ) -> Facts:
        """The facts of a row of a list; only a row that is not understood is counted."""
        feeds = self._feeds(document, operation)
        answered = Reply(Outcome.ANSWERED, row)
        reply, facts = understand(answered, feeds, typed(document, parse))
        if reply.outcome is not Outcome.ANSWERED:
            self.count(operation, reply)
        return facts

    def count(self, operation: str, reply: Reply) -> None:
        """One call in the coverage."""
        none = reply.outcome is Outcome.ABSENT
        with self._lock:
            self._answered |= reply.outcome is not Outcome.FAILED
            self._coverage.count(
                self.scope,
                operation,
                reply.outcome,
                throttled=reply.throttled,
                fault=("", "") if none else (reply.code, reply.message),
            )

    def seen(  # noqa: PLR0913 - a resource has as many sides
        self,
        facts: FactDocument,
        *,
        native_id: str,
        name: str,
        created_at: datetime | None = None,
        tags: Mapping[str, str] | None = None,
        reused_name: bool = False,
        parent_native_id: str = "",
    ) -> ResourceSeen:
        """One resource of this cell. `tags` None: they could not be read.

        `reused_name`: the id is made of a name that may come again, so that the start of the
        life of the resource is a part of its identity.
        """
        life = f"@{created_at.isoformat()}" if reused_name and created_at else ""
        return ResourceSeen(
            kind=facts.KIND,
            immutable_id=native_id + life,
            native_id=native_id,
            name=name,
            sub_account_id=self.account_id,
            region_id=self.region_id,
            created_at=created_at,
            tags=tags,
            facts=facts,
            scope=self.scope,
            parent_native_id=parent_native_id,
        )

    def listed(self, document: type[FactDocument], cut: str) -> ListingDone:
        """How the list of a kind ended; only a whole one tells what is gone."""
        return ListingDone(document.KIND, self.scope, complete=not cut, code=cut)

    def reports(self) -> Iterator[ScopeReport]:
        """The coverage. CallFailedError when every single call failed: nothing is known then."""
        if self._first_failure and not self._answered:
            raise self._first_failure
        yield from self._coverage.reports()

    def _feeds(self, document: type[FactDocument], operation: str) -> tuple[str, ...]:
        names = frozenset(fact_names(document))
        return tuple(name for name in self._operations[operation].feeds if name in names)

    def _no_answer(self, operation: str, error: CallFailedError) -> Reply:
        outcome = Outcome.DENIED if error.denied else Outcome.FAILED
        if error.code in self._absent.get(operation, ()):
            outcome = Outcome.ABSENT
        elif self._is_off(error.code) or self._has_no_endpoint(operation, error.code):
            outcome = Outcome.SKIPPED
        if outcome is Outcome.FAILED:
            self._first_failure = self._first_failure or error
        return Reply(outcome, {}, error.code, error.detail, throttled=self.clients.throttled)

    def _has_no_endpoint(self, operation: str, code: str) -> bool:
        """Its host is not found, while another one of the same region has answered."""
        return operation in self._not_everywhere and code == NO_ENDPOINT and self._answered

    def _is_off(self, code: str) -> bool:
        """The answer of a region that the account has not switched on."""
        return self.region_id != self.home_region and code in REGION_NOT_ENABLED


def tags_of(rows: object, key: str = "Key", value: str = "Value") -> dict[str, str]:
    """AWS's list of tags as a mapping; a ValueError when it is none."""
    if not isinstance(rows, list):
        raise TypeError("tags are a list")
    return {row[key]: row[value] for row in rows}


def _has_rows(answer: Mapping[str, Any], member: str) -> bool:
    rows = answer.get(member)
    return isinstance(rows, list) and all(isinstance(row, dict | str) for row in rows)
