"""Azure Machine Learning as Azure reports it: workspaces, hubs of Foundry too, and computes."""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from app.domain.facts import Fact, FactDocument, fact

AML_COMPUTE, COMPUTE_INSTANCE = "AmlCompute", "ComputeInstance"

_GRAPH = "resourcegraph:Resources"
_COMPUTES = "machine_learning:computes/read"
_NODES = "machine_learning:computes/listNodes"


@dataclass(frozen=True, slots=True)
class NodeStates:
    """Nodes of a compute cluster by what they do, as the compute itself counts them."""

    idle: int | None
    running: int | None
    preparing: int | None
    unusable: int | None
    leaving: int | None
    preempted: int | None


@dataclass(frozen=True, slots=True)
class ComputeNode:
    """One node. `state`: idle, running, preparing, unusable, leaving, preempted.

    `run_id` is the job that it runs, '' without one.
    """

    id: str
    state: str
    run_id: str


@dataclass(frozen=True, slots=True)
class MlWorkspaceFacts(FactDocument):
    """A workspace of Azure Machine Learning, or a hub or project of Foundry that is one."""

    KIND: ClassVar[str] = "ml_workspace"
    AREA: ClassVar[str] = "ai_platforms"

    account_status: Fact[str] = fact(
        "Provisioning state: Succeeded, Creating, Deleting, Failed and others.", _GRAPH
    )
    workspace_kind: Fact[str] = fact(
        "Default, Hub or Project (both of Foundry), FeatureStore.", _GRAPH
    )
    sku_name: Fact[str] = fact("Basic in most cases.", _GRAPH)
    hub_id: Fact[str] = fact("The hub that a project belongs to.", _GRAPH)
    public_network_access: Fact[str] = fact("Enabled or Disabled.", _GRAPH)
    isolation_mode: Fact[str] = fact(
        "Network that the workspace manages for its computes: Disabled, AllowInternetOutbound or "
        "AllowOnlyApprovedOutbound.",
        _GRAPH,
    )
    datastore_access: Fact[str] = fact(
        "How its own datastores are opened: accesskey or identity.", _GRAPH
    )
    customer_key: Fact[bool] = fact("Encrypted by a key of your own.", _GRAPH)
    high_business_impact: Fact[bool] = fact(
        "Microsoft collects less diagnostic data of it.", _GRAPH
    )
    storage_account_id: Fact[str] = fact("The storage account of its datastores.", _GRAPH)
    key_vault_id: Fact[str] = fact("The key vault of its secrets.", _GRAPH)
    container_registry_id: Fact[str] = fact("The registry of its environments.", _GRAPH)
    application_insights_id: Fact[str] = fact("Where its logs go.", _GRAPH)
    workspace_id: Fact[str] = fact("Its immutable id.", _GRAPH)
    compute_names: Fact[tuple[str, ...]] = fact("Its computes; absent without one.", _COMPUTES)


@dataclass(frozen=True, slots=True)
class MlComputeFacts(FactDocument):
    """A compute of a workspace: cluster, instance of one person, or something that is attached.

    Machines of clusters and instances run in Microsoft's subscriptions, so that none is seen as a
    VM. Attached computes have their machines elsewhere.
    """

    KIND: ClassVar[str] = "ml_compute"
    AREA: ClassVar[str] = "clusters"

    compute_type: Fact[str] = fact(
        "AmlCompute (a cluster), ComputeInstance, Kubernetes, AKS, VirtualMachine and others.",
        _COMPUTES,
    )
    compute_status: Fact[str] = fact(
        "Provisioning state: Succeeded, Creating, Updating, Deleting, Failed and others.",
        _COMPUTES,
    )
    made_at: Fact[datetime] = fact("When it was made.", _COMPUTES)
    attached_resource_id: Fact[str] = fact(
        "What is attached, such as an AKS cluster; absent for computes of the workspace.",
        _COMPUTES,
    )
    local_auth_disabled: Fact[bool] = fact("Nobody gets in but by the directory.", _COMPUTES)
    machine_type: Fact[str] = fact("VM size of its machines.", _COMPUTES)
    priority: Fact[str] = fact(
        "Dedicated, or LowPriority, which Azure may take away; of clusters.", _COMPUTES
    )
    minimum_nodes: Fact[int] = fact("Nodes that a cluster keeps without work.", _COMPUTES)
    maximum_nodes: Fact[int] = fact("Most nodes that a cluster grows to.", _COMPUTES)
    current_nodes: Fact[int] = fact("Nodes that a cluster has.", _COMPUTES)
    target_nodes: Fact[int] = fact("Nodes that a cluster is meant to have.", _COMPUTES)
    idle_seconds_before_scale_down: Fact[int] = fact(
        "How long a node of a cluster stays without work.", _COMPUTES
    )
    allocation_state: Fact[str] = fact("Steady or Resizing; of clusters.", _COMPUTES)
    allocation_state_since: Fact[datetime] = fact("Since when it is in that state.", _COMPUTES)
    node_states: Fact[NodeStates] = fact("Nodes of a cluster by what they do.", _COMPUTES)
    instance_state: Fact[str] = fact(
        "Running, Stopped, Creating, Starting, Stopping and others; of instances.", _COMPUTES
    )
    last_operation: Fact[str] = fact(
        "What was done last to an instance: Create, Start, Stop, Restart and others.", _COMPUTES
    )
    last_operation_at: Fact[datetime] = fact("When that was.", _COMPUTES)
    idle_seconds_before_shutdown: Fact[int] = fact(
        "How long an instance runs on without use; absent when nothing shuts it down.", _COMPUTES
    )
    schedules: Fact[tuple[str, ...]] = fact(
        "Enabled schedules of an instance: Start and Stop; absent without one.", _COMPUTES
    )
    image_current: Fact[bool] = fact("The image of an instance is the newest one.", _COMPUTES)
    subnet_id: Fact[str] = fact("The subnet of its machines.", _COMPUTES)
    node_public_address: Fact[bool] = fact("Its machines have public addresses.", _COMPUTES)
    ssh_public_access: Fact[str] = fact(
        "Enabled, Disabled or NotSpecified: whether SSH is open to the internet.", _COMPUTES
    )
    errors: Fact[tuple[str, ...]] = fact("Codes of what went wrong with it.", _COMPUTES)
    nodes: Fact[tuple[ComputeNode, ...]] = fact(
        "Each node of a cluster; asked for only where there are any.", _NODES
    )
