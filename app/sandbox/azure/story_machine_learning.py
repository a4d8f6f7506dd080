"""The workspaces of Azure Machine Learning of the story, with their computes and nodes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from app.sandbox.azure.held import Chapter
from app.sandbox.azure.model import Json
from app.sandbox.azure.refusal import Refusal, not_authorised
from app.sandbox.story import (
    AMERICAS,
    CHECKPOINTS,
    CLINICAL_NOTES,
    EVAL_SUITE,
    PLATFORM,
    RESEARCH,
    SWC,
    WEBTEXT,
    WEU,
    Subscription,
    azure_time,
    created_at,
)

_TYPE = "Microsoft.MachineLearningServices/workspaces"
_STATES = ("preparing", "running", "idle", "unusable", "leaving", "preempted")


@dataclass(frozen=True, slots=True)
class Compute:
    """One compute; `case` says in a line what is special about it. `inner` is of its own type.

    `nodes` are the states of the nodes of a cluster.
    """

    name: str
    case: str
    type: str
    inner: Json
    nodes: Sequence[str] = ()
    tags: Mapping[str, str] = field(default_factory=dict)
    resource_id: str | None = None

    def document(self, workspace: "Workspace") -> Json:
        """A row of the list of computes."""
        made = azure_time(created_at(self.name))
        return {
            "id": f"{workspace.resource_id}/computes/{self.name}",
            "name": self.name,
            "type": f"{_TYPE}/computes",
            "location": workspace.region,
            "tags": dict(self.tags),
            "properties": {
                "createdOn": made,
                "modifiedOn": made,
                "disableLocalAuth": True,
                "description": None,
                "resourceId": self.resource_id,
                "computeType": self.type,
                "computeLocation": workspace.region,
                "provisioningState": "Succeeded",
                "provisioningErrors": None,
                "isAttachedCompute": self.resource_id is not None,
                "properties": self.inner,
            },
        }


@dataclass(frozen=True, slots=True)
class Workspace:
    """One workspace. `hides_computes`: its computes may not be read by anybody."""

    name: str
    case: str
    subscription: Subscription
    region: str
    tags: Mapping[str, str]
    kind: str = "Default"
    public: str = "Disabled"
    computes: Sequence[Compute] = ()
    hides_computes: bool = False
    more: Json = field(default_factory=dict)

    @property
    def resource_id(self) -> str:
        """Its id as Resource Manager spells it."""
        group = f"/subscriptions/{self.subscription.subscription_id}/resourceGroups/rg-ML"
        return f"{group}/providers/{_TYPE}/{self.name}"

    def document(self) -> Json:
        """Its own document."""
        providers = self.resource_id.rpartition("/providers/")[0] + "/providers"
        return {
            "id": self.resource_id,
            "name": self.name,
            "type": _TYPE,
            "kind": self.kind,
            "location": self.region,
            "tags": dict(self.tags),
            "sku": {"name": "Basic", "tier": "Basic"},
            "identity": {"type": "SystemAssigned"},
            "properties": {
                "friendlyName": self.name,
                "storageAccount": f"{providers}/Microsoft.Storage/storageAccounts/st{self.region}",
                "keyVault": f"{providers}/Microsoft.Keyvault/vaults/kv-{self.name}",
                "hbiWorkspace": False,
                "provisioningState": "Succeeded",
                "creationTime": azure_time(created_at(self.name)),
                "publicNetworkAccess": self.public,
                "managedNetwork": {"isolationMode": "AllowOnlyApprovedOutbound"},
                "systemDatastoresAuthMode": "identity",
                **self.more,
            },
        }


def cluster(
    size: str,
    nodes: Sequence[str] = (),
    *,
    limits: tuple[int, int] = (0, 8),
    idle: str = "PT15M",
    low: bool = False,
    ssh: str = "Disabled",
) -> Json:
    """The inner document of a compute cluster."""
    return {
        "vmSize": size.upper(),  # as Azure Machine Learning writes sizes
        "vmPriority": "LowPriority" if low else "Dedicated",
        "scaleSettings": {
            "minNodeCount": limits[0],
            "maxNodeCount": limits[1],
            "nodeIdleTimeBeforeScaleDown": idle,
        },
        "subnet": None,
        "currentNodeCount": len(nodes),
        "targetNodeCount": len(nodes),
        "nodeStateCounts": {f"{state}NodeCount": nodes.count(state) for state in _STATES},
        "allocationState": "Steady",
        "allocationStateTransitionTime": "2026-11-29T08:22:43.44+00:00",
        "errors": None,
        "remoteLoginPortPublicAccess": ssh,
        "osType": "Linux",
        "virtualMachineImage": None,
        "isolatedNetwork": False,
        "enableNodePublicIp": ssh == "Enabled",
    }


def instance(size: str, state: str, idle: str | None, ssh: str = "Disabled") -> Json:
    """The inner document of a compute instance."""
    return {
        "vmSize": size.upper(),
        "subnet": None,
        "applicationSharingPolicy": "Personal",
        "sshSettings": {"sshPublicAccess": ssh, "adminUserName": "azureuser", "sshPort": 50000},
        "osImageMetadata": {"currentImageVersion": "26.10.02", "isLatestOsImageVersion": True},
        "lastOperation": {
            "operationName": "Start",
            "operationTime": "2026-11-02T07:01:12.1234567+00:00",
            "operationStatus": "Succeeded",
            "operationTrigger": "User",
        },
        "schedules": {"computeStartStop": []},
        "errors": None,
        "state": state,
        "idleTimeBeforeShutdown": idle,
        "enableNodePublicIp": ssh == "Enabled",
    }


_PHASE = {"workload-phase": "training"}
_TRAIN_NODES = ("running", "running", "idle")
WORKSPACES = (
    Workspace(
        "mlw-atlas",
        "closed; its computes show every case",
        RESEARCH,
        SWC,
        tags=CHECKPOINTS.tags(),
        computes=(
            Compute(
                "nd-h100",
                "everything right: RDMA for training, and nothing of it is left without work",
                "AmlCompute",
                cluster("Standard_ND96isr_H100_v5", _TRAIN_NODES),
                nodes=_TRAIN_NODES,
                tags=_PHASE,
            ),
            Compute(
                "nc-always",
                "two A100 machines that stay without work, and SSH open to the internet",
                "AmlCompute",
                cluster(
                    "Standard_NC24ads_A100_v4",
                    ("idle", "idle"),
                    limits=(2, 4),
                    idle="P1D",
                    ssh="Enabled",
                ),
                nodes=("idle", "idle"),
            ),
            Compute(
                "nc-low",
                "low-priority machines whose loss nothing says to survive; scaled to zero",
                "AmlCompute",
                cluster("Standard_NC96ads_A100_v4", low=True),
                tags=_PHASE,
            ),
            Compute(
                "ci-lucia",
                "an instance with a GPU that nothing shuts down",
                "ComputeInstance",
                instance("Standard_NC8as_T4_v3", "Running", None, ssh="Enabled"),
            ),
            Compute(
                "ci-mateo",
                "an instance that shuts down after an hour without use, and is stopped",
                "ComputeInstance",
                instance("Standard_E8ds_v5", "Stopped", "PT60M"),
            ),
            Compute(
                "aks-atlas",
                "an attached cluster: its machines are those of AKS, and counted there",
                "Kubernetes",
                {"namespace": "azureml", "defaultInstanceType": "gpu"},
                resource_id=f"/subscriptions/{RESEARCH.subscription_id}/resourceGroups"
                "/rg-aks-atlas-train/providers/Microsoft.ContainerService/managedClusters"
                "/aks-atlas-train",
            ),
        ),
    ),
    Workspace(
        "hub-cierzo",
        "a hub of Foundry that any network may reach",
        PLATFORM,
        WEU,
        tags=EVAL_SUITE.tags(),
        kind="Hub",
        public="Enabled",
        more={"managedNetwork": {"isolationMode": "Disabled"}},
    ),
    Workspace(
        "mlw-notes",
        "its computes may not be read",
        RESEARCH,
        WEU,
        tags=CLINICAL_NOTES.tags(),
        hides_computes=True,
    ),
    Workspace("mlw-labs", "nothing in it", AMERICAS, "southcentralus", tags=WEBTEXT.tags()),
)


def _computes(workspace: Workspace) -> list[Json] | Refusal:
    if workspace.hides_computes:
        return not_authorised(f"{_TYPE}/computes/read", workspace.resource_id)
    return [one.document(workspace) for one in workspace.computes]


def _nodes(compute: Compute) -> Json:
    return {
        "nodes": [
            {
                "nodeId": f"tvmps_{compute.name}_{number}_d",
                "privateIpAddress": f"10.4.0.{number + 4}",
                "port": 50000,
                "nodeState": state,
                **({"runId": f"train-atlas-{number}"} if state == "running" else {}),
            }
            for number, state in enumerate(compute.nodes)
        ]
    }


CHAPTER = Chapter(
    resources=[one.document() for one in WORKSPACES],
    lists={f"{one.resource_id}/computes": _computes(one) for one in WORKSPACES},
    posts={
        f"{one.resource_id}/computes/{compute.name}/listNodes": _nodes(compute)
        for one in WORKSPACES
        for compute in one.computes
        if compute.nodes
    },
    cases=[
        *((one.name, one.region, one.case) for one in WORKSPACES),
        *((made.name, one.region, made.case) for one in WORKSPACES for made in one.computes),
    ],
)
