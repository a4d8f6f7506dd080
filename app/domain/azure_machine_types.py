"""What one machine of an Azure VM size holds, told by our own table and Azure's naming of sizes."""

import csv
import re
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path

from app.domain.machine_types import TABLE, MachineType

FAMILY = "family"
_TABLE = Path(__file__).parent / "data" / "azure_machine_types.csv"
_GIB = 2**30
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
