"""Machines, scale sets, interfaces and disks of the story before they take Azure's shape."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from app.kit.clock import utc_now
from app.sandbox.azure.model import Json
from app.sandbox.story import RESEARCH, SWC, Subscription, azure_time, created_at, mixed
from app.sandbox.wire import Request

COMPUTE = "Microsoft.Compute"
HPC = ("microsoft-dsvm", "ubuntu-hpc", "2204", "22.04.2026092801")
# Of a hundred days ago, whenever that is: its versions can be deployed for twelve months.
_RECENT = (utc_now() - timedelta(days=100)).strftime("%y.%m.%d")
DSVM = ("microsoft-dsvm", "ubuntu-2204", "2204-gen2", _RECENT)
OLD_DSVM = ("microsoft-dsvm", "ubuntu-2004", "2004-gen2", "24.05.24")
UBUNTU = ("Canonical", "ubuntu-24_04-lts", "server", "24.04.202610010")
SPOT: Json = {
    "priority": "Spot",
    "evictionPolicy": "Deallocate",
    "billingProfile": {"maxPrice": -1},
}


def group_path(subscription: Subscription, group: str) -> str:
    """The id of a resource group."""
    return f"/subscriptions/{subscription.subscription_id}/resourceGroups/{group}"


@dataclass(frozen=True, slots=True)
class Machine:
    """One virtual machine with its interface and its system disk; `case` says what is special.

    `power` None: Azure does not tell its state. `disk`: what is special about its system disk; ''
    for one that is a part of the machine and gone when it is given back. `more` is added to its
    properties.
    """

    name: str
    case: str
    size: str
    power: str | None = "running"
    subscription: Subscription = RESEARCH
    region: str = SWC
    group: str = "rg-cierzo-train"
    image: tuple[str, str, str, str] | str = HPC
    tags: Mapping[str, str] | None = None
    zone: str | None = "1"
    accelerated: bool = True
    disk: str = ""
    more: Json = field(default_factory=dict)

    @property
    def resource_id(self) -> str:
        """Its id as Resource Manager spells it."""
        group = group_path(self.subscription, self.group)
        return f"{group}/providers/{COMPUTE}/virtualMachines/{self.name}"

    @property
    def interface_id(self) -> str:
        """The id of its network interface."""
        group = group_path(self.subscription, self.group)
        return f"{group}/providers/Microsoft.Network/networkInterfaces/{self.name}-nic"

    def document(self) -> Json:
        """The machine with its state, which `shown_machine` takes away again."""
        kept = {"managedDisk": {"id": self.system_disk().resource_id}}
        local = {"diffDiskSettings": {"option": "Local", "placement": "ResourceDisk"}}
        profile = {
            "imageReference": image_reference(self.image),
            "osDisk": {
                "osType": "Linux",
                "name": f"{self.name}-os",
                "createOption": "FromImage",
                "caching": "ReadWrite",
                **(kept if self.disk else local),
            },
            "dataDisks": [],
        }
        return {
            "id": self.resource_id,
            "name": self.name,
            "type": f"{COMPUTE}/virtualMachines",
            "location": self.region,
            "tags": dict(self.tags) if self.tags else None,
            "zones": [self.zone] if self.zone else None,
            "properties": {
                "vmId": f"{mixed(self.name):08x}-0000-4000-8000-000000000001",
                "provisioningState": "Succeeded",
                "timeCreated": azure_time(created_at(self.name)),
                "hardwareProfile": {"vmSize": self.size},
                "storageProfile": profile,
                "osProfile": {"computerName": self.name, "adminUsername": "cierzo"},
                "networkProfile": {
                    "networkInterfaces": [
                        {"id": self.interface_id, "properties": {"primary": True}}
                    ]
                },
                "instanceView": {"statuses": _statuses(self.power)},
                **self.more,
            },
        }

    def interface(self) -> Json:
        """Its network interface."""
        return {
            "id": self.interface_id,
            "name": f"{self.name}-nic",
            "type": "Microsoft.Network/networkInterfaces",
            "location": self.region,
            "tags": None,
            "properties": {
                "provisioningState": "Succeeded",
                "enableAcceleratedNetworking": self.accelerated,
                "enableIPForwarding": False,
                "primary": True,
                "virtualMachine": {"id": self.resource_id},
                "nicType": "Standard",
            },
        }

    def system_disk(self) -> "Disk":
        """The disk that its system starts from; Azure reserves it for a deallocated machine."""
        state = "Reserved" if self.power == "deallocated" else "Attached"
        return Disk(
            f"{self.name}-os",
            self.disk,
            128,
            state=state,
            machine=self.resource_id,
            subscription=self.subscription,
            region=self.region,
            group=self.group,
            zone=self.zone,
        )


@dataclass(frozen=True, slots=True)
class ScaleSet:
    """One scale set; `profile` is added to the profile of its machines, `more` to the set."""

    name: str
    case: str
    size: str
    count: int
    subscription: Subscription = RESEARCH
    region: str = SWC
    group: str = "rg-cierzo-train"
    image: tuple[str, str, str, str] | str = HPC
    tags: Mapping[str, str] | None = None
    zones: Sequence[str] = ()
    accelerated: bool = True
    profile: Json = field(default_factory=dict)
    more: Json = field(default_factory=dict)

    @property
    def resource_id(self) -> str:
        """Its id as Resource Manager spells it."""
        group = group_path(self.subscription, self.group)
        return f"{group}/providers/{COMPUTE}/virtualMachineScaleSets/{self.name}"

    def document(self) -> Json:
        """The scale set."""
        interface = {
            "name": "nic",
            "properties": {
                "primary": True,
                "enableAcceleratedNetworking": self.accelerated,
                "ipConfigurations": [],
            },
        }
        return {
            "id": self.resource_id,
            "name": self.name,
            "type": f"{COMPUTE}/virtualMachineScaleSets",
            "location": self.region,
            "tags": dict(self.tags) if self.tags else None,
            "zones": [*self.zones] or None,
            "sku": {"name": self.size, "tier": "Standard", "capacity": self.count},
            "properties": {
                "orchestrationMode": "Uniform",
                "singlePlacementGroup": True,
                "overprovision": False,
                "provisioningState": "Succeeded",
                "timeCreated": azure_time(created_at(self.name)),
                "uniqueId": f"{mixed(self.name):08x}-0000-4000-8000-000000000002",
                "upgradePolicy": {"mode": "Manual"},
                "virtualMachineProfile": {
                    "storageProfile": {"imageReference": image_reference(self.image)},
                    "networkProfile": {"networkInterfaceConfigurations": [interface]},
                    **self.profile,
                },
                **self.more,
            },
        }


@dataclass(frozen=True, slots=True)
class Disk:
    """One managed disk; `machine` is the id of what it is attached to."""

    name: str
    case: str
    gib: int
    state: str = "Unattached"
    machine: str | None = None
    sku: str = "Premium_LRS"
    subscription: Subscription = RESEARCH
    region: str = SWC
    group: str = "rg-cierzo-train"
    zone: str | None = None
    tags: Mapping[str, str] | None = None
    more: Json = field(default_factory=dict)

    @property
    def resource_id(self) -> str:
        """Its id as Resource Manager spells it."""
        group = group_path(self.subscription, self.group)
        return f"{group}/providers/{COMPUTE}/disks/{self.name}"

    def document(self) -> Json:
        """The disk."""
        made = azure_time(created_at(self.name))
        return {
            "id": self.resource_id,
            "name": self.name,
            "type": f"{COMPUTE}/disks",
            "location": self.region,
            "tags": dict(self.tags) if self.tags else None,
            "zones": [self.zone] if self.zone else None,
            "managedBy": self.machine,
            "sku": {"name": self.sku, "tier": self.sku.partition("_")[0]},
            "properties": {
                "provisioningState": "Succeeded",
                "diskState": self.state,
                "diskSizeGB": self.gib,
                "diskSizeBytes": self.gib * 2**30,
                "timeCreated": made,
                "LastOwnershipUpdateTime": made,
                "creationData": {"createOption": "Empty"},
                "encryption": {"type": "EncryptionAtRestWithPlatformKey"},
                "networkAccessPolicy": "DenyAll",
                **self.more,
            },
        }


def image_reference(image: tuple[str, str, str, str] | str) -> Json:
    """Of the marketplace, or the id of an image of one's own."""
    if isinstance(image, str):
        return {"id": image}
    publisher, offer, sku, version = image
    return {
        "publisher": publisher,
        "offer": offer,
        "sku": sku,
        "version": "latest",
        "exactVersion": version,
    }


def shown_machine(document: Json, request: Request | None) -> Json:
    """States are shown alone, and only when they are asked for (`statusOnly=true`)."""
    properties = dict(document["properties"])
    view = properties.pop("instanceView")
    if request is None or (request.parameter("statusOnly") or "").lower() != "true":
        return {**document, "properties": properties}
    kept = {name: document[name] for name in ("id", "name", "type", "location")}
    return {**kept, "properties": {"vmId": properties["vmId"], "instanceView": view}}


def _statuses(power: str | None) -> list[Json]:
    provisioned = {
        "code": "ProvisioningState/succeeded",
        "level": "Info",
        "displayStatus": "Provisioning succeeded",
        "time": "2026-11-30T06:12:31.4182091+00:00",
    }
    if power is None:
        return [provisioned]
    shown = f"VM {power}"
    return [provisioned, {"code": f"PowerState/{power}", "level": "Info", "displayStatus": shown}]
