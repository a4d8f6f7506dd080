"""Jobs as the API takes them: each member may be left out, or be null for "there is none"."""

import unicodedata
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StrictBool, StrictInt, StringConstraints

from app.api.shapes import In, Instant
from app.domain.declared import JobDeclaration
from app.domain.jobs import (
    Capacity,
    ContainerRuntime,
    JobOrchestrator,
    JobProvider,
    JobState,
    ModelKind,
    Phase,
    Scratch,
)

Text = Annotated[str, StringConstraints(min_length=1, max_length=1_000, strip_whitespace=True)]
Count = Annotated[StrictInt, Field(ge=1, le=10**18)]


def _plain(name: str) -> str:
    """What shows as nothing, or reorders a line, would let two jobs look like one."""
    if not name.isprintable():
        raise ValueError("holds a character that cannot be seen")
    if name != name.strip():
        raise ValueError("begins or ends with a space")
    return unicodedata.normalize("NFC", name)


Name = Annotated[
    str,
    StringConstraints(min_length=1, max_length=200, pattern=r"^[^/]+$"),
    AfterValidator(_plain),
]
NONE = "none"
EVIDENCE = "A text or link that proves it; null: it is missing."


class JobPatch(In):
    """What to change of a job; members that are left out stay as they are."""

    phase: Phase | None = Field(
        default=None, description="What it does with the model.", examples=["training"]
    )
    model_kind: ModelKind | None = Field(
        default=None, description="What kind of model.", examples=["large_language_model"]
    )
    parameter_count: Count | None = Field(
        default=None, description="Parameters of the model.", examples=[7_000_000_000]
    )
    provider: JobProvider | None = Field(
        default=None, description="Whose machines it runs on.", examples=["azure"]
    )
    region: Text | None = Field(
        default=None, description="Region of its machines.", examples=["swedencentral"]
    )
    machine_type: Text | None = Field(
        default=None,
        description="VM size or instance type of its machines.",
        examples=["Standard_ND96isr_H100_v5"],
    )
    node_count: Count | None = Field(
        default=None, description="Machines it runs on at once.", examples=[4]
    )
    uses_rdma: StrictBool | None = Field(
        default=None, description="Whether its machines talk by RDMA.", examples=[True]
    )
    capacity: Capacity | None = Field(
        default=None, description="How its machines are bought.", examples=["on_demand"]
    )
    tolerates_eviction: StrictBool | None = Field(
        default=None, description="Whether it survives losing a machine.", examples=[False]
    )
    orchestrator: JobOrchestrator | Literal["none"] | None = Field(
        default=None,
        description='What places it; null or "none": people do.',
        examples=["slurm"],
    )
    command: Text | None = Field(
        default=None, description="How it is started.", examples=["sbatch train.sh"]
    )
    git_commit: Text | None = Field(
        default=None, description="Commit of the code that it runs.", examples=["9f2c1e7"]
    )
    container_image: Text | None = Field(
        default=None,
        description="Image that it runs in, with its digest.",
        examples=["registry.example.org/train@sha256:9f2c"],
    )
    container_runtime: ContainerRuntime | None = Field(
        default=None,
        description="What lends the GPUs to the container.",
        examples=["pyxis_enroot"],
    )
    gpu_driver: Text | None = Field(
        default=None, description="Version of the GPU driver.", examples=["570.86.15"]
    )
    datasets: list[Text] | None = Field(
        default=None,
        max_length=100,
        description="Names of the datasets that it reads.",
        examples=[["webtext-es-ca-gl"]],
    )
    data_location: Text | None = Field(
        default=None,
        description="Path or address it reads its data from.",
        examples=["/lustre/webtext"],
    )
    output_location: Text | None = Field(
        default=None,
        description="Path or address its results end up at.",
        examples=["https://cierzo.blob.core.windows.net/models"],
    )
    checkpoint_every_steps: Count | None = Field(
        default=None, description="Steps from one checkpoint to the next.", examples=[500]
    )
    checkpoint_location: Text | None = Field(
        default=None,
        description="Path or address of its checkpoints.",
        examples=["/lustre/checkpoints"],
    )
    scratch: Scratch | Literal["none"] | None = Field(
        default=None,
        description='The fast place that it works in; null or "none": it has none.',
        examples=["local_nvme"],
    )
    scratch_mount: Text | None = Field(
        default=None, description="Path of that place.", examples=["/mnt/nvme"]
    )
    workflow_defined: Text | None = Field(
        default=None,
        description=f"Where its steps are written down. {EVIDENCE}",
        examples=["train.sh at 9f2c1e7"],
    )
    logged: Text | None = Field(
        default=None, description=f"Where its log is. {EVIDENCE}", examples=["/lustre/logs/7b"]
    )
    prerequisites_validated: Text | None = Field(
        default=None,
        description=f"Where it is recorded that what it needs was checked before. {EVIDENCE}",
        examples=["preflight.log"],
    )
    versioned: Text | None = Field(
        default=None,
        description=f"Version of code, data and settings together. {EVIDENCE}",
        examples=["atlas-7b-v3"],
    )
    automated: Text | None = Field(
        default=None,
        description=f"What starts it without a person. {EVIDENCE}",
        examples=["cron on the head node"],
    )
    state: JobState | None = Field(
        default=None, description="Where it stands.", examples=["running"]
    )
    started_at: Instant | None = Field(default=None, description="When it began.")
    ended_at: Instant | None = Field(default=None, description="When it ended.")

    @property
    def said(self) -> dict[str, Any]:
        """What was said, None for "there is none"; what was left out is not in it."""
        names = self.model_fields_set & JobPatch.model_fields.keys()
        return {name: _none_is_null(getattr(self, name)) for name in sorted(names)}


def _none_is_null(value: Any) -> Any:  # noqa: ANN401 - members are of many types
    """The word `none` says the same as null, where a word is asked for."""
    return None if value == NONE else value


class JobIn(JobPatch):
    """A job as its owner declares it; what is left out is not known (NotDeclared)."""

    namespace: Name = Field(
        description="Whose job names these are: a team or a system.", examples=["atlas-llm"]
    )
    name: Name = Field(description="Its name in the namespace.", examples=["atlas-7b"])
    tags: dict[Text, Annotated[str, StringConstraints(max_length=1_000)]] = Field(
        default={}, max_length=50, description="Tags.", examples=[{"owner": "atlas-llm"}]
    )

    @property
    def declaration(self) -> JobDeclaration:
        """The same in the words of the domain."""
        return JobDeclaration(self.namespace, self.name, self.tags, self.said)
