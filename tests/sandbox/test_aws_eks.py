"""What the sandbox answers as EKS is what botocore describes, for everything in the story."""

from collections.abc import Iterator
from typing import Any

import pytest

from app.sandbox.aws.answers import Json, Question
from app.sandbox.aws.eks import ANSWERS
from app.sandbox.aws.errors import AwsRefusal
from app.sandbox.aws.story_eks import CLUSTERS, Cluster
from tests.sandbox.conftest import AwsWire
from tests.support.aws_shapes import check_shape


def asked(cluster: Cluster, action: str, **params: Any) -> Json:
    question = Question(cluster.account.account_id, cluster.region, params)
    return ANSWERS[f"eks.{action}"](question)


def everything(cluster: Cluster) -> Iterator[tuple[str, dict[str, Any]]]:
    of = {"clusterName": cluster.name}
    yield "ListClusters", {}
    yield "DescribeCluster", {"name": cluster.name}
    yield "ListNodegroups", of
    yield "ListAddons", of
    yield "DescribeClusterVersions", {"includeAll": True}
    for name in (name for name, more in cluster.groups.items() if more is not None):
        yield "DescribeNodegroup", {**of, "nodegroupName": name}
    for name in cluster.addons:
        yield "DescribeAddon", {**of, "addonName": name}


@pytest.mark.parametrize("cluster", CLUSTERS, ids=lambda one: one.name)
def test_every_answer_is_one_that_botocore_knows(cluster: Cluster) -> None:
    for action, params in everything(cluster):
        check_shape("eks", action, asked(cluster, action, **params))


@pytest.mark.parametrize("cluster", CLUSTERS, ids=lambda one: one.name)
def test_every_cluster_runs_a_version_that_is_told(cluster: Cluster) -> None:
    told = asked(cluster, "DescribeClusterVersions", includeAll=True)["clusterVersions"]
    assert cluster.version in {one["clusterVersion"] for one in told}


def test_versions_out_of_support_are_told_only_when_all_are_asked_for() -> None:
    usual = asked(CLUSTERS[0], "DescribeClusterVersions")["clusterVersions"]
    assert "UNSUPPORTED" not in {one["versionStatus"] for one in usual}


@pytest.mark.parametrize(
    ("action", "params"),
    [
        ("DescribeCluster", {"name": "nothing"}),
        ("ListNodegroups", {"clusterName": "nothing"}),
        ("DescribeNodegroup", {"clusterName": "hyperpod-eks", "nodegroupName": "nothing"}),
        ("DescribeAddon", {"clusterName": "hyperpod-eks", "addonName": "nothing"}),
    ],
)
def test_what_is_not_there_is_not_found(action: str, params: dict[str, Any]) -> None:
    with pytest.raises(AwsRefusal) as refused:
        asked(CLUSTERS[0], action, **params)
    assert (refused.value.status, refused.value.code) == (404, "ResourceNotFoundException")


def test_lists_come_in_pages_over_the_wire(aws: AwsWire) -> None:
    training = CLUSTERS[0]
    eks = aws.client("eks", training.account, region_name=training.region)
    first = eks.list_nodegroups(clusterName=training.name, maxResults=2)
    rest = eks.list_nodegroups(clusterName=training.name, nextToken=first["nextToken"])
    assert [*first["nodegroups"], *rest["nodegroups"]] == list(training.groups)
    assert "nextToken" not in rest
