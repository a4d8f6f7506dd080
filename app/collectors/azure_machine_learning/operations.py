"""Every call that this collector makes: its right and what it feeds."""

from app.collectors.azure_reading import GRAPH
from app.collectors.azure_scopes import SUBSCRIPTIONS
from app.domain.collecting import Operation

COMPUTES = "machine_learning:computes/read"
NODES = "machine_learning:computes/listNodes"

OPERATIONS = (
    SUBSCRIPTIONS,
    Operation(
        GRAPH,
        "Microsoft.MachineLearningServices/workspaces/read",
        (
            "account_status", "workspace_kind", "sku_name", "hub_id", "public_network_access",
            "isolation_mode", "datastore_access", "customer_key", "high_business_impact",
            "storage_account_id", "key_vault_id", "container_registry_id",
            "application_insights_id", "workspace_id",
        ),
        "Finds the workspaces of all subscriptions, hubs of Foundry among them.",
    ),
    Operation(
        COMPUTES,
        "Microsoft.MachineLearningServices/workspaces/computes/read",
        (
            "compute_names", "compute_type", "compute_status", "made_at", "attached_resource_id",
            "local_auth_disabled", "machine_type", "priority", "minimum_nodes", "maximum_nodes",
            "current_nodes", "target_nodes", "idle_seconds_before_scale_down",
            "allocation_state", "allocation_state_since", "node_states", "instance_state",
            "last_operation", "last_operation_at", "idle_seconds_before_shutdown", "schedules",
            "image_current", "subnet_id", "node_public_address", "ssh_public_access", "errors",
        ),
        "Reads the computes of each workspace, which are in no inventory.",
    ),
    Operation(
        NODES,
        "Microsoft.MachineLearningServices/workspaces/computes/listNodes/action",
        ("nodes",),
        "Tells what each node of a cluster does. Azure counts this question as an action.",
    ),
)  # fmt: skip
