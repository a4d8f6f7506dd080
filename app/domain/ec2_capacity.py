"""Capacity of EC2 that is reserved, and so paid for, whether machines use it or not."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar

from app.domain.fact_sums import mapped
from app.domain.facts import ABSENT, Fact, FactDocument, Present, Unreadable, fact

CAPACITY_BLOCK = "capacity-block"
# A block ends at 11:30 UTC, and half an hour before EC2 begins to terminate its machines
# (EC2 user guide: how Capacity Blocks work).
TERMINATION_BEGINS = timedelta(minutes=30)

_RESERVATIONS = "ec2:DescribeCapacityReservations"
_BLOCKS = "ec2:DescribeCapacityBlockStatus"
_TYPES = "ec2:DescribeInstanceTypes"


@dataclass(frozen=True, slots=True)
class Ec2CapacityReservationFacts(FactDocument):
    """A capacity reservation or capacity block that the account owns."""

    KIND: ClassVar[str] = "ec2_capacity_reservation"
    AREA: ClassVar[str] = "capacity"

    reservation_type: Fact[str] = fact("default or capacity-block.", _RESERVATIONS)
    state: Fact[str] = fact(
        "EC2's word: active, scheduled, payment-pending, payment-failed, expired, cancelled, …",
        _RESERVATIONS,
    )
    machine_type: Fact[str] = fact("The type of the reserved machines.", _RESERVATIONS)
    availability_zone: Fact[str] = fact("Where they are.", _RESERVATIONS)
    machine_count: Fact[int] = fact("Machines reserved.", _RESERVATIONS)
    available_machine_count: Fact[int] = fact(
        "Reserved machines that nobody runs now.", _RESERVATIONS
    )
    starts_at: Fact[datetime] = fact("Begin of the reservation.", _RESERVATIONS)
    ends_at: Fact[datetime] = fact("Its end; absent when it has none.", _RESERVATIONS)
    match_criteria: Fact[str] = fact(
        "open: any fitting machine uses it; targeted: only machines that name it.", _RESERVATIONS
    )
    capacity_block_id: Fact[str] = fact(
        "The capacity block it is a part of; absent for other reservations.", _RESERVATIONS
    )
    unavailable_machine_count: Fact[int] = fact(
        "Machines of the block that are broken; absent for other reservations.", _BLOCKS
    )
    interconnect_status: Fact[str] = fact(
        "ok, impaired or insufficient-data; absent where EC2 does not watch one.", _BLOCKS
    )
    accelerator_kind: Fact[str] = fact("gpu, neuron, or '' for none.", _TYPES)
    accelerator_model: Fact[str] = fact("Maker and model of the accelerators.", _TYPES)
    accelerators_per_machine: Fact[float] = fact(
        "Accelerators of one machine in whole devices.", _TYPES
    )


@dataclass(frozen=True, slots=True)
class CapacityFacts(FactDocument):
    """What follows from a reservation of capacity."""

    KIND: ClassVar[str] = "capacity"

    usable_until_at: Fact[datetime] = fact(
        "When work must have ended: half an hour before the end of a capacity block, the end of "
        "another reservation; absent when it has no end.",
        "derived",
    )
    accelerator_count: Fact[float] = fact("Accelerators reserved, in whole devices.", "derived")
    idle_accelerator_count: Fact[float] = fact(
        "Reserved accelerators that nobody uses now, in whole devices.", "derived"
    )
    idle_percent: Fact[float] = fact("Share of the machines that nobody runs now.", "derived")


def capacity_of(reservation: Ec2CapacityReservationFacts) -> CapacityFacts:
    """The derived facts of one reservation."""
    per_machine = reservation.accelerators_per_machine
    available, total = reservation.available_machine_count, reservation.machine_count
    return CapacityFacts(
        usable_until_at=_usable_until(reservation.reservation_type, reservation.ends_at),
        accelerator_count=_both(total, per_machine, lambda count, each: count * each),
        idle_accelerator_count=_both(available, per_machine, lambda count, each: count * each),
        idle_percent=_both(available, total, lambda idle, all_: 100 * idle / all_ if all_ else 0.0),
    )


def _usable_until(kind: Fact[str], ends_at: Fact[datetime]) -> Fact[datetime]:
    if isinstance(kind, Present) and kind.value != CAPACITY_BLOCK:
        return ends_at
    if not isinstance(kind, Present):
        return kind
    return mapped(ends_at, lambda end: end - TERMINATION_BEGINS)


def _both(
    first: Fact[int], second: Fact[int] | Fact[float], total: Callable[[int, float], float]
) -> Fact[float]:
    """A sum of two facts; what one lacks, it lacks."""
    for one in (first, second):
        if isinstance(one, Unreadable):
            return one
    if isinstance(first, Present) and isinstance(second, Present):
        return Present(float(total(first.value, second.value)))
    return ABSENT
