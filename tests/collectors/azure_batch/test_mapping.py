"""Azure's words about Batch into ours."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from app.collectors.azure_batch import mapping
from app.collectors.azure_batch.operations import OPERATIONS
from app.domain.azure_batch import BatchAccountFacts, BatchPoolFacts, FamilyQuota
from app.domain.facts import fact_names
from tests.collectors.azure_batch.answers import account, pool

WIRE = Path(__file__).parent / "wire"


def wire(name: str) -> Any:
    return json.loads((WIRE / name).read_text("utf-8"))


def test_every_fact_is_fed_by_the_operation_that_it_names() -> None:
    for kind in (BatchAccountFacts, BatchPoolFacts):
        fed = {name: one.name for one in OPERATIONS for name in one.feeds}
        for name in fact_names(kind):
            assert kind.__dataclass_fields__[name].metadata["source"] == fed[name]


def test_an_account_of_the_examples_is_understood() -> None:
    (row,) = wire("batch.accounts.list.json")["value"]
    found = mapping.account(row)
    assert (found["account_status"], found["pool_allocation_mode"]) == ("Succeeded", "BatchService")
    assert (found["dedicated_core_quota"], found["pool_quota"]) == (20, 20)
    assert found["auto_storage_account_id"].endswith("/samplestorage")
    assert (found["authentication_modes"], found["family_quotas"]) == (None, None)


def test_a_pool_of_the_examples_is_understood() -> None:
    answer = wire("batch.pools.list.json")
    (row,) = answer["value"]
    found = mapping.pool(row)
    assert (found["machine_type"], found["task_slots_per_node"]) == ("STANDARD_D4", 13)
    assert (found["target_dedicated_nodes"], found["target_low_priority_nodes"]) == (6, 28)
    assert (found["current_dedicated_nodes"], found["autoscales"]) == (0, False)
    assert (found["resize_errors"], found["container_type"]) == (("AllocationTimedout",), None)
    assert mapping.labels(row) == {"metadata-1": "value-1", "metadata-2": "value-2"}
    assert mapping.pool_names(answer) == {"pool_names": ("testpool",)}
    parent = row["id"].rpartition("/")[0]
    assert mapping.made_at(row, parent) == datetime(2017, 8, 28, 10, 22, 55, 940727, UTC)


def test_the_quota_of_the_examples_is_understood() -> None:
    assert mapping.region_quota(wire("batch.location.quotas.json")) == {"region_account_quota": 1}


def test_an_account_of_your_own_subscription_has_no_quotas_of_its_own() -> None:
    silent = {"dedicatedCoreQuota": None, "dedicatedCoreQuotaPerVMFamily": None}
    found = mapping.account(account(**silent))
    assert (found["dedicated_core_quota"], found["family_quotas"]) == (None, None)


def test_families_without_cores_are_left_out() -> None:
    found = mapping.account(account())["family_quotas"]
    assert found == (FamilyQuota("standardNDISRH100V5Family", 96),)


def test_a_formula_is_judged_by_its_last_resize() -> None:
    found = mapping.pool(pool())
    assert (found["autoscales"], found["target_dedicated_nodes"]) == (True, 2)
    assert (found["autoscale_formula"], found["autoscale_error"]) == (
        "$TargetDedicatedNodes=2;",
        "BadFormula",
    )
    never = mapping.pool(pool(resizeOperationStatus=None))
    assert (never["autoscales"], never["target_dedicated_nodes"]) == (True, None)


def test_a_pool_tells_what_runs_on_its_nodes() -> None:
    found = mapping.pool(pool())
    assert (found["container_type"], found["container_images"]) == (
        "DockerCompatible",
        ("train:1",),
    )
    assert (found["image_offer"], found["mounts"]) == ("ubuntu-hpc", ("blob",))
    assert found["image_family"] == "hpc"
    assert (found["inter_node_communication"], found["public_addresses"]) == (
        True,
        "NoPublicIPAddresses",
    )


@pytest.mark.parametrize(
    "row", [{}, {"id": ""}, {"id": 7}, {"id": "/q/1"}, {"id": "/p/1", "properties": 7}]
)
def test_a_row_that_names_no_pool_is_refused(row: Any) -> None:
    with pytest.raises((LookupError, ValueError, AttributeError)):
        mapping.made_at(row, "/p")


def test_labels_of_an_odd_shape_are_not_read() -> None:
    assert mapping.labels(pool(metadata=[{"name": "x"}])) is None
    assert mapping.labels(pool(metadata="x")) is None
    assert mapping.labels({**pool(), "tags": {"team": "vision"}}) == {
        "phase": "training",
        "team": "vision",
    }


@pytest.mark.parametrize(
    ("image", "family"),
    [
        ({"publisher": "microsoft-dsvm", "offer": "ubuntu-2004"}, "data_science"),
        ({"publisher": "canonical", "offer": "0001-com-ubuntu-server-jammy"}, "other"),
        ({"id": "/subscriptions/s/galleries/g/images/i"}, "custom"),
        (None, None),
    ],
)
def test_the_family_of_an_image_is_told_by_its_offer(image: Any, family: str | None) -> None:
    machine = {"virtualMachineConfiguration": {"imageReference": image}}
    assert mapping.pool(pool(deploymentConfiguration=machine))["image_family"] == family
