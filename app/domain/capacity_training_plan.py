"""What follows from a training plan, in the words that hold for any reserved capacity."""

from collections.abc import Mapping, Sequence

from app.domain.cluster_groups import NOT_TOLD, UNKNOWN_TYPE, accelerators, total
from app.domain.ec2_capacity import TERMINATION_BEGINS, CapacityFacts
from app.domain.fact_sums import mapped
from app.domain.facts import ABSENT, Fact, Present, Unreadable
from app.domain.machine_types import MachineType, ec2_type
from app.domain.training_plan import ReservedCapacity, TrainingPlanFacts

Types = Mapping[str, MachineType]


def training_plan_capacity(plan: TrainingPlanFacts) -> CapacityFacts:
    """The derived facts of one plan.

    SageMaker begins to take its machines away half an hour before the end, as EC2 does
    (SageMaker developer guide, training plans for training jobs).
    """
    known = plan.machine_type_details
    types = {one.id: one for one in known.value} if isinstance(known, Present) else {}
    return CapacityFacts(
        usable_until_at=mapped(plan.ends_at, lambda end: end - TERMINATION_BEGINS),
        accelerator_count=_reserved(plan.reserved_capacities, types),
        idle_accelerator_count=_idle(plan, types),
        idle_percent=_idle_percent(plan.available_machine_count, plan.total_machine_count),
    )


def _reserved(blocks: Fact[tuple[ReservedCapacity, ...]], types: Types) -> Fact[float]:
    if not isinstance(blocks, Present):
        return blocks
    if any(block.machine_count is None for block in blocks.value):
        return Unreadable(NOT_TOLD)
    parts = (
        accelerators(block.machine_count, _per_machine(block, types)) for block in blocks.value
    )
    return total(parts, UNKNOWN_TYPE)


def _idle(plan: TrainingPlanFacts, types: Types) -> Fact[float]:
    """Of a plan with machines that differ nobody tells which ones are idle."""
    idle, blocks = plan.available_machine_count, plan.reserved_capacities
    if not isinstance(idle, Present):
        return idle
    if not isinstance(blocks, Present):
        return blocks
    found = accelerators(idle.value, _alike(blocks.value, types))
    return Unreadable(UNKNOWN_TYPE) if found is None else Present(float(found))


def _alike(blocks: Sequence[ReservedCapacity], types: Types) -> float | None:
    """Accelerators of one machine where all of them have as many."""
    counts = {_per_machine(block, types) for block in blocks}
    return counts.pop() if len(counts) == 1 else None


def _per_machine(block: ReservedCapacity, types: Types) -> float | None:
    found = types.get(ec2_type(block.machine_type))
    return found.accelerator_count if found else None


def _idle_percent(idle: Fact[int], all_: Fact[int]) -> Fact[float]:
    for one in (idle, all_):
        if isinstance(one, Unreadable):
            return one
    if isinstance(idle, Present) and isinstance(all_, Present) and all_.value:
        return Present(100 * idle.value / all_.value)
    return ABSENT
