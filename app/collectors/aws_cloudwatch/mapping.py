"""Which series the metrics of CloudWatch are, and how each is asked for. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from app.collectors.aws_metrics import Metric, Query
from app.domain.samples import (
    FILE_SYSTEM,
    HOST,
    INSTANCE,
    TRAINING_JOB,
    Series,
    Statistic,
    Unit,
)

# CloudWatch keeps points of a minute for 15 days, of five minutes for 63 and of an hour for 455;
# asked too finely it leaves old ones out (CloudWatch API reference).
PERIOD_SECONDS = 300
NODES, AGENT = "ContainerInsights", "CWAgent"
JOBS, FILES = "/aws/sagemaker/TrainingJobs", "AWS/FSx"
GPU_UTIL = "gpu_util_percent"
# Container Insights: its metrics of GPUs, as we name them. All are means over time; those of a
# whole node are also means over its GPUs.
NODE_METRICS: Mapping[str, tuple[str, Unit]] = {
    "node_gpu_utilization": (GPU_UTIL, Unit.PERCENT),
    "node_gpu_tensor_core_utilization": ("tensor_active_percent", Unit.PERCENT),
    "node_gpu_memory_used": ("gpu_memory_used_bytes", Unit.BYTES),
}
AGENT_METRIC, JOB_METRIC, FILES_METRIC = (
    "nvidia_smi_utilization_gpu",
    "GPUUtilization",
    "FreeDataStorageCapacity",
)
# The same measurements come under three sets of dimensions (amazon-cloudwatch-agent, its
# configuration for Kubernetes with GPUs); of these a node is read by one.
_PER_GPU = frozenset({"ClusterName", "GpuDevice", "InstanceId", "InstanceType", "NodeName"})
_PER_NODE = frozenset({"ClusterName", "InstanceId", "NodeName"})
# FSx tells one value per disk and minute: their sum over a minute is the free space of the file
# system, their sum over five would be five times that (FSx for Lustre user guide, metrics).
_FILES_PERIOD_SECONDS, _FILES_EVERY_SECONDS = 60, 900


@dataclass(frozen=True, slots=True)
class Place:
    """The cell that is read."""

    account_id: str
    region_id: str
    partition: str

    def arn(self, service: str, resource: str) -> str:
        """The ARN of something in it."""
        return f"arn:{self.partition}:{service}:{self.region_id}:{self.account_id}:{resource}"

    def series(self, measured: Metric, /, **of: Any) -> Series:  # noqa: ANN401 - fields of Series
        """A series of this cell: a mean over five minutes, unless `of` says otherwise."""
        usual = {"statistic": Statistic.AVERAGE, "period_seconds": PERIOD_SECONDS}
        return Series(
            sub_account_id=self.account_id,
            region_id=self.region_id,
            source=measured.source,
            labels=measured.dimensions,
            **{**usual, **of},
        )


def node_queries(metrics: Iterable[Metric], place: Place, *, whole: bool) -> Iterator[Query]:
    """GPUs of the nodes of Kubernetes clusters: each GPU, or the node where that is all there is.

    `whole`: the list of metrics was read to its end. Else the GPUs of a node may only be
    missing, and the node is left out rather than told twice.
    """
    per_node: dict[tuple[str, str, str], dict[frozenset[str], list[Metric]]] = defaultdict(dict)
    for metric in metrics:
        names = frozenset(metric.dimensions)
        if names in (_PER_GPU, _PER_NODE):
            node = (metric.name, metric.dimensions["ClusterName"], metric.dimensions["InstanceId"])
            per_node[node].setdefault(names, []).append(metric)
    for sets in per_node.values():
        for metric in sets.get(_PER_GPU) or (sets[_PER_NODE] if whole else []):
            yield _of_node(metric, place)


def _of_node(metric: Metric, place: Place) -> Query:
    name, unit = NODE_METRICS[metric.name]
    series = place.series(
        metric,
        subject_kind=INSTANCE,
        subject_id=metric.dimensions["InstanceId"],
        metric=name,
        unit=unit,
        dimension=metric.dimensions.get("GpuDevice", ""),
    )
    return Query(series, metric)


def agent_queries(metrics: Iterable[Metric], place: Place) -> Iterator[Query]:
    """GPUs of machines that run the CloudWatch agent, each once.

    The agent may also tell sums by fewer dimensions; the one with the most is a GPU.
    """
    finest: dict[tuple[str, str], Metric] = {}
    for metric in metrics:
        machine = metric.dimensions.get("InstanceId") or metric.dimensions.get("host")
        gpu = metric.dimensions.get("index")
        if machine and gpu:
            known = finest.get((machine, gpu))
            if known is None or len(known.dimensions) < len(metric.dimensions):
                finest[machine, gpu] = metric
    for (machine, gpu), metric in finest.items():
        kind = INSTANCE if metric.dimensions.get("InstanceId") == machine else HOST
        series = place.series(
            metric,
            subject_kind=kind,
            subject_id=machine,
            metric=GPU_UTIL,
            unit=Unit.PERCENT,
            dimension=gpu,
        )
        yield Query(series, metric)


def job_of(metric: Metric) -> str:
    """The training job that a metric is of; '' when it names none."""
    if set(metric.dimensions) != {"Host"}:
        return ""
    job, _, host = metric.dimensions["Host"].rpartition("/")
    return job if host else ""


def job_queries(
    metrics: Iterable[Metric], gpus: Mapping[str, float], place: Place
) -> Iterator[Query]:
    """Machines of training jobs, by the number of GPUs that a machine of the job has.

    SageMaker adds its GPUs up: eight busy ones are 800 percent (SageMaker guide, metrics).
    """
    for metric in metrics:
        job = job_of(metric)
        if job in gpus:
            series = place.series(
                metric,
                subject_kind=TRAINING_JOB,
                subject_id=place.arn("sagemaker", f"training-job/{job}"),
                metric=GPU_UTIL,
                unit=Unit.PERCENT,
                dimension=metric.dimensions["Host"].rpartition("/")[2],
            )
            yield Query(series, metric, divisor=gpus[job])


def machine_of_job(document: Mapping[str, Any]) -> str:
    """The type of a job's machines; '' when it has several. LookupError, TypeError when odd."""
    resources = document["ResourceConfig"]
    types = {group["InstanceType"] for group in resources.get("InstanceGroups") or ()}
    types |= {resources["InstanceType"]} if resources.get("InstanceType") else set()
    if not all(isinstance(name, str) for name in types):
        raise TypeError("a machine type is no text")
    return types.pop() if len(types) == 1 else ""


def file_queries(metrics: Iterable[Metric], place: Place) -> Iterator[Query]:
    """Free space of Lustre file systems, a minute out of each quarter of an hour."""
    for metric in metrics:
        if set(metric.dimensions) == {"FileSystemId"}:
            series = place.series(
                metric,
                subject_kind=FILE_SYSTEM,
                subject_id=place.arn("fsx", f"file-system/{metric.dimensions['FileSystemId']}"),
                metric="free_bytes",
                unit=Unit.BYTES,
                statistic=Statistic.SUM,
                period_seconds=_FILES_PERIOD_SECONDS,
            )
            yield Query(series, metric, every_seconds=_FILES_EVERY_SECONDS)
