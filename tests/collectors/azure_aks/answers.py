"""Documents of AKS as Azure writes them, with everything that the mapping reads."""

from typing import Any

Json = dict[str, Any]


def cluster(**properties: Any) -> Json:
    """A private cluster, as a row of Resource Graph."""
    known: Json = {
        "provisioningState": "Succeeded",
        "powerState": {"code": "Running"},
        "kubernetesVersion": "1.34",
        "currentKubernetesVersion": "1.34.1",
        "supportPlan": "KubernetesOfficial",
        "nodeResourceGroup": "MC_a",
        "apiServerAccessProfile": {"enablePrivateCluster": True, "authorizedIPRanges": ["10/8"]},
        "autoUpgradeProfile": {"upgradeChannel": "patch", "nodeOSUpgradeChannel": "NodeImage"},
        "azureMonitorProfile": {"metrics": {"enabled": True}},
        "nodeProvisioningProfile": {"mode": "Manual"},
        "networkProfile": {"networkPlugin": "azure"},
        "addonProfiles": {"azurepolicy": {"enabled": True}, "omsagent": {"enabled": False}},
        "storageProfile": {"blobCSIDriver": {"enabled": True}},
        "disableLocalAccounts": True,
        "agentPoolProfiles": [{"name": "gpu"}],
    }
    return {"id": "/a", "sku": {"tier": "Standard"}, "properties": known | properties}


def pools(**properties: Any) -> Json:
    """The list of one pool of four H100 machines that scales by itself."""
    known: Json = {
        "count": 4,
        "vmSize": "Standard_ND96isr_H100_v5",
        "mode": "User",
        "osSKU": "Ubuntu",
        "provisioningState": "Succeeded",
        "powerState": {"code": "Running"},
        "enableAutoScaling": True,
        "minCount": 0,
        "maxCount": 8,
        "orchestratorVersion": "1.34",
        "nodeImageVersion": "AKSUbuntu",
        "gpuProfile": {"driver": "Install"},
        "gpuInstanceProfile": None,
        "scaleSetPriority": "Spot",
        "scaleSetEvictionPolicy": "Delete",
        "spotMaxPrice": -1,
        "availabilityZones": ["1"],
        "nodeTaints": ["sku=gpu:NoSchedule"],
        "tags": {"team": "vision"},
    }
    return {"value": [{"id": "/p", "name": "gpu", "properties": known | properties}]}


VERSIONS: Json = {
    "values": [
        {
            "version": "1.34",
            "isPreview": False,
            "capabilities": {"supportPlan": ["KubernetesOfficial"]},
        }
    ]
}
