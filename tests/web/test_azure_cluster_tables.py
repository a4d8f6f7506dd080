"""What pages tell of Azure's clusters beside their machines."""

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, cast

import pytest

from app.domain.azure_machine_learning import ComputeNode
from app.domain.derive import derive
from app.domain.fact_schema import to_fact_set
from app.domain.facts import ABSENT, FactDocument
from app.store.queries.inventory import ResourceItem
from app.web import azure_cluster_tables
from app.web.fact_tables import Table
from app.web.facts_view import Cell, Reader
from app.web.pages import Shell
from tests.support.azure_clusters import agent_pool, aks_cluster, batch_pool, ml_compute

SHELL = Shell(
    language="en", theme="", shortcuts=True, now=datetime(2026, 12, 1, tzinfo=UTC), here="/",
    organisation="Atalaya", sandbox=False, csrf_token="",
)  # fmt: skip


def reader(document: FactDocument) -> Reader:
    return Reader(to_fact_set(document, *derive(document)), SHELL)


def figure(document: FactDocument) -> tuple[str, Cell]:
    """The one figure of a cluster's own, with its label."""
    item = cast(ResourceItem, SimpleNamespace(id="1", kind=document.KIND))
    (found,) = azure_cluster_tables.attributes(item, reader(document), SHELL)
    return found.label, found.cell


def table(document: FactDocument) -> Table:
    (found,) = azure_cluster_tables.of_kind(document.KIND, reader(document), SHELL)
    return found


@pytest.mark.parametrize(
    ("version", "cell"),
    [
        ("1.34.1", Cell("pass", "1.34.1", "supported")),
        ("1.30.9", Cell("warn", "1.30.9", "long-term support only")),
        ("1.28.15", Cell("fail", "1.28.15", "out of support")),
    ],
)
def test_a_version_says_whether_it_is_supported(version: str, cell: Cell) -> None:
    assert figure(aks_cluster(kubernetes_version=version)) == ("Version", cell)


def test_pools_tell_their_driver_and_what_happens_to_spot_machines() -> None:
    pools = (
        agent_pool("system", machine_types=("Standard_D8ds_v5",), mode="System"),
        agent_pool("bare", gpu_driver="None", taints=("sku=gpu:NoSchedule",)),
        agent_pool("spot", priority="Spot", eviction_policy="Delete", spot_maximum_price=2.5),
    )
    system, bare, spot = table(aks_cluster(agent_pools=pools)).rows
    assert [cell.text for cell in system.cells[:3]] == ["System", "No GPU", "Does not apply"]
    assert (bare.note, bare.cells[1]) == ("sku=gpu:NoSchedule", Cell("warn", "None"))
    assert spot.cells[1:3] == (Cell("", "Installed by AKS"), Cell("", "Delete", "2.5"))


@pytest.mark.parametrize(
    ("mode", "text"), [("BatchService", "Microsoft"), ("UserSubscription", "Your subscription")]
)
def test_a_pool_says_who_holds_its_machines(mode: str, text: str) -> None:
    label, cell = figure(batch_pool(pool_allocation_mode=mode))
    assert (label, cell.text) == ("Machines held by", text)


def test_a_compute_says_when_its_machines_are_given_back() -> None:
    assert figure(ml_compute())[1] == Cell("", "15 min", "without use")
    instance: dict[str, Any] = {"compute_type": "ComputeInstance", "instance_state": "Running"}
    never = figure(ml_compute(**instance, idle_seconds_before_shutdown=ABSENT))
    assert never == ("Given back after", Cell("warn", "Never"))
    attached = ml_compute(compute_type="Kubernetes", idle_seconds_before_scale_down=ABSENT)
    assert figure(attached)[1].text == "Does not apply"


def test_nodes_tell_what_they_do() -> None:
    nodes = (ComputeNode("n1", "running", "run-7"), ComputeNode("n2", "unusable", ""))
    first, second = table(ml_compute(nodes=nodes)).rows
    assert first.cells == (Cell("pass", "running"), Cell("", "run-7"))
    assert second.cells == (Cell("warn", "unusable"), Cell("", "None"))


def test_what_is_no_cluster_of_nodes_has_no_table_of_them() -> None:
    attached = ml_compute(compute_type="Kubernetes", current_nodes=ABSENT)
    assert azure_cluster_tables.of_kind(attached.KIND, reader(attached), SHELL) == ()
