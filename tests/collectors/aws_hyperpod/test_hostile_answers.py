"""Whatever stands at any place of an answer: facts of their own types come out, or none."""

import json
from typing import Any

import pytest

from app.collectors.aws_hyperpod import mapping, mapping_machines
from app.collectors.aws_hyperpod.operations import BY_NAME
from app.domain.collecting import Outcome
from app.domain.derive import derive
from app.domain.fact_check import typed
from app.domain.fact_schema import to_fact_set
from app.domain.facts import ABSENT, FactDocument, fact_names
from app.domain.hyperpod import HyperpodClusterFacts, HyperpodNodeFacts
from app.domain.replies import Parse, Reply, understood
from app.domain.training_plan import TrainingPlanFacts
from tests.collectors.aws_hyperpod.conftest import (
    cluster,
    cluster_row,
    group,
    node,
    node_row,
    plan_row,
)
from tests.collectors.test_hostile_answers import spoiled

FLEXIBLE = {
    "InstanceGroupName": "mixed",
    "CurrentCount": 1,
    "TargetCount": 1,
    "InstanceRequirements": {"DesiredInstanceTypes": ["ml.g5.xlarge"]},
    "InstanceTypeDetails": [{"InstanceType": "ml.g5.xlarge", "CurrentCount": 1}],
    "CapacityRequirements": {"Spot": {}},
    "OverrideVpcConfig": {"Subnets": ["s"], "SecurityGroupIds": ["g"]},
    "InstanceStorageConfigs": [{"FsxLustreConfig": {"DnsName": "d", "MountName": "m"}}],
    "SlurmConfig": {"NodeType": "Compute"},
}
CLUSTER = cluster(
    group(TrainingPlanArn="arn"),
    FLEXIBLE,
    RestrictedInstanceGroups=[group("shut")],
    VpcConfig={"Subnets": ["s"]},
    Orchestrator={"Eks": {"ClusterArn": "arn"}, "Slurm": {"SlurmConfigStrategy": "Managed"}},
    AutoScaling={"Mode": "Enable", "Status": "InService"},
    TieredStorageConfig={"Mode": "Enable", "InstanceMemoryAllocationPercentage": 20},
)
QUOTA = {
    "Name": "share",
    "Status": "Created",
    "ActivationState": "Enabled",
    "ComputeQuotaTarget": {"TeamName": "a", "FairShareWeight": 1},
    "ComputeQuotaConfig": {
        "ComputeQuotaResources": [
            {
                "InstanceType": "ml.p5.48xlarge",
                "Count": 1,
                "VCpu": 1.5,
                "AcceleratorPartition": {"Type": "mig-1g.18gb", "Count": 1},
            }
        ],
        "ResourceSharingConfig": {"Strategy": "Lend", "BorrowLimit": 50},
    },
}
CALLS: dict[str, tuple[type[FactDocument], Parse, Any]] = {
    "sagemaker:ListClusters": (HyperpodClusterFacts, mapping.listed_cluster, cluster_row()),
    "sagemaker:DescribeCluster": (HyperpodClusterFacts, mapping.described_cluster, CLUSTER),
    "sagemaker:ListComputeQuotas": (
        HyperpodClusterFacts,
        lambda answer: mapping.quotas(answer["rows"]),
        {"rows": [QUOTA]},
    ),
    "sagemaker:ListClusterSchedulerConfigs": (
        HyperpodClusterFacts,
        lambda answer: mapping.scheduler_configs(answer["rows"]),
        {"rows": [{"Name": "turns", "Status": "Created"}]},
    ),
    "sagemaker:ListClusterNodes": (
        HyperpodNodeFacts,
        lambda answer: mapping_machines.listed_node(answer, "arn", "pod"),
        node_row(UltraServerInfo={"Id": "u"}),
    ),
    "sagemaker:DescribeClusterNode": (HyperpodNodeFacts, mapping_machines.described_node, node()),
    "sagemaker:ListTrainingPlans": (TrainingPlanFacts, mapping_machines.listed_plan, plan_row()),
    "sagemaker:DescribeTrainingPlan": (
        TrainingPlanFacts,
        mapping_machines.described_plan,
        plan_row(UnhealthyInstanceCount=1),
    ),
}


@pytest.mark.parametrize("call", sorted(CALLS))
def test_no_answer_breaks_what_follows(call: str) -> None:
    document, parse, answer = CALLS[call]
    feeds = tuple(name for name in BY_NAME[call].feeds if name in fact_names(document))
    for hostile in spoiled(answer):
        _, found = understood(Reply(Outcome.ANSWERED, hostile), feeds, typed(document, parse))
        facts = document(**{**dict.fromkeys(fact_names(document), ABSENT), **found})
        stored = to_fact_set(facts, *derive(facts)).to_json()
        assert json.dumps(stored, allow_nan=False)
