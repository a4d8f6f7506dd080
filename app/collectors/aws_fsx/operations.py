"""Every call that this collector makes: its IAM action and what it feeds."""

from app.collectors.aws_keys import KEYS_OPERATION
from app.collectors.aws_reading import Listing
from app.domain.collecting import Operation

FILE_SYSTEMS = "fsx:DescribeFileSystems"
CACHES = "fsx:DescribeFileCaches"
ASSOCIATIONS = "fsx:DescribeDataRepositoryAssociations"
VOLUMES = "fsx:DescribeVolumes"
MACHINES = "fsx:DescribeStorageVirtualMachines"
SUBNETS = "ec2:DescribeSubnets"

OPERATIONS = (
    Operation(
        FILE_SYSTEMS,
        FILE_SYSTEMS,
        (
            "file_system_type",
            "file_system_version",
            "file_system_region",
            "lifecycle",
            "failure_message",
            "storage_capacity_bytes",
            "storage_type",
            "deployment_type",
            "throughput_megabytes_per_second",
            "data_compression",
            "efa_enabled",
            "vpc_id",
            "subnet_ids",
            "dns_name",
            "mount_name",
            "kms_key_id",
            "automatic_backup_retention_days",
            "data_repository_configuration",
            "administrative_actions",
        ),
        "Lists the file systems with their settings and tags.",
    ),
    Operation(
        ASSOCIATIONS,
        ASSOCIATIONS,
        ("data_repository_associations",),
        "Which directories are linked with buckets, and what goes there by itself.",
    ),
    Operation(VOLUMES, VOLUMES, ("volumes",), "Volumes of ONTAP and OpenZFS."),
    Operation(MACHINES, MACHINES, ("storage_virtual_machines",), "File servers of ONTAP."),
    Operation(
        CACHES,
        CACHES,
        (
            "file_system_region",
            "lifecycle",
            "failure_message",
            "storage_capacity_bytes",
            "deployment_type",
            "vpc_id",
            "subnet_ids",
            "dns_name",
            "mount_name",
            "kms_key_id",
        ),
        "Lists the file caches.",
    ),
    Operation(SUBNETS, SUBNETS, ("availability_zones",), "Zones of the subnets they lie in."),
    KEYS_OPERATION,
)

# The most rows a page that each call takes (Amazon FSx API).
FILE_SYSTEM_LIST = Listing(FILE_SYSTEMS, "FileSystems", params={"MaxResults": 100})
CACHE_LIST = Listing(CACHES, "FileCaches", params={"MaxResults": 100})
ASSOCIATION_LIST = Listing(ASSOCIATIONS, "Associations", params={"MaxResults": 25})
VOLUME_LIST = Listing(VOLUMES, "Volumes", params={"MaxResults": 100})
MACHINE_LIST = Listing(MACHINES, "StorageVirtualMachines", params={"MaxResults": 100})
SUBNET_LIST = Listing(SUBNETS, "Subnets", params={"MaxResults": 1000})
