"""Azure Kubernetes Service clusters as Azure reports them: version, agent pools, ways in."""

from dataclasses import dataclass
from typing import ClassVar

from app.domain.facts import Fact, FactDocument, fact

STOPPED = "Stopped"

_GRAPH = "resourcegraph:Resources"
_POOLS = "aks:agentPools/read"
_MACHINES = "aks:agentPools/machines/read"
_VERSIONS = "aks:locations/kubernetesVersions/read"


@dataclass(frozen=True, slots=True)
class AgentPool:
    """Nodes of one kind. Attributes that Azure left out are None.

    `machine_types` are VM sizes, several only in a pool of single machines. `node_count` is how
    many nodes it is meant to have, kept while it is stopped. `priority`: Regular or Spot.
    `gpu_driver`: Install (Azure's default) or None, when AKS puts no driver on nodes with GPUs.
    `gpu_instance_profile` cuts each GPU into parts (MIG1g to MIG7g), '' without.
    """

    name: str
    mode: str | None
    provisioning_state: str | None
    power_state: str | None
    machine_types: tuple[str, ...]
    node_count: int | None
    autoscales: bool | None
    minimum_count: int | None
    maximum_count: int | None
    priority: str
    eviction_policy: str | None
    spot_maximum_price: float | None
    gpu_driver: str
    gpu_instance_profile: str
    os_sku: str | None
    node_image_version: str | None
    kubernetes_version: str | None
    zones: tuple[str, ...]
    taints: tuple[str, ...]
    tags: dict[str, str]


@dataclass(frozen=True, slots=True)
class PoolMachines:
    """How many machines AKS lists in a pool. With a `code` they could not be read."""

    pool: str
    machine_count: int | None
    code: str = ""


@dataclass(frozen=True, slots=True)
class OfferedVersion:
    """A minor version that AKS offers in a region, and under which plans it supports it.

    `support_plans`: KubernetesOfficial, AKSLongTermSupport.
    """

    version: str
    support_plans: tuple[str, ...]
    is_preview: bool


@dataclass(frozen=True, slots=True)
class AksClusterFacts(FactDocument):
    """A managed cluster of Azure Kubernetes Service.

    Its nodes are scale sets in the node resource group, which must not be counted again.
    """

    KIND: ClassVar[str] = "aks_cluster"
    AREA: ClassVar[str] = "clusters"

    cluster_status: Fact[str] = fact(
        "Provisioning state: Succeeded, Failed, Creating, Updating, Deleting and others.", _GRAPH
    )
    power_state: Fact[str] = fact("Running or Stopped; a stopped one has no machines.", _GRAPH)
    kubernetes_version: Fact[str] = fact(
        "Version of Kubernetes that its control plane runs, such as 1.33.3.", _GRAPH
    )
    support_plan: Fact[str] = fact(
        "How long its version is supported: KubernetesOfficial or AKSLongTermSupport.", _GRAPH
    )
    sku_tier: Fact[str] = fact("Free, Standard or Premium.", _GRAPH)
    node_resource_group: Fact[str] = fact(
        "The resource group in which AKS makes its machines.", _GRAPH
    )
    private_cluster: Fact[bool] = fact(
        "The Kubernetes API has an address in the network only.", _GRAPH
    )
    authorized_networks: Fact[tuple[str, ...]] = fact(
        "Networks that may reach the Kubernetes API; absent when none is named.", _GRAPH
    )
    local_accounts_disabled: Fact[bool] = fact("Nobody gets in but by Microsoft Entra.", _GRAPH)
    upgrade_channel: Fact[str] = fact(
        "How its version is upgraded by itself: none, patch, stable, rapid, node-image.", _GRAPH
    )
    node_image_channel: Fact[str] = fact(
        "How images of nodes are renewed: None, Unmanaged, SecurityPatch, NodeImage.", _GRAPH
    )
    network_plugin: Fact[str] = fact("azure, kubenet or none.", _GRAPH)
    addons: Fact[tuple[str, ...]] = fact("Add-ons that are switched on.", _GRAPH)
    storage_drivers: Fact[tuple[str, ...]] = fact(
        "Drivers of storage that are switched on: disk, file, blob.", _GRAPH
    )
    managed_prometheus: Fact[bool] = fact(
        "Metrics go to an Azure Monitor workspace (managed Prometheus).", _GRAPH
    )
    auto_provisioning: Fact[bool] = fact("AKS makes machines by itself, outside of pools.", _GRAPH)
    agent_pool_names: Fact[tuple[str, ...]] = fact(
        "Its agent pools by name; absent while none is told.", _GRAPH
    )
    agent_pools: Fact[tuple[AgentPool, ...]] = fact("Its agent pools.", _POOLS)
    pool_machines: Fact[tuple[PoolMachines, ...]] = fact(
        "How many machines each running pool has.", _MACHINES
    )
    offered_versions: Fact[tuple[OfferedVersion, ...]] = fact(
        "Versions of Kubernetes that AKS supports in its region now.", _VERSIONS
    )
