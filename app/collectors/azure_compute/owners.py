"""Which cluster or pool a machine of Azure belongs to, so that none is counted twice."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from app.collectors.azure_words import Json, below, group_of, last_part, subscription_of, tag

CLUSTERS = "microsoft.containerservice/managedclusters"
BATCH = "microsoft.batch/batchaccounts"
CYCLECLOUD, NODE_ARRAY = "CycleCloudCluster", "CycleCloudNodeArray"
CLUSTER_NAME, OWNER = "ClusterName", "CycleOwner"
# What Batch makes in the account's own subscription lies in groups of this name, with tags that
# name account and pool (Azure Batch: costs of pools, user subscription mode).
_BATCH_GROUP = "azurebatch-"
BATCH_ACCOUNT, BATCH_POOL = "BatchAccountName", "PoolName"


@dataclass(frozen=True, slots=True)
class Owner:
    """`counted_in` is the id of what counts the machine; `tag` names it, '' when a tag did not."""

    name: str
    tag: str
    counted_in: str


@dataclass(slots=True)
class Owners:
    """The clusters and accounts that make machines of their own in a subscription.

    Machines of AKS lie in the cluster's node resource group (AKS: core concepts).
    """

    node_groups: dict[tuple[str, str], str] = field(default_factory=dict)
    batch_accounts: dict[tuple[str, str], str] = field(default_factory=dict)

    def learn(self, rows: Iterable[Json]) -> None:
        """Takes in rows of clusters of AKS and of Batch accounts."""
        for row in rows:
            resource_id = str(row["id"])
            subscription = subscription_of(resource_id)
            if str(row.get("type")).lower() == BATCH:
                self.batch_accounts[subscription, last_part(resource_id).lower()] = resource_id
                continue
            properties = row.get("properties")
            group = properties.get("nodeResourceGroup") if isinstance(properties, dict) else None
            if group:
                self.node_groups[subscription, str(group).lower()] = resource_id

    def of(self, row: Json, tags: Mapping[str, str]) -> Owner | None:
        """The owner of a machine or scale set; None when it is of none that is known."""
        resource_id = str(row["id"])
        subscription = subscription_of(resource_id)
        cluster = self.node_groups.get((subscription, group_of(resource_id)))
        if cluster:
            return Owner(last_part(cluster), "", cluster)
        if group_of(resource_id).startswith(_BATCH_GROUP):
            return self._batch(subscription, resource_id, tags)
        return cyclecloud_of(subscription, tags)

    def _batch(self, subscription: str, resource_id: str, tags: Mapping[str, str]) -> Owner:
        """The pool; the resource group where no tag tells it, for Batch made that alone."""
        account = self.batch_accounts.get((subscription, tag(tags, BATCH_ACCOUNT).lower()))
        pool = tag(tags, BATCH_POOL)
        if account and pool:
            return Owner(pool, "", f"{account}/pools/{pool}")
        group = below(resource_id, "resourceGroups")
        return Owner(last_part(group), "", group)


def cyclecloud_of(subscription: str, tags: Mapping[str, str]) -> Owner | None:
    """The cluster of CycleCloud that the tags of a node tell; None without them.

    From version 8.2 on one tag names it for all the world; before, its name and the site of its
    owner do (CycleCloud: tags on nodes). No API lists clusters, so their ids are ours.
    """
    path = tag(tags, CYCLECLOUD)
    if path.startswith("/sites/"):
        return Owner(last_part(path), CYCLECLOUD, f"/subscriptions/{subscription}/cyclecloud{path}")
    name, owner = tag(tags, CLUSTER_NAME), tag(tags, OWNER)
    if not name or not owner:
        return None
    site = site_of(owner)
    path = f"/subscriptions/{subscription}/cyclecloud/sites/{site}/clusters/{name}"
    return Owner(name, CLUSTER_NAME, path)


def site_of(owner: str) -> str:
    """The id of the site in a tag such as `atlas(marta@hpc:7c6)`, else all that follows the @."""
    place = owner.rpartition("@")[2].rstrip(")")
    return place.rpartition(":")[2] or owner
