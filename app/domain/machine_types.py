"""What one machine of a provider's type holds: accelerators, memory, fast network interfaces."""

import csv
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_TABLE = Path(__file__).parent / "data" / "aws_machine_types.csv"
MIB = 2**20
TABLE = "table"
_PREFIX = "ml."  # SageMaker's name of an EC2 type
# Families that were built around accelerators. Where nothing is said of those, they are not
# known, rather than none (EC2 user guide, accelerated computing instances).
_ACCELERATED = re.compile(r"(dl|f|g|gr|inf|p|trn|vt)\d")


@dataclass(frozen=True, slots=True)
class MachineType:
    """One type in the provider's own spelling (EC2's, Azure's armSkuName).

    `accelerator_count` counts whole devices: a machine with an eighth of a GPU has 0.125.
    `accelerator_kind` is gpu or neuron, '' with a count of 0; count and kind None: not known.
    `accelerator_memory_bytes` is that of one device or part of it. `rdma_interfaces`: how many
    Elastic Fabric Adapters it may have, or InfiniBand cards it has; 0: none, None: not known.
    `source` names the operation that told it, `table`, our own copy of what the provider said, or
    `family`.
    """

    id: str
    accelerator_kind: str | None
    accelerator_model: str
    accelerator_count: float | None
    accelerator_memory_bytes: int | None
    vcpu_count: int | None
    memory_bytes: int | None
    rdma_interfaces: int | None
    source: str


def ec2_type(name: str) -> str:
    """The EC2 type behind a name of SageMaker; other names as they are."""
    return name.removeprefix(_PREFIX)


def may_hold_accelerators(name: str) -> bool:
    """The family was built around accelerators, so that silence about them is no "none"."""
    return _ACCELERATED.match(ec2_type(name)) is not None


def known_machine_type(name: str) -> MachineType | None:
    """The type in our own table, None when it is not there.

    The table holds DescribeInstanceTypes of all regions as collected by moto 5.2.5.
    """
    return _table().get(ec2_type(name))


@cache
def _table() -> dict[str, MachineType]:
    with _TABLE.open(encoding="utf-8", newline="") as lines:
        return {row["instance_type"]: _of_row(row) for row in csv.DictReader(lines)}


def _of_row(row: dict[str, str]) -> MachineType:
    silent = not row["accelerator_kind"] and may_hold_accelerators(row["instance_type"])
    return MachineType(
        id=row["instance_type"],
        accelerator_kind=None if silent else row["accelerator_kind"],
        accelerator_model=row["accelerator_model"],
        accelerator_count=None if silent else float(row["accelerator_count"]),
        accelerator_memory_bytes=_mib(row["accelerator_memory_mib"]),
        vcpu_count=int(row["vcpu_count"]) if row["vcpu_count"] else None,
        memory_bytes=_mib(row["memory_mib"]),
        rdma_interfaces=int(row["efa_interfaces"]),
        source=TABLE,
    )


def _mib(text: str) -> int | None:
    return int(text) * MIB if text else None
