"""Every call that this collector makes: its right and what it feeds."""

from app.collectors.azure_reading import GRAPH
from app.collectors.azure_scopes import SUBSCRIPTIONS
from app.domain.collecting import Operation

POOLS = "aks:agentPools/read"
MACHINES = "aks:agentPools/machines/read"
VERSIONS = "aks:locations/kubernetesVersions/read"

OPERATIONS = (
    SUBSCRIPTIONS,
    Operation(
        GRAPH,
        "Microsoft.ContainerService/managedClusters/read",
        (
            "cluster_status", "power_state", "kubernetes_version", "support_plan", "sku_tier",
            "node_resource_group", "private_cluster", "authorized_networks",
            "local_accounts_disabled", "upgrade_channel", "node_image_channel", "network_plugin",
            "addons", "storage_drivers", "managed_prometheus", "auto_provisioning",
            "agent_pool_names",
        ),
        "Finds the clusters of all subscriptions, with their settings.",
    ),
    Operation(
        POOLS,
        "Microsoft.ContainerService/managedClusters/agentPools/read",
        ("agent_pools",),
        "Reads sizes, limits, prices and drivers of the pools, as they are now.",
    ),
    Operation(
        MACHINES,
        "Microsoft.ContainerService/managedClusters/agentPools/machines/read",
        ("pool_machines",),
        "Counts the machines that a pool really has.",
    ),
    Operation(
        VERSIONS,
        "Microsoft.ContainerService/locations/kubernetesversions/read",
        ("offered_versions",),
        "Tells which versions are still supported, and under which plan.",
    ),
)  # fmt: skip
