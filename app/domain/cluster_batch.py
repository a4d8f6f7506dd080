"""A pool of Azure Batch in the words that hold for any cluster, and the ways into its account."""

from typing import TypeVar

from app.domain.azure_batch import BatchAccountFacts, BatchPoolFacts
from app.domain.azure_machine_types import azure_machine_type
from app.domain.cluster import ClusterFacts, MachineGroup
from app.domain.cluster_groups import cluster_facts
from app.domain.fact_sums import mapped, reported
from app.domain.facts import Fact, Present, Unreadable
from app.domain.service_access import ServiceAccessFacts

T = TypeVar("T")

DEDICATED, LOW_PRIORITY = "dedicated", "low_priority"
_ORCHESTRATOR = Present("batch")


def batch_pool(found: BatchPoolFacts) -> ClusterFacts:
    """The derived facts of one pool: its dedicated nodes, and those that Azure may take away."""
    if isinstance(found.machine_type, Unreadable):
        return cluster_facts(_ORCHESTRATOR, found.machine_type)
    dedicated = _group(
        found, DEDICATED, found.current_dedicated_nodes, found.target_dedicated_nodes
    )
    other = _group(
        found, LOW_PRIORITY, found.current_low_priority_nodes, found.target_low_priority_nodes
    )
    has_other = other.current_count or other.target_count
    only_other = has_other and not (dedicated.current_count or dedicated.target_count)
    groups = (other,) if only_other else (dedicated, other) if has_other else (dedicated,)
    return cluster_facts(_ORCHESTRATOR, Present(groups))


def _group(found: BatchPoolFacts, name: str, current: Fact[int], target: Fact[int]) -> MachineGroup:
    told = _value(found.machine_type) or ""
    size = azure_machine_type(told)
    machine_type = size.id if size else told  # told in capitals here, and as others are elsewhere
    wanted = _value(target)
    fixed = wanted if found.autoscales == Present(value=False) else None
    return MachineGroup(
        name=name,
        machine_type=machine_type,
        machine_types=(machine_type,) if machine_type else (),
        capacity="on_demand" if name == DEDICATED else "low_priority",
        current_count=_value(current),
        target_count=wanted,
        minimum_count=fixed,
        maximum_count=fixed,
        accelerator_kind=size.accelerator_kind if size else None,
        accelerator_model=size.accelerator_model if size else "",
        accelerator_count=size.accelerator_count if size else None,
        rdma_interfaces=size.rdma_interfaces if size else None,
        status=_value(found.allocation_state) or "",
    )


def _value(source: Fact[T]) -> T | None:
    return source.value if isinstance(source, Present) else None


def batch_access(found: BatchAccountFacts) -> ServiceAccessFacts:
    """The ways into an account. A perimeter narrows them as rules do."""
    return ServiceAccessFacts(
        open_to_internet=_open(found),
        keys_accepted=mapped(
            reported(found.authentication_modes), lambda modes: "SharedKey" in modes
        ),
    )


def _open(found: BatchAccountFacts) -> Fact[bool]:
    if found.network_default_action == Present("Deny"):
        return Present(value=False)
    return mapped(reported(found.public_network_access), lambda word: word == "Enabled")
