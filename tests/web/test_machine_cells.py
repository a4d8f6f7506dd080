"""Machines in cells: states, scale sets that have none, zones that say where they really are."""

from datetime import UTC, datetime
from typing import Any, cast

import pytest

from app.domain.facts import FactSet
from app.store.queries.inventory import ResourceItem
from app.web import machine_cells
from app.web.facts_view import Cell, Reader
from app.web.pages import Shell

SHELL = Shell(
    language="en", theme="", shortcuts=True, now=datetime(2026, 12, 1, tzinfo=UTC), here="/",
    organisation="Atalaya", sandbox=False, csrf_token="",
)  # fmt: skip


def cells(
    present: dict[str, Any], *, absent: tuple[str, ...] = (), **unreadable: str
) -> dict[str, Cell]:
    """The cells of a machine with these facts, by column."""
    reader = Reader(FactSet(present, frozenset(absent), unreadable), SHELL)
    item = cast(ResourceItem, None)  # no column looks at it
    return {one.id: one.write(item, reader) for one in machine_cells.columns(SHELL)}


@pytest.mark.parametrize(
    ("facts", "shape", "note"),
    [
        ({"state": "running", "is_billed": True}, "pass", ""),
        ({"state": "stopped", "is_billed": True}, "warn", "still paid for"),
        ({"state": "deallocated", "is_billed": False}, "warn", ""),
        ({"state": "stopped"}, "warn", ""),
    ],
)
def test_a_machine_that_does_nothing_but_costs_says_so(
    facts: dict[str, Any], shape: str, note: str
) -> None:
    assert cells(facts)["status"] == Cell(shape, facts["state"], note)


def test_a_state_that_is_not_told_is_said_to_be_not_told() -> None:
    assert cells({}, state="NotTold", node_status="NotTold")["status"].shape == "unknown"


def test_a_scale_set_tells_how_many_machines_it_is_meant_to_have() -> None:
    found = cells(
        {
            "orchestration_mode": "Uniform",
            "machine_count": 2,
            "machine_type": "Standard_ND96asr_v4",
            "accelerators_per_machine": 8,
            "accelerator_model": "NVIDIA A100",
            "availability_zones": ["1", "2"],
            "physical_zones": ["westeurope-az3", "westeurope-az1"],
        },
        absent=("cluster_name",),
    )
    assert found["status"] == Cell("", "2 machines wanted")
    assert found["accelerators"] == Cell("", "8 in each machine", "NVIDIA A100")
    assert found["zone"] == Cell("", "1, 2", "westeurope-az3, westeurope-az1")
    assert found["group"] == Cell("", "None")


def test_a_scale_set_in_no_zone_and_without_accelerators() -> None:
    found = cells(
        {
            "orchestration_mode": "Uniform",
            "accelerators_per_machine": 0,
            "availability_zones": [],
            "physical_zones": [],
        },
        machine_count="NotTold",
    )
    assert (found["zone"].text, found["accelerators"].text) == ("None", "None")
    assert found["status"].shape == "unknown"


def test_a_zone_of_azure_has_its_building_beside_it() -> None:
    facts = {"availability_zone": "1", "physical_zone": "westeurope-az3", "accelerator_count": 0.5}
    assert cells(facts)["zone"] == Cell("", "1", "westeurope-az3")
    assert cells({"availability_zone": "us-west-2a"})["zone"] == Cell("", "us-west-2a")
    assert cells(facts)["accelerators"] == Cell("", "0.5")
