"""One sweep over the capacity pools and volumes of all subscriptions."""

from collections.abc import Iterator
from dataclasses import replace

from app.clouds.parallel import stream
from app.collectors.azure_netapp import mapping
from app.collectors.azure_netapp.operations import (
    ACCOUNT_TYPE,
    POOLS,
    REPLICATIONS,
    STATUS,
    STATUS_FEEDS,
    VOLUMES,
)
from app.collectors.azure_reading import AzureReading, Facts, Row
from app.collectors.azure_words import last_part, subscription_of, tags_or_none
from app.domain.azure_netapp import AzureNetappPoolFacts, AzureNetappVolumeFacts
from app.domain.collecting import ListingDone, Observation, Outcome, ResourceSeen
from app.domain.facts import ABSENT, FactDocument
from app.domain.replies import UNEXPECTED, Reply

Pool, Volume = AzureNetappPoolFacts, AzureNetappVolumeFacts


class Sweep:
    """Reads pools and volumes once: Resource Graph names the accounts, ARM lists the rest.

    What a pool has left is a sum over its volumes, so they are read where they are exact.
    """

    def __init__(self, reading: AzureReading) -> None:
        self._reading = reading
        self._cuts: dict[tuple[str, str], str] = {}  # by kind and subscription

    def observations(self) -> Iterator[Observation]:
        """Each pool and its volumes, then whether the lists were whole, then the coverage."""
        reading = self._reading
        for pool, volumes in stream(self._pool, self._pools(), threads=reading.threads):
            yield pool
            yield from stream(self._volume, volumes, threads=reading.threads)
        yield from self._listed(Pool)
        yield from self._listed(Volume)
        yield from reading.reports()

    def _pools(self) -> Iterator[Row]:
        for account in self._reading.inventory(ACCOUNT_TYPE):
            path = f"{account['id']}/capacityPools"
            reply = self._reading.whole(POOLS, path)
            self._reading.count(POOLS, path, reply)
            yield from self._named(path, reply, Pool, Volume)

    def _pool(self, row: Row) -> tuple[ResourceSeen, list[Row]]:
        reading, path = self._reading, f"{row['id']}/volumes"
        reply = reading.whole(VOLUMES, path)
        facts = Pool(
            **reading.stated(Pool, row, mapping.pool, POOLS),
            **reading.understood(Pool, VOLUMES, path, reply, mapping.allocated),
        )
        seen = self._seen(facts, row, str(row["id"]).rpartition("/capacityPools")[0])
        return seen, list(self._named(path, reply, Volume))

    def _volume(self, row: Row) -> ResourceSeen:
        reading = self._reading
        facts = Volume(
            **reading.stated(Volume, row, mapping.volume, VOLUMES), **self._replication(row)
        )
        return self._seen(facts, row, str(row["id"]).rpartition("/volumes")[0])

    def _replication(self, row: Row) -> Facts:
        """Asked only where the row names a replication; its state is told by the copy alone."""
        reading, path = self._reading, str(row["id"])
        endpoint = mapping.endpoint_type(row)
        if not endpoint:
            return dict.fromkeys(("replications", *STATUS_FEEDS), ABSENT)
        others = reading.posted(REPLICATIONS, f"{path}/listReplications", "value")
        facts = reading.understood(Volume, REPLICATIONS, path, others, mapping.replications)
        if endpoint != mapping.DESTINATION:
            return facts | dict.fromkeys(STATUS_FEEDS, ABSENT)
        return facts | reading.learn(
            Volume, STATUS, f"{path}/replicationStatus", mapping.replication_status
        )

    def _seen(self, facts: FactDocument, row: Row, parent_id: str) -> ResourceSeen:
        return self._reading.seen(
            facts,
            row,
            name=last_part(str(row["id"])),
            tags=tags_or_none(row),
            parent_id=parent_id,
        )

    def _named(self, path: str, reply: Reply, *kinds: type[FactDocument]) -> Iterator[Row]:
        """The rows of a list; what is cut or has no id is remembered against the kinds."""
        code = "" if reply.outcome is Outcome.ANSWERED else reply.code
        for row in reply.answer.get("value", ()):
            if row.get("id"):
                yield row
            else:
                code = UNEXPECTED
        if code:
            self._cuts |= {(one.KIND, subscription_of(path)): code for one in kinds}

    def _listed(self, document: type[FactDocument]) -> Iterator[ListingDone]:
        for done in self._reading.listed(document, ACCOUNT_TYPE):
            cut = self._cuts.get((document.KIND, done.scope), "")
            yield replace(done, complete=False, code=cut) if cut and done.complete else done
