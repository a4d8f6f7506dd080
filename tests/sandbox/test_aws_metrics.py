"""CloudWatch of the sandbox: any window has values, and they are those of things that are there."""

from datetime import UTC, datetime
from typing import Any

import pytest
from botocore.exceptions import ClientError

from app.sandbox.aws.story_metrics import (
    BUSY_NODES,
    IDLE_NODE,
    LUSTRE,
    METRICS,
    NOTEBOOK,
    OLD_NODE,
)
from app.sandbox.story import AWS_RESEARCH, AWS_TRAINING, PDX
from tests.sandbox.conftest import AwsWire
from tests.support.aws_shapes import check_shape

START, END = datetime(2027, 3, 1, 10, 2, tzinfo=UTC), datetime(2027, 3, 1, 13, tzinfo=UTC)


def query(metric: dict[str, Any], number: int = 0) -> dict[str, Any]:
    return {
        "Id": f"q{number}",
        "MetricStat": {"Metric": metric, "Period": 300, "Stat": "Average"},
    }


def metrics_of(client: Any, **params: Any) -> list[dict[str, Any]]:
    pages = client.get_paginator("list_metrics").paginate(**params)
    return [metric for page in pages for metric in page["Metrics"]]


def test_metrics_are_listed_by_namespace_name_and_dimension(aws: AwsWire) -> None:
    client = aws.client("cloudwatch", AWS_TRAINING, region_name=PDX)
    name = {"Namespace": "ContainerInsights", "MetricName": "node_gpu_utilization"}
    found = metrics_of(client, **name)
    assert {len(metric["Dimensions"]) for metric in found} == {1, 3, 5}
    per_gpu = metrics_of(client, **name, Dimensions=[{"Name": "GpuDevice"}])
    assert {len(metric["Dimensions"]) for metric in per_gpu} == {5}
    assert metrics_of(client, Namespace="AWS/Nothing") == []


def test_points_are_aligned_to_the_period_and_the_same_each_time(aws: AwsWire) -> None:
    client = aws.client("cloudwatch", AWS_TRAINING, region_name=PDX)
    (first, *_) = metrics_of(client, Namespace="ContainerInsights")
    asked = {"MetricDataQueries": [query(first)], "StartTime": START, "EndTime": END}
    found, again = (client.get_metric_data(**asked)["MetricDataResults"] for _ in range(2))
    assert found == again
    assert len(found[0]["Timestamps"]) == 36
    assert found[0]["Timestamps"][0] == START.replace(minute=0)


def test_answers_are_such_as_botocore_describes(aws: AwsWire) -> None:
    client = aws.client("cloudwatch", AWS_TRAINING, region_name=PDX)
    page = client.list_metrics()
    asked = [query(metric, number) for number, metric in enumerate(page["Metrics"])]
    data = client.get_metric_data(MetricDataQueries=asked, StartTime=START, EndTime=END)
    for operation, answer in (("ListMetrics", page), ("GetMetricData", data)):
        answer.pop("ResponseMetadata")
        check_shape("cloudwatch", operation, answer)
    assert data["NextToken"]


def test_tokens_of_somebody_else_are_refused(aws: AwsWire) -> None:
    client = aws.client("cloudwatch", AWS_TRAINING, region_name=PDX)
    (metric, *_) = metrics_of(client, Namespace="ContainerInsights")
    with pytest.raises(ClientError, match="ValidationError"):
        client.get_metric_data(
            MetricDataQueries=[query(metric)], StartTime=START, EndTime=END, NextToken="x"
        )


def test_nodes_that_are_measured_are_those_of_the_cluster(aws: AwsWire) -> None:
    client = aws.client("sagemaker", AWS_TRAINING, region_name=PDX)
    rows = client.get_paginator("list_cluster_nodes").paginate(ClusterName="hyperpod-usw2")
    nodes = {
        row["InstanceId"]: row["InstanceType"]
        for page in rows
        for row in page["ClusterNodeSummaries"]
    }
    assert {*BUSY_NODES, IDLE_NODE, OLD_NODE} <= set(nodes)
    for metric in METRICS:
        words = dict(metric.dimensions)
        if "GpuDevice" in words:
            assert nodes[words["InstanceId"]] == words["InstanceType"]


def test_the_notebook_and_the_file_system_are_those_of_the_story(aws: AwsWire) -> None:
    ec2, fsx = aws.client("ec2", AWS_RESEARCH), aws.client("fsx", AWS_TRAINING, region_name=PDX)
    machines = [
        machine
        for group in ec2.describe_instances()["Reservations"]
        for machine in group["Instances"]
    ]
    assert NOTEBOOK in {machine["InstanceId"] for machine in machines}
    systems = fsx.describe_file_systems()["FileSystems"]
    assert {one["FileSystemId"]: one["FileSystemType"] for one in systems}[LUSTRE] == "LUSTRE"
