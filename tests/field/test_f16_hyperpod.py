"""F16: machines of HyperPod are in no list of EC2, and cost what EC2's prices do not say."""

import json
from decimal import Decimal
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from app.collectors.aws_hyperpod.mapping_machines import listed_node
from app.domain.hyperpod_fleet import (
    Accelerators,
    Fleet,
    HyperpodNode,
    KubernetesNode,
    NodeState,
    fleet,
    hourly_cost,
    hyperpod_instance,
    node_state,
)
from app.domain.machine_types import known_machine_type

INPUT = json.loads((Path(__file__).parent / "inputs" / "f16_hyperpod.json").read_text("utf-8"))
EC2_PRICES = {name: Decimal(str(price)) for name, price in INPUT["ec2_price_list"].items()}


def hyperpod_node(row: dict[str, Any]) -> HyperpodNode:
    """What the collector makes of an entry of ListClusterNodes."""
    facts = listed_node(row, "arn", "pod")
    return HyperpodNode(facts["instance_id"] or "", facts["machine_type"], facts["node_status"])


NODES = [
    hyperpod_node(row) for row in INPUT["sagemaker_list_cluster_nodes"]["ClusterNodeSummaries"]
]
KUBERNETES = [
    KubernetesNode(node["name"], node["spec"]["providerID"]) for node in INPUT["k8s_nodes"]
]


def accelerators(*names: str) -> dict[str, Accelerators]:
    """What our own table says of these types."""
    found = {name: known_machine_type(name) for name in names}
    return {
        name: Accelerators(one.accelerator_kind, one.accelerator_count)
        for name, one in found.items()
        if one and one.accelerator_kind is not None and one.accelerator_count is not None
    }


TYPES = accelerators("ml.p5.48xlarge", "ml.m5.2xlarge")


def running(
    number: int = 1, type_: str = "ml.p5.48xlarge", status: str = "Running"
) -> HyperpodNode:
    return HyperpodNode(f"i-{number:017x}", type_, status)


def as_kubernetes(node: HyperpodNode, zone: str = "usw2-az2") -> KubernetesNode:
    return KubernetesNode(f"hyperpod-{node.id}", f"aws:///{zone}/sagemaker/cluster/pod-a-{node.id}")


def test_the_table_agrees_with_the_case() -> None:
    assert {"ml.p5.48xlarge": TYPES["ml.p5.48xlarge"].count} == INPUT["gpus_per_type"]
    assert INPUT["ec2_describe_instances"] == {"Reservations": []}


def test_every_machine_is_counted_once() -> None:
    found = fleet(NODES, KUBERNETES, TYPES)
    assert (found.nodes_total, found.hyperpod_nodes) == (5, 4)
    assert (found.gpu_nodes_running, found.gpus_running, found.gpus_pending) == (2, 16, 8)
    assert found.unlisted_by_kubernetes == ("i-0aaa0000000000003", "i-0aaa0000000000004")
    assert (found.unlisted_by_sagemaker, found.unknown_types) == ((), ())


def test_the_price_of_ec2_is_not_the_price() -> None:
    found = hourly_cost(NODES, EC2_PRICES)
    assert (found.amount, found.status) == (None, "unpriced")
    assert found.unpriced_types == ("ml.m5.2xlarge", "ml.p5.48xlarge")


def test_a_price_of_sagemaker_is() -> None:
    prices = EC2_PRICES | {"ml.p5.48xlarge": Decimal("63.296"), "ml.m5.2xlarge": Decimal("0.461")}
    found = hourly_cost([*NODES, NODES[0]], prices)
    assert (found.amount, found.status) == (Decimal("190.349"), "priced")


def test_one_price_that_is_missing_leaves_the_sum_unknown() -> None:
    found = hourly_cost(NODES, {"ml.p5.48xlarge": Decimal(1)})
    assert (found.amount, found.status) == (None, "unpriced")
    assert found.unpriced_types == ("ml.m5.2xlarge",)


def test_no_machines_cost_nothing() -> None:
    assert hourly_cost([], {}).amount == 0


@pytest.mark.parametrize(
    ("provider_id", "instance"),
    [
        (
            "aws:///usw2-az2/sagemaker/cluster/hyperpod-ab12-i-0aaa0000000000001",
            "i-0aaa0000000000001",
        ),
        ("aws:///us-west-2b/sagemaker/cluster/i-0aaa0000000000001", "i-0aaa0000000000001"),
        ("aws:///usw2-az2/sagemaker/cluster/i-pod-i-0aaa0001", "i-0aaa0001"),
        ("aws:///us-west-2a/i-0bbb0000000000009", ""),
        ("aws:///usw2-az2/sagemaker/cluster/hyperpod-ab12", ""),
        ("aws:///usw2-az2/sagemaker/cluster/pod-i-0aaa0000000000001/x", ""),
        ("azure:///sagemaker/cluster/pod-i-0aaa0000000000001", ""),
        ("kind://docker/kind/worker", ""),
        ("", ""),
    ],
)
def test_a_provider_id_says_whose_machine_it_is(provider_id: str, instance: str) -> None:
    assert hyperpod_instance(provider_id) == instance


@pytest.mark.parametrize(
    ("status", "state"),
    [
        ("Running", NodeState.RUNNING),
        ("Pending", NodeState.PENDING),
        ("SystemUpdating", NodeState.PENDING),
        ("DeepHealthCheckInProgress", NodeState.PENDING),
        ("AttachInProgress", NodeState.PENDING),
        ("Failure", NodeState.UNUSABLE),
        ("ShuttingDown", NodeState.UNUSABLE),
        ("DetachInProgress", NodeState.UNUSABLE),
        ("NotFound", NodeState.UNUSABLE),
        ("running", NodeState.UNKNOWN),
        ("Hibernating", NodeState.UNKNOWN),
        ("", NodeState.UNKNOWN),
    ],
)
def test_only_machines_that_run_are_running(status: str, state: NodeState) -> None:
    assert node_state(status) is state
    found = fleet([running(status=status)], [], TYPES)
    told = (found.gpus_running, found.gpus_pending, found.gpus_unusable)
    assert (
        told
        == {
            NodeState.RUNNING: (8, 0, 0),
            NodeState.PENDING: (0, 8, 0),
            NodeState.UNUSABLE: (0, 0, 8),
            NodeState.UNKNOWN: (None, None, None),
        }[state]
    )


def test_neuron_devices_are_no_gpus() -> None:
    found = fleet([running(type_="ml.trn2.48xlarge")], [], accelerators("ml.trn2.48xlarge"))
    assert (found.gpus_running, found.gpu_nodes_running) == (0, 0)
    assert found.neuron_devices_running == 16


def test_parts_of_gpus_are_counted_as_parts() -> None:
    types = accelerators("ml.g6f.large", "ml.p5.4xlarge")
    nodes = [running(1, "ml.g6f.large"), running(2, "ml.g6f.large"), running(3, "ml.p5.4xlarge")]
    found = fleet(nodes, [], types)
    assert (found.gpus_running, found.gpu_nodes_running) == (1.25, 3)


def test_a_type_that_nobody_knows_leaves_its_sum_unknown_and_no_other() -> None:
    found = fleet([running(1), running(2, "ml.p99.huge", "Pending")], [], TYPES)
    assert (found.gpus_running, found.gpus_pending) == (8, None)
    assert (found.nodes_total, found.unknown_types) == (2, ("ml.p99.huge",))


def test_a_node_that_only_kubernetes_lists_is_a_node() -> None:
    gone = as_kubernetes(running(9))
    found = fleet([running(1)], [gone, as_kubernetes(running(1))], TYPES)
    assert (found.nodes_total, found.hyperpod_nodes) == (2, 2)
    assert found.unlisted_by_sagemaker == (running(9).id,)
    assert found.gpus_running == 8  # what nobody tells the type of is not guessed


def test_nodes_without_a_provider_are_told_apart_by_name() -> None:
    found = fleet([], [KubernetesNode("a", ""), KubernetesNode("b", "")], TYPES)
    assert (found.nodes_total, found.hyperpod_nodes) == (2, 0)


def test_a_name_joins_nothing() -> None:
    lookalike = KubernetesNode(f"hyperpod-{running(1).id}", "")
    assert fleet([running(1)], [lookalike], TYPES).nodes_total == 2


def test_machines_that_are_told_twice_count_once_and_the_last_word_holds() -> None:
    nodes = [running(1, status="Pending"), running(1)]
    found = fleet(nodes, [as_kubernetes(running(1))] * 2, TYPES)
    assert (found.nodes_total, found.gpus_running, found.gpus_pending) == (1, 8, 0)


def test_machines_without_an_id_are_not_one() -> None:
    waiting = HyperpodNode("", "ml.p5.48xlarge", "Pending")
    found = fleet([running(1), waiting, waiting], [as_kubernetes(running(1))], TYPES)
    assert (found.nodes_total, found.hyperpod_nodes, found.gpus_pending) == (3, 3, 16)
    assert found.unlisted_by_kubernetes == ()
    assert hourly_cost([waiting, waiting], {"ml.p5.48xlarge": Decimal(2)}).amount == 4


def test_order_does_not_matter() -> None:
    found: set[Fleet] = {fleet(order, KUBERNETES, TYPES) for order in permutations(NODES)}
    assert len(found) == 1


def test_nothing_is_nothing() -> None:
    found = fleet([], [], {})
    assert (found.nodes_total, found.gpus_running, found.gpu_nodes_running) == (0, 0, 0)
