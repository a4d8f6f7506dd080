"""Azure's words about Machine Learning into ours: pure functions over its JSON.

A value of None states an absence. Shapes: Azure Machine Learning REST API 2024-04-01. Only named
members are read: attached clusters come with connection strings, which are secrets.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from app.collectors.azure_words import Json, canonical_id, instant, seconds, section, switch
from app.domain.azure_machine_learning import ComputeNode, NodeStates
from app.domain.quantities import machine_count

_STATES = ("idle", "running", "preparing", "unusable", "leaving", "preempted")
# The one member whose absence says nothing: versions of the API differ in whether they know it.
_IDLE = "idleTimeBeforeShutdown"


def workspace(row: Json) -> dict[str, Any]:
    """The facts of a workspace's own document."""
    properties = section(row, "properties")
    encryption = section(properties, "encryption").get("status")
    return {
        "account_status": properties.get("provisioningState"),
        "workspace_kind": row.get("kind") or "Default",
        "sku_name": section(row, "sku").get("name"),
        "hub_id": properties.get("hubResourceId"),
        "public_network_access": properties.get("publicNetworkAccess"),
        "isolation_mode": section(properties, "managedNetwork").get("isolationMode"),
        "datastore_access": properties.get("systemDatastoresAuthMode"),
        "customer_key": encryption == "Enabled",
        "high_business_impact": switch(properties, "hbiWorkspace"),
        "storage_account_id": properties.get("storageAccount"),
        "key_vault_id": properties.get("keyVault"),
        "container_registry_id": properties.get("containerRegistry"),
        "application_insights_id": properties.get("applicationInsights"),
        "workspace_id": properties.get("workspaceId"),
    }


def compute_names(answer: Json) -> dict[str, Any]:
    """What the whole list of its computes says of a workspace."""
    return {"compute_names": tuple(row["name"] for row in answer["value"]) or None}


def made_at(row: Json, parent_id: str) -> datetime | None:
    """When a compute of a list was made, which tells it from an older one of its name.

    LookupError, TypeError, ValueError or AttributeError for a row that names no compute of its
    parent.
    """
    if not canonical_id(row["id"]).startswith(canonical_id(parent_id) + "/"):
        raise ValueError("a compute of another parent")
    return instant(section(row, "properties").get("createdOn"))


def compute(row: Json) -> dict[str, Any]:
    """The facts of one compute of a list."""
    outer = section(row, "properties")
    inner = section(outer, "properties")
    errors = [*(inner.get("errors") or ()), *(outer.get("provisioningErrors") or ())]
    return {
        "compute_type": outer["computeType"],
        "compute_status": outer.get("provisioningState"),
        "made_at": instant(outer.get("createdOn")),
        "attached_resource_id": outer.get("resourceId"),
        "local_auth_disabled": switch(outer, "disableLocalAuth"),
        "machine_type": inner.get("vmSize"),
        **_cluster(inner),
        **_instance(inner),
        "subnet_id": section(inner, "subnet").get("id"),
        "node_public_address": switch(inner, "enableNodePublicIp"),
        "ssh_public_access": _ssh(inner),
        "errors": tuple(_error(one) for one in errors) or None,
    }


def _cluster(inner: Json) -> dict[str, Any]:
    scale = section(inner, "scaleSettings")
    states = section(inner, "nodeStateCounts")
    return {
        "priority": inner.get("vmPriority"),
        "minimum_nodes": machine_count(scale.get("minNodeCount")),
        "maximum_nodes": machine_count(scale.get("maxNodeCount")),
        "current_nodes": machine_count(inner.get("currentNodeCount")),
        "target_nodes": machine_count(inner.get("targetNodeCount")),
        "idle_seconds_before_scale_down": seconds(scale.get("nodeIdleTimeBeforeScaleDown")),
        "allocation_state": inner.get("allocationState"),
        "allocation_state_since": instant(inner.get("allocationStateTransitionTime")),
        "node_states": NodeStates(
            *(machine_count(states.get(f"{state}NodeCount")) for state in _STATES)
        )
        if states
        else None,
    }


def _instance(inner: Json) -> dict[str, Any]:
    last, image = section(inner, "lastOperation"), section(inner, "osImageMetadata")
    return {
        "instance_state": inner.get("state"),
        "last_operation": last.get("operationName"),
        "last_operation_at": instant(last.get("operationTime")),
        "idle_seconds_before_shutdown": seconds(inner.get(_IDLE)),
        "schedules": tuple(_schedules(section(inner, "schedules"))) or None,
        "image_current": switch(image, "isLatestOsImageVersion"),
    }


def tells_idle_shutdown(row: Json) -> bool:
    """Whether a compute says at all when it shuts down by itself."""
    return _IDLE in section(section(row, "properties"), "properties")


def _ssh(inner: Json) -> str | None:
    """Instances and clusters name it differently."""
    of_instance = section(inner, "sshSettings").get("sshPublicAccess")
    return of_instance or inner.get("remoteLoginPortPublicAccess")


def _schedules(found: Json) -> Iterator[str]:
    for one in found.get("computeStartStop") or ():
        if one.get("status") == "Enabled":
            yield one["action"]


def _error(one: Json) -> str:
    """Errors come alone, or inside `error`."""
    code: str = section(one, "error").get("code") or one["code"]
    return code


def nodes(answer: Json) -> dict[str, Any]:
    """The facts of the whole list of nodes of a cluster."""
    found = (ComputeNode(one["nodeId"], one["nodeState"], _run(one)) for one in answer["nodes"])
    return {"nodes": tuple(found)}


def _run(one: Json) -> str:
    run: str = one.get("runId") or ""
    return run
