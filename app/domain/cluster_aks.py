"""An AKS cluster in the words that hold for any cluster, and whether its version is supported."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from app.domain.azure_aks import (
    STOPPED,
    AgentPool,
    AksClusterFacts,
    OfferedVersion,
    PoolMachines,
)
from app.domain.azure_machine_types import azure_machine_type
from app.domain.cluster import ClusterFacts, MachineGroup
from app.domain.cluster_groups import NOT_TOLD, alike, cluster_facts, named
from app.domain.fact_sums import first_unreadable, reported
from app.domain.facts import Fact, FactDocument, Present, Unreadable, fact
from app.domain.machine_types import MachineType

OFFICIAL, LONG_TERM = "KubernetesOfficial", "AKSLongTermSupport"
SUPPORTED, LONG_TERM_ONLY, PREVIEW, UNSUPPORTED = "supported", "long_term", "preview", "none"
# GPUs that can be cut into instances (NVIDIA Multi-Instance GPU user guide, supported GPUs).
_DIVISIBLE = ("A30", "A100", "H100", "H200", "B200", "B300")
_INSTALL = "Install"
_SPOT, _DEALLOCATE = "Spot", "Deallocate"


@dataclass(frozen=True, slots=True)
class KubernetesFacts(FactDocument):
    """Derived facts of what runs Kubernetes: its version, and what its GPUs need."""

    KIND: ClassVar[str] = "kubernetes"

    version_support: Fact[str] = fact(
        "Support of its version now: supported, long_term (only under that plan), preview or none.",
        "derived",
    )
    groups_without_driver: Fact[tuple[str, ...]] = fact(
        "Groups with GPUs on which nobody but you installs the driver.", "derived"
    )
    groups_misdivided: Fact[tuple[str, ...]] = fact(
        "Groups whose GPUs are to be cut into instances, and cannot be.", "derived"
    )


def aks_cluster(found: AksClusterFacts) -> ClusterFacts:
    """The derived facts of one cluster."""
    machines = _machines(found)
    is_stopped = found.power_state == Present(STOPPED)
    pools = found.agent_pools
    if not isinstance(pools, Present) or not pools.value:
        # A cluster has a pool at least; while it is made, nobody tells of which.
        unread = pools if isinstance(pools, Unreadable) else Unreadable(NOT_TOLD)
        return cluster_facts(Present("aks"), unread)
    groups = tuple(_group(one, machines.get(one.name), is_stopped) for one in pools.value)
    of_pools = cluster_facts(Present("aks"), Present(groups))
    return _without_sums(of_pools) if found.auto_provisioning == Present(True) else of_pools


def _without_sums(of_pools: ClusterFacts) -> ClusterFacts:
    """Machines that AKS makes outside of pools are not counted (AKS: node auto-provisioning)."""
    unread = Unreadable(NOT_TOLD)
    return replace(
        of_pools,
        machine_types=unread,
        machine_count=unread,
        machine_target_count=unread,
        accelerator_count=unread,
        accelerator_target_count=unread,
        accelerator_models=unread,
        capacities=unread,
    )


def kubernetes_of(found: AksClusterFacts) -> KubernetesFacts:
    """What follows of version and pools alone."""
    return KubernetesFacts(
        version_support=_version_support(found),
        groups_without_driver=_pools(found, _lacks_driver),
        groups_misdivided=_pools(found, _is_misdivided),
    )


def _version_support(found: AksClusterFacts) -> Fact[str]:
    """What AKS offers in a region it supports; a version that it no longer offers it does not.

    (AKS: supported Kubernetes versions.)
    """
    version, offered = reported(found.kubernetes_version), reported(found.offered_versions)
    if not isinstance(version, Present) or not isinstance(offered, Present):
        return first_unreadable(version, offered) or Unreadable(NOT_TOLD)
    minor = ".".join(version.value.split(".")[:2])
    known = next((one for one in offered.value if one.version == minor), None)
    return Present(_support(known))


def _support(known: OfferedVersion | None) -> str:
    if known is None:
        return UNSUPPORTED
    if known.is_preview:
        return PREVIEW
    return SUPPORTED if OFFICIAL in known.support_plans else LONG_TERM_ONLY


def _pools(
    found: AksClusterFacts, holds: Callable[[AgentPool, MachineType | None], bool | None]
) -> Fact[tuple[str, ...]]:
    """The names of the pools for which it holds; None is "not known"."""
    pools = found.agent_pools
    if not isinstance(pools, Present):
        return reported(pools)
    return named(pools.value, lambda pool: holds(pool, _size(pool)))


def _size(pool: AgentPool) -> MachineType | None:
    return alike([azure_machine_type(name) for name in pool.machine_types])


def _lacks_driver(pool: AgentPool, size: MachineType | None) -> bool | None:
    if pool.gpu_driver == _INSTALL:
        return False
    return None if size is None else bool(size.accelerator_count)


def _is_misdivided(pool: AgentPool, size: MachineType | None) -> bool | None:
    if not pool.gpu_instance_profile:
        return False
    if size is None:
        return None
    return not any(name in size.accelerator_model for name in _DIVISIBLE)


def _machines(found: AksClusterFacts) -> Mapping[str, PoolMachines]:
    listed = found.pool_machines
    return {one.pool: one for one in listed.value} if isinstance(listed, Present) else {}


def _group(pool: AgentPool, machines: PoolMachines | None, is_stopped: bool) -> MachineGroup:  # noqa: FBT001
    stopped = is_stopped or pool.power_state == STOPPED
    size = _size(pool)
    fixed = pool.node_count if pool.autoscales is False else None
    return MachineGroup(
        name=pool.name,
        machine_type=pool.machine_types[0] if len(pool.machine_types) == 1 else "",
        machine_types=pool.machine_types,
        capacity="spot" if pool.priority == _SPOT else "on_demand",
        current_count=0 if stopped else _current(pool, machines),
        target_count=0 if stopped else pool.node_count,
        minimum_count=pool.minimum_count if fixed is None else fixed,
        maximum_count=pool.maximum_count if fixed is None else fixed,
        accelerator_kind=size.accelerator_kind if size else None,
        accelerator_model=size.accelerator_model if size else "",
        accelerator_count=size.accelerator_count if size else None,
        rdma_interfaces=size.rdma_interfaces if size else None,
        status=STOPPED if stopped else pool.provisioning_state or "",
    )


def _current(pool: AgentPool, machines: PoolMachines | None) -> int | None:
    """AKS goes on listing machines that were evicted and only deallocated, so those do not count.

    (AKS: Spot node pools; deallocated nodes stay in the pool, stopped.)
    """
    evicted_stay = pool.priority == _SPOT and pool.eviction_policy == _DEALLOCATE
    if machines is None or evicted_stay:
        return None
    return machines.machine_count
