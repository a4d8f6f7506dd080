"""Azure's words about Machine Learning into ours."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from app.collectors.azure_machine_learning import mapping
from app.collectors.azure_machine_learning.operations import OPERATIONS
from app.domain.azure_machine_learning import (
    ComputeNode,
    MlComputeFacts,
    MlWorkspaceFacts,
    NodeStates,
)
from app.domain.facts import fact_names
from tests.collectors.azure_machine_learning.answers import cluster, compute, instance

WIRE = Path(__file__).parent / "wire"


def wire(name: str) -> Any:
    return json.loads((WIRE / name).read_text("utf-8"))


def test_every_fact_is_fed_by_the_operation_that_it_names() -> None:
    for kind in (MlWorkspaceFacts, MlComputeFacts):
        fed = {name: one.name for one in OPERATIONS for name in one.feeds}
        for name in fact_names(kind):
            assert kind.__dataclass_fields__[name].metadata["source"] == fed[name]


def test_a_recorded_workspace_is_understood() -> None:
    (row,) = wire("recorded.aml.workspaces.list.json")["value"]
    found = mapping.workspace(row)
    assert (found["account_status"], found["workspace_kind"]) == ("Succeeded", "Default")
    assert found["storage_account_id"].endswith("vvmlwrkspc8185571600")
    assert (found["container_registry_id"], found["public_network_access"]) == (None, None)
    assert (found["high_business_impact"], found["customer_key"]) == (False, False)


def test_the_workspaces_of_the_examples_are_understood() -> None:
    for row in wire("aml.workspaces.list.json")["value"]:
        found = mapping.workspace(row)
        assert (found["account_status"], found["workspace_kind"]) == (None, "Default")
        assert "/registries/testRegistry" in found["container_registry_id"]


def test_a_recorded_cluster_is_understood() -> None:
    answer = wire("recorded.aml.computes.list.json")
    (row,) = answer["value"]
    found = mapping.compute(row)
    assert (found["compute_type"], found["machine_type"]) == ("AmlCompute", "STANDARD_D1_V2")
    assert (found["priority"], found["minimum_nodes"], found["maximum_nodes"]) == (
        "LowPriority",
        0,
        2,
    )
    assert (found["idle_seconds_before_scale_down"], found["current_nodes"]) == (120, 0)
    assert found["node_states"] == NodeStates(0, 0, 0, 0, 0, 0)
    assert (found["ssh_public_access"], found["node_public_address"]) == ("Enabled", True)
    assert (found["instance_state"], found["errors"]) == (None, None)
    assert mapping.compute_names(answer) == {"compute_names": ("vvmlwrkspc11",)}
    parent = row["id"].rpartition("/")[0]
    assert mapping.made_at(row, parent) == datetime(2022, 8, 31, 8, 19, 39, 7436, UTC)


def test_a_cluster_of_the_examples_is_understood() -> None:
    found = mapping.compute(wire("aml.compute.get.amlcompute.json"))
    assert (found["current_nodes"], found["target_nodes"]) == (0, 1)
    assert (found["allocation_state"], found["idle_seconds_before_scale_down"]) == ("Resizing", 300)


def test_an_instance_of_the_examples_is_understood() -> None:
    row = wire("aml.compute.get.instance.json")
    found = mapping.compute(row)
    assert (found["compute_type"], found["instance_state"]) == ("ComputeInstance", "Running")
    assert (found["ssh_public_access"], found["image_current"]) == ("Enabled", False)
    assert found["idle_seconds_before_shutdown"] is None
    assert not mapping.tells_idle_shutdown(row)


def test_attached_computes_of_the_examples_are_understood() -> None:
    for row in wire("aml.computes.list.json")["value"]:
        found = mapping.compute(row)
        assert (found["compute_type"], found["machine_type"]) == ("AKS", None)
        assert "managedClusters" in found["attached_resource_id"]


def test_the_nodes_of_the_examples_are_understood() -> None:
    first, second = mapping.nodes(wire("aml.compute.nodes.json"))["nodes"]
    assert (first.state, first.run_id) == ("running", "2f378a44-38f2-443a-9f0d-9909d0b47890")
    assert second == ComputeNode("tvm-3601533753_2-20170719t162906z", "idle", "")


def test_connection_strings_of_attached_clusters_are_never_kept() -> None:
    secret = {"relayConnectionString": "Endpoint=sb://x;SharedAccessKey=y", "namespace": "n"}
    found = mapping.compute(compute("Kubernetes", secret))
    assert "SharedAccessKey" not in json.dumps(found, default=str)


def test_errors_are_told_by_their_codes() -> None:
    assert mapping.compute(cluster())["errors"] == ("Late", "QuotaExceeded")


def test_only_schedules_that_are_on_count() -> None:
    off = {"computeStartStop": [{"action": "Stop", "status": "Disabled"}]}
    assert mapping.compute(instance())["schedules"] == ("Stop",)
    assert mapping.compute(instance(schedules=off))["schedules"] is None


@pytest.mark.parametrize(
    "row", [{}, {"id": ""}, {"id": 7}, {"id": "/q/1"}, {"id": "/p/1", "properties": []}]
)
def test_a_row_that_names_no_compute_is_refused(row: Any) -> None:
    with pytest.raises((LookupError, ValueError, AttributeError)):
        mapping.made_at(row, "/p")
