"""The accounts and pools of Azure Batch of the story."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from app.sandbox.azure.held import Chapter
from app.sandbox.azure.model import Json
from app.sandbox.azure.refusal import Refusal, not_authorised
from app.sandbox.story import (
    EVAL_SUITE,
    PATHOLOGY,
    PLATFORM,
    RESEARCH,
    SWC,
    WEBTEXT,
    WEU,
    Subscription,
    azure_time,
    created_at,
)

_TYPE = "Microsoft.Batch/batchAccounts"
_BATCH_SERVICE, _OWN = "BatchService", "UserSubscription"
_HPC: Json = {"publisher": "microsoft-dsvm", "offer": "ubuntu-hpc", "sku": "2204"}
_PLAIN: Json = {"publisher": "canonical", "offer": "0001-com-ubuntu-server-jammy", "sku": "22_04"}
_DOCKER: Json = {
    "type": "DockerCompatible",
    "containerImageNames": ["cierzo.azurecr.io/train:2026.11"],
}
_FORMULA = "$TargetDedicatedNodes = min(8, $PendingTasks.GetSample(1));"


@dataclass(frozen=True, slots=True)
class Pool:
    """One pool; `case` says in a line what is special about it.

    `nodes` and `low_priority` are how many there are, `wanted` how many of both are meant to be.
    """

    name: str
    case: str
    size: str
    nodes: int = 0
    low_priority: int = 0
    wanted: tuple[int, int] = (0, 0)
    scales: bool = True
    talks: bool = False
    image: Json = field(default_factory=lambda: _HPC)
    containers: Json | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)
    errors: Sequence[str] = ()

    def document(self, account: "Account") -> Json:
        """A row of the list of pools."""
        dedicated, low_priority = self.wanted
        targets = {"targetDedicatedNodes": dedicated, "targetLowPriorityNodes": low_priority}
        scale: Json = {"fixedScale": {**targets, "resizeTimeout": "PT15M"}}
        if self.scales:
            scale = {"autoScale": {"formula": _FORMULA, "evaluationInterval": "PT5M"}}
        made = azure_time(created_at(self.name))
        errors = [{"code": code, "message": "Not now."} for code in self.errors]
        return {
            "id": f"{account.resource_id}/pools/{self.name}",
            "name": self.name,
            "type": f"{_TYPE}/pools",
            "properties": {
                "creationTime": made,
                "lastModified": made,
                "provisioningState": "Succeeded",
                "allocationState": "Steady",
                "allocationStateTransitionTime": made,
                "vmSize": self.size.upper(),  # as Batch writes sizes
                "interNodeCommunication": "Enabled" if self.talks else "Disabled",
                "taskSlotsPerNode": 1,
                "deploymentConfiguration": {
                    "virtualMachineConfiguration": {
                        "imageReference": {**self.image, "version": "latest"},
                        "nodeAgentSkuId": "batch.node.ubuntu 22.04",
                        **({"containerConfiguration": self.containers} if self.containers else {}),
                    }
                },
                "scaleSettings": scale,
                "resizeOperationStatus": {**targets, **({"errors": errors} if errors else {})},
                "currentDedicatedNodes": self.nodes,
                "currentLowPriorityNodes": self.low_priority,
                "metadata": [{"name": n, "value": v} for n, v in self.metadata.items()],
            },
        }


@dataclass(frozen=True, slots=True)
class Account:
    """One account. `hides_pools`: its pools may not be read by anybody."""

    name: str
    case: str
    subscription: Subscription
    region: str
    tags: Mapping[str, str]
    mode: str = _BATCH_SERVICE
    pools: Sequence[Pool] = ()
    hides_pools: bool = False
    more: Json = field(default_factory=dict)

    @property
    def resource_id(self) -> str:
        """Its id as Resource Manager spells it."""
        group = f"/subscriptions/{self.subscription.subscription_id}/resourceGroups/rg-batch"
        return f"{group}/providers/{_TYPE}/{self.name}"

    def document(self) -> Json:
        """Its own document."""
        own = self.mode == _OWN
        return {
            "id": self.resource_id,
            "name": self.name,
            "type": _TYPE,
            "location": self.region,
            "tags": dict(self.tags),
            "identity": {"type": "None"},
            "properties": {
                "accountEndpoint": f"{self.name}.{self.region}.batch.azure.com",
                "provisioningState": "Succeeded",
                "poolAllocationMode": self.mode,
                "dedicatedCoreQuota": None if own else 1000,
                "lowPriorityCoreQuota": None if own else 500,
                "dedicatedCoreQuotaPerVMFamily": None
                if own
                else [
                    {"name": "standardNDSv2Family", "coreQuota": 0},
                    {"name": "standardNDISRH100V5Family", "coreQuota": 960},
                ],
                "dedicatedCoreQuotaPerVMFamilyEnforced": not own,
                "poolQuota": 100,
                "activeJobAndJobScheduleQuota": 300,
                "publicNetworkAccess": "Enabled",
                "allowedAuthenticationModes": ["SharedKey", "AAD", "TaskAuthenticationToken"],
                "encryption": {"keySource": "Microsoft.Batch"},
                **self.more,
            },
        }


ACCOUNTS = (
    Account(
        "cierzobatchswc",
        "open to all networks, by keys; its machines are in Microsoft's subscriptions",
        RESEARCH,
        SWC,
        tags=WEBTEXT.tags(),
        pools=(
            Pool(
                "nd-train",
                "four RDMA machines whose nodes may not talk to each other, for good",
                "Standard_ND96isr_H100_v5",
                nodes=4,
                wanted=(4, 0),
                scales=False,
                containers=_DOCKER,
                metadata={"phase": "training"},
            ),
            Pool(
                "eval-low",
                "low-priority GPUs without containers, two of which do not come; nothing says that "
                "the work survives",
                "Standard_NC24ads_A100_v4",
                low_priority=4,
                wanted=(0, 6),
                image=_PLAIN,
                errors=("AllocationTimedout",),
            ),
            Pool(
                "mpi-pathology",
                "everything right: RDMA that is used, containers, a formula that scales",
                "Standard_ND96amsr_A100_v4",
                nodes=2,
                wanted=(2, 0),
                talks=True,
                containers=_DOCKER,
                metadata={"phase": "training"},
            ),
        ),
    ),
    Account(
        "cierzobatchweu",
        "its machines are VMs of its own subscription; closed but for identities of the directory",
        PLATFORM,
        WEU,
        tags=PATHOLOGY.tags(),
        mode=_OWN,
        pools=(
            Pool(
                "prep-cpu",
                "CPU machines that may be taken away, and work that survives it",
                "Standard_D32ds_v5",
                low_priority=3,
                wanted=(0, 3),
                image=_PLAIN,
                metadata={"fault-tolerant": "retries"},
            ),
        ),
        more={
            "publicNetworkAccess": "Disabled",
            "allowedAuthenticationModes": ["AAD"],
        },
    ),
    Account(
        "cierzobatchlegacy",
        "its pools may not be read",
        PLATFORM,
        SWC,
        tags=EVAL_SUITE.tags(),
        hides_pools=True,
        more={
            "networkProfile": {"accountAccess": {"defaultAction": "Deny", "ipRules": []}},
        },
    ),
)


def _pools(account: Account) -> list[Json] | Refusal:
    if account.hides_pools:
        return not_authorised(f"{_TYPE}/pools/read", account.resource_id)
    return [one.document(account) for one in account.pools]


CHAPTER = Chapter(
    resources=[one.document() for one in ACCOUNTS],
    lists={f"{one.resource_id}/pools": _pools(one) for one in ACCOUNTS},
    documents={
        f"/subscriptions/{one.subscription.subscription_id}/providers/Microsoft.Batch"
        f"/locations/{one.region}/quotas": {"accountQuota": 3}
        for one in ACCOUNTS
    },
    cases=[
        *((one.name, one.region, one.case) for one in ACCOUNTS),
        *((pool.name, one.region, pool.case) for one in ACCOUNTS for pool in one.pools),
    ],
)
