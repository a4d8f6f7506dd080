"""The AKS clusters of the story, with their agent pools, machines and offered versions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from app.sandbox.azure.held import Chapter
from app.sandbox.azure.model import Json
from app.sandbox.azure.refusal import Refusal, not_authorised
from app.sandbox.story import (
    AMERICAS,
    CT_THORAX,
    EVAL_SUITE,
    NEU,
    PLATFORM,
    RESEARCH,
    SWC,
    WEBTEXT,
    WEU,
    Subscription,
)

_TYPE = "Microsoft.ContainerService/managedClusters"
_OFFICIAL, _LONG_TERM = "KubernetesOfficial", "AKSLongTermSupport"
# The minor versions that AKS supports in every region of the story, oldest first.
_OFFERED: Mapping[str, Sequence[str]] = {
    "1.30": (_LONG_TERM,),
    "1.33": (_OFFICIAL, _LONG_TERM),
    "1.34": (_OFFICIAL, _LONG_TERM),
    "1.35": (_OFFICIAL, _LONG_TERM),
}


@dataclass(frozen=True, slots=True)
class Pool:
    """One agent pool. `machines`: how many of `count` there are; None for all of them."""

    name: str
    size: str
    count: int
    machines: int | None = None
    limits: tuple[int, int] | None = None
    more: Json = field(default_factory=dict)

    def properties(self, version: str, power: str) -> Json:
        """As an agent pool of ARM and of the cluster's own document."""
        scales: Json = {"enableAutoScaling": False}
        if self.limits:
            least, most = self.limits
            scales = {"enableAutoScaling": True, "minCount": least, "maxCount": most}
        return {
            "count": self.count,
            "vmSize": self.size,
            "osDiskSizeGB": 128,
            "maxPods": 110,
            "type": "VirtualMachineScaleSets",
            "mode": "User",
            "osType": "Linux",
            "osSKU": "Ubuntu",
            "provisioningState": "Succeeded",
            "powerState": {"code": power},
            "orchestratorVersion": version,
            "currentOrchestratorVersion": version,
            "nodeImageVersion": "AKSUbuntu-2204gen2containerd-202611.03.0",
            **scales,
            **self.more,
        }


@dataclass(frozen=True, slots=True)
class Cluster:
    """One cluster; `case` says in a line what is special about it.

    `hides_pools`: its agent pools may not be read by anybody. `more` is added to its properties.
    """

    name: str
    case: str
    subscription: Subscription
    region: str
    version: str
    tags: Mapping[str, str]
    pools: Sequence[Pool]
    power: str = "Running"
    hides_pools: bool = False
    more: Json = field(default_factory=dict)

    @property
    def resource_id(self) -> str:
        """Its id as Resource Manager spells it."""
        group = f"/subscriptions/{self.subscription.subscription_id}/resourceGroups/rg-{self.name}"
        return f"{group}/providers/{_TYPE}/{self.name}"

    def document(self) -> Json:
        """Its own document."""
        pools = [
            {"name": one.name, **one.properties(self.version, self.power)} for one in self.pools
        ]
        return {
            "id": self.resource_id,
            "name": self.name,
            "type": _TYPE,
            "location": self.region,
            "tags": dict(self.tags),
            "sku": {"name": "Base", "tier": "Standard"},
            "identity": {"type": "SystemAssigned"},
            "properties": {
                "provisioningState": "Succeeded",
                "powerState": {"code": self.power},
                "kubernetesVersion": self.version,
                "currentKubernetesVersion": self.version,
                "dnsPrefix": self.name,
                "agentPoolProfiles": pools,
                "nodeResourceGroup": f"MC_rg-{self.name}_{self.name}_{self.region}",
                "enableRBAC": True,
                "supportPlan": _OFFICIAL,
                "networkProfile": {"networkPlugin": "azure", "networkDataplane": "cilium"},
                "autoUpgradeProfile": {
                    "upgradeChannel": "patch",
                    "nodeOSUpgradeChannel": "NodeImage",
                },
                "disableLocalAccounts": True,
                "storageProfile": {
                    "diskCSIDriver": {"enabled": True},
                    "fileCSIDriver": {"enabled": True},
                    "snapshotController": {"enabled": True},
                },
                "azureMonitorProfile": {"metrics": {"enabled": True}},
                "nodeProvisioningProfile": {"mode": "Manual"},
                **self.more,
            },
        }


_SYSTEM = Pool("system", "Standard_D8ds_v5", 3, more={"mode": "System"})
_PRIVATE: Json = {"apiServerAccessProfile": {"enablePrivateCluster": True}}
_SPOT: Json = {
    "scaleSetPriority": "Spot",
    "scaleSetEvictionPolicy": "Delete",
    "spotMaxPrice": -1,
    "nodeTaints": ["kubernetes.azure.com/scalesetpriority=spot:NoSchedule"],
}
CLUSTERS = (
    Cluster(
        "aks-atlas-train",
        "a machine of its H100 pool is missing, which never scales to zero; Spot work is not "
        "said to survive an eviction",
        RESEARCH,
        SWC,
        version="1.34.1",
        tags=WEBTEXT.tags(workload_phase="training"),
        pools=(
            _SYSTEM,
            Pool("h100", "Standard_ND96isr_H100_v5", 4, machines=3, limits=(2, 8)),
            Pool("spot", "Standard_NC24ads_A100_v4", 1, limits=(0, 6), more=_SPOT),
        ),
        more=_PRIVATE,
    ),
    Cluster(
        "aks-serve",
        "inference on RDMA machines; Kubernetes 1.28 out of support, open to all networks, no GPU "
        "driver, and GPUs cut that cannot be cut",
        PLATFORM,
        WEU,
        version="1.28.15",
        tags=CT_THORAX.tags(phase="inference"),
        pools=(
            _SYSTEM,
            Pool(
                "a100",
                "Standard_ND96asr_v4",
                2,
                more={"gpuProfile": {"driver": "None"}, "gpuInstanceProfile": "MIG2g"},
            ),
            Pool("t4", "Standard_NC16as_T4_v3", 2, more={"gpuInstanceProfile": "MIG1g"}),
        ),
        more={"disableLocalAccounts": False, "azureMonitorProfile": None},
    ),
    Cluster(
        "aks-prep",
        "everything right: private, supported, its GPUs scale to zero, Spot work survives eviction",
        RESEARCH,
        NEU,
        version="1.35.0",
        tags=CT_THORAX.tags(workload_phase="training", checkpointing="every-500-steps"),
        pools=(
            _SYSTEM,
            Pool("a100", "Standard_ND96amsr_A100_v4", 2, limits=(0, 4)),
            Pool("prep", "Standard_E64ds_v5", 6, limits=(0, 12), more=_SPOT),
        ),
        more=_PRIVATE,
    ),
    Cluster(
        "aks-lab",
        "stopped; its pools may not be read",
        AMERICAS,
        "southcentralus",
        version="1.33.5",
        tags=EVAL_SUITE.tags(),
        pools=(_SYSTEM,),
        power="Stopped",
        hides_pools=True,
        more=_PRIVATE,
    ),
)


def _pools(cluster: Cluster) -> list[Json] | Refusal:
    if cluster.hides_pools:
        return not_authorised(f"{_TYPE}/agentPools/read", cluster.resource_id)
    return [
        {
            "id": f"{cluster.resource_id}/agentPools/{one.name}",
            "name": one.name,
            "type": f"{_TYPE}/agentPools",
            "properties": one.properties(cluster.version, cluster.power),
        }
        for one in cluster.pools
    ]


def _machines(cluster: Cluster, pool: Pool) -> list[Json]:
    count = pool.count if pool.machines is None else pool.machines
    path = f"{cluster.resource_id}/agentPools/{pool.name}/machines"
    names = [f"aks-{pool.name}-25481572-vmss{number:06d}" for number in range(count)]
    return [
        {
            "id": f"{path}/{name}",
            "name": name,
            "type": f"{_TYPE}/agentPools/machines",
            "properties": {"network": {"ipAddresses": [{"ip": "10.1.0.4", "family": "IPv4"}]}},
        }
        for name in names
    ]


def _versions() -> Json:
    return {
        "values": [
            {
                "version": version,
                "isDefault": version == "1.34",
                "isPreview": None,
                "capabilities": {"supportPlan": [*plans]},
                "patchVersions": {f"{version}.1": {"upgrades": []}},
            }
            for version, plans in _OFFERED.items()
        ]
    }


CHAPTER = Chapter(
    resources=[one.document() for one in CLUSTERS],
    lists={
        **{f"{one.resource_id}/agentPools": _pools(one) for one in CLUSTERS},
        **{
            f"{one.resource_id}/agentPools/{pool.name}/machines": _machines(one, pool)
            for one in CLUSTERS
            for pool in one.pools
        },
    },
    documents={
        f"/subscriptions/{one.subscription.subscription_id}/providers/Microsoft.ContainerService"
        f"/locations/{one.region}/kubernetesVersions": _versions()
        for one in CLUSTERS
    },
    cases=[(one.name, one.region, one.case) for one in CLUSTERS],
)
