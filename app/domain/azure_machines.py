"""Azure's virtual machines and scale sets: what they are, cost and belong to."""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from app.domain.facts import Fact, FactDocument, fact

_GRAPH = "resourcegraph:Resources"
_STATUS = "compute:virtualMachines/read"
_NICS = "network:networkInterfaces/read"
_SKUS = "skus:skus/read"
_LOCATIONS = "subscriptions:locations/read"


@dataclass(frozen=True, slots=True)
class AzureVmFacts(FactDocument):
    """A virtual machine of Azure."""

    KIND: ClassVar[str] = "azure_vm"
    AREA: ClassVar[str] = "machines"

    machine_type: Fact[str] = fact("Its size, such as Standard_ND96isr_H100_v5.", _GRAPH)
    state: Fact[str] = fact(
        "running, starting, stopping, stopped, deallocating or deallocated. A stopped machine is "
        "allocated and paid for; only a deallocated one is not.",
        _STATUS,
    )
    is_billed: Fact[bool] = fact("Its cores are paid for in that state.", _STATUS)
    capacity: Fact[str] = fact("How it is bought: on_demand, spot or unknown.", _GRAPH)
    priority: Fact[str] = fact("Azure's word: Regular, Low, Spot or SpotPlus.", _GRAPH)
    eviction_policy: Fact[str] = fact(
        "Deallocate keeps the disks of an evicted machine, which stay paid for; Delete does not. "
        "Absent where nothing is evicted.",
        _GRAPH,
    )
    spot_max_price: Fact[float] = fact(
        "The price per hour above which it is evicted; -1: up to the price on demand. Absent where "
        "nothing is evicted.",
        _GRAPH,
    )
    capacity_reservation_group_id: Fact[str] = fact(
        "The group of reservations it may use; absent without one.", _GRAPH
    )
    image_family: Fact[str] = fact(
        "data_science, hpc or other of the marketplace, gallery, community_gallery or custom; "
        "absent where its disk was made of no image.",
        _GRAPH,
    )
    image_name: Fact[str] = fact(
        "publisher:offer:sku of the marketplace, or the id of another image; absent without one.",
        _GRAPH,
    )
    image_version: Fact[str] = fact("The version it runs; absent where none is told.", _GRAPH)
    image_released_at: Fact[datetime] = fact(
        "The day in that version; absent where the version holds none.", _GRAPH
    )
    os_type: Fact[str] = fact("Linux or Windows.", _GRAPH)
    availability_zone: Fact[str] = fact(
        "Its zone as its subscription counts them; absent when it is in none.", _GRAPH
    )
    physical_zone: Fact[str] = fact(
        "The building behind that zone, which has another number in other subscriptions; absent "
        "when it is in none.",
        _LOCATIONS,
    )
    scale_set_id: Fact[str] = fact("The scale set it is a part of; absent without one.", _GRAPH)
    cluster_name: Fact[str] = fact(
        "The cluster or pool whose machine it is; absent when it is of none.", _GRAPH
    )
    cluster_tag: Fact[str] = fact(
        "The tag that names the cluster; absent where its resource group does.", _GRAPH
    )
    counted_in: Fact[str] = fact(
        "Id of the cluster, pool or scale set that counts this machine already; absent when none "
        "does.",
        _GRAPH,
    )
    accelerated_networking: Fact[bool] = fact(
        "Every network interface of it passes the hypervisor by; absent without interfaces.",
        _NICS,
    )
    accelerated_networking_possible: Fact[bool] = fact("Its size allows that.", _SKUS)
    accelerator_kind: Fact[str] = fact("gpu, or '' for none.", _SKUS)
    accelerator_model: Fact[str] = fact("Maker and model of its accelerators.", _SKUS)
    accelerator_count: Fact[float] = fact(
        "Accelerators in whole devices: a sixth of a GPU is 0.167.", _SKUS
    )
    rdma_interfaces: Fact[int] = fact("InfiniBand cards of its size; 0: none.", _SKUS)
    vcpu_count: Fact[int] = fact("Its virtual cores, which quotas count.", _SKUS)
    memory_bytes: Fact[int] = fact("Its memory.", _SKUS)


@dataclass(frozen=True, slots=True)
class AzureVmScaleSetFacts(FactDocument):
    """A scale set: machines of one size that Azure makes and takes away."""

    KIND: ClassVar[str] = "azure_vm_scale_set"
    AREA: ClassVar[str] = "machines"

    machine_type: Fact[str] = fact(
        "The size of its machines; absent where they may differ.", _GRAPH
    )
    target_count: Fact[int] = fact(
        "Machines it is meant to have now; absent where each is made by hand.", _GRAPH
    )
    orchestration_mode: Fact[str] = fact(
        "Uniform, or Flexible, whose machines are also listed each.", _GRAPH
    )
    single_placement_group: Fact[bool] = fact(
        "All machines are placed where InfiniBand joins them; absent where Azure does not say.",
        _GRAPH,
    )
    capacity: Fact[str] = fact("How they are bought: on_demand, spot or unknown.", _GRAPH)
    priority: Fact[str] = fact("Azure's word: Regular, Low, Spot or SpotPlus.", _GRAPH)
    eviction_policy: Fact[str] = fact(
        "Deallocate keeps the disks of evicted machines, which stay paid for; Delete does not. "
        "Absent where nothing is evicted.",
        _GRAPH,
    )
    spot_max_price: Fact[float] = fact(
        "The price per hour above which machines are evicted; -1: up to the price on demand. "
        "Absent where nothing is evicted.",
        _GRAPH,
    )
    image_family: Fact[str] = fact(
        "data_science, hpc or other of the marketplace, gallery, community_gallery or custom; "
        "absent where its machines are made of no image.",
        _GRAPH,
    )
    image_name: Fact[str] = fact(
        "publisher:offer:sku of the marketplace, or the id of another image; absent without one.",
        _GRAPH,
    )
    image_version: Fact[str] = fact("The version they run; absent where none is told.", _GRAPH)
    image_released_at: Fact[datetime] = fact(
        "The day in that version; absent where the version holds none.", _GRAPH
    )
    availability_zones: Fact[tuple[str, ...]] = fact(
        "Its zones as its subscription counts them; empty when it is in none.", _GRAPH
    )
    physical_zones: Fact[tuple[str, ...]] = fact("The buildings behind those zones.", _LOCATIONS)
    cluster_name: Fact[str] = fact(
        "The cluster or pool whose machines they are; absent when they are of none.", _GRAPH
    )
    cluster_tag: Fact[str] = fact(
        "The tag that names the cluster; absent where its resource group does.", _GRAPH
    )
    counted_in: Fact[str] = fact(
        "Id of the cluster or pool that counts these machines already; absent when none does.",
        _GRAPH,
    )
    accelerated_networking: Fact[bool] = fact(
        "Every network interface of its machines passes the hypervisor by; absent without a "
        "profile for them.",
        _GRAPH,
    )
    accelerated_networking_possible: Fact[bool] = fact("Their size allows that.", _SKUS)
    accelerator_kind: Fact[str] = fact("gpu, or '' for none.", _SKUS)
    accelerator_model: Fact[str] = fact("Maker and model of the accelerators.", _SKUS)
    accelerators_per_machine: Fact[float] = fact(
        "Accelerators of one machine in whole devices.", _SKUS
    )
    rdma_interfaces: Fact[int] = fact("InfiniBand cards of one machine; 0: none.", _SKUS)
    vcpu_count: Fact[int] = fact("Virtual cores of one machine.", _SKUS)
    memory_bytes: Fact[int] = fact("Memory of one machine.", _SKUS)
