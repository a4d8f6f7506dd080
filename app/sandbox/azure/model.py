"""What one scripted storage account is made of, before it takes Azure's shape."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from app.sandbox.story import RESEARCH, Subscription, created_at

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Container:
    """One blob container; `public` is None, Blob or Container.

    `retention_days` keeps its blobs from being changed; such a retention may still be taken away
    unless it is `locked`. `scope` is the encryption scope of blobs that name no other.
    """

    name: str
    public: str = "None"
    retention_days: int | None = None
    legal_hold: bool = False
    blobs: int = 12
    locked: bool = True
    scope: str | None = None


@dataclass(frozen=True, slots=True)
class ObjectReplication:
    """One object replication policy as either end shows it.

    `source` and `destination` stand on the wire as written here: a bare name or a resource id.
    """

    policy_id: str
    source: str
    destination: str
    rules: tuple[tuple[str, str, tuple[str, ...]], ...] = ()  # source, destination, prefixes
    enabled_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class BlobService:
    """Settings of the blob service; None leaves the field out, as Azure does when never set."""

    versioning: bool | None = None
    soft_delete_days: int | None = 7
    container_soft_delete_days: int | None = 7
    change_feed: bool | None = None
    change_feed_days: int | None = None
    tracks_last_access: bool | None = None
    restore_days: int | None = None


@dataclass(frozen=True, slots=True)
class Account:
    """One storage account of the estate; `case` says in a line what is special about it."""

    name: str
    region: str
    case: str
    sku: str = "Standard_LRS"
    kind: str = "StorageV2"
    subscription: Subscription = RESEARCH
    resource_group: str = "rg-cierzo-weu"
    access_tier: str | None = "Hot"
    tags: Mapping[str, str] | None = None
    blob: BlobService = field(default_factory=BlobService)
    rules: Sequence[Json] | None = None
    inventory: Sequence[Json] | None = None
    replications: tuple[ObjectReplication, ...] = ()
    containers: Sequence[Container] = ()
    hns: bool = False
    properties: Mapping[str, Any] = field(default_factory=dict)  # laid over the usual ones
    scopes: Mapping[str, bool] = field(default_factory=dict)  # encryption scopes, enabled or not
    geo_copy_behind: timedelta = timedelta(minutes=4)
    denied: frozenset[str] = frozenset()  # operations of the ledger that answer 403

    @property
    def resource_id(self) -> str:
        """The id as Azure Resource Manager spells it."""
        return (
            f"/subscriptions/{self.subscription.subscription_id}"
            f"/resourceGroups/{self.resource_group}"
            f"/providers/Microsoft.Storage/storageAccounts/{self.name}"
        )

    @property
    def created_at(self) -> datetime:
        """When the account was made."""
        return created_at(self.name)

    @property
    def is_geo(self) -> bool:
        """Whether the redundancy keeps a copy in a second region."""
        return "GRS" in self.sku or "GZRS" in self.sku

    @property
    def secondary_readable(self) -> bool:
        """Whether the copy in the second region can be read."""
        return "_RA" in self.sku

    @property
    def has_blobs(self) -> bool:
        """Whether this kind of account has a blob service at all."""
        return self.kind != "FileStorage"
