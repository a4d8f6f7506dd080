"""One sweep over Azure Batch: accounts, the quotas of their regions, and their pools."""

from collections.abc import Iterator
from datetime import datetime
from urllib.parse import quote

from app.clouds.parallel import stream
from app.collectors.azure_batch import mapping
from app.collectors.azure_batch.operations import POOLS, QUOTAS
from app.collectors.azure_reading import AzureReading, Facts, Row
from app.collectors.azure_words import region, subscription_of, tags_or_none
from app.domain.azure_batch import BatchAccountFacts, BatchPoolFacts
from app.domain.collecting import Observation, Outcome, ResourceSeen
from app.domain.replies import ODD, UNEXPECTED, Reply

TYPE = "microsoft.batch/batchaccounts"


class Sweep:
    """Reads accounts and pools once."""

    def __init__(self, reading: AzureReading) -> None:
        self._reading = reading
        self._quotas: dict[str, Facts] = {}  # by path
        self._cuts: dict[str, str] = {}  # why not all pools of a subscription are known

    def observations(self) -> Iterator[Observation]:
        """Accounts with their pools, then which lists of them were whole, then the coverage."""
        reading, rows = self._reading, list(self._reading.inventory(TYPE))
        paths = sorted({_quotas_of(row) for row in rows})
        self._quotas = dict(stream(self._quota, paths, threads=reading.threads))
        for found in stream(self._read, rows, threads=reading.threads):
            yield from found
        yield from reading.listed(BatchAccountFacts, TYPE)
        yield from reading.listed(BatchPoolFacts, TYPE, cuts=self._cuts)
        yield from reading.reports()

    def _quota(self, path: str) -> tuple[str, Facts]:
        """The quotas of a region are the same for all accounts there: asked once."""
        return path, self._reading.learn(BatchAccountFacts, QUOTAS, path, mapping.region_quota)

    def _read(self, row: Row) -> list[ResourceSeen]:
        reading, path = self._reading, f"{row['id']}/pools"
        pools = reading.whole(POOLS, path)
        facts = {
            **reading.stated(BatchAccountFacts, row, mapping.account),
            **reading.understood(BatchAccountFacts, POOLS, path, pools, mapping.pool_names),
            **self._quotas[_quotas_of(row)],
        }
        account = reading.seen(BatchAccountFacts(**facts), row, tags=tags_or_none(row))
        return [account, *self._pools(row, pools)]

    def _pools(self, account: Row, reply: Reply) -> Iterator[ResourceSeen]:
        if reply.outcome is not Outcome.ANSWERED:
            self._cuts[subscription_of(str(account["id"]))] = reply.code
            return
        mode = self._reading.stated(BatchPoolFacts, account, mapping.allocation_mode)
        for row in reply.answer["value"]:
            try:
                made_at = mapping.made_at(row, str(account["id"]))
            except ODD:
                self._cuts[subscription_of(str(account["id"]))] = UNEXPECTED
            else:
                yield self._pool(account, row, mode, made_at)

    def _pool(self, account: Row, row: Row, mode: Facts, made_at: datetime | None) -> ResourceSeen:
        facts = self._reading.stated(BatchPoolFacts, row, mapping.pool, POOLS)
        return self._reading.seen(
            BatchPoolFacts(**facts, **mode),
            {**row, "location": account.get("location")},
            created_at=made_at,
            tags=mapping.labels(row),
            parent_id=str(account["id"]),
        )


def _quotas_of(row: Row) -> str:
    """Where the quotas of an account's region are."""
    place = quote(region(row.get("location")) or "", safe="")
    subscription = subscription_of(str(row["id"]))
    return f"/subscriptions/{subscription}/providers/Microsoft.Batch/locations/{place}/quotas"
