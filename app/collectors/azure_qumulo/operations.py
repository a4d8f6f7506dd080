"""Every call that this collector makes: its right and what it feeds."""

from app.collectors.azure_reading import GRAPH
from app.collectors.azure_scopes import SUBSCRIPTIONS
from app.domain.collecting import Operation

TYPE = "qumulo.storage/filesystems"
OPERATIONS = (
    SUBSCRIPTIONS,
    Operation(
        GRAPH,
        "Qumulo.Storage/fileSystems/read",
        (
            "file_system_region",
            "storage_sku",
            "performance_tier",
            "provisioning_state",
            "availability_zone",
            "login_url",
            "private_addresses",
            "subnet_id",
            "marketplace_plan",
            "marketplace_status",
        ),
        "Reads the Qumulo file systems of all subscriptions in one call.",
    ),
)
