"""Whether a machine is the right one for a job, and which one would be (document 001, compute).

Training of large models belongs on accelerators, over several machines with RDMA between them;
inference on accelerators without a fabric that it does not use; small models on processors, with
much memory for training and many cores for inference; and everything on the newest types.
"""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

from app.domain.azure_machine_types import azure_machine_type, known_azure_size
from app.domain.jobs import JobProvider, Phase
from app.domain.machine_prices import machine_price
from app.domain.machine_types import MachineType, ec2_type, known_machine_type

_CHOICES = Path(__file__).parent / "data" / "machine_choices.csv"
TRAINS = frozenset({Phase.TRAINING, Phase.FINE_TUNING})
INFERS = frozenset({Phase.INFERENCE, Phase.EVALUATION})
# Bytes per parameter: weights of 16 bits with a fifth for the cache; and training in mixed
# precision with Adam (weights, gradients, their copies in 32 bits and two moments).
_INFERENCE_BYTES = 2.4
_TRAINING_BYTES = 16.0
_MEMORY = {
    JobProvider.AZURE: re.compile(r"standard_[em]\w*\d"),
    JobProvider.AWS: re.compile(r"[rxuz]\d"),
}
_COMPUTE = {
    JobProvider.AZURE: re.compile(r"standard_f\w*\d"),
    JobProvider.AWS: re.compile(r"c\d"),
}
_GRAPHICS = {
    JobProvider.AZURE: re.compile(r"standard_n[vg]\w*\d"),
    JobProvider.AWS: re.compile(r"g4ad"),
}
# AWS gives most larger types one interface for RDMA; only more of them are a fabric.
_FABRIC_BEGINS = {JobProvider.AZURE: 1, JobProvider.AWS: 2}


class Misfit(StrEnum):
    """Why a machine is not the right one for a job."""

    WITHOUT_ACCELERATORS = "without_accelerators"
    WITHOUT_RDMA = "without_rdma"
    WITH_UNUSED_RDMA = "with_unused_rdma"
    FOR_GRAPHICS = "for_graphics"
    SMALL_MODEL_ON_ACCELERATORS = "small_model_on_accelerators"
    NOT_MEMORY_OPTIMISED = "not_memory_optimised"
    NOT_COMPUTE_OPTIMISED = "not_compute_optimised"
    OLDER_GENERATION = "older_generation"


@dataclass(frozen=True, slots=True)
class Work:
    """What a machine has to do. `parameter_count` None: not known."""

    phase: Phase
    is_small: bool
    node_count: int
    parameter_count: int | None
    provider: JobProvider
    region_id: str

    @property
    def least_bytes(self) -> float | None:
        """Memory of all its accelerators together that the model needs; None: not known."""
        if self.parameter_count is None:
            return None
        each = _TRAINING_BYTES if self.phase in TRAINS else _INFERENCE_BYTES
        return each * self.parameter_count / max(self.node_count, 1)


def machine_type_of(provider: JobProvider, name: str) -> MachineType | None:
    """What is known of a machine type; None when nothing is."""
    if provider is JobProvider.AZURE:
        return azure_machine_type(name)
    return known_machine_type(name) if provider is JobProvider.AWS else None


def misfits(work: Work, machine: MachineType) -> tuple[Misfit, ...] | None:
    """Why the machine is not right for the work; empty when it is; None when nobody can tell.

    Preprocessing has no rule: nothing speaks against any machine.
    """
    if work.phase in TRAINS:
        found = _of_training(work, machine)
    elif work.phase in INFERS:
        found = _of_inference(work, machine)
    else:
        return ()
    if found == () and _newer(work, machine):
        return (Misfit.OLDER_GENERATION,)
    return found


def better_type(work: Work, machine: MachineType) -> str:
    """The type that would be right instead; '' when none is known.

    Of those that fit and have as many accelerators, one that is known to be sold in the region
    comes before a newer one.
    """
    newer = _newer(work, machine)
    fitting = [newer] if newer and not _base(work, machine) else list(_fitting(work))
    alike = [name for name in fitting if _size(work, name) == _size(work, fitting[0])]
    sold = [name for name in alike if machine_price(work.provider, name, work.region_id)]
    return next(iter(sold or alike), "")


def _size(work: Work, name: str) -> float | None:
    machine = machine_type_of(work.provider, name)
    return machine.accelerator_count if machine else None


def _of_training(work: Work, machine: MachineType) -> tuple[Misfit, ...] | None:
    if machine.accelerator_count is None:
        return None
    if work.is_small:
        return _small(work, machine, _MEMORY, Misfit.NOT_MEMORY_OPTIMISED)
    found = tuple(_of_accelerators(work, machine))
    if found or work.node_count <= 1:
        return found
    if machine.rdma_interfaces is None:
        return None
    return () if machine.rdma_interfaces else (Misfit.WITHOUT_RDMA,)


def _of_inference(work: Work, machine: MachineType) -> tuple[Misfit, ...] | None:
    if machine.accelerator_count is None:
        return None
    if work.is_small:
        return _small(work, machine, _COMPUTE, Misfit.NOT_COMPUTE_OPTIMISED)
    found = tuple(_of_accelerators(work, machine))
    if found or machine.rdma_interfaces is None:
        return found or None
    if machine.rdma_interfaces < _FABRIC_BEGINS[work.provider]:
        return ()
    if work.parameter_count is None:
        return None  # a model too big for any machine without a fabric needs one that has it
    return (Misfit.WITH_UNUSED_RDMA,) if any(_fitting(work)) else ()


def _of_accelerators(work: Work, machine: MachineType) -> Iterator[Misfit]:
    if not machine.accelerator_count:
        yield Misfit.WITHOUT_ACCELERATORS
    elif _is(_GRAPHICS, work, machine):
        yield Misfit.FOR_GRAPHICS


def _small(
    work: Work,
    machine: MachineType,
    family: dict[JobProvider, re.Pattern[str]],
    otherwise: Misfit,
) -> tuple[Misfit, ...]:
    if machine.accelerator_count:
        return (Misfit.SMALL_MODEL_ON_ACCELERATORS,)
    return () if _is(family, work, machine) else (otherwise,)


def _is(families: dict[JobProvider, re.Pattern[str]], work: Work, machine: MachineType) -> bool:
    return families[work.provider].match(ec2_type(machine.id).lower()) is not None


def _base(work: Work, machine: MachineType) -> tuple[Misfit, ...] | None:
    """The misfits apart from age."""
    of_phase = _of_training if work.phase in TRAINS else _of_inference
    return of_phase(work, machine)


def _newer(work: Work, machine: MachineType) -> str:
    """A size of a newer family that fits as well; '' when none is known."""
    if work.provider is not JobProvider.AZURE:
        return ""
    known = known_azure_size(machine.id)
    newer = azure_machine_type(known.newer_size) if known and known.newer_size else None
    return newer.id if newer and _base(work, newer) == () else ""


def _fitting(work: Work) -> Iterator[str]:
    """The recommended types for the work, the smallest or newest first, that hold the model."""
    for name in _choices().get((work.provider, _kind_of(work)), ()):
        machine = machine_type_of(work.provider, name)
        if machine and (work.is_small or _holds(machine, work.least_bytes)):
            yield name


def _kind_of(work: Work) -> str:
    verb = "training" if work.phase in TRAINS else "inference"
    if work.is_small:
        return f"small_{verb}"
    return "cluster_training" if verb == "training" and work.node_count > 1 else verb


def _holds(machine: MachineType, least_bytes: float | None) -> bool:
    if least_bytes is None:
        return True
    each, count = machine.accelerator_memory_bytes, machine.accelerator_count
    return bool(each and count and each * count >= least_bytes)


@cache
def _choices() -> dict[tuple[str, str], tuple[str, ...]]:
    """Types by provider and work, in the order of preference."""
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    with _CHOICES.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            key = row["provider"], row["work"]
            found[key] = (*found.get(key, ()), row["machine_type"])
    return found
