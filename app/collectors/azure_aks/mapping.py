"""Azure's words about AKS into ours: pure functions over its JSON.

A value of None states an absence. Shapes: AKS REST API 2025-09-01 (managed clusters, agent pools,
machines, Kubernetes versions). What is left out has the default that the API documents.
"""

from collections.abc import Iterator
from typing import Any

from app.collectors.azure_words import Json, section, switch, tag, tags_of, texts
from app.domain.azure_aks import AgentPool, OfferedVersion
from app.domain.quantities import amount, machine_count

_DRIVERS = {"disk": "diskCSIDriver", "file": "fileCSIDriver", "blob": "blobCSIDriver"}
_INSTALL, _NONE = "Install", "None"
# The older way to leave the driver out, still honoured.
_SKIP_DRIVER = "SkipGPUDriverInstall"
_UP_TO_ON_DEMAND = -1


def cluster(row: Json) -> dict[str, Any]:
    """The facts of a cluster's own document."""
    properties = section(row, "properties")
    way_in = section(properties, "apiServerAccessProfile")
    upgrades = section(properties, "autoUpgradeProfile")
    metrics = section(section(properties, "azureMonitorProfile"), "metrics")
    provisioning = section(properties, "nodeProvisioningProfile")
    current = properties.get("currentKubernetesVersion")
    return {
        "cluster_status": properties["provisioningState"],
        "power_state": section(properties, "powerState").get("code"),
        "kubernetes_version": current or properties.get("kubernetesVersion"),
        "support_plan": properties.get("supportPlan"),
        "sku_tier": section(row, "sku").get("tier"),
        "node_resource_group": properties.get("nodeResourceGroup"),
        "private_cluster": switch(way_in, "enablePrivateCluster") is True,
        "authorized_networks": texts(way_in, "authorizedIPRanges") or None,
        "local_accounts_disabled": switch(properties, "disableLocalAccounts") is True,
        "upgrade_channel": upgrades.get("upgradeChannel"),
        "node_image_channel": upgrades.get("nodeOSUpgradeChannel"),
        "network_plugin": section(properties, "networkProfile").get("networkPlugin"),
        "addons": _addons(section(properties, "addonProfiles")) or None,
        "storage_drivers": _drivers(section(properties, "storageProfile")) or None,
        "managed_prometheus": switch(metrics, "enabled") is True,
        "auto_provisioning": provisioning.get("mode") == "Auto",
        "agent_pool_names": tuple(one["name"] for one in properties.get("agentPoolProfiles") or ())
        or None,
    }


def _addons(profiles: Json) -> tuple[str, ...]:
    return tuple(sorted(name for name in profiles if switch(section(profiles, name), "enabled")))


def _drivers(profile: Json) -> tuple[str, ...]:
    found = {name: section(profile, member) for name, member in _DRIVERS.items()}
    return tuple(name for name, driver in found.items() if switch(driver, "enabled"))


def agent_pools(answer: Json) -> dict[str, Any]:
    """The facts of a whole list of agent pools."""
    return {"agent_pools": tuple(_pool(row["name"], row["properties"]) for row in answer["value"])}


def _pool(name: str, pool: Json) -> AgentPool:
    price = pool.get("spotMaxPrice")
    return AgentPool(
        name=name,
        mode=pool.get("mode"),
        provisioning_state=pool.get("provisioningState"),
        power_state=section(pool, "powerState").get("code"),
        machine_types=tuple(_sizes(pool)),
        node_count=machine_count(pool.get("count")),
        autoscales=switch(pool, "enableAutoScaling"),
        minimum_count=machine_count(pool.get("minCount")),
        maximum_count=machine_count(pool.get("maxCount")),
        priority=pool.get("scaleSetPriority") or "Regular",
        eviction_policy=pool.get("scaleSetEvictionPolicy"),
        spot_maximum_price=None if price in (None, _UP_TO_ON_DEMAND) else amount(price),
        gpu_driver=_driver(pool),
        gpu_instance_profile=pool.get("gpuInstanceProfile") or "",
        os_sku=pool.get("osSKU"),
        node_image_version=pool.get("nodeImageVersion"),
        kubernetes_version=pool.get("currentOrchestratorVersion")
        or pool.get("orchestratorVersion"),
        zones=texts(pool, "availabilityZones"),
        taints=texts(pool, "nodeTaints"),
        tags=tags_of(pool),
    )


def _sizes(pool: Json) -> Iterator[str]:
    """The VM sizes of a pool; one of single machines may have several."""
    if pool.get("vmSize"):
        yield pool["vmSize"]
        return
    scale = section(section(pool, "virtualMachinesProfile"), "scale")
    for way in ("manual", "autoscale"):
        found = scale.get(way) or ()
        yield from (one["size"] for one in ([found] if isinstance(found, dict) else found))


def _driver(pool: Json) -> str:
    """Without a word AKS installs the driver (AKS: use GPUs, skip GPU driver installation)."""
    if tag(tags_of(pool), _SKIP_DRIVER).lower() == "true":
        return _NONE
    return section(pool, "gpuProfile").get("driver") or _INSTALL


def offered_versions(answer: Json) -> dict[str, Any]:
    """The facts of the list of versions of a region; ValueError for a list of none."""
    found = tuple(_version(row) for row in answer["values"])
    if not found:
        raise ValueError("a region without any version")
    return {"offered_versions": found}


def _version(row: Json) -> OfferedVersion:
    return OfferedVersion(
        version=row["version"],
        support_plans=texts(section(row, "capabilities"), "supportPlan"),
        is_preview=switch(row, "isPreview") is True,
    )
