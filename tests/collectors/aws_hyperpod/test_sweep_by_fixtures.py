"""The collector where moto lacks or misanswers a call: fixtures in the shapes of botocore."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.clouds.failures import CallFailedError
from app.domain.collecting import Cell, Connection, ListingDone, ResourceSeen, ScopeReport
from app.domain.facts import Present, Unreadable
from app.domain.hyperpod import HyperpodClusterFacts, HyperpodNodeFacts, ScriptBucket
from app.domain.training_plan import TrainingPlanFacts
from tests.collectors.aws_hyperpod.conftest import (
    ARN,
    cluster,
    cluster_row,
    group,
    node,
    node_row,
    plan_row,
    sweep,
)
from tests.support.aws_fixtures import MakeConnection
from tests.support.aws_shapes import fixture, refused
from tests.support.aws_wire import ACCOUNT, AwsWire, Fault, refusal

F16 = Path(__file__).parents[2] / "field" / "inputs" / "f16_hyperpod.json"
REGION = "us-west-2"
SERVICE = "sagemaker"


@pytest.fixture(autouse=True)
def one_try(monkeypatch: pytest.MonkeyPatch) -> None:
    """Faults here are lasting; how often they are tried again is proven elsewhere."""
    monkeypatch.setattr("app.clouds.aws._ATTEMPTS", 1)


@pytest.fixture
def here(connection: MakeConnection) -> Connection:
    """A connection to the region."""
    return connection(cell=Cell(region_id=REGION))


def answer(operation: str, result: dict[str, Any], **where: Any) -> Fault:
    return fixture(SERVICE, operation, result, **where)


def estate(**results: dict[str, Any]) -> list[Fault]:
    """One cluster with one node, one plan, nothing shared; keywords lay other answers over it."""
    known: dict[str, dict[str, Any]] = {
        "ListClusters": {"ClusterSummaries": [cluster_row()]},
        "DescribeCluster": cluster(group()),
        "ListTags": {"Tags": [{"Key": "owner", "Value": "speech"}]},
        "ListComputeQuotas": {"ComputeQuotaSummaries": []},
        "ListClusterSchedulerConfigs": {"ClusterSchedulerConfigSummaries": []},
        "ListClusterNodes": {"ClusterNodeSummaries": [node_row()]},
        "DescribeClusterNode": node(),
        "ListTrainingPlans": {"TrainingPlanSummaries": [plan_row()]},
        "DescribeTrainingPlan": plan_row(UnhealthyInstanceCount=1, AvailableSpareInstanceCount=2),
    }
    return [answer(name, result) for name, result in (known | results).items()]


def test_everything_is_read_and_the_coverage_comes_last(aws: AwsWire, here: Connection) -> None:
    aws.faults = estate()
    swept = sweep(here)
    assert swept.order[: swept.order.index(ScopeReport)] == (*(ResourceSeen, ListingDone) * 3,)
    assert {one.complete for one in swept.listings.values()} == {True}
    assert swept.found["pod"].tags == {"owner": "speech"}
    assert swept.found["pod"].immutable_id == ARN
    plan = swept.facts("reserved", TrainingPlanFacts)
    assert plan.unhealthy_machine_count == Present(1)
    assert plan.spare_machine_count == Present(2)


def test_the_nodes_of_the_field_case_are_all_found_without_ec2(
    aws: AwsWire, here: Connection
) -> None:
    rows = json.loads(F16.read_text("utf-8"))["sagemaker_list_cluster_nodes"]
    aws.faults = estate(ListClusterNodes=rows)
    swept = sweep(here)
    facts = [swept.facts(one.name, HyperpodNodeFacts) for one in swept.of_kind(HyperpodNodeFacts)]
    assert sorted(str(one.node_status) for one in facts) == sorted(
        str(Present(row["InstanceStatus"]["Status"])) for row in rows["ClusterNodeSummaries"]
    )
    assert sum(one.accelerator_count == Present(8) for one in facts) == 3
    assert {asked.question for asked in aws.asked if asked.service == "ec2"} == {
        "DescribeInstanceTypes"
    }


def test_nodes_are_read_over_all_pages_and_described_one_by_one(
    aws: AwsWire, here: Connection
) -> None:
    def page(numbers: range, **more: Any) -> dict[str, Any]:
        return {"ClusterNodeSummaries": [node_row(number) for number in numbers], **more}

    aws.faults = [
        answer("ListClusterNodes", page(range(100), NextToken="2"), times=1),
        answer("ListClusterNodes", page(range(100, 130)), parameters={"NextToken": "2"}),
        *estate(),
    ]
    swept = sweep(here)
    assert len(swept.of_kind(HyperpodNodeFacts)) == 130
    assert swept.reports["sagemaker:ListClusterNodes"].answered == 2
    assert swept.reports["sagemaker:DescribeClusterNode"].answered == 130
    assert len(aws.questions("DescribeInstanceTypes")) == 1
    (first, _) = aws.questions("ListClusterNodes")
    assert first.parameters == {"ClusterName": "pod", "MaxResults": 100}


def test_nodes_that_are_being_made_are_asked_for_where_there_can_be_some(
    aws: AwsWire, here: Connection
) -> None:
    waiting = node_row(2, InstanceId="", NodeLogicalId="node-2")
    aws.faults = estate(
        DescribeCluster=cluster(group(), NodeProvisioningMode="Continuous"),
        ListClusterNodes={"ClusterNodeSummaries": [node_row(NodeLogicalId="node-1"), waiting]},
    )
    swept = sweep(here)
    (listed,) = aws.questions("ListClusterNodes")
    assert listed.parameters["IncludeNodeLogicalIds"] is True
    asked = [one.parameters for one in aws.questions("DescribeClusterNode")]
    assert {"ClusterName": "pod", "NodeLogicalId": "node-2"} in asked
    assert {"ClusterName": "pod", "NodeId": node_row()["InstanceId"]} in asked
    assert swept.found["node-2"].native_id == f"{ARN}/node-2"
    assert swept.found["node-2"].created_at is None


def test_a_list_of_nodes_that_is_cut_ends_no_node(aws: AwsWire, here: Connection) -> None:
    page = {"ClusterNodeSummaries": [node_row()], "NextToken": "2"}
    aws.faults = [
        refused(SERVICE, "ListClusterNodes", "ThrottlingException", parameters={"NextToken": "2"}),
        *estate(ListClusterNodes=page),
    ]
    swept = sweep(here)
    listing = swept.listings["hyperpod_node"]
    assert (listing.complete, listing.code) == (False, "ThrottlingException")
    assert swept.listings["hyperpod_cluster"].complete
    assert len(swept.of_kind(HyperpodNodeFacts)) == 1


def test_clusters_that_cannot_be_listed_end_none_and_leave_plans_alone(
    aws: AwsWire, here: Connection
) -> None:
    aws.faults = [refused(SERVICE, "ListClusters", "AccessDeniedException"), *estate()]
    swept = sweep(here)
    ends = {kind: (one.complete, one.code) for kind, one in swept.listings.items()}
    assert ends == {
        "hyperpod_cluster": (False, "AccessDeniedException"),
        "hyperpod_node": (False, "AccessDeniedException"),
        "sagemaker_training_plan": (True, ""),
    }
    assert swept.found.keys() == {"reserved"}


def test_a_script_bucket_of_another_account_is_not_judged(aws: AwsWire, here: Connection) -> None:
    aws.faults = [refusal("AccessDenied", 403, question="versioning"), *estate()]
    swept = sweep(here)
    facts = swept.facts("pod", HyperpodClusterFacts)
    assert facts.script_buckets == Present(
        (ScriptBucket("sagemaker-scripts", None, "AccessDenied"),)
    )
    assert swept.reports["s3:GetBucketVersioning"].denied == 1
    (asked,) = aws.questions("versioning")
    assert asked.headers["x-amz-expected-bucket-owner"] == ACCOUNT


def test_a_bucket_of_two_clusters_is_asked_once(aws: AwsWire, here: Connection) -> None:
    other = cluster_row("other", ARN + "2")
    aws.bucket("sagemaker-scripts")
    aws.faults = estate(ListClusters={"ClusterSummaries": [cluster_row(), other]})
    swept = sweep(here)
    assert len(aws.questions("versioning")) == 1
    for name in ("pod", "other"):
        facts = swept.facts(name, HyperpodClusterFacts)
        assert facts.script_buckets == Present((ScriptBucket("sagemaker-scripts", "", ""),))


def test_shares_are_asked_once_for_all_clusters_and_told_apart(
    aws: AwsWire, here: Connection
) -> None:
    def share(name: str, arn: str) -> dict[str, Any]:
        return {
            "ComputeQuotaArn": f"{arn}/q",
            "ComputeQuotaId": f"quota-{name}",
            "Name": name,
            "Status": "Created",
            "ClusterArn": arn,
            "ComputeQuotaConfig": {},
            "ComputeQuotaTarget": {"TeamName": name},
            "CreationTime": cluster_row()["CreationTime"],
        }

    rows = [share("a", ARN), share("b", ARN + "2"), share("c", ARN)]
    aws.faults = estate(
        ListClusters={"ClusterSummaries": [cluster_row(), cluster_row("other", ARN + "2")]},
        ListComputeQuotas={"ComputeQuotaSummaries": rows},
    )
    swept = sweep(here)
    teams = {}
    for name in ("pod", "other"):
        found = swept.facts(name, HyperpodClusterFacts).compute_quotas
        assert isinstance(found, Present)
        teams[name] = [one.team for one in found.value]
    assert teams == {"pod": ["a", "c"], "other": ["b"]}
    assert len(aws.questions("ListComputeQuotas")) == 1
    assert aws.questions("DescribeComputeQuota") == []


def test_a_share_of_nobody_leaves_all_shares_unread(aws: AwsWire, here: Connection) -> None:
    row = {
        "ClusterSchedulerConfigArn": "arn",
        "ClusterSchedulerConfigId": "turns",
        "Name": "turns",
        "Status": "Created",
        "CreationTime": cluster_row()["CreationTime"],
    }
    aws.faults = estate(ListClusterSchedulerConfigs={"ClusterSchedulerConfigSummaries": [row]})
    facts = sweep(here).facts("pod", HyperpodClusterFacts)
    assert facts.scheduler_configs == Unreadable("UnexpectedAnswer")
    assert facts.compute_quotas == Present(())


def odd(operation: str, body: dict[str, Any]) -> Fault:
    """An answer that AWS does not document."""
    headers = {"Content-Type": "application/x-amz-json-1.1"}
    return Fault(
        service=SERVICE, question=operation, status=200, body=json.dumps(body), headers=headers
    )


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"ClusterSummaries": None},
        {"ClusterSummaries": "none"},
        {"ClusterSummaries": [{"ClusterName": "pod"}]},
        {"ClusterSummaries": [{"ClusterArn": "", "ClusterName": "pod"}]},
        {"ClusterSummaries": [{"ClusterArn": ARN, "ClusterName": 7}]},
    ],
)
def test_an_odd_list_is_no_empty_list(body: dict[str, Any], aws: AwsWire, here: Connection) -> None:
    aws.faults = [odd("ListClusters", body), *estate()]
    swept = sweep(here)
    listing = swept.listings["hyperpod_cluster"]
    assert not listing.complete
    assert listing.code in ("UnexpectedAnswer", "MalformedAnswer")
    assert swept.of_kind(HyperpodClusterFacts) == []
    assert swept.reports["sagemaker:ListClusters"].failed == 1


def test_an_odd_cluster_costs_itself_alone(aws: AwsWire, here: Connection) -> None:
    aws.faults = [
        odd(
            "DescribeCluster", {"InstanceGroups": [{"InstanceGroupName": "x", "CurrentCount": -2}]}
        ),
        *estate(),
    ]
    swept = sweep(here)
    facts = swept.facts("pod", HyperpodClusterFacts)
    assert facts.instance_groups == Unreadable("UnexpectedAnswer")
    assert facts.cluster_status == Present("InService")
    assert len(swept.of_kind(HyperpodNodeFacts)) == 1


def test_tags_that_could_not_be_read_are_not_none(aws: AwsWire, here: Connection) -> None:
    aws.faults = [refused(SERVICE, "ListTags", "AccessDeniedException"), *estate()]
    swept = sweep(here)
    assert swept.found["pod"].tags is None
    assert swept.found["reserved"].tags is None
    assert swept.found[node_row()["InstanceId"]].tags == {}


def test_calls_that_the_settings_leave_out_are_not_made(
    aws: AwsWire, connection: MakeConnection
) -> None:
    aws.faults = estate()
    wanted = ["sagemaker:ListClusters", "sagemaker:DescribeCluster"]
    swept = sweep(connection(cell=Cell(region_id=REGION), operations=wanted))
    asked = {one.question for one in aws.asked if one.service == SERVICE}
    assert asked == {"ListClusters", "DescribeCluster"}
    skipped = "SkippedByConfiguration"
    assert swept.listings["sagemaker_training_plan"].code == skipped
    assert swept.facts("pod", HyperpodClusterFacts).compute_quotas == Unreadable(skipped)


def test_a_region_that_is_off_is_skipped(aws: AwsWire, here: Connection) -> None:
    aws.faults = [refused(SERVICE, ".*", "UnrecognizedClientException", region=REGION)]
    swept = sweep(here)
    assert {one.complete for one in swept.listings.values()} == {False}
    assert {one.skipped for one in swept.reports.values()} == {1}


def test_when_nothing_at_all_answers_nothing_is_known(aws: AwsWire, here: Connection) -> None:
    aws.faults = [refused(SERVICE, "List.*", "InternalFailure", 500)]
    with pytest.raises(CallFailedError) as raised:
        sweep(here)
    assert raised.value.code == "InternalFailure"
