"""What follows for a machine of Azure: what it adds to totals, and whether its size is old."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import ClassVar

from app.domain.azure_machine_types import AzureMachineType, known_azure_size
from app.domain.azure_machines import AzureVmFacts, AzureVmScaleSetFacts
from app.domain.facts import ABSENT, Fact, FactDocument, Present, Unreadable, fact
from app.domain.health import healthy

UNKNOWN_TYPE = "UnknownMachineType"
# Azure Virtual Machines, states and billing.
_AT_REST = ("stopped", "deallocated")
_PASSING = ("creating", "starting", "stopping", "deallocating")


@dataclass(frozen=True, slots=True)
class MachineUseFacts(FactDocument):
    """Derived facts of a machine or of a scale set."""

    KIND: ClassVar[str] = "machine_use"

    is_running: Fact[bool] = fact(
        "It runs, or a part of it may. A machine that starts or stops is neither yet; absent for "
        "a scale set.",
        "derived",
    )
    own_accelerator_count: Fact[float] = fact(
        "Accelerators in whole devices that are allocated and that no cluster, pool or scale set "
        "counts already: the figure to add up.",
        "derived",
    )
    machine_count: Fact[int] = fact(
        "Machines it is meant to be: one, or those of a scale set.", "derived"
    )
    newer_machine_type: Fact[str] = fact(
        "A size of a newer family for the same work; absent when none is.", "derived"
    )
    retires_at: Fact[datetime] = fact(
        "When Azure takes the size away; absent when nothing is announced.", "derived"
    )


def machine_use(machine: AzureVmFacts) -> MachineUseFacts:
    """The derived facts of a virtual machine."""
    allocated = _allocated(machine.is_billed, machine.accelerator_count)
    own = _own(machine.counted_in, allocated)
    running = healthy(machine.state, good=("running",), bad=_AT_REST, passing=_PASSING)
    return MachineUseFacts(running, own, Present(1), *_age(machine.machine_type))


def scale_set_use(scale_set: AzureVmScaleSetFacts) -> MachineUseFacts:
    """The derived facts of a scale set."""
    each, count = scale_set.accelerators_per_machine, scale_set.target_count
    total: Fact[float]
    if isinstance(each, Present) and isinstance(count, Present):
        total = Present(each.value * count.value)
    elif count == Present(0):
        total = Present(0.0)
    else:
        total = next((one for one in (each, count) if isinstance(one, Unreadable)), ABSENT)
    own = _own(scale_set.counted_in, total)
    return MachineUseFacts(ABSENT, own, count, *_age(scale_set.machine_type))


def _allocated(is_billed: Fact[bool], count: Fact[float]) -> Fact[float]:
    """A deallocated machine has given its accelerators back."""
    if is_billed == Present(False) or count == Present(0.0):
        return Present(0.0)
    return is_billed if isinstance(is_billed, Unreadable) else count


def _own(counted_in: Fact[str], count: Fact[float]) -> Fact[float]:
    if isinstance(counted_in, Present):
        return Present(0.0)
    return counted_in if isinstance(counted_in, Unreadable) else count


def _age(machine_type: Fact[str]) -> tuple[Fact[str], Fact[datetime]]:
    if not isinstance(machine_type, Present):
        return machine_type, machine_type
    known = known_azure_size(machine_type.value)
    if known is None:
        return Unreadable(UNKNOWN_TYPE), Unreadable(UNKNOWN_TYPE)
    return Present(known.newer_size) if known.newer_size else ABSENT, _end(known)


def _end(known: AzureMachineType) -> Fact[datetime]:
    day = known.retires_on
    return Present(datetime(day.year, day.month, day.day, tzinfo=UTC)) if day else ABSENT
