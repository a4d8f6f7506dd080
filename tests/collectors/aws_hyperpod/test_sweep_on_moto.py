"""The collector against moto, for what moto answers as AWS does."""

from typing import Any

import pytest

from app.domain.collecting import Cell
from app.domain.facts import Present
from app.domain.hyperpod import HyperpodClusterFacts, HyperpodNodeFacts
from tests.collectors.aws_hyperpod.conftest import sweep
from tests.support.aws_fixtures import MakeConnection
from tests.support.aws_wire import ACCOUNT, AwsWire

REGION = "us-west-2"


@pytest.fixture(autouse=True)
def one_try(monkeypatch: pytest.MonkeyPatch) -> None:
    """What moto lacks it answers with an error that is tried again; once is enough here."""
    monkeypatch.setattr("app.clouds.aws._ATTEMPTS", 1)


@pytest.fixture
def pod(aws: AwsWire) -> str:
    """A cluster of two groups, its scripts in a bucket with versions; its ARN."""
    s3 = aws.bucket("sagemaker-scripts", REGION)
    s3.put_bucket_versioning(
        Bucket="sagemaker-scripts", VersioningConfiguration={"Status": "Enabled"}
    )

    def group(name: str, machine_type: str, count: int) -> dict[str, Any]:
        return {
            "InstanceGroupName": name,
            "InstanceType": machine_type,
            "InstanceCount": count,
            "ThreadsPerCore": 1,
            "ExecutionRole": f"arn:aws:iam::{ACCOUNT}:role/pod",
            "LifeCycleConfig": {"SourceS3Uri": "s3://sagemaker-scripts/x", "OnCreate": "x.sh"},
        }

    made = aws.client("sagemaker", REGION).create_cluster(
        ClusterName="pod",
        InstanceGroups=[group("head", "ml.m5.2xlarge", 1), group("gpu", "ml.p5.48xlarge", 3)],
        Tags=[{"Key": "owner", "Value": "speech"}],
    )
    aws.asked.clear()
    return str(made["ClusterArn"])


def test_a_cluster_with_its_groups_tags_and_scripts(pod: str, connection: MakeConnection) -> None:
    swept = sweep(connection(cell=Cell(region_id=REGION)))
    seen = swept.found["pod"]
    assert (seen.native_id, seen.region_id, seen.sub_account_id) == (pod, REGION, ACCOUNT)
    assert seen.tags == {"owner": "speech"}
    facts = swept.facts("pod", HyperpodClusterFacts)
    assert isinstance(facts.instance_groups, Present)
    assert [(one.name, one.machine_type) for one in facts.instance_groups.value] == [
        ("head", "ml.m5.2xlarge"),
        ("gpu", "ml.p5.48xlarge"),
    ]
    assert isinstance(facts.script_buckets, Present)
    assert [one.versioning_status for one in facts.script_buckets.value] == ["Enabled"]


def test_its_machines_by_type(pod: str, connection: MakeConnection) -> None:
    swept = sweep(connection(cell=Cell(region_id=REGION)))
    nodes = swept.of_kind(HyperpodNodeFacts)
    assert {one.parent_native_id for one in nodes} == {pod}
    counts = [swept.facts(one.name, HyperpodNodeFacts).accelerator_count for one in nodes]
    assert (counts.count(Present(0)), counts.count(Present(8))) == (1, 3)
    assert swept.listings["hyperpod_node"].complete


@pytest.mark.usefixtures("pod")
def test_every_machine_costs_one_call(aws: AwsWire, connection: MakeConnection) -> None:
    sweep(connection(cell=Cell(region_id=REGION)))
    asked = [one.question for one in aws.asked]
    counts = {name: asked.count(name) for name in asked if name.startswith("Describe")}
    assert counts == {"DescribeCluster": 1, "DescribeClusterNode": 4, "DescribeInstanceTypes": 1}


@pytest.mark.usefixtures("pod")
def test_another_region_has_none(connection: MakeConnection) -> None:
    swept = sweep(connection(cell=Cell(region_id="eu-west-1")))
    assert swept.of_kind(HyperpodClusterFacts) == []
    assert swept.listings["hyperpod_cluster"].complete
    assert swept.reports["sagemaker:ListClusters"].answered == 1
