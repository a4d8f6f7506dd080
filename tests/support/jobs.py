"""Declared jobs for tests: each fact can be said, said to be none, or left out."""

from dataclasses import fields
from typing import Any

from app.domain.facts import ABSENT, Present, Unreadable
from app.domain.jobs import (
    NOT_DECLARED,
    Capacity,
    JobFacts,
    JobOrchestrator,
    JobProvider,
    ModelKind,
    Phase,
    Scratch,
)

TRAINING = {
    "phase": Phase.TRAINING,
    "model_kind": ModelKind.LARGE_LANGUAGE_MODEL,
    "parameter_count": 7_000_000_000,
    "provider": JobProvider.AZURE,
    "region": "eastus",
    "machine_type": "Standard_ND96isr_H200_v5",
    "node_count": 4,
    "capacity": Capacity.ON_DEMAND,
    "orchestrator": JobOrchestrator.SLURM,
    "scratch": Scratch.LOCAL_NVME,
    "scratch_mount": "/mnt/nvme",
}


def job(**said: Any) -> JobFacts:
    """A job of which only this is said; None: said to have none."""
    names = {one.name for one in fields(JobFacts)}
    assert said.keys() <= names
    silent = dict.fromkeys(names, Unreadable(NOT_DECLARED))
    spoken = {name: ABSENT if value is None else Present(value) for name, value in said.items()}
    return JobFacts(**(silent | spoken))


def training(**said: Any) -> JobFacts:
    """Training of a language model on four machines of Azure, or what differs from that."""
    return job(**(TRAINING | said))
