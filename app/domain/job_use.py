"""What follows from a declared job: whether its machines are right, and where its bytes go."""

import re
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any, ClassVar

from app.domain.fact_sums import first_unreadable, mapped, present_or_absent
from app.domain.facts import ABSENT, Absent, Fact, FactDocument, Present, Unreadable, fact
from app.domain.jobs import (
    NOT_DECLARED,
    PRACTICES,
    Capacity,
    JobFacts,
    ModelKind,
    Phase,
    Scratch,
)
from app.domain.machine_fit import Misfit, Work, better_type, machine_type_of, misfits
from app.domain.machine_prices import MachinePrice, machine_price
from app.domain.machine_types import MachineType

UNKNOWN_TYPE = "UnknownMachineType"
# A model with fewer parameters runs as well on processors. Document 001 names no number.
SMALL_BELOW = 100_000_000
VOLATILE = frozenset({Scratch.LOCAL_NVME, Scratch.BEEOND})
_OBJECTS = re.compile(
    r"(s3a?|gs|az|abfss?|wasbs?|azureml)://|https?://[^/]*\.(blob|dfs)\.core\.|"
    r"https?://([^/]+\.)?s3[.-]",
    re.IGNORECASE,
)
_FILES = re.compile(r"(/|nfs://|lustre://|[\w.,:-]+@(tcp|o2ib)\d*:|[\w.-]+:/)", re.IGNORECASE)


class Fit(StrEnum):
    """How a machine fits its job; `older`: a newer family does the same."""

    RIGHT = "right"
    OLDER = "older"
    WRONG = "wrong"


class Store(StrEnum):
    """What holds bytes; `scratch` is gone with the job."""

    OBJECT_STORE = "object_store"
    FILE_SYSTEM = "file_system"
    SCRATCH = "scratch"


@dataclass(frozen=True, slots=True)
class JobUseFacts(FactDocument):
    """Derived facts of a job. Prices are list prices of one machine and hour, on demand."""

    KIND: ClassVar[str] = "job_use"

    machine_fit: Fact[Fit] = fact(
        "Whether its machines are right for phase, model and interconnect; absent: no rule.",
        "derived",
    )
    machine_misfits: Fact[tuple[Misfit, ...]] = fact("What is wrong with them.", "derived")
    better_machine_type: Fact[str] = fact(
        "The type that would be right instead; absent when its own is, or none is known.", "derived"
    )
    machine_price_per_hour: Fact[float] = fact("List price of its machine.", "derived")
    better_price_per_hour: Fact[float] = fact("List price of the better type.", "derived")
    price_difference_per_hour: Fact[float] = fact(
        "What the better type costs more; below 0: less.", "derived"
    )
    price_currency: Fact[str] = fact("Currency of these prices (ISO 4217).", "derived")
    price_source: Fact[str] = fact("Whose price list it is, and of when.", "derived")
    accelerator_kind: Fact[str] = fact("gpu, neuron or empty for none, of its machines.", "derived")
    accelerator_count: Fact[float] = fact("Accelerators of one of its machines.", "derived")
    rdma_interfaces: Fact[int] = fact("RDMA interfaces of one of its machines.", "derived")
    practices_missing: Fact[tuple[str, ...]] = fact(
        "Of the five practices of running a job by hand, those that it lacks.", "derived"
    )
    data_store: Fact[Store] = fact("What it reads its data from.", "derived")
    checkpoint_store: Fact[Store] = fact("What holds its checkpoints.", "derived")
    output_store: Fact[Store] = fact("What its results end up in.", "derived")
    scratch_is_volatile: Fact[bool] = fact("Whether its scratch is gone when it ends.", "derived")


def job_use(job: JobFacts) -> JobUseFacts:
    """The derived facts of one job. What an input leaves open stays unreadable (NotDeclared)."""
    return JobUseFacts(
        **_machine(job),
        practices_missing=_practices(job),
        data_store=_store(job, job.data_location),
        checkpoint_store=_store(job, job.checkpoint_location),
        output_store=_store(job, job.output_location),
        scratch_is_volatile=_is_volatile(job.scratch),
    )


def _machine(job: JobFacts) -> dict[str, Fact[Any]]:
    machine, work = _machine_type(job), _work(job)
    found = _misfits(work, machine)
    better = _better(work, machine, found)
    return {
        "machine_fit": mapped(found, _fit),
        "machine_misfits": found,
        "better_machine_type": better,
        **_prices(job, better),
        "accelerator_kind": _told(machine, lambda one: one.accelerator_kind),
        "accelerator_count": _told(machine, lambda one: one.accelerator_count),
        "rdma_interfaces": _told(machine, lambda one: one.rdma_interfaces),
    }


def _machine_type(job: JobFacts) -> Fact[MachineType]:
    if gap := first_unreadable(job.provider, job.machine_type):
        return gap
    if not (isinstance(job.provider, Present) and isinstance(job.machine_type, Present)):
        return ABSENT
    found = machine_type_of(job.provider.value, job.machine_type.value)
    return Unreadable(UNKNOWN_TYPE) if found is None else Present(found)


def _told(machine: Fact[MachineType], read: Any) -> Fact[Any]:  # noqa: ANN401 - of many types
    if not isinstance(machine, Present):
        return machine
    value = read(machine.value)
    return Unreadable(UNKNOWN_TYPE) if value is None else Present(value)


def _work(job: JobFacts) -> Fact[Work]:
    """What its machines have to do; absent for a phase that no rule speaks of."""
    if job.phase == Present(Phase.PREPROCESSING):
        return ABSENT
    small = _is_small(job)
    if gap := first_unreadable(job.phase, job.node_count, job.provider, small):
        return gap
    if not (
        isinstance(job.phase, Present)
        and isinstance(job.node_count, Present)
        and isinstance(job.provider, Present)
        and isinstance(small, Present)
    ):
        return ABSENT
    return Present(
        Work(
            phase=job.phase.value,
            is_small=small.value,
            node_count=job.node_count.value,
            parameter_count=_value(job.parameter_count),
            provider=job.provider.value,
            region_id=_value(job.region) or "",
        )
    )


def _is_small(job: JobFacts) -> Fact[bool]:
    if job.model_kind == Present(ModelKind.CLASSICAL):
        return Present(True)
    if job.model_kind == Present(ModelKind.LARGE_LANGUAGE_MODEL):
        return Present(False)
    if isinstance(job.parameter_count, Absent):
        return Unreadable(NOT_DECLARED)
    return mapped(job.parameter_count, lambda count: count < SMALL_BELOW)


def _misfits(work: Fact[Work], machine: Fact[MachineType]) -> Fact[tuple[Misfit, ...]]:
    if isinstance(work, Absent) or isinstance(machine, Absent):
        return ABSENT
    if isinstance(work, Unreadable):
        return work
    if isinstance(machine, Unreadable):
        return machine
    found = misfits(work.value, machine.value)
    return Unreadable(NOT_DECLARED) if found is None else Present(found)


def _fit(found: tuple[Misfit, ...]) -> Fit:
    if found == (Misfit.OLDER_GENERATION,):
        return Fit.OLDER
    return Fit.WRONG if found else Fit.RIGHT


def _better(
    work: Fact[Work], machine: Fact[MachineType], found: Fact[tuple[Misfit, ...]]
) -> Fact[str]:
    if not isinstance(found, Present):
        return found
    if found.value and isinstance(work, Present) and isinstance(machine, Present):
        return present_or_absent(better_type(work.value, machine.value) or None)
    return ABSENT


def _prices(job: JobFacts, better: Fact[str]) -> dict[str, Fact[Any]]:
    """Of spot machines nothing is said: their price is one of the moment."""
    now, other = _price(job, job.machine_type), _price(job, better)
    known = now if isinstance(now, Present) else other
    return {
        "machine_price_per_hour": mapped(now, _hourly),
        "better_price_per_hour": mapped(other, _hourly),
        "price_difference_per_hour": _difference(now, other),
        "price_currency": mapped(known, lambda price: price.currency),
        "price_source": mapped(known, lambda price: price.source),
    }


def _price(job: JobFacts, machine_type: Fact[str]) -> Fact[MachinePrice]:
    if job.capacity in (Present(Capacity.SPOT), Present(Capacity.LOW_PRIORITY)):
        return Unreadable("SpotPrice")
    if gap := first_unreadable(machine_type, job.provider, job.region):
        return gap
    if not (isinstance(job.provider, Present) and isinstance(machine_type, Present)):
        return ABSENT
    if not isinstance(job.region, Present):
        return ABSENT
    found = machine_price(job.provider.value, machine_type.value, job.region.value)
    return Unreadable("PriceNotKnown") if found is None else Present(found)


def _hourly(price: MachinePrice) -> float:
    return float(price.per_hour)


def _difference(now: Fact[MachinePrice], other: Fact[MachinePrice]) -> Fact[float]:
    if isinstance(other, Absent):
        return ABSENT
    if gap := first_unreadable(now, other):
        return gap
    if not (isinstance(now, Present) and isinstance(other, Present)):
        return ABSENT
    if now.value.currency != other.value.currency:
        return Unreadable("CurrenciesDiffer")
    return Present(float((other.value.per_hour - now.value.per_hour).quantize(Decimal("0.0001"))))


def _practices(job: JobFacts) -> Fact[tuple[str, ...]]:
    """Known as soon as all five were spoken of; one that is missing is enough for a list."""
    said = {name: getattr(job, name) for name in PRACTICES}
    missing = tuple(name for name, one in said.items() if isinstance(one, Absent))
    return (not missing and first_unreadable(*said.values())) or Present(missing)


def _is_volatile(scratch: Fact[Scratch]) -> Fact[bool]:
    if isinstance(scratch, Absent):
        return Present(False)
    return mapped(scratch, lambda kind: kind in VOLATILE)


def _store(job: JobFacts, location: Fact[str]) -> Fact[Store]:
    """By the form of the address. A path may lie on the scratch, if there is one."""
    if not isinstance(location, Present):
        return location
    place = location.value.strip()
    if _OBJECTS.match(place):
        return Present(Store.OBJECT_STORE)
    if not _FILES.match(place):
        return Unreadable("UnknownAddress")
    return _of_path(job, place) if place.startswith("/") else Present(Store.FILE_SYSTEM)


def _of_path(job: JobFacts, path: str) -> Fact[Store]:
    volatile = _is_volatile(job.scratch)
    if volatile != Present(True):
        return mapped(volatile, lambda _: Store.FILE_SYSTEM)
    if not isinstance(job.scratch_mount, Present):
        return Unreadable(NOT_DECLARED)
    mount = job.scratch_mount.value.rstrip("/")
    inside = path == mount or path.startswith(f"{mount}/")
    return Present(Store.SCRATCH if inside else Store.FILE_SYSTEM)


def _value(found: Fact[Any]) -> Any:  # noqa: ANN401 - of many types
    return found.value if isinstance(found, Present) else None
