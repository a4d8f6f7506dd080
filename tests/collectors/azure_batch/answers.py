"""Documents of Batch as Azure writes them, with everything that the mapping reads."""

from typing import Any

Json = dict[str, Any]


def account(**properties: Any) -> Json:
    """An account, as a row of Resource Graph."""
    known: Json = {
        "provisioningState": "Succeeded",
        "poolAllocationMode": "BatchService",
        "publicNetworkAccess": "Enabled",
        "networkProfile": {"accountAccess": {"defaultAction": "Allow"}},
        "allowedAuthenticationModes": ["AAD", "SharedKey"],
        "encryption": {"keySource": "Microsoft.Batch"},
        "autoStorage": {"storageAccountId": "/s"},
        "dedicatedCoreQuota": 100,
        "lowPriorityCoreQuota": 50,
        "dedicatedCoreQuotaPerVMFamily": [
            {"name": "standardDv5Family", "coreQuota": 0},
            {"name": "standardNDISRH100V5Family", "coreQuota": 96},
        ],
        "poolQuota": 20,
    }
    return {"id": "/a", "properties": known | properties}


def pool(**properties: Any) -> Json:
    """A pool of two dedicated nodes that a formula scales, with everything set."""
    known: Json = {
        "creationTime": "2026-01-01T00:00:00.0000000Z",
        "provisioningState": "Succeeded",
        "allocationState": "Steady",
        "allocationStateTransitionTime": "2026-01-01T00:00:00.0000000Z",
        "vmSize": "STANDARD_ND96ISR_H100_V5",
        "currentDedicatedNodes": 2,
        "currentLowPriorityNodes": 0,
        "scaleSettings": {"autoScale": {"formula": "$TargetDedicatedNodes=2;"}},
        "resizeOperationStatus": {
            "targetDedicatedNodes": 2,
            "targetLowPriorityNodes": 0,
            "errors": [{"code": "AllocationTimedout", "message": "late"}],
        },
        "autoScaleRun": {"error": {"code": "BadFormula"}},
        "interNodeCommunication": "Enabled",
        "taskSlotsPerNode": 4,
        "deploymentConfiguration": {
            "virtualMachineConfiguration": {
                "imageReference": {
                    "publisher": "microsoft-dsvm",
                    "offer": "ubuntu-hpc",
                    "sku": "2204",
                    "version": "latest",
                },
                "containerConfiguration": {
                    "type": "DockerCompatible",
                    "containerImageNames": ["train:1"],
                },
            }
        },
        "networkConfiguration": {
            "subnetId": "/n",
            "publicIPAddressConfiguration": {"provision": "NoPublicIPAddresses"},
        },
        "mountConfiguration": [{"azureBlobFileSystemConfiguration": {"accountName": "a"}}],
        "metadata": [{"name": "phase", "value": "training"}],
    }
    return {"id": "/a/pools/p", "name": "p", "properties": known | properties}


POOLS: Json = {"value": [pool()]}
QUOTAS: Json = {"accountQuota": 3}
