"""Jobs that people declare: what a run is for, on which machines, with which data, and how."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import ClassVar

from app.domain.facts import Fact, FactDocument, fact

# The job's owner said nothing of it: neither a value nor that there is none.
NOT_DECLARED = "NotDeclared"
_DECLARED = "declared"


class Phase(StrEnum):
    """What a job does with a model."""

    TRAINING = "training"
    FINE_TUNING = "fine_tuning"
    INFERENCE = "inference"
    EVALUATION = "evaluation"
    PREPROCESSING = "preprocessing"


class ModelKind(StrEnum):
    """What kind of model; `classical`: trees, regressions and the like, without a network."""

    LARGE_LANGUAGE_MODEL = "large_language_model"
    MULTIMODAL = "multimodal"
    VISION = "vision"
    SPEECH = "speech"
    EMBEDDING = "embedding"
    CLASSICAL = "classical"


class JobProvider(StrEnum):
    """Whose machines it runs on; `other`: neither of the clouds that are known here."""

    AWS = "aws"
    AZURE = "azure"
    OTHER = "other"


class Capacity(StrEnum):
    """How its machines are bought, in the words of clusters."""

    ON_DEMAND = "on_demand"
    SPOT = "spot"
    LOW_PRIORITY = "low_priority"
    CAPACITY_BLOCK = "capacity_block"
    TRAINING_PLAN = "training_plan"


class JobOrchestrator(StrEnum):
    """What places its work; a job without one is run by hand."""

    SLURM = "slurm"
    GRID_ENGINE = "grid_engine"
    PBS = "pbs"
    BATCH = "batch"
    AKS = "aks"
    EKS = "eks"
    KUBERNETES = "kubernetes"
    AZURE_ML = "azure_ml"
    SAGEMAKER = "sagemaker"


class ContainerRuntime(StrEnum):
    """What lends the GPUs to its container."""

    NVIDIA_CONTAINER_TOOLKIT = "nvidia_container_toolkit"
    PYXIS_ENROOT = "pyxis_enroot"
    OTHER = "other"


class Scratch(StrEnum):
    """The fast place that it works in. The first two are gone when the job ends."""

    LOCAL_NVME = "local_nvme"
    BEEOND = "beeond"
    LUSTRE = "lustre"
    NETAPP = "netapp"


class JobState(StrEnum):
    """Where it stands."""

    PLANNED = "planned"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"


ENDED = frozenset({JobState.SUCCEEDED, JobState.FAILED, JobState.CANCELLED})
# The five practices of orchestrating by hand (document 001). Their facts hold the evidence.
PRACTICES = (
    "workflow_defined",
    "logged",
    "prerequisites_validated",
    "versioned",
    "automated",
)


@dataclass(frozen=True, slots=True)
class JobFacts(FactDocument):
    """A job as its owner declared it. Absent: said to have none; NotDeclared: nothing was said."""

    KIND: ClassVar[str] = "job"
    AREA: ClassVar[str] = "jobs"

    phase: Fact[Phase] = fact("What it does with the model.", _DECLARED)
    model_kind: Fact[ModelKind] = fact("What kind of model.", _DECLARED)
    parameter_count: Fact[int] = fact("Parameters of the model.", _DECLARED)
    provider: Fact[JobProvider] = fact("Whose machines it runs on.", _DECLARED)
    region: Fact[str] = fact("Region of its machines.", _DECLARED)
    machine_type: Fact[str] = fact("VM size or instance type of its machines.", _DECLARED)
    node_count: Fact[int] = fact("Machines it runs on at once.", _DECLARED)
    uses_rdma: Fact[bool] = fact("Whether its machines talk by RDMA (InfiniBand, EFA).", _DECLARED)
    capacity: Fact[Capacity] = fact("How its machines are bought.", _DECLARED)
    tolerates_eviction: Fact[bool] = fact("Whether it survives losing a machine.", _DECLARED)
    orchestrator: Fact[JobOrchestrator] = fact("What places it; absent: people do.", _DECLARED)
    command: Fact[str] = fact("How it is started.", _DECLARED)
    git_commit: Fact[str] = fact("Commit of the code that it runs.", _DECLARED)
    container_image: Fact[str] = fact("Image that it runs in, with its digest.", _DECLARED)
    container_runtime: Fact[ContainerRuntime] = fact(
        "What lends the GPUs to the container.", _DECLARED
    )
    gpu_driver: Fact[str] = fact("Version of the GPU driver.", _DECLARED)
    datasets: Fact[tuple[str, ...]] = fact("Names of the datasets that it reads.", _DECLARED)
    data_location: Fact[str] = fact("Path or address it reads its data from.", _DECLARED)
    output_location: Fact[str] = fact("Path or address its results end up at.", _DECLARED)
    checkpoint_every_steps: Fact[int] = fact("Steps from one checkpoint to the next.", _DECLARED)
    checkpoint_location: Fact[str] = fact("Path or address of its checkpoints.", _DECLARED)
    scratch: Fact[Scratch] = fact("The fast place that it works in.", _DECLARED)
    scratch_mount: Fact[str] = fact("Path of that place.", _DECLARED)
    workflow_defined: Fact[str] = fact("Where its steps are written down.", _DECLARED)
    logged: Fact[str] = fact("Where its log is.", _DECLARED)
    prerequisites_validated: Fact[str] = fact(
        "Where it is recorded that what it needs was checked before.", _DECLARED
    )
    versioned: Fact[str] = fact("Version of code, data and settings together.", _DECLARED)
    automated: Fact[str] = fact("What starts it without a person.", _DECLARED)
    state: Fact[JobState] = fact("Where it stands.", _DECLARED)
    started_at: Fact[datetime] = fact("When it began.", _DECLARED)
    ended_at: Fact[datetime] = fact("When it ended.", _DECLARED)
    declared_by: Fact[str] = fact("Who said all this.", _DECLARED)
