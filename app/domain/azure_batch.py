"""Azure Batch as Azure reports it: accounts with their quotas, and pools of machines."""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from app.domain.facts import Fact, FactDocument, fact

# Microsoft holds the machines of such an account's pools, so that none of them is seen as a VM.
BATCH_SERVICE, USER_SUBSCRIPTION = "BatchService", "UserSubscription"

_GRAPH = "resourcegraph:Resources"
_POOLS = "batch:pools/read"
_QUOTAS = "batch:locations/quotas/read"


@dataclass(frozen=True, slots=True)
class FamilyQuota:
    """How many cores of a family of sizes the dedicated nodes of an account may have."""

    family: str
    core_count: int


@dataclass(frozen=True, slots=True)
class BatchAccountFacts(FactDocument):
    """An account of Azure Batch."""

    KIND: ClassVar[str] = "batch_account"
    AREA: ClassVar[str] = "ai_platforms"

    account_status: Fact[str] = fact(
        "Provisioning state: Succeeded, Creating, Deleting, Failed and others.", _GRAPH
    )
    pool_allocation_mode: Fact[str] = fact(
        "Who holds the machines of its pools: BatchService (Microsoft, so that they are no VMs of "
        "yours) or UserSubscription (you, so that they are counted there too).",
        _GRAPH,
    )
    public_network_access: Fact[str] = fact("Enabled, Disabled or SecuredByPerimeter.", _GRAPH)
    network_default_action: Fact[str] = fact(
        "Allow or Deny for networks that no rule of the account names.", _GRAPH
    )
    authentication_modes: Fact[tuple[str, ...]] = fact(
        "How callers prove who they are: AAD, SharedKey, TaskAuthenticationToken.", _GRAPH
    )
    encryption_key_source: Fact[str] = fact(
        "Microsoft.Batch (Microsoft's key) or Microsoft.KeyVault (your own).", _GRAPH
    )
    auto_storage_account_id: Fact[str] = fact("The storage account linked with it.", _GRAPH)
    dedicated_core_quota: Fact[int] = fact(
        "Cores that its dedicated nodes may have; absent where the subscription's count.", _GRAPH
    )
    low_priority_core_quota: Fact[int] = fact("Cores that its low-priority nodes may have.", _GRAPH)
    family_quotas: Fact[tuple[FamilyQuota, ...]] = fact(
        "Cores of dedicated nodes by family of sizes.", _GRAPH
    )
    pool_quota: Fact[int] = fact("Pools that it may have.", _GRAPH)
    pool_names: Fact[tuple[str, ...]] = fact("Its pools; absent without one.", _POOLS)
    region_account_quota: Fact[int] = fact(
        "Accounts that the subscription may have in its region.", _QUOTAS
    )


@dataclass(frozen=True, slots=True)
class BatchPoolFacts(FactDocument):
    """A pool of machines of an account of Azure Batch."""

    KIND: ClassVar[str] = "batch_pool"
    AREA: ClassVar[str] = "clusters"

    pool_allocation_mode: Fact[str] = fact("As that of its account.", _GRAPH)
    pool_status: Fact[str] = fact("Provisioning state: Succeeded or Deleting.", _POOLS)
    allocation_state: Fact[str] = fact(
        "Steady, Resizing (machines come or go) or Stopping.", _POOLS
    )
    allocation_state_since: Fact[datetime] = fact("Since when it is in that state.", _POOLS)
    machine_type: Fact[str] = fact("VM size of its nodes.", _POOLS)
    current_dedicated_nodes: Fact[int] = fact("Dedicated nodes that it has.", _POOLS)
    current_low_priority_nodes: Fact[int] = fact(
        "Nodes that Azure may take away: low-priority, or Spot in a subscription of yours.", _POOLS
    )
    target_dedicated_nodes: Fact[int] = fact(
        "Dedicated nodes that it is meant to have, by its last resize.", _POOLS
    )
    target_low_priority_nodes: Fact[int] = fact(
        "Nodes of the other sort that it is meant to have, by its last resize.", _POOLS
    )
    autoscales: Fact[bool] = fact("A formula decides how many nodes it has.", _POOLS)
    autoscale_formula: Fact[str] = fact("That formula; absent for a fixed size.", _POOLS)
    autoscale_error: Fact[str] = fact("Code of the error of its last run.", _POOLS)
    resize_errors: Fact[tuple[str, ...]] = fact(
        "Codes of what went wrong in the last resize, such as AllocationTimedout.", _POOLS
    )
    inter_node_communication: Fact[bool] = fact(
        "Nodes may talk to each other, which work over several of them needs.", _POOLS
    )
    task_slots_per_node: Fact[int] = fact("Tasks that run at once on a node.", _POOLS)
    container_type: Fact[str] = fact(
        "How tasks run in containers: DockerCompatible or CriCompatible; absent when they cannot.",
        _POOLS,
    )
    container_images: Fact[tuple[str, ...]] = fact(
        "Container images that nodes fetch before their first task.", _POOLS
    )
    image_publisher: Fact[str] = fact("Publisher of the image of its nodes.", _POOLS)
    image_offer: Fact[str] = fact("Offer of that image, such as ubuntu-hpc.", _POOLS)
    image_sku: Fact[str] = fact("SKU of that image.", _POOLS)
    image_family: Fact[str] = fact(
        "What that image is made for: data_science, hpc, other, or custom for one of your own.",
        _POOLS,
    )
    image_id: Fact[str] = fact("Id of an image of your own.", _POOLS)
    subnet_id: Fact[str] = fact("The subnet of its nodes.", _POOLS)
    public_addresses: Fact[str] = fact(
        "How nodes get public addresses: BatchManaged, UserManaged, NoPublicIPAddresses.", _POOLS
    )
    mounts: Fact[tuple[str, ...]] = fact(
        "What nodes mount: blob, nfs, cifs, files; absent when nothing.", _POOLS
    )
