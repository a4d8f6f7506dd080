"""A training plan in the words of any reserved capacity."""

from datetime import UTC, datetime
from typing import Any

import pytest

from app.domain.derive import derive
from app.domain.ec2_capacity import CapacityFacts
from app.domain.facts import ABSENT, Present, Unreadable, fact_names
from app.domain.machine_types import known_machine_type
from app.domain.training_plan import ReservedCapacity, TrainingPlanFacts

NOT_TOLD, UNKNOWN = Unreadable("NotTold"), Unreadable("UnknownMachineType")
DENIED = Unreadable("AccessDenied")


def block(machine_type: str = "ml.p5e.48xlarge", count: int | None = 4) -> ReservedCapacity:
    return ReservedCapacity("Instance", machine_type, count, "Active", "us-west-2b", None, None)


def of(*blocks: ReservedCapacity, **more: Any) -> CapacityFacts:
    """The derived facts of a plan with these blocks, of which one machine is idle."""
    types = map(known_machine_type, ("ml.p5e.48xlarge", "ml.p5.4xlarge", "ml.m5.xlarge"))
    known: dict[str, Any] = dict.fromkeys(fact_names(TrainingPlanFacts), ABSENT)
    known |= {
        "reserved_capacities": Present(blocks or (block(),)),
        "available_machine_count": Present(1),
        "total_machine_count": Present(4),
        "ends_at": Present(datetime(2027, 3, 1, 11, 30, tzinfo=UTC)),
        "machine_type_details": Present(tuple(one for one in types if one)),
    }
    (found,) = derive(TrainingPlanFacts(**(known | more)))
    assert isinstance(found, CapacityFacts)
    return found


def test_idle_machines_are_idle_accelerators() -> None:
    found = of()
    assert (found.accelerator_count, found.idle_accelerator_count) == (Present(32), Present(8))
    assert found.idle_percent == Present(25)


def test_the_last_half_hour_is_not_for_work() -> None:
    assert of().usable_until_at == Present(datetime(2027, 3, 1, 11, 0, tzinfo=UTC))
    assert of(ends_at=ABSENT).usable_until_at == ABSENT
    assert of(ends_at=DENIED).usable_until_at == DENIED


def test_of_machines_that_differ_nobody_tells_which_are_idle() -> None:
    found = of(block(), block("ml.p5.4xlarge", 2))
    assert found.accelerator_count == Present(34)
    assert found.idle_accelerator_count == UNKNOWN
    busy = of(block(), block("ml.p5.4xlarge", 2), available_machine_count=Present(0))
    assert busy.idle_accelerator_count == Present(0)


def test_a_type_or_a_count_that_is_not_known_is_not_guessed() -> None:
    assert of(block("ml.p99.huge")).accelerator_count == UNKNOWN
    assert of(block(count=None)).accelerator_count == NOT_TOLD


@pytest.mark.parametrize("gap", [ABSENT, DENIED])
def test_what_a_plan_lacks_its_sums_lack(gap: Any) -> None:
    assert of(reserved_capacities=gap).accelerator_count == gap
    assert of(reserved_capacities=gap).idle_accelerator_count == gap
    found = of(available_machine_count=gap)
    assert (found.idle_accelerator_count, found.idle_percent) == (gap, gap)


def test_a_plan_of_nothing_has_no_share() -> None:
    assert of(total_machine_count=Present(0)).idle_percent == ABSENT
