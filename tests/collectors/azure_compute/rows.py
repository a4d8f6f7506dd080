"""Rows of Azure's machines with usual values; keywords replace them."""

from typing import Any

SUBSCRIPTION = "c1e72000-0000-4000-8000-00000000000b"
ROOT = f"/subscriptions/{SUBSCRIPTION}"
GROUP = f"{ROOT}/resourceGroups/rg-train"
_COMPUTE = f"{GROUP}/providers/Microsoft.Compute"


def machine(
    name: str = "vm-1", size: str = "Standard_NC40ads_H100_v5", *, group: str = "", **more: Any
) -> dict[str, Any]:
    """A row of a virtual machine; `properties` are laid over the usual ones."""
    properties = more.pop("properties", {})
    root = f"{ROOT}/resourceGroups/{group}/providers/Microsoft.Compute" if group else _COMPUTE
    return {
        "id": f"{root}/virtualMachines/{name}",
        "name": name,
        "type": "microsoft.compute/virtualmachines",
        "location": "westeurope",
        "tags": {"owner": "atlas"},
        "zones": ["1"],
        "properties": {
            "timeCreated": "2026-03-02T09:00:00.1234567Z",
            "hardwareProfile": {"vmSize": size},
            "storageProfile": {
                "imageReference": {
                    "publisher": "microsoft-dsvm",
                    "offer": "ubuntu-hpc",
                    "sku": "2204",
                    "version": "latest",
                    "exactVersion": "22.04.2026092801",
                },
                "osDisk": {"osType": "Linux"},
            },
            "networkProfile": {"networkInterfaces": [{"id": interface_id(name)}]},
            **properties,
        },
        **more,
    }


def scale_set(name: str = "set-1", *, group: str = "", **more: Any) -> dict[str, Any]:
    """A row of a scale set; `profile` and `properties` are laid over the usual ones."""
    properties, profile = more.pop("properties", {}), more.pop("profile", {})
    root = f"{ROOT}/resourceGroups/{group}/providers/Microsoft.Compute" if group else _COMPUTE
    nic = {"name": "nic", "properties": {"primary": True, "enableAcceleratedNetworking": True}}
    return {
        "id": f"{root}/virtualMachineScaleSets/{name}",
        "name": name,
        "type": "microsoft.compute/virtualmachinescalesets",
        "location": "westeurope",
        "tags": {},
        "zones": ["1", "2"],
        "sku": {"name": "Standard_ND96asr_v4", "capacity": 2},
        "properties": {
            "orchestrationMode": "Uniform",
            "singlePlacementGroup": True,
            "virtualMachineProfile": {
                "storageProfile": {"imageReference": {"id": "/x/images/own"}},
                "networkProfile": {"networkInterfaceConfigurations": [nic]},
                "priority": "Spot",
                "evictionPolicy": "Delete",
                "billingProfile": {"maxPrice": 1.5},
                **profile,
            },
            **properties,
        },
        **more,
    }


def interface_id(machine_name: str) -> str:
    """The id of a machine's network interface."""
    return f"{GROUP}/providers/Microsoft.Network/networkInterfaces/{machine_name}-nic"


def interface(machine_name: str = "vm-1", **properties: Any) -> dict[str, Any]:
    """A row of the list of network interfaces."""
    found = {"enableAcceleratedNetworking": True, **properties}
    return {"id": interface_id(machine_name), "properties": found}


def status(row: dict[str, Any], *codes: str) -> dict[str, Any]:
    """A row of the list of states of a machine."""
    statuses = [{"code": code} for code in codes]
    return {"id": row["id"], "properties": {"instanceView": {"statuses": statuses}}}


def sku(name: str, *, restrictions: Any = (), **capabilities: str) -> dict[str, Any]:
    """A row of the list of SKUs."""
    told = {"AcceleratedNetworkingEnabled": "True", "RdmaEnabled": "False", **capabilities}
    return {
        "resourceType": "virtualMachines",
        "name": name,
        "locations": ["westeurope"],
        "locationInfo": [
            {
                "location": "westeurope",
                "zones": ["1", "2"],
                "zoneDetails": [
                    {
                        "name": ["2"],
                        "capabilities": [{"name": "UltraSSDAvailable", "value": "True"}],
                    }
                ],
            }
        ],
        "capabilities": [{"name": key, "value": value} for key, value in told.items()],
        "restrictions": list(restrictions),
    }


def usage(family: str, used: int, limit: int) -> dict[str, Any]:
    """A row of the list of usages."""
    return {"currentValue": used, "limit": limit, "name": {"value": family}}


def location(name: str = "westeurope") -> dict[str, Any]:
    """A row of the list of locations."""
    mapping = {"logicalZone": "1", "physicalZone": f"{name}-az3"}
    return {"name": name, "availabilityZoneMappings": [mapping]}
