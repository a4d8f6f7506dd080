"""One sweep over the storage accounts of a tenant: list, read in parallel, stream."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import islice
from typing import Any

from app.clouds.azure_config import AzureConfig
from app.clouds.failures import CallFailedError
from app.clouds.parallel import stream
from app.collectors.azure_blob.client import StorageClient, rows
from app.collectors.azure_blob.listing import Known, Lists, known_account
from app.collectors.azure_blob.operations import GRAPH
from app.collectors.azure_blob.reading import AccountRead, AccountReader
from app.collectors.azure_scopes import NOT_VISIBLE, TENANT
from app.domain.collecting import ListingDone, Observation, Outcome, ResourceSeen
from app.domain.coverage import Coverage
from app.domain.storage_accounts import AzureStorageAccountFacts

KIND = AzureStorageAccountFacts.KIND
_SUBSCRIPTIONS_PER_QUERY = 100
Found = tuple[Known, Mapping[str, Any] | None]


class Sweep:
    """Reads one connection once. Worker threads only ask; the reading thread counts and yields.

    Resource Manager's lists say which accounts exist, Resource Graph what they are like: it
    answers a thousand accounts in one call, but lags behind, so it never says that one is gone.
    """

    def __init__(
        self, client: StorageClient, config: AzureConfig, threads: int, now: datetime
    ) -> None:
        self._client, self._config, self._threads = client, config, threads
        self._now = now
        self._coverage = Coverage()
        self._lists = Lists(client, self._coverage)

    def observations(self) -> Iterator[Observation]:
        """Accounts as they are read, then what was listed, then the coverage.

        Raises CallFailedError when no subscription can be listed: then nothing is known.
        """
        self._lists.read()
        reader = AccountReader(
            self._client, self._lists.accounts, self._now, self._config.operations
        )
        for read in stream(reader.read, self._found(), threads=self._threads):
            self._count(read)
            yield _seen(read)
        for subscription, code in self._lists.ends.items():
            yield ListingDone(KIND, subscription, complete=not code, code=code)
        yield from self._coverage.reports()

    def _found(self) -> Iterator[Found]:
        """Each account once: with its row where Resource Graph has one of the same life."""
        left = dict(self._lists.accounts)
        for row in self._graph_rows():
            subscription = str(row.get("subscriptionId") or "").lower()
            known = known_account(row, subscription)
            listed = left.pop(known.id, None)
            if listed is None and not self._may_be_new(known):
                continue
            same_life = listed is None or listed.created_at == known.created_at
            yield (listed or known, row if same_life else None)
        for known in left.values():
            yield known, None

    def _may_be_new(self, known: Known) -> bool:
        """Not listed, but the list of its subscription is not whole, so it may well exist."""
        end = self._lists.ends.get(known.subscription, NOT_VISIBLE)
        return known.id not in self._lists.accounts and end not in ("", NOT_VISIBLE)

    def _graph_rows(self) -> Iterator[dict[str, Any]]:
        names = iter(sorted(one for one, end in self._lists.ends.items() if end != NOT_VISIBLE))
        while chunk := list(islice(names, _SUBSCRIPTIONS_PER_QUERY)):
            pages = self._client.graph(chunk)
            try:
                for page in pages:
                    throttled = self._client.throttled
                    self._coverage.count(TENANT, GRAPH, Outcome.ANSWERED, throttled=throttled)
                    yield from rows(page)
            except CallFailedError as error:
                outcome = Outcome.DENIED if error.denied else Outcome.FAILED
                fault = (error.code, error.detail)
                throttled = self._client.throttled
                self._coverage.count(TENANT, GRAPH, outcome, throttled=throttled, fault=fault)

    def _count(self, read: AccountRead) -> None:
        for operation, reply in read.replies:
            self._coverage.count(
                read.known.subscription,
                operation,
                reply.outcome,
                throttled=reply.throttled,
                fault=("", "") if reply.outcome is Outcome.ABSENT else (reply.code, reply.message),
            )


def _seen(read: AccountRead) -> ResourceSeen:
    known = read.known
    return ResourceSeen(
        kind=KIND,
        immutable_id=_life(known.id, known.created_at),
        native_id=known.original_id,
        name=str(read.document.get("name") or known.name),
        sub_account_id=known.subscription,
        region_id=known.region_id,
        created_at=known.created_at,
        tags=_tags(read.document),
        facts=AzureStorageAccountFacts(**read.facts),
        scope=known.subscription,
    )


def _life(account_id: str, created_at: datetime | None) -> str:
    return f"{account_id}@{created_at.isoformat()}" if created_at else account_id


def _tags(document: Mapping[str, Any]) -> dict[str, str] | None:
    """Tags of an account that was read; None when it was not."""
    if not document:
        return None
    return {str(key): str(value) for key, value in (document.get("tags") or {}).items()}
