"""CycleCloud's clusters, which no API of Azure lists: the tags of their machines tell of them."""

from dataclasses import dataclass
from typing import ClassVar

from app.domain.cluster import ClusterFacts, MachineGroup
from app.domain.cluster_groups import NOT_TOLD, cluster_facts
from app.domain.facts import Fact, FactDocument, Present, Unreadable, fact

SLURM, GRID_ENGINE, PBS, UNKNOWN = "slurm", "grid_engine", "pbs", "unknown"

_GRAPH = "resourcegraph:Resources"


@dataclass(frozen=True, slots=True)
class CycleCloudClusterFacts(FactDocument):
    """A cluster of CycleCloud, as the tags of its machines tell.

    Without machines nothing tells of it. It is then kept as it was last seen with machines, and
    never taken for deleted: it may have scaled to none.
    """

    KIND: ClassVar[str] = "cyclecloud_cluster"
    AREA: ClassVar[str] = "clusters"

    site: Fact[str] = fact("The installation of CycleCloud that runs it.", _GRAPH)
    owner: Fact[str] = fact("Who started its machines; absent without such a tag.", _GRAPH)
    scheduler: Fact[str] = fact(
        "slurm, grid_engine, pbs or unknown, by its tags, names and images.", _GRAPH
    )
    node_arrays: Fact[tuple[MachineGroup, ...]] = fact(
        "Its machines by node array; head nodes are of none and stand under their own names. "
        "How many are meant to be is known of scale sets; of other machines to CycleCloud alone.",
        _GRAPH,
    )


def cyclecloud_cluster(own: CycleCloudClusterFacts) -> ClusterFacts:
    """The derived facts of a cluster of CycleCloud."""
    scheduler = own.scheduler
    is_told = isinstance(scheduler, Present) and scheduler.value != UNKNOWN
    return cluster_facts(scheduler if is_told else Unreadable(NOT_TOLD), own.node_arrays)
