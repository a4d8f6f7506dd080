"""HyperPod in the sandbox: answers that botocore describes, given to their owner alone."""

from typing import Any

import pytest

from app.sandbox.aws.answers import Question
from app.sandbox.aws.errors import AwsRefusal
from app.sandbox.aws.hyperpod import ANSWERS
from app.sandbox.aws.story_hyperpod import CLUSTERS, PLANS, Cluster
from app.sandbox.story import AWS_PLATFORM, AWS_TRAINING, PDX
from tests.support.aws_shapes import check_shape

USW2 = CLUSTERS[0]
OPEN = [one for one in CLUSTERS if not one.denied]
LISTS = {
    "ListClusters": "ClusterSummaries",
    "ListTrainingPlans": "TrainingPlanSummaries",
    "ListComputeQuotas": "ComputeQuotaSummaries",
    "ListClusterSchedulerConfigs": "ClusterSchedulerConfigSummaries",
}


def asked(operation: str, cluster: Cluster = USW2, **params: Any) -> dict[str, Any]:
    """What the owner of a cluster is answered there, held to botocore's description."""
    question = Question(cluster.account.account_id, cluster.region, params)
    found = ANSWERS[f"sagemaker.{operation}"](question)
    check_shape("sagemaker", operation, found)
    return found


def nodes(cluster: Cluster, **more: Any) -> list[dict[str, Any]]:
    found = asked("ListClusterNodes", cluster, ClusterName=cluster.name, **more)
    rows: list[dict[str, Any]] = found["ClusterNodeSummaries"]
    return rows


@pytest.mark.parametrize("cluster", OPEN, ids=lambda one: one.name)
def test_a_cluster_is_described_as_it_is_listed(cluster: Cluster) -> None:
    (listed,) = asked("ListClusters", cluster)["ClusterSummaries"]
    described = asked("DescribeCluster", cluster, ClusterName=cluster.name)
    for name in ("ClusterArn", "ClusterName", "ClusterStatus", "CreationTime"):
        assert described[name] == listed[name]
    assert asked("ListTags", cluster, ResourceArn=cluster.arn)["Tags"]


@pytest.mark.parametrize("cluster", CLUSTERS, ids=lambda one: one.name)
def test_it_has_as_many_nodes_as_its_groups_say(cluster: Cluster) -> None:
    rows = nodes(cluster)
    assert len(rows) == sum(group.current for group in cluster.groups)
    assert len({row["InstanceId"] for row in rows}) == len(rows)
    for row in rows:
        params = {"ClusterName": cluster.arn, "NodeId": row["InstanceId"]}
        details = asked("DescribeClusterNode", cluster, **params)["NodeDetails"]
        assert {name: details[name] for name in row} == row
        assert details["Placement"]["AvailabilityZoneId"] == cluster.zone_id


def test_a_node_that_is_being_made_is_told_only_when_asked_for() -> None:
    assert len(nodes(USW2, IncludeNodeLogicalIds=True)) == len(nodes(USW2)) + 1
    assert not any("NodeLogicalId" in row for row in nodes(USW2))


def test_a_flexible_group_counts_its_types() -> None:
    groups = asked("DescribeCluster", ClusterName=USW2.name)["InstanceGroups"]
    (mixed,) = [group for group in groups if "InstanceType" not in group]
    counts = [detail["CurrentCount"] for detail in mixed["InstanceTypeDetails"]]
    assert sum(counts) == mixed["CurrentCount"]


def test_plans_are_described_as_they_are_listed() -> None:
    rows = asked("ListTrainingPlans")["TrainingPlanSummaries"]
    assert [row["TrainingPlanName"] for row in rows] == [plan.name for plan in PLANS]
    for row in rows:
        described = asked("DescribeTrainingPlan", TrainingPlanName=row["TrainingPlanName"])
        assert {name: described[name] for name in row} == row


def test_one_share_tells_what_it_consists_of_only_when_described() -> None:
    rows = asked("ListComputeQuotas")["ComputeQuotaSummaries"]
    (silent,) = [row for row in rows if "ComputeQuotaConfig" not in row]
    described = asked("DescribeComputeQuota", ComputeQuotaId=silent["ComputeQuotaId"])
    assert described["ComputeQuotaConfig"]["ComputeQuotaResources"]


@pytest.mark.parametrize("operation", sorted(LISTS))
def test_elsewhere_there_is_nothing(operation: str) -> None:
    for account, region in ((AWS_TRAINING, "us-east-2"), (AWS_PLATFORM, PDX)):
        question = Question(account.account_id, region, {})
        assert ANSWERS[f"sagemaker.{operation}"](question) == {LISTS[operation]: []}


def test_lists_come_in_pages() -> None:
    first = asked("ListClusterNodes", ClusterName=USW2.name, MaxResults=15)
    rest = asked(
        "ListClusterNodes", ClusterName=USW2.name, MaxResults=15, NextToken=first["NextToken"]
    )
    assert len(first["ClusterNodeSummaries"]) == 15
    assert first["ClusterNodeSummaries"] + rest["ClusterNodeSummaries"] == nodes(USW2)


@pytest.mark.parametrize(
    ("operation", "params"),
    [
        ("DescribeCluster", {"ClusterName": "nobody"}),
        ("ListClusterNodes", {"ClusterName": "nobody"}),
        ("DescribeClusterNode", {"ClusterName": USW2.name, "NodeId": "i-00000000"}),
        ("DescribeTrainingPlan", {"TrainingPlanName": "none"}),
        ("DescribeComputeQuota", {"ComputeQuotaId": "none"}),
        ("ListTags", {"ResourceArn": "none"}),
    ],
)
def test_what_is_not_there_is_not_found(operation: str, params: dict[str, Any]) -> None:
    with pytest.raises(AwsRefusal) as raised:
        asked(operation, **params)
    assert raised.value.code == "ResourceNotFound"


def test_one_cluster_may_not_be_described() -> None:
    (sealed,) = [one for one in CLUSTERS if one.denied]
    with pytest.raises(AwsRefusal) as raised:
        asked("DescribeCluster", sealed, ClusterName=sealed.name)
    assert raised.value.code == "AccessDeniedException"
