"""Every call that this collector makes: its right, what it feeds, and what means "none"."""

from collections.abc import Mapping
from types import MappingProxyType

from app.collectors.azure_blob import mapping
from app.collectors.azure_scopes import SUBSCRIPTIONS
from app.domain.collecting import Operation
from app.domain.replies import Parse

_READ = "Microsoft.Storage/storageAccounts"
LIST = "storage:storageAccounts/read"
GRAPH = "resourcegraph:Resources"
BLOB_SERVICE = "storage:blobServices/read"
LIFECYCLE = "storage:managementPolicies/read"
REPLICATION = "storage:objectReplicationPolicies/read"
INVENTORY = "storage:inventoryPolicies/read"
CONTAINERS = "storage:blobServices/containers/read"
RETENTION = "storage:immutabilityPolicies/read"
SCOPES = "storage:encryptionScopes/read"
GEO_COPY = "storage:geoReplicationStats/read"

OPERATIONS = (
    SUBSCRIPTIONS,
    Operation(
        LIST,
        f"{_READ}/read",
        (),
        "Says which accounts exist: Resource Graph lags behind by minutes.",
    ),
    Operation(
        GRAPH,
        f"{_READ}/read",
        mapping.ACCOUNT_FACTS,
        "Reads all accounts in few calls; it shows what the identity may read.",
    ),
    Operation(
        BLOB_SERVICE,
        f"{_READ}/blobServices/read",
        mapping.BLOB_SERVICE_FACTS,
        "Versions, soft delete, change feed and last access tracking.",
    ),
    Operation(
        LIFECYCLE,
        f"{_READ}/managementPolicies/read",
        ("lifecycle_rules",),
        "What cools and what is deleted, and when.",
    ),
    Operation(
        REPLICATION,
        f"{_READ}/objectReplicationPolicies/read",
        ("replication_rules", "replication_origins"),
        "Where copies are sent, and where they come from.",
    ),
    Operation(
        INVENTORY,
        f"{_READ}/inventoryPolicies/read",
        ("inventory_configurations",),
        "Whether the blobs are listed regularly.",
    ),
    Operation(
        CONTAINERS,
        f"{_READ}/blobServices/containers/read",
        ("container_count", "containers"),
        "Public access and immutability of containers; what rules reach.",
    ),
    Operation(
        RETENTION,
        f"{_READ}/blobServices/containers/immutabilityPolicies/read",
        ("container_retentions",),
        "Days of a retention and whether it is locked, of containers whose list does not say so.",
    ),
    Operation(
        SCOPES,
        f"{_READ}/encryptionScopes/read",
        ("encryption_scopes",),
        "Keys of their own, whose blobs no rule can archive.",
    ),
    Operation(
        GEO_COPY,
        f"{_READ}/read",
        ("geo_copy_status", "geo_copy_behind_hours"),
        "How far the geo-redundant copy is behind; asked of geo-redundant accounts alone.",
    ),
)
BY_NAME = MappingProxyType({operation.name: operation for operation in OPERATIONS})

# One document each, asked of every account: what follows its id, and how it is understood.
DOCUMENTS: Mapping[str, tuple[str, Parse]] = MappingProxyType(
    {
        BLOB_SERVICE: ("blobServices/default", mapping.blob_service),
        LIFECYCLE: ("managementPolicies/default", mapping.lifecycle),
        INVENTORY: ("inventoryPolicies", mapping.inventory),
    }
)

# Lists that are read to their end: what follows the account's id.
LISTS: Mapping[str, str] = MappingProxyType(
    {
        CONTAINERS: "blobServices/default/containers",
        REPLICATION: "objectReplicationPolicies",
        SCOPES: "encryptionScopes",
    }
)

# Errors that state an absence. A kind of account without the feature has none of it.
NO_FEATURE = "FeatureNotSupportedForAccount"
ABSENT_CODES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        BLOB_SERVICE: frozenset({NO_FEATURE}),
        LIFECYCLE: frozenset({"ManagementPolicyNotFound", NO_FEATURE}),
        REPLICATION: frozenset({"ObjectReplicationPolicyNotFound", NO_FEATURE}),
        INVENTORY: frozenset(
            {"BlobInventoryPolicyNotFound", "InventoryPolicyNotFound", NO_FEATURE}
        ),
        CONTAINERS: frozenset({NO_FEATURE}),
        SCOPES: frozenset({NO_FEATURE}),
        RETENTION: frozenset({"ImmutabilityPolicyNotFound", "ContainerNotFound"}),
    }
)
