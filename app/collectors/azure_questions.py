"""Single questions to Azure, each counted by subscription, with its failure as a reply."""

import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from app.clouds.azure import AzureClient
from app.clouds.azure_versions import reads
from app.clouds.failures import CallFailedError
from app.clouds.paging import Pages
from app.collectors.azure_scopes import TENANT
from app.collectors.azure_words import subscription_of
from app.domain.collecting import Operation, Outcome, ScopeReport
from app.domain.coverage import Coverage
from app.domain.replies import SKIPPED, UNEXPECTED, Reply

GRAPH = "resourcegraph:Resources"
# A provider that a subscription never registered: it can have none of its resources there.
NOT_REGISTERED = frozenset(
    {"MissingSubscriptionRegistration", "NoRegisteredProviderFound", "SubscriptionNotRegistered"}
)
# Paths are made of ids that Azure answered: an odd one is no place where a POST only reads.
_NO_ID = Reply(Outcome.FAILED, code=UNEXPECTED, message="An id is none of its type.")
Row = Mapping[str, Any]


class AzureQuestions:
    """Asks for one sweep. Safe to share by threads.

    The part of an operation's name before the colon is the API whose version is asked for.
    `absent` names the error codes that mean "there is none", by operation.
    """

    def __init__(
        self,
        azure: AzureClient,
        operations: tuple[Operation, ...],
        absent: Mapping[str, frozenset[str]],
    ) -> None:
        self.azure = azure
        names = [operation.name for operation in operations]
        self._wanted = frozenset(azure.config.operations or names)
        self._absent = absent
        self._coverage, self._lock = Coverage(), threading.Lock()
        self._answered = False
        self._first_failure: CallFailedError | None = None

    def ask(self, operation: str, path: str, **parameters: str) -> Reply:
        """The reply to one question, not counted yet."""
        return self.called(operation, lambda: self.azure.get(path, _api(operation), **parameters))

    def post(self, operation: str, path: str, body: Mapping[str, Any] | None = None) -> Reply:
        """The reply to one of the POSTs that only read, not counted yet."""
        if not reads(path):
            return _NO_ID
        return self.called(operation, lambda: self.azure.post(path, _api(operation), body))

    def called(self, operation: str, call: Callable[[], Row]) -> Reply:
        """The reply that a call of the client comes to, not counted yet."""
        if operation not in self._wanted:
            return SKIPPED
        try:
            answer = call()
        except CallFailedError as error:
            return self._no_answer(operation, error)
        return Reply(Outcome.ANSWERED, answer, throttled=self.azure.throttled)

    def whole(self, operation: str, path: str, **parameters: str) -> Reply:
        """All rows of a list as {"value": [...]}, not counted yet; no part of a list passes."""
        if operation not in self._wanted:
            return SKIPPED
        pages = self.azure.pages(path, _api(operation), **parameters)
        return self._read_all(operation, pages, "value")

    def posted(self, operation: str, path: str, member: str) -> Reply:
        """As `whole`, of a list that is asked for by one of the POSTs that only read."""
        if operation not in self._wanted:
            return SKIPPED
        if not reads(path):
            return _NO_ID
        return self._read_all(operation, self.azure.posted_pages(path, _api(operation)), member)

    def _read_all(self, operation: str, pages: Pages[dict[str, Any]], member: str) -> Reply:
        throttled = 0
        rows: list[Row] = []
        try:
            for page in pages:
                throttled += self.azure.throttled
                rows += rows_of(page, member)
        except CallFailedError as error:
            return self._no_answer(operation, error)
        if not pages.complete:
            message = "The list could not be read to its end."
            return Reply(Outcome.FAILED, {}, pages.code, message, throttled)
        return Reply(Outcome.ANSWERED, {member: rows}, throttled=throttled)

    def count(self, operation: str, path: str, reply: Reply) -> None:
        """One call in the coverage of the subscription that `path` names, else of the tenant."""
        none = reply.outcome is Outcome.ABSENT
        with self._lock:
            self._answered |= reply.outcome is not Outcome.FAILED
            self._coverage.count(
                subscription_of(path) or TENANT,
                operation,
                reply.outcome,
                throttled=reply.throttled,
                fault=("", "") if none else (reply.code, reply.message),
            )

    def reports(self) -> Iterator[ScopeReport]:
        """The coverage. CallFailedError when every single call failed: nothing is known then."""
        if self._first_failure and not self._answered:
            raise self._first_failure
        yield from self._coverage.reports()

    def _no_answer(self, operation: str, error: CallFailedError) -> Reply:
        outcome = Outcome.DENIED if error.denied else Outcome.FAILED
        if error.code in self._absent.get(operation, ()):
            outcome = Outcome.ABSENT
        elif error.code in NOT_REGISTERED:
            outcome = Outcome.SKIPPED
        if outcome is Outcome.FAILED:
            self._first_failure = self._first_failure or error
        return Reply(outcome, {}, error.code, error.detail, throttled=self.azure.throttled)


def _api(operation: str) -> str:
    return operation.partition(":")[0]


def rows_of(page: Row, member: str) -> list[Row]:
    """The rows of a page; CallFailedError when it is no list: that must not pass as empty."""
    found = page.get(member)
    if isinstance(found, list) and all(
        isinstance(row, dict) and isinstance(row.get("id", ""), str) for row in found
    ):
        return found
    raise CallFailedError("A list was answered without its rows.", code=UNEXPECTED)
