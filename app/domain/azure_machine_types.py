"""What one machine of an Azure VM size holds, told by our own table and Azure's naming of sizes."""

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from math import ceil
from pathlib import Path

from app.domain.machine_types import TABLE, MachineType
from app.domain.quantities import machine_count, size_bytes

FAMILY = "family"
SKU_LIST = "skus:skus/read"
_TABLE = Path(__file__).parent / "data" / "azure_machine_types.csv"
_GIB = 2**30
_ACCELERATED = re.compile(r"(standard|basic)_n")
_MOST_ACCELERATORS = 1024
_FLAGS = {"true": True, "false": False}
# Families for general use, memory, compute and storage: the letter says that they hold no
# accelerator, which is the N's part, nor RDMA, which is the H's (Azure: naming of VM sizes).
_PLAIN = re.compile(r"(standard|basic)_[abdefgl][a-z]*\d|standard_m\d")


@dataclass(frozen=True, slots=True)
class AzureMachineType:
    """A size of our table.

    `newer_size`: the size of a newer family for the same work; '' when none is. `retires_on`: the
    day from which Azure runs it no more; None when none is announced. `page` is where the row
    comes from.
    """

    machine: MachineType
    newer_size: str
    retires_on: date | None
    page: str


def azure_machine_type(name: str) -> MachineType | None:
    """The machine type of a VM size, whatever its letter case; None when it is not known.

    A size that the table lacks but whose family never holds accelerators is known to hold none;
    all else of it is not known. RDMA interfaces are the InfiniBand cards of one machine.
    """
    known = known_azure_size(name)
    if known:
        return known.machine
    return _plain(name) if _PLAIN.match(name.lower()) else None


def with_capabilities(name: str, capabilities: Mapping[str, str]) -> MachineType | None:
    """The machine type of a size as the list of SKUs tells it, whose words win over our table.

    The list never names a model or its memory. Its `GPUs` counts a part of a GPU as one, and is
    left out of sizes without; `RdmaEnabled` counts no cards. None when nobody tells of
    accelerators. ValueError for a capability that is no such value.
    """
    base = azure_machine_type(name) or _nothing_known(name)
    count = _accelerators(base, capabilities.get("GPUs"))
    if count is None:
        return None
    return replace(
        base,
        accelerator_kind="gpu" if count else "",
        accelerator_model=base.accelerator_model if count else "",
        accelerator_count=count,
        accelerator_memory_bytes=base.accelerator_memory_bytes if count else None,
        vcpu_count=_whole(capabilities, "vCPUs") or base.vcpu_count,
        memory_bytes=_gibibytes(capabilities, "MemoryGB") or base.memory_bytes,
        rdma_interfaces=_interfaces(base, capabilities),
        source=SKU_LIST,
    )


def _nothing_known(name: str) -> MachineType:
    return MachineType(name, None, "", None, None, None, None, None, SKU_LIST)


def _accelerators(base: MachineType, told: str | None) -> float | None:
    known = base.accelerator_count
    if told is None:  # an N that does not say how many may hold other accelerators than GPUs
        return 0.0 if known is None and not _ACCELERATED.match(base.id.lower()) else known
    count = float(told)
    if not 0 <= count <= _MOST_ACCELERATORS:
        raise ValueError("no number of accelerators")
    return known if known and ceil(known) == ceil(count) else count


def _interfaces(base: MachineType, capabilities: Mapping[str, str]) -> int | None:
    told = capabilities.get("RdmaEnabled")
    if told is None:
        return base.rdma_interfaces
    return max(base.rdma_interfaces or 0, 1) if _FLAGS[told.lower()] else 0


def _whole(capabilities: Mapping[str, str], name: str) -> int | None:
    return machine_count(int(capabilities[name])) if name in capabilities else None


def _gibibytes(capabilities: Mapping[str, str], name: str) -> int | None:
    return size_bytes(float(capabilities[name]) * _GIB) if name in capabilities else None


def known_azure_size(name: str) -> AzureMachineType | None:
    """The row of our table for a size, whatever its letter case; None when it has none."""
    return _table().get(_key(name))


def _key(name: str) -> str:
    return name.lower().removesuffix("_promo")  # an old discount, the same machine


@cache
def _table() -> dict[str, AzureMachineType]:
    with _TABLE.open(encoding="utf-8", newline="") as lines:
        return {_key(row["size"]): _of_row(row) for row in csv.DictReader(lines)}


def _of_row(row: dict[str, str]) -> AzureMachineType:
    memory = row["accelerator_memory_gib"]
    machine = MachineType(
        id=row["size"],
        accelerator_kind=row["accelerator_kind"],
        accelerator_model=row["accelerator_model"],
        accelerator_count=float(row["accelerator_count"]),
        accelerator_memory_bytes=int(memory) * _GIB if memory else None,
        vcpu_count=int(row["vcpu_count"]),
        memory_bytes=int(row["memory_gib"]) * _GIB,
        rdma_interfaces=int(row["rdma_interfaces"]),
        source=TABLE,
    )
    retires_on = date.fromisoformat(row["retires_on"]) if row["retires_on"] else None
    return AzureMachineType(machine, row["newer_size"], retires_on, row["source"])


def _plain(name: str) -> MachineType:
    return MachineType(name, "", "", 0.0, None, None, None, 0, FAMILY)
