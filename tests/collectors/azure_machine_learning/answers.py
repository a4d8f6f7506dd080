"""Documents of Azure Machine Learning as Azure writes them, with all that the mapping reads."""

from typing import Any

from app.sandbox.azure import story_machine_learning as story

Json = dict[str, Any]


def workspace(**properties: Any) -> Json:
    """A workspace, as a row of Resource Graph."""
    known: Json = {
        "provisioningState": "Succeeded",
        "hubResourceId": "/h",
        "publicNetworkAccess": "Enabled",
        "managedNetwork": {"isolationMode": "Disabled"},
        "systemDatastoresAuthMode": "accesskey",
        "encryption": {"status": "Enabled"},
        "hbiWorkspace": True,
        "storageAccount": "/s",
        "keyVault": "/k",
        "containerRegistry": "/r",
        "applicationInsights": "/i",
        "workspaceId": "w",
    }
    return {
        "id": "/w",
        "kind": "Default",
        "sku": {"name": "Basic"},
        "properties": known | properties,
    }


def compute(kind: str, inner: Json, **outer: Any) -> Json:
    """A compute, as a row of a list."""
    known: Json = {
        "createdOn": "2026-01-01T00:00:00.0000000+00:00",
        "computeType": kind,
        "provisioningState": "Succeeded",
        "provisioningErrors": [{"error": {"code": "QuotaExceeded"}}],
        "disableLocalAuth": True,
        "resourceId": None,
        "properties": inner,
    }
    return {"id": "/w/computes/c", "name": "c", "properties": known | outer}


def cluster(**inner: Any) -> Json:
    """A cluster with one node that works."""
    known = story.cluster("Standard_ND96isr_H100_v5", ("running",))
    return compute("AmlCompute", known | {"errors": [{"code": "Late"}]} | inner)


def instance(**inner: Any) -> Json:
    """An instance that runs."""
    known = story.instance("Standard_NC8as_T4_v3", "Running", "PT30M")
    stops = {"computeStartStop": [{"action": "Stop", "status": "Enabled"}]}
    return compute("ComputeInstance", known | {"schedules": stops} | inner)


NODES: Json = {"nodes": [{"nodeId": "n", "nodeState": "running", "runId": "r"}]}
