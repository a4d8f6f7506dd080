"""Puts machines together into the clusters of CycleCloud that their tags name. Pure."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from app.collectors.azure_compute.owners import CYCLECLOUD, NODE_ARRAY, OWNER, site_of
from app.collectors.azure_words import last_part, tag
from app.domain.cluster import MachineGroup
from app.domain.cyclecloud import GRID_ENGINE, PBS, SLURM, UNKNOWN
from app.domain.machine_types import MachineType

T = TypeVar("T")
# What CycleCloud's own templates and images are called (CycleCloud: schedulers).
_SCHEDULERS = {
    "slurm": SLURM,
    "gridengine": GRID_ENGINE,
    "grid-engine": GRID_ENGINE,
    "grid_engine": GRID_ENGINE,
    "sge": GRID_ENGINE,
    "openpbs": PBS,
    "pbspro": PBS,
    "pbs": PBS,
}
_WORD_BREAKS = str.maketrans(dict.fromkeys("/:._-", " "))
# Tags of one machine alone, which say nothing of the cluster.
_OF_MACHINE = frozenset({"name", "launchtime", "cyclecloudnodearray"})


@dataclass(frozen=True, slots=True)
class Node:
    """A machine of a cluster, or the machines of a scale set, which are alike.

    `count` None: not known how many there are now, and `code` says why. `target`: how many there
    are meant to be, which only a scale set tells. `tags` as Azure has them.
    """

    tags: Mapping[str, str]
    machine_type: str
    count: int | None
    capacity: str
    region_id: str
    image_name: str
    known: MachineType | None
    code: str = ""
    target: int | None = None


@dataclass(frozen=True, slots=True)
class Cluster:
    """What the tags of its nodes tell together."""

    cluster_id: str
    name: str
    site: str
    owner: str
    scheduler: str
    region_id: str
    tags: Mapping[str, str]
    arrays: tuple[MachineGroup, ...]


class Clusters:
    """The nodes of one sweep by their cluster."""

    def __init__(self) -> None:
        self._nodes: dict[str, list[Node]] = defaultdict(list)

    def add(self, cluster_id: str, node: Node) -> None:
        """Takes in a node of a cluster."""
        self._nodes[cluster_id].append(node)

    def found(self) -> Iterator[Cluster]:
        """Every cluster that has a node."""
        for cluster_id in sorted(self._nodes):
            yield cluster_of(cluster_id, self._nodes[cluster_id])


def cluster_of(cluster_id: str, nodes: Sequence[Node]) -> Cluster:
    """The cluster of these nodes, of which there is at least one."""
    owners = [tag(node.tags, OWNER) for node in nodes]
    owner = next((one for one in sorted(owners) if one), "")
    name = last_part(cluster_id)
    return Cluster(
        cluster_id=cluster_id,
        name=name,
        site=_site(nodes, owner),
        owner=owner,
        scheduler=_scheduler(name, nodes),
        region_id=_common(nodes, lambda node: node.region_id) or "",
        tags=_shared_tags(nodes),
        arrays=tuple(_array(group, members) for group, members in sorted(_by_array(nodes).items())),
    )


def _site(nodes: Sequence[Node], owner: str) -> str:
    paths = [tag(node.tags, CYCLECLOUD) for node in nodes]
    told = next((path.split("/")[2] for path in sorted(paths) if path.startswith("/sites/")), "")
    return told or site_of(owner)


def _scheduler(name: str, nodes: Sequence[Node]) -> str:
    """By the tags of the nodes, the cluster's name, then images; unknown when they disagree."""
    tagged = [
        value
        for node in nodes
        for key, value in node.tags.items()
        if "scheduler" in key.lower() or key.lower() == "orchestrator"
    ]
    for words in (tagged, [name], [node.image_name for node in nodes]):
        found = {_SCHEDULERS[one] for text in words for one in _words(text) if one in _SCHEDULERS}
        if found:
            return found.pop() if len(found) == 1 else UNKNOWN
    return UNKNOWN


def _words(text: str) -> list[str]:
    return [text.lower(), *text.lower().translate(_WORD_BREAKS).split()]


def _shared_tags(nodes: Sequence[Node]) -> Mapping[str, str]:
    """Tags that all nodes have alike: what somebody said of the whole cluster."""
    first, *rest = [dict(node.tags) for node in nodes]
    return {
        key: value
        for key, value in first.items()
        if key.lower() not in _OF_MACHINE and all(one.get(key) == value for one in rest)
    }


def _by_array(nodes: Sequence[Node]) -> dict[str, list[Node]]:
    """Nodes by the array that made them; a head node by its name; old ones by their size."""
    found: dict[str, list[Node]] = defaultdict(list)
    for node in nodes:
        array = last_part(tag(node.tags, NODE_ARRAY))
        found[array or tag(node.tags, "Name") or node.machine_type].append(node)
    return found


def _array(name: str, nodes: Sequence[Node]) -> MachineGroup:
    types = tuple(sorted({node.machine_type for node in nodes if node.machine_type}))
    return MachineGroup(
        name=name,
        machine_type=types[0] if len(types) == 1 else "",
        machine_types=types,
        capacity=_common(nodes, lambda node: node.capacity) or "unknown",
        current_count=_sum([node.count for node in nodes]),
        target_count=_sum([node.target for node in nodes]),
        minimum_count=None,
        maximum_count=None,
        accelerator_kind=_of_type(nodes, lambda one: one.accelerator_kind),
        accelerator_model=_of_type(nodes, lambda one: one.accelerator_model) or "",
        accelerator_count=_of_type(nodes, lambda one: one.accelerator_count),
        rdma_interfaces=_of_type(nodes, lambda one: one.rdma_interfaces),
        status="",
        code=next((node.code for node in nodes if node.code), ""),
    )


def _sum(counts: Sequence[int | None]) -> int | None:
    told = [count for count in counts if count is not None]
    return sum(told) if len(told) == len(counts) else None


def _of_type(nodes: Sequence[Node], told: Callable[[MachineType], T | None]) -> T | None:
    return _common(nodes, lambda node: told(node.known) if node.known else None)


def _common(nodes: Sequence[Node], told: Callable[[Node], T | None]) -> T | None:
    """What all nodes have alike; None where they differ or one does not tell."""
    values = [told(node) for node in nodes]
    return values[0] if all(value == values[0] for value in values) else None
