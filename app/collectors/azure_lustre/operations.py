"""Every call that this collector makes: its right and what it feeds."""

from app.collectors.azure_reading import GRAPH
from app.collectors.azure_scopes import SUBSCRIPTIONS
from app.domain.collecting import Operation

TYPE = "microsoft.storagecache/amlfilesystems"
FILE_SYSTEM = "lustre:amlFilesystems/read"
AUTO_EXPORTS = "lustre:autoExportJobs/read"
AUTO_IMPORTS = "lustre:autoImportJobs/read"
IMPORTS = "lustre:importJobs/read"
EXPANSIONS = "lustre:expansionJobs/read"
ACCOUNT = "storage:storageAccounts/read"

FEEDS_OF_ACCOUNT = (
    "container_account_redundancy",
    "container_account_region",
    "container_account_secondary_region",
)
_RIGHT = "Microsoft.StorageCache/amlFilesystems"
OPERATIONS = (
    SUBSCRIPTIONS,
    Operation(
        GRAPH,
        f"{_RIGHT}/read",
        (),
        "Lists the file systems of all subscriptions in one call.",
    ),
    Operation(
        FILE_SYSTEM,
        f"{_RIGHT}/read",
        (
            "file_system_region",
            "sku_name",
            "storage_capacity_bytes",
            "current_storage_capacity_bytes",
            "throughput_megabytes_per_second",
            "health_state",
            "health_description",
            "provisioning_state",
            "availability_zones",
            "subnet_id",
            "lustre_version",
            "management_address",
            "key_url",
            "maintenance_window",
            "root_squash_mode",
            "hsm_container_id",
            "hsm_logging_container_id",
            "hsm_initial_prefixes",
            "archives",
        ),
        "Capacity, health and the Blob container that belongs to it.",
    ),
    Operation(
        AUTO_EXPORTS,
        f"{_RIGHT}/autoExportJobs/read",
        ("auto_export_jobs",),
        "How old the newest copy of checkpoints in Blob is.",
    ),
    Operation(
        AUTO_IMPORTS,
        f"{_RIGHT}/autoImportJobs/read",
        ("auto_import_jobs",),
        "Whether new blobs appear as files.",
    ),
    Operation(
        IMPORTS,
        f"{_RIGHT}/importJobs/read",
        ("import_jobs",),
        "When the names of the container last came in, and with which conflicts.",
    ),
    Operation(
        EXPANSIONS,
        f"{_RIGHT}/expansionJobs/read",
        ("expansion_jobs",),
        "Whether a growing file system grows or is stuck.",
    ),
    Operation(
        ACCOUNT,
        "Microsoft.Storage/storageAccounts/read",
        FEEDS_OF_ACCOUNT,
        "Where the exported files rest: the account of the container and its geo-redundant copy.",
    ),
)
