"""Every call that this collector makes: its right and what it feeds."""

from app.collectors.azure_reading import GRAPH
from app.collectors.azure_scopes import SUBSCRIPTIONS
from app.domain.collecting import Operation

STATUS = "compute:virtualMachines/read"
NICS = "network:networkInterfaces/read"
SKUS = "skus:skus/read"
USAGES = "compute:usages/read"
LOCATIONS = "subscriptions:locations/read"

OPERATIONS = (
    SUBSCRIPTIONS,
    Operation(
        GRAPH,
        "Microsoft.Compute/virtualMachineScaleSets/read",
        (
            "machine_type",
            "target_count",
            "orchestration_mode",
            "single_placement_group",
            "capacity",
            "priority",
            "eviction_policy",
            "spot_max_price",
            "capacity_reservation_group_id",
            "image_family",
            "image_name",
            "image_version",
            "image_released_at",
            "os_type",
            "availability_zone",
            "availability_zones",
            "scale_set_id",
            "cluster_name",
            "cluster_tag",
            "counted_in",
            "accelerated_networking",
            "site",
            "owner",
            "scheduler",
            "node_arrays",
        ),
        "Reads machines and scale sets of all subscriptions in few calls; it shows what the "
        "identity may read.",
    ),
    Operation(
        STATUS,
        "Microsoft.Compute/virtualMachines/read",
        ("state", "is_billed"),
        "Tells a stopped machine, which is paid for, from a deallocated one.",
    ),
    Operation(
        NICS,
        "Microsoft.Network/networkInterfaces/read",
        ("accelerated_networking",),
        "Whether packets of a machine pass the hypervisor by.",
    ),
    Operation(
        SKUS,
        "Microsoft.Compute/skus/read",
        (
            "accelerated_networking_possible",
            "accelerator_kind",
            "accelerator_model",
            "accelerator_count",
            "accelerators_per_machine",
            "rdma_interfaces",
            "vcpu_count",
            "memory_bytes",
            "offered_machine_types",
            "restricted_machine_types",
        ),
        "What a machine of each size holds; without it our own table answers.",
    ),
    Operation(
        USAGES,
        "Microsoft.Compute/locations/usages/read",
        (
            "vcpu_in_use",
            "vcpu_limit",
            "spot_vcpu_in_use",
            "spot_vcpu_limit",
            "quotas",
            "accelerated_quotas",
        ),
        "How many cores of each family may still be had.",
    ),
    Operation(
        LOCATIONS,
        "Microsoft.Resources/subscriptions/locations/read",
        ("physical_zone", "physical_zones"),
        "Which building a zone of the subscription stands for.",
    ),
)
