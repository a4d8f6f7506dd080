"""What a subscription may have of one region's machines: quotas, offers and restrictions."""

from dataclasses import dataclass
from typing import ClassVar

from app.domain.facts import Fact, FactDocument, fact

_USAGES = "compute:usages/read"
_SKUS = "skus:skus/read"


@dataclass(frozen=True, slots=True)
class CoreQuota:
    """Virtual cores of one family of sizes that are used now, and how many may be."""

    family: str
    used_vcpu_count: int
    limit_vcpu_count: int


@dataclass(frozen=True, slots=True)
class OfferedMachineType:
    """A size with accelerators or InfiniBand that a region has.

    `accelerator_count` and `has_rdma` None: not known. `zones` as the subscription counts them.
    `restriction`: why the subscription may not have it here (QuotaId or
    NotAvailableForSubscription), '' when it may; `restricted_zones` where it may not although it
    may elsewhere in the region.
    """

    machine_type: str
    accelerator_count: float | None
    has_rdma: bool | None
    zones: tuple[str, ...]
    zones_with_ultra_disks: tuple[str, ...]
    restriction: str
    restricted_zones: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AzureComputeRegionFacts(FactDocument):
    """The machines that a subscription may have in a region where it has some."""

    KIND: ClassVar[str] = "azure_compute_region"
    AREA: ClassVar[str] = "capacity"

    vcpu_in_use: Fact[int] = fact("Virtual cores used now, of all families together.", _USAGES)
    vcpu_limit: Fact[int] = fact(
        "Virtual cores that may be used; absent where none is told.", _USAGES
    )
    spot_vcpu_in_use: Fact[int] = fact("Virtual cores of spot machines used now.", _USAGES)
    spot_vcpu_limit: Fact[int] = fact(
        "Virtual cores of spot machines that may be used; absent where none is told.", _USAGES
    )
    quotas: Fact[tuple[CoreQuota, ...]] = fact(
        "Families of sizes of which something is used or may be.", _USAGES
    )
    accelerated_quotas: Fact[tuple[CoreQuota, ...]] = fact(
        "Those of families with accelerators.", _USAGES
    )
    offered_machine_types: Fact[tuple[OfferedMachineType, ...]] = fact(
        "Sizes with accelerators or InfiniBand that the region has.", _SKUS
    )
    restricted_machine_types: Fact[tuple[str, ...]] = fact(
        "Those that the subscription may not have here.", _SKUS
    )
