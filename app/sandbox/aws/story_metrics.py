"""What the company's CloudWatch holds: use of GPUs, free space of Lustre, sizes of buckets."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from app.sandbox.aws.answers import Answerer, Json, Question, one_of
from app.sandbox.aws.story_cases import BUCKETS as CASES
from app.sandbox.aws.story_datasets import BUCKETS as DATASETS
from app.sandbox.story import AWS_RESEARCH, AWS_TRAINING, FRA, PDX, AwsAccount, mixed

DAY = 86_400
TIB, GIB = 2**40, 2**30
EKS_CLUSTER = "hyperpod-eks"


def _node_of(group: str, number: int) -> str:
    """The id of a node of HyperPod; its story makes the same."""
    return f"i-0{mixed(f'hyperpod-usw2 {group} {number}'):016x}"


BUSY_NODES = (_node_of("train", 0), _node_of("train", 1))
IDLE_NODE = _node_of("train", 2)
# Its agent tells of the node as a whole only.
OLD_NODE = _node_of("finetune", 0)
_NOTEBOOK_NAME = "forgotten-notebook"
NOTEBOOK = f"i-0{mixed(_NOTEBOOK_NAME):08x}{mixed(_NOTEBOOK_NAME[::-1]):08x}"
LUSTRE = "fs-0c1e72000000000a1"
BUSY_JOB, MIXED_JOB = "atlas-rx-finetune", "atlas-ablation"
_MACHINE, _JOB_MACHINE = "ml.p5e.48xlarge", "ml.p5.48xlarge"


@dataclass(frozen=True, slots=True)
class Measured:
    """One metric: values between `low` and `high`, growing by `growth` a day since 2026.

    `every_seconds`: it has no finer points. `last_at`: it has none from then on.
    """

    account: AwsAccount
    region: str
    namespace: str
    name: str
    dimensions: tuple[tuple[str, str], ...]
    low: float
    high: float
    growth: float = 0
    every_seconds: int = 60
    last_at: int = 2**40
    in_halves: bool = False

    def value(self, at: int) -> float | None:
        """The value of the period that starts at a second; None: no data."""
        if at % self.every_seconds or at >= self.last_at:
            return None
        share = mixed(f"{self.name} {self.dimensions} {at}") / 2**32
        days = max(0, at - _NEW_YEAR) // DAY
        return round((self.low + (self.high - self.low) * share) * (1 + self.growth * days), 3)


_NEW_YEAR = 1_767_225_600  # 2026-01-01
_EMPTIED_AT = 1_764_547_200  # 2025-12-01: listed still, and without data
_GPU_METRICS = ("node_gpu_utilization", "node_gpu_tensor_core_utilization")


def _node(instance_id: str, low: float, high: float, *, gpus: int = 8) -> Iterator[Measured]:
    """A node of the cluster under its sets of dimensions; without `gpus` only as a whole."""
    node = {
        "ClusterName": EKS_CLUSTER,
        "InstanceId": instance_id,
        "NodeName": f"hyperpod-{instance_id}",
    }
    devices = [
        {**node, "GpuDevice": f"nvidia{number}", "InstanceType": _MACHINE} for number in range(gpus)
    ]
    for words in (node, *devices):
        for name, share in zip(_GPU_METRICS, (1, 0.6), strict=True):
            halves = instance_id == BUSY_NODES[1] and words.get("GpuDevice") == "nvidia7"
            yield _gpu(name, words, low * share, high * share, in_halves=halves)
        yield _gpu("node_gpu_memory_used", words, 70 * GIB * high / 100, 70 * GIB)


def _gpu(
    name: str, words: dict[str, str], low: float, high: float, *, in_halves: bool = False
) -> Measured:
    where = (AWS_TRAINING, PDX, "ContainerInsights")
    return Measured(*where, name, tuple(words.items()), low, high, in_halves=in_halves)


def _cluster() -> Iterator[Measured]:
    for name in _GPU_METRICS:
        yield _gpu(name, {"ClusterName": EKS_CLUSTER}, 40, 50)


def _notebook() -> Iterator[Measured]:
    where = (AWS_RESEARCH, FRA, "CWAgent", "nvidia_smi_utilization_gpu")
    machine = (("InstanceId", NOTEBOOK), ("InstanceType", "g5.12xlarge"))
    for number in range(4):
        gpu = (("arch", "Ampere"), ("index", str(number)), ("name", "NVIDIA A10G"))
        yield Measured(*where, (*machine, *gpu), 0, 0)
    yield Measured(*where, machine, 0, 0)  # the agent's sum over its GPUs


def _jobs() -> Iterator[Measured]:
    where = (AWS_TRAINING, PDX, "/aws/sagemaker/TrainingJobs", "GPUUtilization")
    for job in (BUSY_JOB, MIXED_JOB):
        yield Measured(*where, (("Host", f"{job}/algo-1"),), 640, 640)


def _lustre() -> Iterator[Measured]:
    where = (AWS_TRAINING, PDX, "AWS/FSx", "FreeDataStorageCapacity")
    yield Measured(*where, (("FileSystemId", LUSTRE),), 1.1 * TIB, 1.2 * TIB)


# GiB by storage type; a bucket that is not here was always empty.
_SIZES: dict[str, dict[str, float]] = {
    "cierzo-ct-thorax-fra": {
        "StandardStorage": 41_000,
        "GlacierInstantRetrievalStorage": 118_000,
        "GlacierIRSizeOverhead": 12,
    },
    "cierzo-multimodal-radiology-fra": {"StandardStorage": 62_000, "StandardIAStorage": 9_500},
    "cierzo-multimodal-radiology-usw2": {"StandardStorage": 61_500},
    "cierzo-webtext-es-ca-gl-fra": {"StandardStorage": 88_000},
    "cierzo-ckpt-usw2": {"StandardStorage": 240_000, "IntelligentTieringFAStorage": 30_000},
    "cierzo-c4-sample-usw2": {"StandardStorage": 305},
    "sagemaker-hyperpod-usw2-lifecycle": {"StandardStorage": 0.001},
}
_EMPTIED = "cierzo-synthetic-dialogues-usw2"


def _buckets() -> Iterator[Measured]:
    for bucket in (*DATASETS, *CASES):
        sizes = (
            {"StandardStorage": 12.0} if bucket.name == _EMPTIED else _SIZES.get(bucket.name, {})
        )
        last_at = _EMPTIED_AT if bucket.name == _EMPTIED else 2**40
        for name, storage_type, amount in (
            *(("BucketSizeBytes", word, gib * GIB) for word, gib in sizes.items()),
            *(("NumberOfObjects", "AllStorageTypes", amount) for amount in _objects(sizes)),
        ):
            yield Measured(
                bucket.account,
                bucket.region,
                "AWS/S3",
                name,
                (("BucketName", bucket.name), ("StorageType", storage_type)),
                amount,
                amount,
                growth=0.002,
                every_seconds=DAY,
                last_at=last_at,
            )


def _objects(sizes: dict[str, float]) -> list[float]:
    """One object for each 64 MiB, at least one; no metric without a size."""
    return [max(1.0, float(int(sum(sizes.values()) * 16)))] if sizes else []


METRICS: tuple[Measured, ...] = (
    *_node(BUSY_NODES[0], 86, 92),
    *_node(BUSY_NODES[1], 86, 92),
    *_node(IDLE_NODE, 1.3, 1.7),
    *_node(OLD_NODE, 1.3, 1.7, gpus=0),
    *_cluster(),
    *_notebook(),
    *_jobs(),
    *_lustre(),
    *_buckets(),
)


def _job(name: str, **resources: object) -> Json:
    arn = f"arn:aws:sagemaker:{PDX}:{AWS_TRAINING.account_id}:training-job/{name}"
    return {
        "TrainingJobName": name,
        "TrainingJobArn": arn,
        "ModelArtifacts": {"S3ModelArtifacts": f"s3://cierzo-ckpt-usw2/{name}/model.tar.gz"},
        "TrainingJobStatus": "InProgress",
        "SecondaryStatus": "Training",
        "AlgorithmSpecification": {"TrainingInputMode": "FastFile"},
        "ResourceConfig": {"VolumeSizeInGB": 500, **resources},
        "StoppingCondition": {"MaxRuntimeInSeconds": 5 * DAY},
        "CreationTime": _CREATED_AT,
    }


_CREATED_AT = datetime(2026, 11, 28, 6, 12, tzinfo=UTC)
_JOBS = {
    BUSY_JOB: _job(BUSY_JOB, InstanceType=_JOB_MACHINE, InstanceCount=1),
    # Two sorts of machines: nobody says how many GPUs algo-1 has.
    MIXED_JOB: _job(
        MIXED_JOB,
        InstanceGroups=[
            {"InstanceGroupName": name, "InstanceType": machine, "InstanceCount": 1}
            for name, machine in (("gpu", _JOB_MACHINE), ("data", "ml.m5.4xlarge"))
        ],
    ),
}


def describe_training_job(question: Question) -> Json:
    """`DescribeTrainingJob`; AwsRefusal for a job that is not here."""
    known = _JOBS if question.is_at(AWS_TRAINING, PDX) else {}
    return one_of(known, question.params["TrainingJobName"], "ValidationException")


ANSWERS: dict[str, Answerer] = {"sagemaker.DescribeTrainingJob": describe_training_job}
