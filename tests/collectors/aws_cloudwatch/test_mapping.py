"""Of overlapping sets of dimensions one is chosen, and each series says what it is."""

from datetime import timedelta
from typing import Any

import pytest

from app.collectors.aws_cloudwatch import COLLECTOR, mapping
from app.collectors.aws_cloudwatch.mapping import Place
from app.collectors.aws_cloudwatch.sweep import LOOK_BACK
from app.collectors.aws_metrics import Metric

PLACE = Place("444455556666", "us-west-2", "aws")
NODE = {"ClusterName": "c", "InstanceId": "i-1", "NodeName": "n"}


def node(name: str = "node_gpu_utilization", **words: str) -> Metric:
    return Metric(mapping.NODES, name, {**NODE, **words})


def gpu(number: int, **words: str) -> Metric:
    return node(GpuDevice=f"nvidia{number}", InstanceType="ml.p5.48xlarge", **words)


def chosen(*metrics: Metric, whole: bool = True) -> list[tuple[str, str]]:
    found = mapping.node_queries(metrics, PLACE, whole=whole)
    return [(query.series.subject_id, query.series.dimension) for query in found]


def test_gpus_are_preferred_to_their_node() -> None:
    sums = Metric(mapping.NODES, "node_gpu_utilization", {"ClusterName": "c"})
    assert chosen(sums, node(), gpu(0), gpu(1)) == [("i-1", "nvidia0"), ("i-1", "nvidia1")]


def test_a_node_alone_is_read_as_a_whole() -> None:
    assert chosen(node(), gpu(0, InstanceId="i-2")) == [("i-1", ""), ("i-2", "nvidia0")]


def test_a_node_is_not_read_as_a_whole_when_its_gpus_may_only_be_missing() -> None:
    assert chosen(node(), whole=False) == []
    assert chosen(node(), gpu(0), whole=False) == [("i-1", "nvidia0")]


def test_each_metric_chooses_for_itself() -> None:
    found = chosen(gpu(0), node(), node("node_gpu_memory_used"))
    assert found == [("i-1", "nvidia0"), ("i-1", "")]


def agent(**words: str) -> Metric:
    return Metric(mapping.AGENT, mapping.AGENT_METRIC, words)


def test_gpus_of_an_agent_are_read_once_and_its_sums_never() -> None:
    fine = agent(InstanceId="i-1", index="0", name="A10G", arch="Ampere")
    metrics = [agent(InstanceId="i-1"), agent(InstanceId="i-1", index="0"), fine, agent()]
    (query,) = mapping.agent_queries(metrics, PLACE)
    assert query.metric is fine
    assert (query.series.subject_kind, query.series.subject_id) == ("instance", "i-1")


def test_a_machine_that_does_not_say_its_id_goes_by_its_host() -> None:
    (query,) = mapping.agent_queries([agent(host="gpu-box", index="0")], PLACE)
    assert (query.series.subject_kind, query.series.subject_id) == ("host", "gpu-box")


def job(host: str = "train/algo-1", **words: str) -> Metric:
    return Metric(mapping.JOBS, mapping.JOB_METRIC, {"Host": host, **words})


def test_a_job_is_divided_by_its_gpus_and_left_out_without() -> None:
    metrics = [job(), job("other/algo-1"), job("odd"), job(More="x")]
    (query,) = mapping.job_queries(metrics, {"train": 8}, PLACE)
    assert (query.divisor, query.series.dimension) == (8, "algo-1")
    assert query.series.subject_id == (
        "arn:aws:sagemaker:us-west-2:444455556666:training-job/train"
    )


@pytest.mark.parametrize(
    ("resources", "machine"),
    [
        ({"InstanceType": "ml.p5.48xlarge"}, "ml.p5.48xlarge"),
        ({"InstanceGroups": [{"InstanceType": "a"}, {"InstanceType": "a"}]}, "a"),
        ({"InstanceGroups": [{"InstanceType": "a"}, {"InstanceType": "b"}]}, ""),
        ({"InstanceGroups": None}, ""),
    ],
)
def test_a_job_has_one_type_of_machine_or_none(resources: Any, machine: str) -> None:
    assert mapping.machine_of_job({"ResourceConfig": resources}) == machine


@pytest.mark.parametrize("odd", [{}, {"ResourceConfig": {"InstanceType": 7}}])
def test_an_odd_job_is_refused(odd: Any) -> None:
    with pytest.raises((LookupError, TypeError)):
        mapping.machine_of_job(odd)


def test_targets_of_a_file_system_are_not_read_beside_it() -> None:
    def lustre(**words: str) -> Metric:
        return Metric(mapping.FILES, mapping.FILES_METRIC, {"FileSystemId": "fs-1", **words})

    (query,) = mapping.file_queries([lustre(StorageTargetId="OST0"), lustre()], PLACE)
    assert query.series.subject_id == "arn:aws:fsx:us-west-2:444455556666:file-system/fs-1"


def test_what_is_asked_for_is_still_kept_as_fine() -> None:
    kept_for = timedelta(days=15)  # points of a minute, the finest that are asked for
    assert kept_for > LOOK_BACK
    assert COLLECTOR.every * 4 < LOOK_BACK
