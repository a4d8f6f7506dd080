"""Every call that this collector makes: its IAM action and what it feeds."""

from app.collectors.aws_machine_types import machine_types_operation
from app.domain.collecting import Operation

INSTANCES = "ec2:DescribeInstances"
RESERVATIONS = "ec2:DescribeCapacityReservations"
BLOCKS = "ec2:DescribeCapacityBlockStatus"
VOLUMES = "ec2:DescribeVolumes"
SNAPSHOTS = "ec2:DescribeSnapshots"
IMAGES = "ec2:DescribeImages"
ENCRYPTION = "ec2:GetEbsEncryptionByDefault"

TYPES = machine_types_operation(
    "accelerator_kind",
    "accelerator_model",
    "accelerator_count",
    "accelerators_per_machine",
    "rdma_interfaces_possible",
)

OPERATIONS = (
    Operation(
        INSTANCES,
        INSTANCES,
        (
            "machine_type",
            "state",
            "capacity",
            "capacity_reservation_id",
            "image_id",
            "launched_at",
            "stopped_at",
            "availability_zone",
            "cluster_name",
            "cluster_tag",
            "rdma_interfaces",
            "metadata_endpoint",
            "metadata_tokens",
            "public_ip",
            "instance_profile",
        ),
        "Lists the machines; those with accelerators or of a cluster are kept.",
    ),
    TYPES,
    Operation(
        RESERVATIONS,
        RESERVATIONS,
        (
            "reservation_type",
            "state",
            "machine_type",
            "availability_zone",
            "machine_count",
            "available_machine_count",
            "starts_at",
            "ends_at",
            "match_criteria",
            "capacity_block_id",
        ),
        "Lists capacity that is paid for, used or not.",
    ),
    Operation(
        BLOCKS,
        BLOCKS,
        ("unavailable_machine_count", "interconnect_status"),
        "Which machines of capacity blocks are broken; asked only where there are blocks.",
    ),
    Operation(
        VOLUMES,
        VOLUMES,
        (
            "state",
            "volume_type",
            "size_bytes",
            "encrypted",
            "encryption_key_id",
            "availability_zone",
            "attached_to",
            "made_of_snapshot_id",
            "kubernetes_claim",
            "volume_exists",
        ),
        "Lists the volumes.",
    ),
    Operation(
        ENCRYPTION,
        ENCRYPTION,
        ("encryption_by_default",),
        "Whether new volumes of the region are always encrypted.",
    ),
    Operation(
        IMAGES,
        IMAGES,
        (
            "state",
            "is_public",
            "deprecated_at",
            "last_launched_at",
            "architecture",
            "platform",
            "snapshot_ids",
            "size_bytes",
            "used_by_images",
        ),
        "Lists the machine images that the account owns.",
    ),
    Operation(
        SNAPSHOTS,
        SNAPSHOTS,
        (
            "state",
            "storage_tier",
            "volume_id",
            "volume_size_bytes",
            "full_size_bytes",
            "encrypted",
            "encryption_key_id",
            "is_copy",
            "kept_by",
        ),
        "Lists the snapshots that the account owns.",
    ),
)
