"""Builders of Azure's clusters; every argument has a default."""

from typing import Any

from app.domain.azure_aks import AgentPool, AksClusterFacts, OfferedVersion, PoolMachines
from app.domain.azure_batch import BatchPoolFacts
from app.domain.azure_machine_learning import MlComputeFacts
from tests.support.documents import filled

OFFICIAL, LONG_TERM = "KubernetesOfficial", "AKSLongTermSupport"
VERSIONS = (
    OfferedVersion("1.30", (LONG_TERM,), is_preview=False),
    OfferedVersion("1.34", (OFFICIAL, LONG_TERM), is_preview=False),
    OfferedVersion("1.36", (OFFICIAL,), is_preview=True),
)


def aks_cluster(**facts: Any) -> AksClusterFacts:
    """A private cluster of a supported version with one GPU pool, whose machines are all there."""
    known: dict[str, Any] = {
        "cluster_status": "Succeeded",
        "power_state": "Running",
        "kubernetes_version": "1.34.1",
        "support_plan": OFFICIAL,
        "private_cluster": True,
        "local_accounts_disabled": True,
        "auto_provisioning": False,
        "agent_pool_names": ("gpu",),
        "agent_pools": (agent_pool(),),
        "pool_machines": (PoolMachines("gpu", 2),),
        "offered_versions": VERSIONS,
    }
    return filled(AksClusterFacts, **(known | facts))


def agent_pool(name: str = "gpu", **more: Any) -> AgentPool:
    """Two running machines with eight H100 each, which scale to zero."""
    known: dict[str, Any] = {
        "mode": "User",
        "provisioning_state": "Succeeded",
        "power_state": "Running",
        "machine_types": ("Standard_ND96isr_H100_v5",),
        "node_count": 2,
        "autoscales": True,
        "minimum_count": 0,
        "maximum_count": 8,
        "priority": "Regular",
        "eviction_policy": None,
        "spot_maximum_price": None,
        "gpu_driver": "Install",
        "gpu_instance_profile": "",
        "os_sku": "Ubuntu",
        "node_image_version": "AKSUbuntu",
        "kubernetes_version": "1.34.1",
        "zones": ("1",),
        "taints": (),
        "tags": {},
    }
    return AgentPool(name=name, **(known | more))


def batch_pool(**facts: Any) -> BatchPoolFacts:
    """Two dedicated nodes with eight H100 each, scaled by a formula."""
    known: dict[str, Any] = {
        "pool_allocation_mode": "BatchService",
        "pool_status": "Succeeded",
        "allocation_state": "Steady",
        "machine_type": "STANDARD_ND96ISR_H100_V5",
        "current_dedicated_nodes": 2,
        "current_low_priority_nodes": 0,
        "target_dedicated_nodes": 2,
        "target_low_priority_nodes": 0,
        "autoscales": True,
        "inter_node_communication": True,
    }
    return filled(BatchPoolFacts, **(known | facts))


def ml_compute(**facts: Any) -> MlComputeFacts:
    """A dedicated cluster of one node with eight H100, which scales to zero."""
    known: dict[str, Any] = {
        "compute_type": "AmlCompute",
        "compute_status": "Succeeded",
        "machine_type": "STANDARD_ND96ISR_H100_V5",
        "priority": "Dedicated",
        "minimum_nodes": 0,
        "maximum_nodes": 8,
        "current_nodes": 1,
        "target_nodes": 1,
        "idle_seconds_before_scale_down": 900,
        "allocation_state": "Steady",
        "ssh_public_access": "Disabled",
    }
    return filled(MlComputeFacts, **(known | facts))
