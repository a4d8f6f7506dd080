"""A HyperPod cluster in the words that hold for any cluster."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from app.domain.cluster import ClusterFacts, MachineGroup
from app.domain.cluster_groups import (
    NOT_TOLD,
    UNKNOWN_TYPE,
    accelerators,
    cluster_facts,
    total,
)
from app.domain.facts import ABSENT, Fact, Present, Unreadable
from app.domain.hyperpod import HyperpodClusterFacts, InstanceGroup
from app.domain.machine_types import MachineType, ec2_type

_EKS, _SLURM = "eks", "slurm"
T = TypeVar("T")
Types = Mapping[str, MachineType]


def hyperpod_cluster(own: HyperpodClusterFacts) -> ClusterFacts:
    """The derived facts; without the groups everything that follows from them is unread."""
    if not isinstance(own.instance_groups, Present):
        return cluster_facts(_orchestrator(own), _unread(own.instance_groups))
    groups, types = own.instance_groups.value, _types(own)
    found = cluster_facts(_orchestrator(own), Present(tuple(_group(one, types) for one in groups)))
    return replace(
        found,
        accelerator_count=_accelerator_count(groups, types),
        accelerator_models=_models(groups, types),
    )


def _unread(groups: Fact[tuple[InstanceGroup, ...]]) -> Unreadable:
    return groups if isinstance(groups, Unreadable) else Unreadable(NOT_TOLD)


def _orchestrator(own: HyperpodClusterFacts) -> Fact[str]:
    """A cluster that names no orchestrator is one of Slurm, which its lifecycle scripts set up.

    (SageMaker developer guide, orchestrating HyperPod clusters with Slurm.)
    """
    if isinstance(own.eks_cluster_arn, Unreadable):
        return own.eks_cluster_arn
    return Present(_SLURM if own.eks_cluster_arn == ABSENT else _EKS)


def _types(own: HyperpodClusterFacts) -> Types:
    known = own.machine_type_details
    return {one.id: one for one in known.value} if isinstance(known, Present) else {}


def _group(own: InstanceGroup, types: Types) -> MachineGroup:
    possible = [types.get(ec2_type(name)) for name in _possible(own)]
    return MachineGroup(
        name=own.name,
        machine_type=own.machine_type,
        machine_types=own.machine_types,
        capacity=own.capacity,
        current_count=own.current_count,
        target_count=own.target_count,
        minimum_count=own.minimum_count,
        maximum_count=None,
        accelerator_kind=_common(possible, lambda one: one.accelerator_kind),
        accelerator_model=_common(possible, lambda one: one.accelerator_model) or "",
        accelerator_count=_common(possible, lambda one: one.accelerator_count),
        rdma_interfaces=_common(possible, lambda one: one.rdma_interfaces),
        status=own.status,
        is_restricted=own.is_restricted,
    )


def _common(types: Sequence[MachineType | None], told: Callable[[MachineType], T]) -> T | None:
    """What all types of a group have alike; None where they differ or one is not known."""
    values = [told(one) if one else None for one in types]
    return values[0] if values and all(value == values[0] for value in values) else None


def _possible(own: InstanceGroup) -> tuple[str, ...]:
    return (own.machine_type,) if own.machine_type else own.machine_types


def _accelerator_count(groups: tuple[InstanceGroup, ...], types: Types) -> Fact[float]:
    """A group that mixes types tells how many machines it has of each."""
    if any(group.current_count is None for group in groups):
        return Unreadable(NOT_TOLD)
    return total((_of_group(group, types) for group in groups), UNKNOWN_TYPE)


def _of_group(group: InstanceGroup, types: Types) -> float | None:
    counts = {one.machine_type: one.current_count for one in group.type_counts}
    if group.machine_type:
        counts = {group.machine_type: group.current_count}
    told = [count for count in counts.values() if count is not None]
    if len(told) < len(counts) or sum(told) != group.current_count:
        return None  # nobody told of which types all its machines are
    parts = [accelerators(count, _per_machine(name, types)) for name, count in counts.items()]
    known = [part for part in parts if part is not None]
    return sum(known) if len(known) == len(parts) else None


def _per_machine(name: str, types: Types) -> float | None:
    found = types.get(ec2_type(name))
    return found.accelerator_count if found else None


def _models(groups: tuple[InstanceGroup, ...], types: Types) -> Fact[tuple[str, ...]]:
    names = {name for group in groups for name in _possible(group)}
    found = [types.get(ec2_type(name)) for name in names]
    if any(one is None or one.accelerator_kind is None for one in found):
        return Unreadable(UNKNOWN_TYPE)
    return Present(tuple(sorted({one.accelerator_model for one in found if one} - {""})))
