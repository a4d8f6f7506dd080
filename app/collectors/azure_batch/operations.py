"""Every call that this collector makes: its right and what it feeds."""

from app.collectors.azure_reading import GRAPH
from app.collectors.azure_scopes import SUBSCRIPTIONS
from app.domain.collecting import Operation

POOLS = "batch:pools/read"
QUOTAS = "batch:locations/quotas/read"

OPERATIONS = (
    SUBSCRIPTIONS,
    Operation(
        GRAPH,
        "Microsoft.Batch/batchAccounts/read",
        (
            "account_status", "pool_allocation_mode", "public_network_access",
            "network_default_action", "authentication_modes", "encryption_key_source",
            "auto_storage_account_id", "dedicated_core_quota", "low_priority_core_quota",
            "family_quotas", "pool_quota",
        ),
        "Finds the accounts of all subscriptions, with their settings and quotas.",
    ),
    Operation(
        POOLS,
        "Microsoft.Batch/batchAccounts/pools/read",
        (
            "pool_names", "pool_status", "allocation_state", "allocation_state_since",
            "machine_type", "current_dedicated_nodes", "current_low_priority_nodes",
            "target_dedicated_nodes", "target_low_priority_nodes", "autoscales",
            "autoscale_formula", "autoscale_error", "resize_errors", "inter_node_communication",
            "task_slots_per_node", "container_type", "container_images", "image_publisher",
            "image_offer", "image_sku", "image_family", "image_id", "subnet_id",
            "public_addresses", "mounts",
        ),
        "Reads the pools of each account; those of BatchService are nowhere else.",
    ),
    Operation(
        QUOTAS,
        "Microsoft.Batch/locations/quotas/read",
        ("region_account_quota",),
        "Tells how many accounts a subscription may have in a region.",
    ),
)  # fmt: skip
