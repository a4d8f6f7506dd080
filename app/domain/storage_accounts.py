"""Azure storage accounts as Azure reports them: settings, protection, copies, containers."""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from app.domain.facts import Fact, FactDocument, fact
from app.domain.storage import InventoryConfiguration, LifecycleRule, ReplicationRule

# Why the place of a destination is not known: none of the accounts that are seen has its name.
NO_DESTINATION = "UnknownDestination"


@dataclass(frozen=True, slots=True)
class BlobContainer:
    """One blob container of an account.

    `keeps_versions_immutable`: each version can have a retention of its own.
    `default_encryption_scope` is None where the account's own key is the default.
    """

    name: str
    public_access: str
    has_immutability_policy: bool
    has_legal_hold: bool
    deleted: bool
    keeps_versions_immutable: bool
    default_encryption_scope: str | None


@dataclass(frozen=True, slots=True)
class ContainerRetention:
    """The time-based retention of one container, in Azure's words: Locked or Unlocked.

    State and days are None when they could not be read; `code` then says why.
    """

    container: str
    state: str | None
    days: int | None
    code: str


@dataclass(frozen=True, slots=True)
class EncryptionScope:
    """A key of its own for some blobs of an account. `key_source`: Microsoft.Storage or
    Microsoft.KeyVault.
    """

    name: str
    enabled: bool
    key_source: str


@dataclass(frozen=True, slots=True)
class ReplicationOrigin:
    """An object replication policy by which an account receives copies.

    `source` is a full id, or the bare name of old policies: then its subscription may be None.
    """

    policy_id: str
    source: str
    source_account_id: str | None
    containers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AzureStorageAccountFacts(FactDocument):
    """An Azure storage account and its blob service."""

    KIND: ClassVar[str] = "azure_storage_account"
    AREA: ClassVar[str] = "storage"

    sku_name: Fact[str] = fact("Redundancy, such as Standard_GZRS.", "resourcegraph:Resources")
    account_kind: Fact[str] = fact(
        "StorageV2, BlockBlobStorage, BlobStorage, …", "resourcegraph:Resources"
    )
    access_tier: Fact[str] = fact("Default tier: Hot, Cool, Cold, …", "resourcegraph:Resources")
    hierarchical_namespace: Fact[bool] = fact("ADLS Gen2 namespace.", "resourcegraph:Resources")
    primary_region: Fact[str] = fact("Where the primary copy lies.", "resourcegraph:Resources")
    secondary_region: Fact[str] = fact(
        "Where the geo-redundant copy lies; absent without geo-redundancy.",
        "resourcegraph:Resources",
    )
    public_blob_access_allowed: Fact[bool] = fact(
        "Containers may be opened to anonymous readers.", "resourcegraph:Resources"
    )
    public_network_access: Fact[str] = fact("Enabled or Disabled.", "resourcegraph:Resources")
    network_default_action: Fact[str] = fact("Allow or Deny.", "resourcegraph:Resources")
    https_only: Fact[bool] = fact("Plain HTTP is refused.", "resourcegraph:Resources")
    minimum_tls_version: Fact[str] = fact("Such as TLS1_2.", "resourcegraph:Resources")
    shared_key_allowed: Fact[bool] = fact("Account keys work.", "resourcegraph:Resources")
    encryption_key_source: Fact[str] = fact(
        "Microsoft.Storage or Microsoft.Keyvault.", "resourcegraph:Resources"
    )
    infrastructure_encryption: Fact[bool] = fact(
        "A second layer of encryption.", "resourcegraph:Resources"
    )
    cross_tenant_replication_allowed: Fact[bool] = fact(
        "Object replication may cross tenants.", "resourcegraph:Resources"
    )
    account_retention_state: Fact[str] = fact(
        "Retention that the account gives each new version: Disabled, Unlocked or Locked; absent "
        "when it gives none.",
        "resourcegraph:Resources",
    )
    account_retention_days: Fact[int] = fact("Days of that retention.", "resourcegraph:Resources")
    secondary_status: Fact[str] = fact(
        "Whether the second region answers: available or unavailable; absent without one.",
        "resourcegraph:Resources",
    )
    last_failover_at: Fact[datetime] = fact(
        "When primary and secondary last changed places; absent when they never did.",
        "resourcegraph:Resources",
    )
    geo_copy_status: Fact[str] = fact(
        "Live, Bootstrap or Unavailable; absent without geo-redundancy.",
        "storage:geoReplicationStats/read",
    )
    geo_copy_behind_hours: Fact[int] = fact(
        "Whole hours by which the geo-redundant copy was behind when it was read.",
        "storage:geoReplicationStats/read",
    )
    versioning_enabled: Fact[bool] = fact("Blob versioning.", "storage:blobServices/read")
    blob_soft_delete_days: Fact[int] = fact(
        "Days that deleted blobs are kept; absent when off.", "storage:blobServices/read"
    )
    container_soft_delete_days: Fact[int] = fact(
        "Days that deleted containers are kept; absent when off.", "storage:blobServices/read"
    )
    change_feed_enabled: Fact[bool] = fact("Change feed.", "storage:blobServices/read")
    change_feed_days: Fact[int] = fact(
        "Days that the change feed is kept; absent when for ever, or when it is off.",
        "storage:blobServices/read",
    )
    last_access_tracking_enabled: Fact[bool] = fact(
        "Last access time is recorded.", "storage:blobServices/read"
    )
    restore_days: Fact[int] = fact(
        "Days of point-in-time restore; absent when off.", "storage:blobServices/read"
    )
    restorable_since: Fact[datetime] = fact(
        "The earliest instant that blobs can be restored to.", "storage:blobServices/read"
    )
    lifecycle_rules: Fact[tuple[LifecycleRule, ...]] = fact(
        "Rules of the management policy, disabled ones too.", "storage:managementPolicies/read"
    )
    replication_rules: Fact[tuple[ReplicationRule, ...]] = fact(
        "Object replication rules in which this account is the source.",
        "storage:objectReplicationPolicies/read",
    )
    replication_origins: Fact[tuple[ReplicationOrigin, ...]] = fact(
        "Object replication policies in which this account is the destination.",
        "storage:objectReplicationPolicies/read",
    )
    inventory_configurations: Fact[tuple[InventoryConfiguration, ...]] = fact(
        "Blob inventory rules.", "storage:inventoryPolicies/read"
    )
    container_count: Fact[int] = fact(
        "Number of blob containers.", "storage:blobServices/containers/read"
    )
    containers: Fact[tuple[BlobContainer, ...]] = fact(
        "Blob containers, at most the first 1,000.", "storage:blobServices/containers/read"
    )
    container_retentions: Fact[tuple[ContainerRetention, ...]] = fact(
        "Time-based retention of the containers that have one; absent when none has.",
        "storage:immutabilityPolicies/read",
    )
    encryption_scopes: Fact[tuple[EncryptionScope, ...]] = fact(
        "Encryption scopes of the account; absent without any.", "storage:encryptionScopes/read"
    )
