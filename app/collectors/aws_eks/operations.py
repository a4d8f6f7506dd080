"""Every call that this collector makes: its IAM action and what it feeds."""

from types import MappingProxyType

from app.collectors.aws_machine_types import machine_types_operation
from app.domain.collecting import Operation

CLUSTERS = "eks:ListClusters"
CLUSTER = "eks:DescribeCluster"
VERSIONS = "eks:DescribeClusterVersions"
GROUPS = "eks:ListNodegroups"
GROUP = "eks:DescribeNodegroup"
ADDONS = "eks:ListAddons"
ADDON = "eks:DescribeAddon"

# IAM names these rights as the API names its calls (Service Authorization Reference for EKS).
OPERATIONS = (
    Operation(CLUSTERS, CLUSTERS, (), "Lists the clusters of a region."),
    Operation(
        CLUSTER,
        CLUSTER,
        (
            "cluster_status",
            "kubernetes_version",
            "platform_version",
            "support_type",
            "endpoint_public",
            "endpoint_private",
            "endpoint_public_cidrs",
            "secrets_encryption",
            "secrets_key_id",
            "control_plane_logs",
            "cluster_health_issues",
            "auto_mode",
            "deletion_protected",
        ),
        "Version, endpoint, encryption and health. Without it a cluster is not told from one that "
        "was made anew under its name, so that nothing of it is kept.",
    ),
    Operation(
        VERSIONS,
        VERSIONS,
        ("version_status", "standard_support_ends_at", "extended_support_ends_at"),
        "Until when each version of Kubernetes is supported; asked once per region with clusters.",
    ),
    Operation(GROUPS, GROUPS, ("nodegroup_names",), "Lists the managed node groups of a cluster."),
    Operation(
        GROUP,
        GROUP,
        ("nodegroups", "unread_nodegroups"),
        "Machine types, sizes, capacity and health of a node group.",
    ),
    Operation(
        ADDONS,
        ADDONS,
        ("addon_names", "shared_storage_addons", "accelerator_addons", "observability_addons"),
        "Lists the add-ons that EKS manages in a cluster.",
    ),
    Operation(
        ADDON,
        ADDON,
        ("addons", "unhealthy_addons"),
        "Version, status and health of an add-on.",
    ),
    machine_types_operation("machine_type_details"),
)
BY_NAME = MappingProxyType({operation.name: operation for operation in OPERATIONS})
