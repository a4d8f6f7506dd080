"""Sums over the machine groups of a cluster: one way for every system that has such groups."""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeVar

from app.domain.cluster import ClusterFacts, MachineGroup
from app.domain.facts import Fact, Present, Unreadable
from app.domain.health import healthy, troubled
from app.domain.machine_types import MachineType

T = TypeVar("T")
N = TypeVar("N", int, float)


class HasName(Protocol):
    """Whatever has a name."""

    @property
    def name(self) -> str:
        """The name."""


Named = TypeVar("Named", bound=HasName)

# The codes of what cannot be summed: a type that neither the provider nor our table tells of, and
# a member of the answer that the provider left out.
UNKNOWN_TYPE = "UnknownMachineType"
NOT_TOLD = "NotTold"
UNKNOWN_CAPACITY = "unknown"
# HyperPod: InstanceGroupStatus. EKS: NodegroupStatus. Azure: provisioning states of agent pools,
# allocation states of pools of Batch and of compute clusters, states of compute instances.
_STATES = {
    "good": ("inservice", "active", "succeeded", "stopped", "steady", "running", "jobrunning"),
    "bad": (
        "degraded", "failed", "create_failed", "delete_failed", "createfailed", "setupfailed",
        "usersetupfailed", "unusable",
    ),
    "passing": (
        "creating", "updating", "systemupdating", "upgrading", "scaling", "resizing", "migrating",
        "starting", "stopping", "restarting", "settingup", "usersettingup", "deleting",
    ),
}  # fmt: skip


def cluster_facts(
    orchestrator: Fact[str], groups: Fact[tuple[MachineGroup, ...]], read: str = NOT_TOLD
) -> ClusterFacts:
    """The derived facts of a cluster. Groups that could not be read leave all others unread.

    So does one group that could not be read: it says why by its code.

    A sum is known only when each of its parts is. What is below target or unhealthy is known as
    soon as one group is; that there is none, only when every group said so, which none does
    while it changes. `read` is the code for what would follow from groups of which nothing is
    told.
    """
    if not isinstance(groups, Present):
        return _unread(
            orchestrator, groups, groups.code if isinstance(groups, Unreadable) else read
        )
    found = groups.value
    code = next((group.code for group in found if group.code), "")
    if code:
        return _unread(orchestrator, groups, code)
    return ClusterFacts(
        orchestrator=orchestrator,
        machine_groups=groups,
        machine_types=_types(found),
        machine_count=total((group.current_count for group in found), NOT_TOLD),
        machine_target_count=total((group.target_count for group in found), NOT_TOLD),
        accelerator_count=_accelerators(found, lambda group: group.current_count),
        accelerator_target_count=_accelerators(found, lambda group: group.target_count),
        accelerator_models=_models(found),
        capacities=_capacities(found),
        groups_below_target=named(found, _is_below_target),
        groups_unhealthy=troubled((group.name, group_health(group.status)) for group in found),
        groups_with_rdma=_with_rdma(found),
    )


def _unread(
    orchestrator: Fact[str], groups: Fact[tuple[MachineGroup, ...]], code: str
) -> ClusterFacts:
    return ClusterFacts(orchestrator, groups, *[Unreadable(code)] * 10)


def types_of(group: MachineGroup) -> tuple[str, ...]:
    """The types that its machines may have."""
    return (group.machine_type,) if group.machine_type else group.machine_types


def total(parts: Iterable[N | None], code: str) -> Fact[N]:
    """The sum; unreadable by `code` when a part is not known."""
    found = list(parts)
    known = [part for part in found if part is not None]
    return Present(sum(known)) if len(known) == len(found) else Unreadable(code)


def named(groups: Sequence[Named], holds: Callable[[Named], bool | None]) -> Fact[tuple[str, ...]]:
    """The names of the groups for which it holds; None is "not told"."""
    answers = [(group.name, holds(group)) for group in groups]
    found = tuple(name for name, answer in answers if answer)
    if not found and any(answer is None for _, answer in answers):
        return Unreadable(NOT_TOLD)
    return Present(found)


def group_health(status: str) -> Fact[bool]:
    """Whether a group is well by its state; '' is a state that was not told."""
    return healthy(Present(status), **_STATES) if status else Unreadable(NOT_TOLD)


def alike(types: Sequence[MachineType | None]) -> MachineType | None:
    """The type that stands for all; None when one is not known, or they differ in what counts."""
    known = [one for one in types if one]
    same = {(one.accelerator_model, one.accelerator_count, one.rdma_interfaces) for one in known}
    return known[0] if len(known) == len(types) and len(same) == 1 else None


def accelerators(machines: int | None, of_one: float | None) -> float | None:
    """Accelerators of so many machines; no machines have none, whatever their type is."""
    if machines == 0:
        return 0
    return None if machines is None or of_one is None else machines * of_one


def _accelerators(
    groups: Sequence[MachineGroup], count: Callable[[MachineGroup], int | None]
) -> Fact[float]:
    if any(count(group) is None for group in groups):
        return Unreadable(NOT_TOLD)
    parts = [accelerators(count(group), group.accelerator_count) for group in groups]
    unknown = [group for group, part in zip(groups, parts, strict=True) if part is None]
    return total(parts, _why_unknown(unknown))


def _types(groups: Sequence[MachineGroup]) -> Fact[tuple[str, ...]]:
    if not all(map(types_of, groups)):
        return Unreadable(NOT_TOLD)
    return Present(_distinct(name for group in groups for name in types_of(group)))


def _why_unknown(groups: Iterable[MachineGroup]) -> str:
    """The code for groups whose machines are not known: nobody knows their type, or nobody told
    which one it is.
    """
    return UNKNOWN_TYPE if all(group.machine_type for group in groups) else NOT_TOLD


def _models(groups: Sequence[MachineGroup]) -> Fact[tuple[str, ...]]:
    unknown = [group for group in groups if group.accelerator_kind is None]
    if unknown:
        return Unreadable(_why_unknown(unknown))
    return Present(_distinct(group.accelerator_model for group in groups))


def _capacities(groups: Sequence[MachineGroup]) -> Fact[tuple[str, ...]]:
    if any(group.capacity == UNKNOWN_CAPACITY for group in groups):
        return Unreadable(NOT_TOLD)
    return Present(_distinct(group.capacity for group in groups))


def _with_rdma(groups: Sequence[MachineGroup]) -> Fact[tuple[str, ...]]:
    unknown = [group for group in groups if group.rdma_interfaces is None]
    if unknown:
        return Unreadable(_why_unknown(unknown))
    return Present(tuple(group.name for group in groups if group.rdma_interfaces))


def _is_below_target(group: MachineGroup) -> bool | None:
    if group.current_count is None or group.target_count is None:
        return None
    return group.current_count < group.target_count


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({name for name in names if name}))
