"""One sweep over the AKS clusters of a connection: settings, pools, machines, versions."""

from collections.abc import Iterator
from urllib.parse import quote

from app.clouds.parallel import stream
from app.collectors.azure_aks import mapping
from app.collectors.azure_aks.operations import MACHINES, POOLS, VERSIONS
from app.collectors.azure_reading import AzureReading, Facts, Row
from app.collectors.azure_words import region, subscription_of, tags_or_none
from app.domain.azure_aks import STOPPED, AgentPool, AksClusterFacts, PoolMachines
from app.domain.collecting import Observation, Outcome, ResourceSeen
from app.domain.facts import Fact, Present

Document = AksClusterFacts
TYPE = "microsoft.containerservice/managedclusters"


class Sweep:
    """Reads the clusters once."""

    def __init__(self, reading: AzureReading) -> None:
        self._reading = reading
        self._versions: dict[str, Facts] = {}  # by path

    def observations(self) -> Iterator[Observation]:
        """Clusters as they are read, then which lists of them were whole, then the coverage."""
        rows = list(self._reading.inventory(TYPE))
        paths = {_versions_of(row) for row in rows}
        found = stream(self._offered, sorted(paths), threads=self._reading.threads)
        self._versions = dict(found)
        yield from stream(self._read, rows, threads=self._reading.threads)
        yield from self._reading.listed(Document, TYPE)
        yield from self._reading.reports()

    def _offered(self, path: str) -> tuple[str, Facts]:
        """What AKS offers in a region is the same for all clusters there: asked once."""
        return path, self._reading.learn(Document, VERSIONS, path, mapping.offered_versions)

    def _read(self, row: Row) -> ResourceSeen:
        reading, path = self._reading, str(row["id"])
        facts = {
            **reading.stated(Document, row, mapping.cluster),
            **reading.learn_list(Document, POOLS, f"{path}/agentPools", mapping.agent_pools),
            **self._versions[_versions_of(row)],
        }
        facts["pool_machines"] = self._machines(path, facts)
        return reading.seen(Document(**facts), row, tags=tags_or_none(row))

    def _machines(self, path: str, facts: Facts) -> Fact[tuple[PoolMachines, ...]]:
        """The machines of each pool that runs; a stopped one has none."""
        pools = facts["agent_pools"]
        if not isinstance(pools, Present):
            return pools
        running = facts["power_state"] != Present(STOPPED)
        asked = [one for one in pools.value if running and one.power_state != STOPPED]
        return Present(tuple(self._machines_of(path, one) for one in asked))

    def _machines_of(self, path: str, pool: AgentPool) -> PoolMachines:
        listed = f"{path}/agentPools/{quote(pool.name, safe='')}/machines"
        reply = self._reading.whole(MACHINES, listed)
        self._reading.count(MACHINES, listed, reply)
        if reply.outcome is not Outcome.ANSWERED:
            return PoolMachines(pool.name, None, reply.code)
        return PoolMachines(pool.name, len(reply.answer["value"]))


def _versions_of(row: Row) -> str:
    """Where the versions of a cluster's region are listed."""
    place = quote(region(row.get("location")) or "", safe="")
    subscription = subscription_of(str(row["id"]))
    provider = "providers/Microsoft.ContainerService"
    return f"/subscriptions/{subscription}/{provider}/locations/{place}/kubernetesVersions"
