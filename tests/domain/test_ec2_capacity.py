"""What follows from a reservation of capacity."""

from datetime import UTC, datetime

import pytest

from app.domain.ec2_capacity import CapacityFacts, capacity_of
from app.domain.facts import ABSENT, Fact, Present, Unreadable
from tests.support.ec2_facts import capacity_reservation

END = datetime(2026, 12, 24, 11, 30, tzinfo=UTC)
DENIED = Unreadable("UnauthorizedOperation")
BLOCK: Fact[str] = Present("capacity-block")


def test_a_block_is_usable_until_half_an_hour_before_its_end() -> None:
    block = capacity_reservation(reservation_type=BLOCK, ends_at=Present(END))
    assert capacity_of(block).usable_until_at == Present(END.replace(hour=11, minute=0))


def test_another_reservation_is_usable_to_its_end() -> None:
    limited = capacity_reservation(ends_at=Present(END))
    assert capacity_of(limited).usable_until_at == Present(END)
    assert capacity_of(capacity_reservation()).usable_until_at == ABSENT


def test_of_an_unread_kind_nobody_knows_how_long_it_is_usable() -> None:
    unread = capacity_reservation(reservation_type=DENIED, ends_at=Present(END))
    assert capacity_of(unread).usable_until_at == DENIED


def test_accelerators_are_counted_by_machine() -> None:
    half = capacity_reservation(machine_count=Present(4), available_machine_count=Present(2))
    assert capacity_of(half) == CapacityFacts(ABSENT, Present(32.0), Present(16.0), Present(50.0))


def test_parts_of_a_gpu_make_whole_ones() -> None:
    shared = capacity_reservation(
        available_machine_count=Present(2), accelerators_per_machine=Present(0.125)
    )
    assert capacity_of(shared).idle_accelerator_count == Present(0.25)


def test_a_reservation_of_no_machines_is_not_idle() -> None:
    empty = capacity_reservation(machine_count=Present(0))
    assert capacity_of(empty).idle_percent == Present(0.0)


@pytest.mark.parametrize(
    ("unread", "unknown"),
    [
        ("available_machine_count", {"idle_accelerator_count", "idle_percent"}),
        ("machine_count", {"accelerator_count", "idle_percent"}),
        ("accelerators_per_machine", {"accelerator_count", "idle_accelerator_count"}),
        ("ends_at", {"usable_until_at"}),
    ],
)
def test_what_depends_on_an_unread_fact_is_unreadable(unread: str, unknown: set[str]) -> None:
    found = capacity_of(capacity_reservation(**{unread: DENIED}))
    names = ("usable_until_at", "accelerator_count", "idle_accelerator_count", "idle_percent")
    assert {name for name in names if getattr(found, name) == DENIED} == unknown
