"""What follows from the facts of an EKS cluster, in the words of any cluster.

EKS tells how many machines a group is meant to have, never how many it has, and nothing of
machines that join by other ways. What these would decide is unreadable (NotTold).
"""

from collections.abc import Mapping
from dataclasses import replace

from app.domain.cluster import ClusterFacts, MachineGroup
from app.domain.cluster_groups import (
    NOT_TOLD,
    UNKNOWN_CAPACITY,
    alike,
    cluster_facts,
    group_health,
)
from app.domain.eks import EksClusterFacts, Nodegroup
from app.domain.fact_sums import mapped, value_or
from app.domain.facts import Fact, Present, Unreadable
from app.domain.health import troubled
from app.domain.machine_types import MachineType

_NOT_TOLD = Unreadable(NOT_TOLD)
_CAPACITIES = {
    "ON_DEMAND": "on_demand",
    "SPOT": "spot",
    "CAPACITY_BLOCK": "capacity_block",
}

Groups = Fact[tuple[MachineGroup, ...]]


def eks_cluster(found: EksClusterFacts) -> ClusterFacts:
    """The derived facts of one cluster."""
    groups = _groups(found)
    managed = _if_all(groups, found.auto_mode)
    return replace(
        cluster_facts(Present("eks"), managed),
        machine_groups=_NOT_TOLD if groups == Present(()) else groups,
        machine_count=_NOT_TOLD,
        accelerator_count=_NOT_TOLD,
        groups_below_target=_NOT_TOLD,
        groups_unhealthy=_unhealthy(value_or(found.nodegroups, ())),
    )


def _if_all(groups: Groups, auto_mode: Fact[bool]) -> Groups:
    """The groups where they may be all machines. Without one, others surely do the work."""
    others = auto_mode == Present(True) or groups == Present(())
    return _NOT_TOLD if others else groups


def _unhealthy(groups: Fact[tuple[Nodegroup, ...]]) -> Fact[tuple[str, ...]]:
    if not isinstance(groups, Present):
        return groups
    return troubled((one.name, _health(one)) for one in groups.value)


def _health(group: Nodegroup) -> Fact[bool]:
    """An issue counts in any state, also in one that passes."""
    if group.code:
        return Unreadable(group.code)
    return Present(value=False) if group.health_issues else group_health(group.status or "")


def _groups(found: EksClusterFacts) -> Groups:
    types = value_or(found.machine_type_details, ())
    known = {one.id: one for one in types.value} if isinstance(types, Present) else {}
    groups: Fact[tuple[Nodegroup, ...]] = value_or(found.nodegroups, ())
    return mapped(groups, lambda each: tuple(_group(one, known) for one in each))


def _group(group: Nodegroup, known: Mapping[str, MachineType]) -> MachineGroup:
    names = group.machine_types or ()
    one = alike([known.get(name) for name in names])
    return MachineGroup(
        name=group.name,
        machine_type=names[0] if len(names) == 1 else "",
        machine_types=names,
        capacity=_CAPACITIES.get(group.capacity_type or "", UNKNOWN_CAPACITY),
        current_count=None,
        target_count=group.desired_size,
        minimum_count=group.minimum_size,
        maximum_count=group.maximum_size,
        accelerator_kind=one.accelerator_kind if one else None,
        accelerator_model=one.accelerator_model if one else "",
        accelerator_count=one.accelerator_count if one else None,
        rdma_interfaces=one.rdma_interfaces if one else None,
        status=group.status or "",
        code=group.code,
    )
