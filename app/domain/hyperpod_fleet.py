"""All machines of an estate of HyperPod and Kubernetes, each counted once.

What pages show today is counted by cluster (`cluster_hyperpod`). This is where the nodes that
Kubernetes lists will be joined with those (accelerator identity), and where hours get a price:
until there is a collector of Kubernetes and a price list, only tests call it.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

# aws:///<zone id>/sagemaker/cluster/<name of the cluster>-<instance>; the name has been left out
# by some versions (kubernetes/autoscaler#8195).
_PROVIDER_ID = re.compile(r"aws:///[^/]+/sagemaker/cluster/(?:.+-)?(i-[0-9a-f]{8,17})")
GPU, NEURON = "gpu", "neuron"
PRICED, UNPRICED = "priced", "unpriced"


class NodeState(StrEnum):
    """What a machine can be used for; `unknown` for a word of AWS that is new to us."""

    RUNNING = "running"
    PENDING = "pending"
    UNUSABLE = "unusable"
    UNKNOWN = "unknown"


# SageMaker API: ClusterInstanceStatus.
_STATES = {
    "Running": NodeState.RUNNING,
    "Pending": NodeState.PENDING,
    "SystemUpdating": NodeState.PENDING,
    "DeepHealthCheckInProgress": NodeState.PENDING,
    "AttachInProgress": NodeState.PENDING,
    "Failure": NodeState.UNUSABLE,
    "ShuttingDown": NodeState.UNUSABLE,
    "DetachInProgress": NodeState.UNUSABLE,
    "NotFound": NodeState.UNUSABLE,
}


@dataclass(frozen=True, slots=True)
class HyperpodNode:
    """A node as SageMaker lists it.

    `id`: its instance, or its logical id while it has none; '' when neither is told.
    """

    id: str
    machine_type: str
    status: str


@dataclass(frozen=True, slots=True)
class KubernetesNode:
    """A node as Kubernetes lists it; `provider_id` '' while its provider has not named it."""

    name: str
    provider_id: str


@dataclass(frozen=True, slots=True)
class Accelerators:
    """What one machine of a type holds: gpu, neuron or '' for none, in whole devices."""

    kind: str
    count: float


@dataclass(frozen=True, slots=True)
class Fleet:
    """Machines of both lists, each once.

    Accelerators are whole devices of HyperPod's nodes, None when the type of one of the machines
    counted is not known. `unlisted_by_kubernetes` are HyperPod's nodes that Kubernetes does not
    list, `unlisted_by_sagemaker` those that only Kubernetes lists as HyperPod's.
    """

    nodes_total: int
    hyperpod_nodes: int
    gpu_nodes_running: int | None
    gpus_running: float | None
    gpus_pending: float | None
    gpus_unusable: float | None
    neuron_devices_running: float | None
    unlisted_by_kubernetes: tuple[str, ...]
    unlisted_by_sagemaker: tuple[str, ...]
    unknown_types: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HourlyCost:
    """What machines cost an hour; `amount` None with the status `unpriced`: never 0 then."""

    amount: Decimal | None
    status: str
    unpriced_types: tuple[str, ...]


def node_state(status: str) -> NodeState:
    """What the status of a HyperPod node means."""
    return _STATES.get(status, NodeState.UNKNOWN)


def hyperpod_instance(provider_id: str) -> str:
    """The instance of a HyperPod node by its provider id; '' for a machine of another kind."""
    found = _PROVIDER_ID.fullmatch(provider_id)
    return found[1] if found else ""


def fleet(
    hyperpod: Iterable[HyperpodNode],
    kubernetes: Iterable[KubernetesNode],
    types: Mapping[str, Accelerators],
) -> Fleet:
    """Joins both lists. Nodes told twice count once; what is told last of one is kept.

    HyperPod's machines are not in EC2, so only the provider id joins them, never a name.
    """
    nodes = _distinct(hyperpod)
    own = {node.id for node in nodes if node.id}
    listed = {node.provider_id or node.name for node in kubernetes}
    joined = {hyperpod_instance(provider_id) for provider_id in listed} - {""}
    others = {provider_id for provider_id in listed if not hyperpod_instance(provider_id)}
    known = len(nodes) + len(joined - own)
    return Fleet(
        nodes_total=known + len(others),
        hyperpod_nodes=known,
        gpu_nodes_running=_gpu_nodes(nodes, types),
        gpus_running=_devices(nodes, types, GPU, NodeState.RUNNING),
        gpus_pending=_devices(nodes, types, GPU, NodeState.PENDING),
        gpus_unusable=_devices(nodes, types, GPU, NodeState.UNUSABLE),
        neuron_devices_running=_devices(nodes, types, NEURON, NodeState.RUNNING),
        unlisted_by_kubernetes=tuple(sorted(own - joined)),
        unlisted_by_sagemaker=tuple(sorted(joined - own)),
        unknown_types=tuple(sorted({one.machine_type for one in nodes} - types.keys())),
    )


def hourly_cost(nodes: Iterable[HyperpodNode], prices: Mapping[str, Decimal]) -> HourlyCost:
    """What the nodes cost by a price list with SageMaker's own types.

    A machine of HyperPod is billed by SageMaker as `ml.*`. The price of the EC2 type of a like
    name is another one, and a type without a price is not free.
    """
    types = [node.machine_type for node in _distinct(nodes)]
    missing = tuple(sorted({name for name in types if name not in prices}))
    if missing:
        return HourlyCost(None, UNPRICED, missing)
    return HourlyCost(sum((prices[name] for name in types), Decimal(0)), PRICED, ())


def _distinct(nodes: Iterable[HyperpodNode]) -> tuple[HyperpodNode, ...]:
    """Each node once. Nothing says of two without an id that they are the same."""
    found = tuple(nodes)
    named = {node.id: node for node in found if node.id}
    return (*named.values(), *(node for node in found if not node.id))


def _devices(
    nodes: Sequence[HyperpodNode], types: Mapping[str, Accelerators], kind: str, state: NodeState
) -> float | None:
    found = [types.get(node.machine_type) for node in _in_state(nodes, state)]
    known = [one for one in found if one]
    if len(known) < len(found) or any(_is_new(node) for node in nodes):
        return None
    return sum(one.count for one in known if one.kind == kind)


def _gpu_nodes(nodes: Sequence[HyperpodNode], types: Mapping[str, Accelerators]) -> int | None:
    running = _in_state(nodes, NodeState.RUNNING)
    if any(node.machine_type not in types for node in running) or any(map(_is_new, nodes)):
        return None
    return sum(types[node.machine_type].kind == GPU for node in running)


def _in_state(nodes: Sequence[HyperpodNode], state: NodeState) -> list[HyperpodNode]:
    return [node for node in nodes if node_state(node.status) is state]


def _is_new(node: HyperpodNode) -> bool:
    """In a state that might be any of the others."""
    return node_state(node.status) is NodeState.UNKNOWN
