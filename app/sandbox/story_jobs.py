"""Jobs that people of the company run and declare: no cloud tells of them, the ready file does."""

from dataclasses import dataclass
from typing import Any

from app.sandbox.story import CT_THORAX, EVAL_SUITE, SPEECH, SWC, WEBTEXT

_SCUS = "southcentralus"


@dataclass(frozen=True, slots=True)
class Job:
    """One job as its owner declares it; None in `said`: there is none."""

    namespace: str
    name: str
    region: str
    case: str
    said: dict[str, Any]

    def document(self) -> dict[str, Any]:
        """What the ready file tells of it."""
        tags = {"owner": self.namespace}
        return {"namespace": self.namespace, "name": self.name, "tags": tags, "said": self.said}


_IMAGE = "registry.cierzo.example/train@sha256:" + "9f" * 32
_PRETRAINING = {
    "phase": "training",
    "model_kind": "large_language_model",
    "parameter_count": 7_000_000_000,
    "provider": "azure",
    "region": SWC,
    "machine_type": "Standard_ND96isr_H100_v5",
    "node_count": 4,
    "uses_rdma": True,
    "capacity": "on_demand",
    "orchestrator": "slurm",
    "command": "sbatch pretrain.sh",
    "git_commit": "4c1d9e2",
    "container_image": _IMAGE,
    "container_runtime": "pyxis_enroot",
    "gpu_driver": "570.86.15",
    "datasets": [WEBTEXT.name],
    "data_location": "/amlfs-swc-01/webtext",
    "checkpoint_every_steps": 500,
    "checkpoint_location": "/amlfs-swc-01/checkpoints/atlas-7b",
    "scratch": "local_nvme",
    "scratch_mount": "/mnt/nvme",
    "output_location": "https://stckptgzrsweu.blob.core.windows.net/atlas-7b",
    "state": "running",
    "started_at": "2026-11-24T07:00:00+00:00",
}
_BY_HAND = {
    "phase": "training",
    "model_kind": "vision",
    "parameter_count": 300_000_000,
    "provider": "azure",
    "region": _SCUS,
    "machine_type": "Standard_NC80adis_H100_v5",
    "node_count": 2,
    "uses_rdma": None,
    "capacity": "spot",
    "tolerates_eviction": False,
    "orchestrator": None,
    "command": "parallel-ssh -h hosts ./train.sh",
    "container_image": None,
    "container_runtime": None,
    "gpu_driver": "550.54.15",
    "datasets": [CT_THORAX.name],
    "data_location": "abfss://scans@stlabsscus.dfs.core.windows.net/",
    "checkpoint_every_steps": 5_000,
    "checkpoint_location": "abfss://models@stlabsscus.dfs.core.windows.net/ckpt",
    "scratch": "beeond",
    "scratch_mount": "/mnt/beeond",
    "output_location": "/mnt/beeond/out",
    "workflow_defined": "train.sh in the home folder of its owner",
    "logged": "train.log beside it",
    "prerequisites_validated": None,
    "versioned": None,
    "automated": None,
    "state": "failed",
    "started_at": "2026-11-27T18:00:00+00:00",
    "ended_at": "2026-11-28T03:12:00+00:00",
}
_SERVING = {
    "phase": "inference",
    "model_kind": "speech",
    "parameter_count": 1_500_000_000,
    "provider": "azure",
    "region": _SCUS,
    "machine_type": "Standard_ND96amsr_A100_v4",
    "node_count": 1,
    "uses_rdma": True,
    "capacity": "on_demand",
    "orchestrator": "aks",
    "container_image": _IMAGE,
    "container_runtime": "nvidia_container_toolkit",
    "gpu_driver": "550.54.15",
    "datasets": [SPEECH.name],
    "scratch": None,
    "state": "running",
}
_SMALL = {
    "phase": "training",
    "model_kind": "classical",
    "parameter_count": None,
    "provider": "azure",
    "region": _SCUS,
    "machine_type": "Standard_NC6s_v3",
    "node_count": 1,
    "capacity": "on_demand",
    "orchestrator": "batch",
    "container_image": _IMAGE,
    "container_runtime": "nvidia_container_toolkit",
    "gpu_driver": "550.54.15",
    "data_location": "/anf/triage/tables",
    "scratch": None,
    "state": "succeeded",
}

JOBS = (
    Job(
        "atlas-llm",
        "atlas-7b-pretraining",
        SWC,
        "declared; four ND machines with RDMA under Slurm, checkpoints every 500 steps on Lustre",
        _PRETRAINING,
    ),
    Job(
        "radiology",
        "ct-thorax-segmentation",
        _SCUS,
        "declared; run by hand on Spot machines without RDMA; results stay on BeeOND",
        _BY_HAND,
    ),
    Job(
        "speech",
        "asr-castellano-serving",
        _SCUS,
        "declared; inference on eight accelerators with RDMA, where one without it would do",
        _SERVING,
    ),
    Job(
        "radiology",
        "triage-classifier",
        _SCUS,
        "declared; a classical model on a GPU of a family that Azure retired",
        _SMALL,
    ),
    Job(
        "platform",
        "eval-suite-nightly",
        "not declared",
        "declared; its owner says what it is for and nothing else",
        {"phase": "evaluation", "datasets": [EVAL_SUITE.name]},
    ),
)
