"""Every call that this collector makes and what it feeds; IAM names the rights like the calls."""

from types import MappingProxyType

from app.collectors.aws_machine_types import machine_types_operation
from app.domain.collecting import Operation

CLUSTERS = "sagemaker:ListClusters"
CLUSTER = "sagemaker:DescribeCluster"
TAGS = "sagemaker:ListTags"
QUOTAS = "sagemaker:ListComputeQuotas"
QUOTA = "sagemaker:DescribeComputeQuota"
SCHEDULERS = "sagemaker:ListClusterSchedulerConfigs"
NODES = "sagemaker:ListClusterNodes"
NODE = "sagemaker:DescribeClusterNode"
PLANS = "sagemaker:ListTrainingPlans"
PLAN = "sagemaker:DescribeTrainingPlan"
VERSIONING = "s3:GetBucketVersioning"

OPERATIONS = (
    Operation(CLUSTERS, CLUSTERS, ("cluster_status",), "Lists the clusters of a region."),
    Operation(
        CLUSTER,
        CLUSTER,
        (
            "failure_message",
            "instance_groups",
            "eks_cluster_arn",
            "slurm_strategy",
            "node_recovery",
            "node_provisioning_mode",
            "autoscaling_mode",
            "autoscaling_status",
            "tiered_storage_mode",
            "tiered_storage_memory_percent",
            "subnet_ids",
            "file_system_mounts",
            "training_plan_arns",
            "lifecycle_script_buckets",
        ),
        "Groups of a cluster, what places work on it and how it mends itself.",
    ),
    Operation(TAGS, TAGS, (), "Tags of clusters and training plans."),
    Operation(QUOTAS, QUOTAS, ("compute_quotas",), "Shares of the teams in the clusters."),
    Operation(
        QUOTA, QUOTA, (), "The machines of a share, where the list of shares leaves them out."
    ),
    Operation(
        SCHEDULERS, SCHEDULERS, ("scheduler_configs",), "How the teams of a cluster take turns."
    ),
    Operation(
        NODES,
        NODES,
        (
            "cluster_arn",
            "cluster_name",
            "instance_group",
            "instance_id",
            "machine_type",
            "node_status",
            "status_message",
            "launched_at",
            "ultra_server_id",
            "image_version_status",
        ),
        "The machines of a cluster; EC2 does not list them.",
    ),
    Operation(
        NODE,
        NODE,
        ("availability_zone", "availability_zone_id", "capacity_type", "private_ip"),
        "Where a machine stands and how it is bought, one call each.",
    ),
    Operation(
        PLANS,
        PLANS,
        (
            "plan_status",
            "plan_status_message",
            "starts_at",
            "ends_at",
            "upfront_fee",
            "currency",
            "total_machine_count",
            "available_machine_count",
            "in_use_machine_count",
            "ultra_server_count",
            "target_resources",
            "reserved_capacities",
        ),
        "Capacity that is paid for in advance, and how much of it is used.",
    ),
    Operation(
        PLAN,
        PLAN,
        ("unhealthy_machine_count", "spare_machine_count"),
        "How much of a plan is broken.",
    ),
    Operation(
        VERSIONING,
        VERSIONING,
        ("script_buckets",),
        "Whether the scripts that make machines are kept in versions.",
    ),
    machine_types_operation(
        "machine_type_details",
        "accelerator_kind",
        "accelerator_model",
        "accelerator_count",
        "accelerator_memory_bytes",
        "vcpu_count",
        "memory_bytes",
        "rdma_interfaces",
    ),
)
BY_NAME = MappingProxyType({operation.name: operation for operation in OPERATIONS})
