"""Every call that this collector makes: its right, what it feeds, and what means "none"."""

from app.collectors.azure_reading import GRAPH
from app.collectors.azure_scopes import SUBSCRIPTIONS
from app.domain.collecting import Operation

ACCOUNT_TYPE = "microsoft.netapp/netappaccounts"
POOLS = "netapp:capacityPools/read"
VOLUMES = "netapp:volumes/read"
REPLICATIONS = "netapp:listReplications/action"
STATUS = "netapp:replicationStatus/read"

_RIGHT = "Microsoft.NetApp/netAppAccounts"
_VOLUME_RIGHT = f"{_RIGHT}/capacityPools/volumes"
STATUS_FEEDS = (
    "replication_healthy",
    "mirror_state",
    "relationship_status",
    "replication_message",
)
OPERATIONS = (
    SUBSCRIPTIONS,
    Operation(
        GRAPH,
        f"{_RIGHT}/read",
        (),
        "Lists the NetApp accounts of all subscriptions in one call.",
    ),
    Operation(
        POOLS,
        f"{_RIGHT}/capacityPools/read",
        (
            "pool_region",
            "size_bytes",
            "pool_service_level",
            "qos_type",
            "pool_throughput_mib_per_second",
            "pool_cool_access",
            "encryption_type",
            "pool_provisioning_state",
        ),
        "Lists the pools of each account: their size is what is paid.",
    ),
    Operation(
        VOLUMES,
        f"{_VOLUME_RIGHT}/read",
        (
            "allocated_bytes",
            "volume_count",
            "volume_region",
            "quota_bytes",
            "service_level",
            "protocol_types",
            "mount_path",
            "provisioning_state",
            "availability_zones",
            "subnet_id",
            "network_features",
            "throughput_mib_per_second",
            "cool_access",
            "coolness_period_days",
            "encryption_key_source",
            "snapshot_policy_id",
            "backup_policy_id",
            "backup_policy_enforced",
            "replication_endpoint_type",
        ),
        "Lists the volumes of each pool with their quotas, tiers and protection.",
    ),
    Operation(
        REPLICATIONS,
        f"{_VOLUME_RIGHT}/listReplications/action",
        ("replications",),
        "Where copies of a volume rest; asked only of those that are replicated.",
    ),
    Operation(
        STATUS,
        f"{_VOLUME_RIGHT}/replicationStatus/read",
        STATUS_FEEDS,
        "Whether a copy is kept up; asked only of volumes that are one.",
    ),
)
