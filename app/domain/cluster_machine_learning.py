"""A compute of Azure Machine Learning in the words of any cluster, and the ways in."""

from collections.abc import Mapping
from typing import TypeVar

from app.domain.azure_machine_learning import (
    AML_COMPUTE,
    COMPUTE_INSTANCE,
    MlComputeFacts,
    MlWorkspaceFacts,
)
from app.domain.azure_machine_types import azure_machine_type
from app.domain.cluster import ClusterFacts, MachineGroup
from app.domain.cluster_groups import NOT_TOLD, cluster_facts
from app.domain.fact_sums import mapped, reported
from app.domain.facts import ABSENT, Fact, Present, Unreadable
from app.domain.service_access import ServiceAccessFacts

T = TypeVar("T")

_ORCHESTRATOR = Present("azure_ml")
# An instance is one machine, which costs until it is stopped (Azure Machine Learning: manage a
# compute instance). In a state that passes nobody tells whether it is there yet.
_INSTANCE_MACHINES: Mapping[str, int] = {
    "Running": 1,
    "JobRunning": 1,
    "Restarting": 1,
    "SettingUp": 1,
    "UserSettingUp": 1,
    "Unusable": 1,
    "SetupFailed": 1,
    "UserSetupFailed": 1,
    "Stopped": 0,
    "Deallocated": 0,
}


def ml_compute(found: MlComputeFacts) -> ClusterFacts:
    """The derived facts of one compute; what is attached has its machines elsewhere."""
    kind = found.compute_type
    if not isinstance(kind, Present):
        unread = kind if isinstance(kind, Unreadable) else Unreadable(NOT_TOLD)
        return cluster_facts(_ORCHESTRATOR, unread)
    if kind.value == AML_COMPUTE:
        return cluster_facts(_ORCHESTRATOR, Present((_cluster(found),)))
    if kind.value == COMPUTE_INSTANCE:
        return cluster_facts(_ORCHESTRATOR, Present((_instance(found),)))
    return cluster_facts(_ORCHESTRATOR, Present(()))


def _cluster(found: MlComputeFacts) -> MachineGroup:
    low = found.priority == Present("LowPriority")
    known = isinstance(found.priority, Present)
    return _group(
        found,
        "nodes",
        capacity="low_priority" if low else "on_demand" if known else "unknown",
        counts=(_value(found.current_nodes), _value(found.target_nodes)),
        limits=(_value(found.minimum_nodes), _value(found.maximum_nodes)),
        status=_value(found.allocation_state) or "",
    )


def _instance(found: MlComputeFacts) -> MachineGroup:
    state = _value(found.instance_state) or ""
    machines = _INSTANCE_MACHINES.get(state)
    return _group(
        found,
        "instance",
        capacity="on_demand",
        counts=(machines, machines),
        limits=(0, 1),
        status=state,
    )


def _group(
    found: MlComputeFacts,
    name: str,
    *,
    capacity: str,
    counts: tuple[int | None, int | None],
    limits: tuple[int | None, int | None],
    status: str,
) -> MachineGroup:
    told = _value(found.machine_type) or ""
    size = azure_machine_type(told)
    machine_type = size.id if size else told  # told in capitals here, and as others are elsewhere
    return MachineGroup(
        name=name,
        machine_type=machine_type,
        machine_types=(machine_type,) if machine_type else (),
        capacity=capacity,
        current_count=counts[0],
        target_count=counts[1],
        minimum_count=limits[0],
        maximum_count=limits[1],
        accelerator_kind=size.accelerator_kind if size else None,
        accelerator_model=size.accelerator_model if size else "",
        accelerator_count=size.accelerator_count if size else None,
        rdma_interfaces=size.rdma_interfaces if size else None,
        status=status,
    )


def _value(source: Fact[T]) -> T | None:
    return source.value if isinstance(source, Present) else None


def workspace_access(found: MlWorkspaceFacts) -> ServiceAccessFacts:
    """The ways into a workspace, which knows no keys: callers are of the directory."""
    return ServiceAccessFacts(
        open_to_internet=mapped(
            reported(found.public_network_access), lambda word: word != "Disabled"
        ),
        keys_accepted=ABSENT,
    )
