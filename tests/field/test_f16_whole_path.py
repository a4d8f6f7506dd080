"""F16 through the product: what the collector reads and derives gives the same machines."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.domain.cluster import ClusterFacts
from app.domain.collecting import Cell
from app.domain.derive import derive
from app.domain.facts import Present, Unreadable
from app.domain.hyperpod import HyperpodClusterFacts, HyperpodNodeFacts
from app.domain.hyperpod_fleet import Accelerators, Fleet, HyperpodNode, KubernetesNode, fleet
from tests.collectors.aws_hyperpod.conftest import (
    Swept,
    cluster,
    cluster_row,
    group,
    node,
    node_row,
    sweep,
)
from tests.support.aws_fixtures import MakeConnection
from tests.support.aws_shapes import fixture
from tests.support.aws_wire import AwsWire, Fault

INPUT = json.loads((Path(__file__).parent / "inputs" / "f16_hyperpod.json").read_text("utf-8"))
ROWS: list[dict[str, Any]] = INPUT["sagemaker_list_cluster_nodes"]["ClusterNodeSummaries"]
KUBERNETES = [
    KubernetesNode(found["name"], found["spec"]["providerID"]) for found in INPUT["k8s_nodes"]
]
Row = dict[str, Any]
# Types that botocore does not know yet are written in place of those that it does.
NEW_TYPES = {"ml.g6.xlarge": "ml.g6f.large", "ml.p5e.48xlarge": "ml.p99.huge"}


class Estate:
    """One cluster on the wire, and what the product makes of it."""

    def __init__(self, aws: AwsWire, connection: MakeConnection) -> None:
        self._aws, self._connection = aws, connection

    def read(self, rows: Sequence[Row], *groups: Row) -> Swept:
        """One sweep over a cluster with these nodes and groups."""
        results: dict[str, Row] = {
            "ListClusters": {"ClusterSummaries": [cluster_row()]},
            "DescribeCluster": cluster(*groups, NodeProvisioningMode="Continuous"),
            "ListTags": {"Tags": []},
            "ListComputeQuotas": {"ComputeQuotaSummaries": []},
            "ListClusterSchedulerConfigs": {"ClusterSchedulerConfigSummaries": []},
            "ListClusterNodes": {"ClusterNodeSummaries": list(rows)},
            "DescribeClusterNode": node(),
            "ListTrainingPlans": {"TrainingPlanSummaries": []},
        }
        self._aws.faults = [
            newer(fixture("sagemaker", name, found)) for name, found in results.items()
        ]
        return sweep(self._connection(cell=Cell(region_id="us-west-2")))


@pytest.fixture
def estate(aws: AwsWire, connection: MakeConnection) -> Estate:
    return Estate(aws, connection)


def newer(answer: Fault) -> Fault:
    body = answer.body
    for known, new in NEW_TYPES.items():
        body = body.replace(known, new)
    return replace(answer, body=body)


def of_group(name: str, machine_type: str, count: int, **more: Any) -> Row:
    return group(name, InstanceType=machine_type, CurrentCount=count, TargetCount=count, **more)


def derived(swept: Swept) -> ClusterFacts:
    """What pages and policies know of the cluster."""
    (found,) = derive(swept.facts("pod", HyperpodClusterFacts))
    assert isinstance(found, ClusterFacts)
    return found


def machines(swept: Swept) -> Fleet:
    """The machines that were stored, joined with those of Kubernetes."""
    nodes, types = [], {}
    for seen in swept.of_kind(HyperpodNodeFacts):
        facts = swept.facts(seen.name, HyperpodNodeFacts)
        machine_type, status = facts.machine_type, facts.node_status
        assert isinstance(machine_type, Present)
        assert isinstance(status, Present)
        nodes.append(HyperpodNode(seen.name, machine_type.value, status.value))
        kind, count = facts.accelerator_kind, facts.accelerator_count
        if isinstance(kind, Present) and isinstance(count, Present):
            types[machine_type.value] = Accelerators(kind.value, count.value)
    return fleet(nodes, KUBERNETES, types)


def test_the_field_case_has_its_figures(estate: Estate) -> None:
    swept = estate.read(
        ROWS, of_group("workers", "ml.p5.48xlarge", 3), of_group("controller", "ml.m5.2xlarge", 1)
    )
    found = machines(swept)
    assert (found.nodes_total, found.hyperpod_nodes) == (5, 4)
    assert (found.gpu_nodes_running, found.gpus_running, found.gpus_pending) == (2, 16, 8)
    facts = derived(swept)
    assert (facts.machine_count, facts.accelerator_count) == (Present(4), Present(24.0))
    assert isinstance(facts.machine_groups, Present)
    assert [
        (one.name, one.current_count, one.accelerator_count) for one in (facts.machine_groups.value)
    ] == [("workers", 3, 8.0), ("controller", 1, 0.0)]


def test_parts_of_gpus_and_neuron_devices_keep_their_figures(estate: Estate) -> None:
    rows = [
        node_row(1, InstanceType="ml.g6.xlarge"),
        node_row(2, InstanceType="ml.g6.xlarge"),
        node_row(3, InstanceType="ml.trn2.48xlarge"),
    ]
    swept = estate.read(
        rows, of_group("small", "ml.g6.xlarge", 2), of_group("neuron", "ml.trn2.48xlarge", 1)
    )
    found, facts = machines(swept), derived(swept)
    assert (found.gpus_running, found.gpu_nodes_running) == (0.25, 2)
    assert found.neuron_devices_running == 16
    assert facts.accelerator_count == Present(16.25)
    assert facts.accelerator_models == Present(("AWS Trainium2", "NVIDIA L4"))


def test_a_group_that_mixes_types_is_counted_by_type(estate: Estate) -> None:
    mixed = group(
        "mixed",
        CurrentCount=3,
        TargetCount=3,
        InstanceRequirements={
            "DesiredInstanceTypes": ["ml.p5.48xlarge", "ml.p5.4xlarge"],
            "CurrentInstanceTypes": ["ml.p5.48xlarge", "ml.p5.4xlarge"],
        },
        InstanceTypeDetails=[
            {"InstanceType": "ml.p5.48xlarge", "CurrentCount": 1},
            {"InstanceType": "ml.p5.4xlarge", "CurrentCount": 2},
        ],
    )
    del mixed["InstanceType"]
    rows = [node_row(1), *(node_row(at, InstanceType="ml.p5.4xlarge") for at in (2, 3))]
    swept = estate.read(rows, mixed)
    assert machines(swept).gpus_running == 10
    assert derived(swept).accelerator_count == Present(10.0)


def test_machines_that_are_being_made_are_machines_each(estate: Estate) -> None:
    waiting = [
        node_row(
            at, InstanceId="", NodeLogicalId=f"node-{at}", InstanceStatus={"Status": "Pending"}
        )
        for at in (2, 3)
    ]
    swept = estate.read([node_row(1), *waiting], of_group("workers", "ml.p5.48xlarge", 1))
    found = machines(swept)
    assert len(swept.of_kind(HyperpodNodeFacts)) == 3
    assert (found.gpus_running, found.gpus_pending) == (8, 16)


def test_a_type_that_nobody_knows_leaves_no_sum(estate: Estate) -> None:
    rows = [node_row(1), node_row(2, InstanceType="ml.p5e.48xlarge")]
    swept = estate.read(
        rows, of_group("workers", "ml.p5.48xlarge", 1), of_group("new", "ml.p5e.48xlarge", 1)
    )
    found, facts = machines(swept), derived(swept)
    assert (found.gpus_running, found.unknown_types) == (None, ("ml.p99.huge",))
    assert facts.machine_count == Present(2)
    assert facts.accelerator_count == Unreadable("UnknownMachineType")
