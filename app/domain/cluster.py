"""What holds for any cluster of machines, in the same words for every system.

One `ClusterFacts` is derived per cluster and stored with it; policies, lists and reports read
these names. A derived fact is unreadable when an input it needs is unreadable.
"""

from dataclasses import dataclass
from typing import ClassVar

from app.domain.facts import Fact, FactDocument, fact


@dataclass(frozen=True, slots=True)
class MachineGroup:
    """A part of a cluster whose machines are alike: instance group, node group, pool, partition.

    `machine_type` in the provider's spelling; '' when several are allowed (`machine_types` then
    names them). `capacity`: on_demand, spot, low_priority, capacity_block, training_plan or
    unknown.
    `current_count` and `target_count` are machines, None when not known; so are
    `minimum_count` and `maximum_count`, between which it scales; a fixed group stays at both.
    `accelerator_count` is that of one machine in whole devices, None when its type is not known;
    `accelerator_kind` gpu, neuron or '' for none. `rdma_interfaces` of one machine.
    `status` in the provider's word. `is_restricted`: only the provider may enter its machines.
    With a `code` the group, or a part of what is told here, could not be read.
    """

    name: str
    machine_type: str
    machine_types: tuple[str, ...]
    capacity: str
    current_count: int | None
    target_count: int | None
    minimum_count: int | None
    maximum_count: int | None
    accelerator_kind: str | None
    accelerator_model: str
    accelerator_count: float | None
    rdma_interfaces: int | None
    status: str
    is_restricted: bool = False
    code: str = ""


@dataclass(frozen=True, slots=True)
class ClusterFacts(FactDocument):
    """Derived facts of a cluster."""

    KIND: ClassVar[str] = "cluster"

    orchestrator: Fact[str] = fact(
        "What places work on its machines: eks, aks, batch, azure_ml, slurm, kubernetes or none.",
        "derived",
    )
    machine_groups: Fact[tuple[MachineGroup, ...]] = fact("Its groups of like machines.", "derived")
    machine_types: Fact[tuple[str, ...]] = fact("Types of its machines, each once.", "derived")
    machine_count: Fact[int] = fact("Machines it has now.", "derived")
    machine_target_count: Fact[int] = fact("Machines it is meant to have now.", "derived")
    accelerator_count: Fact[float] = fact(
        "Accelerators of the machines it has now, in whole devices.", "derived"
    )
    accelerator_target_count: Fact[float] = fact(
        "Accelerators of the machines it is meant to have now.", "derived"
    )
    accelerator_models: Fact[tuple[str, ...]] = fact("Models of its accelerators.", "derived")
    capacities: Fact[tuple[str, ...]] = fact(
        "How its machines are bought: on_demand, spot, low_priority, capacity_block, "
        "training_plan.",
        "derived",
    )
    groups_below_target: Fact[tuple[str, ...]] = fact(
        "Groups that have fewer machines than they are meant to have.", "derived"
    )
    groups_unhealthy: Fact[tuple[str, ...]] = fact(
        "Groups that the provider calls degraded or failed; that there is none is not known "
        "while one changes.",
        "derived",
    )
    groups_with_rdma: Fact[tuple[str, ...]] = fact(
        "Groups whose machines have network interfaces for RDMA.", "derived"
    )
