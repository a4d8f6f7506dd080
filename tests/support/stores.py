"""Builders of object stores and their rules; every argument has a default."""

from typing import Any

from app.domain.facts import ABSENT, Present
from app.domain.storage import (
    AgeBasis,
    InventoryConfiguration,
    LifecycleAction,
    LifecycleRule,
    ReplicationRule,
    RuleEffect,
    RuleSubject,
    S3BucketFacts,
)
from app.domain.storage_accounts import AzureStorageAccountFacts, BlobContainer
from app.domain.storage_exposure import BLOCK_SWITCHES


def bucket(**facts: Any) -> S3BucketFacts:
    """A bucket in Ireland as new: nothing configured, public access blocked, AES256."""
    known: dict[str, Any] = {
        "bucket_region": Present("eu-west-1"),
        "versioning_status": ABSENT,
        "mfa_delete": Present(False),
        "lifecycle_rules": ABSENT,
        "transition_default_minimum_object_size": Present("all_storage_classes_128K"),
        "replication_rules": ABSENT,
        "encryption_algorithm": Present("AES256"),
        "encryption_key_id": ABSENT,
        "public_access_block": Present(BLOCK_SWITCHES),
        "account_public_access_block": ABSENT,
        "policy_is_public": Present(False),
        "object_lock_enabled": ABSENT,
        "object_lock_mode": ABSENT,
        "object_lock_days": ABSENT,
        "inventory_configurations": ABSENT,
        "bucket_tags": ABSENT,
        "intelligent_tiering": ABSENT,
        "metadata_tables": ABSENT,
        "metadata_table_bucket": ABSENT,
        "unfinished_upload_count": Present(0),
        "unfinished_uploads_listed_whole": Present(True),
        "oldest_listed_upload_at": ABSENT,
    }
    return S3BucketFacts(**(known | facts))


def account(**facts: Any) -> AzureStorageAccountFacts:
    """A general purpose account in West Europe with local redundancy and one container."""
    known: dict[str, Any] = {
        "sku_name": Present("Standard_LRS"),
        "account_kind": Present("StorageV2"),
        "access_tier": Present("Hot"),
        "hierarchical_namespace": Present(False),
        "primary_region": Present("westeurope"),
        "secondary_region": ABSENT,
        "public_blob_access_allowed": Present(False),
        "public_network_access": Present("Enabled"),
        "network_default_action": Present("Allow"),
        "https_only": Present(True),
        "minimum_tls_version": Present("TLS1_2"),
        "shared_key_allowed": Present(True),
        "encryption_key_source": Present("Microsoft.Storage"),
        "infrastructure_encryption": Present(False),
        "cross_tenant_replication_allowed": Present(False),
        "account_retention_state": ABSENT,
        "account_retention_days": ABSENT,
        "secondary_status": ABSENT,
        "last_failover_at": ABSENT,
        "geo_copy_status": ABSENT,
        "geo_copy_behind_hours": ABSENT,
        "versioning_enabled": Present(False),
        "blob_soft_delete_days": ABSENT,
        "container_soft_delete_days": ABSENT,
        "change_feed_enabled": Present(False),
        "change_feed_days": ABSENT,
        "last_access_tracking_enabled": ABSENT,
        "restore_days": ABSENT,
        "restorable_since": ABSENT,
        "lifecycle_rules": ABSENT,
        "replication_rules": ABSENT,
        "replication_origins": ABSENT,
        "inventory_configurations": ABSENT,
        "container_count": Present(1),
        "containers": Present((container(),)),
        "container_retentions": ABSENT,
        "encryption_scopes": ABSENT,
    }
    return AzureStorageAccountFacts(**(known | facts))


def container(name: str = "training", **attributes: Any) -> BlobContainer:
    """A private container that holds data."""
    known: dict[str, Any] = {
        "public_access": "None",
        "has_immutability_policy": False,
        "has_legal_hold": False,
        "deleted": False,
        "keeps_versions_immutable": False,
        "default_encryption_scope": None,
    }
    return BlobContainer(name=name, **(known | attributes))


def containers(*names: str) -> dict[str, Any]:
    """The two facts of a complete list of private containers."""
    return {
        "containers": Present(tuple(container(name) for name in names)),
        "container_count": Present(len(names)),
    }


def rule(*actions: LifecycleAction, **attributes: Any) -> LifecycleRule:
    """An enabled rule for everything; without actions it moves to GLACIER_IR after 30 days."""
    known: dict[str, Any] = {
        "name": "cool",
        "enabled": True,
        "prefixes": (),
        "tags": {},
        "minimum_size_bytes": None,
        "maximum_size_bytes": None,
        "blob_types": (),
        "actions": actions or (move(),),
    }
    return LifecycleRule(**(known | attributes))


def rules(*given: LifecycleRule) -> Present[tuple[LifecycleRule, ...]]:
    """The fact of these rules."""
    return Present(given)


def move(
    after_days: float | None = 30, storage_class: str = "GLACIER_IR", **attributes: Any
) -> LifecycleAction:
    """Current objects go to a cooler class."""
    known: dict[str, Any] = {
        "effect": RuleEffect.TRANSITION,
        "subject": RuleSubject.CURRENT,
        "basis": AgeBasis.CREATION,
    }
    return LifecycleAction(
        after_days=after_days, storage_class=storage_class, **(known | attributes)
    )


def delete(after_days: float | None = 30, **attributes: Any) -> LifecycleAction:
    """Current objects are deleted."""
    known: dict[str, Any] = {
        "effect": RuleEffect.DELETE,
        "subject": RuleSubject.CURRENT,
        "basis": AgeBasis.CREATION,
    }
    return LifecycleAction(after_days=after_days, **(known | attributes))


def replication(**attributes: Any) -> ReplicationRule:
    """An enabled rule that copies everything to a bucket in Frankfurt."""
    known: dict[str, Any] = {
        "name": "copy",
        "enabled": True,
        "prefix": "",
        "destination": "copy-frankfurt",
        "destination_account_id": None,
        "destination_region_id": "eu-central-1",
        "destination_code": "",
        "storage_class": None,
    }
    return ReplicationRule(**(known | attributes))


def inventory(**attributes: Any) -> InventoryConfiguration:
    """An enabled daily inventory of everything."""
    known: dict[str, Any] = {
        "name": "daily",
        "enabled": True,
        "frequency": "Daily",
        "format": "Parquet",
        "prefix": "",
        "includes_versions": True,
        "destination": "training",
    }
    return InventoryConfiguration(**(known | attributes))
