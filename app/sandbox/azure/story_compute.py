"""The story's machines in Azure: a CycleCloud cluster, machines made by hand, disks left behind."""

from collections.abc import Mapping

from app.sandbox.azure.compute import (
    COMPUTE,
    DSVM,
    HPC,
    OLD_DSVM,
    SPOT,
    UBUNTU,
    Disk,
    Machine,
    ScaleSet,
    group_path,
    shown_machine,
)
from app.sandbox.azure.compute_sizes import skus, usages
from app.sandbox.azure.held import Chapter
from app.sandbox.azure.model import Json
from app.sandbox.azure.refusal import Refusal, not_authorised
from app.sandbox.story import (
    AMERICAS,
    CHECKPOINTS,
    CT_THORAX,
    EVAL_SUITE,
    PLATFORM,
    RESEARCH,
    SPEECH,
    SWC,
    WEBTEXT,
    WEU,
    Subscription,
)

_SITE = "/sites/7c6f1a2e"
_ATLAS = f"{_SITE}/clusters/atlas-slurm"
_EAST = "eastus"


def _node(array: str = "", **more: str) -> dict[str, str]:
    """Tags that CycleCloud 8.2 and later puts on a machine."""
    placed = {"CycleCloudNodearray": f"{_ATLAS}/nodearrays/{array}"} if array else {}
    return {
        "ClusterName": "atlas-slurm",
        "CycleOwner": "atlas-slurm(marta@cierzo-hpc:7c6f1a2e)",
        "LaunchTime": "2026-11-27T05:31:02Z",
        "CycleCloudCluster": _ATLAS,
        **placed,
        **WEBTEXT.tags(workload_phase="training", checkpointing="every-500-steps"),
        **more,
    }


_OLD_NODE = {
    "ClusterName": "speech-pbs",
    "ClusterId": "speech-pbs-4f21",
    "CycleOwner": "speech-pbs(iago@cierzo-lab:1b9d44)",
    "Name": "server",
    **SPEECH.tags(),
}
_AKS_IMAGE = (
    "/subscriptions/109a5e88-0000-4000-8000-0000000000ac/resourceGroups/AKS-Ubuntu"
    f"/providers/{COMPUTE}/galleries/AKSUbuntu/images/2204gen2containerd/versions/202611.03.0"
)
_GALLERY = (
    group_path(RESEARCH, "rg-images")
    + f"/providers/{COMPUTE}/galleries/cierzo/images/hpc-speech/versions/1.4.0"
)

MACHINES = (
    Machine("atlas-slurm-scheduler", "the head node of a CycleCloud cluster of Slurm",
            "Standard_D8s_v5", tags=_node(Name="scheduler"), image=UBUNTU),
    *(Machine(f"atlas-slurm-h100-{n}", f"node {n} of its array of H100 machines, as it should be",
              "Standard_ND96isr_H100_v5", tags=_node("h100"))
      for n in (1, 2)),
    Machine("atlas-slurm-h100-3", "a node of the array that CycleCloud stopped: not paid for",
            "Standard_ND96isr_H100_v5", power="deallocated", tags=_node("h100"),
            disk="the system of a stopped node, which waits for it"),
    Machine("speech-pbs-server", "a node of CycleCloud 8.1, told by cluster name and owner alone",
            "Standard_NC4as_T4_v3", region=WEU, group="rg-cierzo-speech", image=_GALLERY,
            tags=_OLD_NODE),
    Machine("vm-notebook-marta",
            "stopped but paid for; an A100 outside of any cluster, with a plain Ubuntu image and "
            "without accelerated networking",
            "Standard_NC24ads_A100_v4", power="stopped", region=WEU, group="RG-Notebooks",
            image=UBUNTU, tags=EVAL_SUITE.tags(), accelerated=False,
            disk="the system of a machine that is stopped but allocated"),
    Machine("vm-segment-train", "training on four A100 without InfiniBand; an old Data Science VM",
            "Standard_NC96ads_A100_v4", power="deallocated", region=WEU, image=OLD_DSVM,
            tags=CT_THORAX.tags(workload_phase="training"),
            disk="the system of a deallocated machine: reserved, and paid for"),
    Machine("vm-serve-es", "inference on eight H100 with InfiniBand that it does not need",
            "Standard_ND96isr_H100_v5", image=DSVM, tags=WEBTEXT.tags(phase="inference")),
    Machine("vm-labels-spot",
            "Spot without a word that it survives an eviction, which leaves its disks",
            "Standard_NC4as_T4_v3", power="deallocated", region=WEU, group="rg-cierzo-speech",
            image=DSVM, tags=SPEECH.tags(), zone=None, more=SPOT,
            disk="what an eviction leaves behind: reserved, and paid for"),
    Machine("vm-eval-spot", "Spot that says it survives an eviction, and is deleted by one",
            "Standard_NC40ads_H100_v5", image=DSVM, tags=EVAL_SUITE.tags(spot_tolerant="true"),
            more={**SPOT, "evictionPolicy": "Delete"}),
    Machine("vm-tokenizer", "a CPU for small models whose state Azure does not tell",
            "Standard_F16als_v6", power=None, image=UBUNTU, tags=WEBTEXT.tags()),
    Machine("vm-old-lab", "a size that Azure took away, where the list of sizes may not be read",
            "Standard_NC24rs_v3", power="deallocated", subscription=AMERICAS, region=_EAST,
            group="rg-labs", image=UBUNTU, zone=None,
            disk="the system of a machine whose size is gone"),
    Machine("vm-cyclecloud", "the server of CycleCloud itself, of no cluster",
            "Standard_D8s_v5", subscription=PLATFORM, region=WEU, group="rg-platform",
            image=UBUNTU),
)  # fmt: skip
SCALE_SETS = (
    ScaleSet("atlas-slurm-htc", "an array of the CycleCloud cluster that has scaled to none",
             "Standard_NC40ads_H100_v5", 0, tags=_node("htc")),
    ScaleSet("aks-h100-25481572-vmss", "the nodes of a pool of AKS, which counts them already",
             "Standard_ND96isr_H100_v5", 3, image=_AKS_IMAGE,
             group=f"MC_rg-aks-atlas-train_aks-atlas-train_{SWC}",
             tags={"aks-managed-poolName": "h100"}, more={"singlePlacementGroup": False}),
    ScaleSet("b1d2c3f4-azurebatch-vmss",
             "the nodes of a pool of Batch in its own subscription, which counts them already",
             "Standard_D32ds_v5", 3, subscription=PLATFORM, region=WEU,
             group="azurebatch-5b1d2c3f-6a0e-4b5f-9c1d-0a1b2c3d4e5f-c", image=UBUNTU,
             tags={"BatchAccountName": "cierzobatchweu", "PoolName": "prep-cpu"},
             profile={**SPOT, "evictionPolicy": "Delete"}),
    ScaleSet("vmss-train-a100",
             "made by hand for training on an older size, across placement groups that InfiniBand "
             "does not join",
             "Standard_ND96asr_v4", 2, region=WEU, image=HPC, zones=("2",),
             tags=WEBTEXT.tags(workload_phase="training"), more={"singlePlacementGroup": False}),
    ScaleSet("vmss-serve-notes", "Spot with a price of its own, whose sizes may be mixed",
             "Standard_NV6ads_A10_v5", 2, region=WEU, image=UBUNTU,
             tags=EVAL_SUITE.tags(phase="inference", spot_tolerant="true"),
             profile={**SPOT, "priority": "SpotPlus", "evictionPolicy": "Delete",
                      "billingProfile": {"maxPrice": 0.31}}),
)  # fmt: skip
DISKS = (
    Disk("disk-webtext-shards", "four TiB of shards that nothing is attached to", 4096,
         region=WEU, tags=WEBTEXT.tags(), zone="1"),
    Disk("pvc-checkpoints-cache", "left behind by a claim of Kubernetes", 512, sku="PremiumV2_LRS",
         zone="2", tags={
             "kubernetes.io-created-for-pvc-namespace": "atlas",
             "kubernetes.io-created-for-pvc-name": "checkpoint-cache",
             **CHECKPOINTS.tags(),
         }),
    Disk("disk-ct-thorax-shared", "shared by the nodes of a cluster, with keys of one's own", 1024,
         state="Attached", sku="Premium_ZRS", tags=CT_THORAX.tags(),
         machine=MACHINES[1].resource_id,
         more={
             "maxShares": 2,
             "shareInfo": [{"vmUri": one.resource_id} for one in MACHINES[1:3]],
             "encryption": {
                 "type": "EncryptionAtRestWithCustomerKey",
                 "diskEncryptionSetId": group_path(RESEARCH, "rg-keys")
                 + f"/providers/{COMPUTE}/diskEncryptionSets/des-cierzo",
             },
         }),
    Disk("disk-upload", "being uploaded to, so that nothing may be attached yet", 256,
         state="ActiveUpload", more={"networkAccessPolicy": "AllowAll"}),
)  # fmt: skip
SYSTEMS = tuple(one.system_disk() for one in MACHINES if one.disk)
CASES: tuple[Machine | ScaleSet | Disk, ...] = (*MACHINES, *SCALE_SETS, *SYSTEMS, *DISKS)
# What has no document of its own: clusters that tags tell of, and what regions allow.
_UNLISTED = (
    ("atlas-slurm", SWC, "a CycleCloud cluster of Slurm for training, told by its machines alone"),
    ("speech-pbs", WEU, "a CycleCloud cluster of PBS, whose tags are those of an older version"),
    ("Cierzo-Research-Data/swedencentral", SWC, "the quota of H100 machines is used up"),
    ("Cierzo-Research-Data/westeurope", WEU, "quotas of accelerators leave room"),
    ("Cierzo-Platform/westeurope", WEU, "no quota of accelerators, and sizes it may not have"),
    ("Cierzo-Labs-Americas/eastus", _EAST, "its sizes may not be read"),
)

_USED: Mapping[tuple[Subscription, str], Mapping[str, tuple[int, int]]] = {
    (RESEARCH, SWC): {
        "cores": (748, 1200),
        "lowPriorityCores": (40, 100),
        "standardNDSH100v5Family": (672, 672),
        "StandardNCadsH100v5Family": (40, 160),
        "standardDSv5Family": (8, 100),
        "standardNDSH200v5Family": (0, 0),
    },
    (RESEARCH, WEU): {
        "cores": (330, 800),
        "lowPriorityCores": (16, 100),
        "standardNDASv4_A100Family": (192, 384),
        "StandardNCADSA100v4Family": (120, 480),
        "standardNCASv3_T4Family": (8, 64),
    },
    (PLATFORM, WEU): {
        "cores": (8, 100),
        "lowPriorityCores": (0, 100),
        "standardDSv5Family": (8, 100),
    },
}
_RESTRICTED = {
    RESEARCH: {"Standard_ND96isr_H200_v5": "NotAvailableForSubscription"},
    PLATFORM: {"Standard_NC40ads_H100_v5": "QuotaId"},
}


def _path(subscription: Subscription, tail: str) -> str:
    return f"/subscriptions/{subscription.subscription_id}/providers/{COMPUTE}/{tail}"


def _lists() -> dict[str, list[Json] | Refusal]:
    """Sizes and quotas; those of the laboratory in America may not be read."""
    found: dict[str, list[Json] | Refusal] = {
        _path(RESEARCH, "skus"): skus((SWC, WEU), _RESTRICTED[RESEARCH]),
        _path(PLATFORM, "skus"): skus((WEU,), _RESTRICTED[PLATFORM]),
        _path(AMERICAS, "skus"): not_authorised(
            f"{COMPUTE}/skus/read", f"/subscriptions/{AMERICAS.subscription_id}"
        ),
        _path(AMERICAS, f"locations/{_EAST}/usages"): usages({"cores": (24, 50)}),
    }
    for (subscription, region), used in _USED.items():
        found[_path(subscription, f"locations/{region}/usages")] = usages(used)
    return found


CHAPTER = Chapter(
    resources=[
        *(one.document() for one in CASES),
        *(one.interface() for one in MACHINES),
    ],
    lists=_lists(),
    cases=[*((one.name, one.region, one.case) for one in CASES), *_UNLISTED],
    views={f"{COMPUTE}/virtualMachines".lower(): shown_machine},
)
