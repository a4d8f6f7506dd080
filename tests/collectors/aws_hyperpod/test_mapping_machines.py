"""What AWS says of nodes and training plans, in our words."""

from typing import Any

import pytest

from app.collectors.aws_hyperpod import mapping_machines as mapping
from app.domain.facts import ABSENT, Present, Unreadable
from app.domain.machine_types import known_machine_type
from tests.collectors.aws_hyperpod.conftest import LAUNCHED, node, node_row, plan_row


def test_a_node_is_what_its_row_says() -> None:
    status = {"Status": "Failure", "Message": "GPU fell off the bus"}
    found = mapping.listed_node(node_row(InstanceStatus=status), "arn", "pod")
    assert (found["cluster_arn"], found["cluster_name"]) == ("arn", "pod")
    assert (found["node_status"], found["status_message"]) == ("Failure", "GPU fell off the bus")
    assert (found["launched_at"], found["machine_type"]) == (LAUNCHED, "ml.p5.48xlarge")
    assert found["ultra_server_id"] is None


def test_a_node_without_an_instance_has_none() -> None:
    assert mapping.listed_node(node_row(InstanceId=""), "arn", "pod")["instance_id"] is None


def test_where_a_node_stands() -> None:
    assert mapping.described_node(node()) == {
        "availability_zone": "us-west-2b",
        "availability_zone_id": "usw2-az2",
        "capacity_type": "OnDemand",
        "private_ip": "10.0.0.1",
    }


def test_a_type_that_nobody_knows_tells_nothing() -> None:
    assert set(mapping.machine_facts(None).values()) == {Unreadable("UnknownMachineType")}


def test_a_type_that_may_hold_accelerators_and_does_not_say_so_tells_nothing_of_them() -> None:
    found = mapping.machine_facts(known_machine_type("ml.trn2u.48xlarge"))
    unknown = Unreadable("UnknownMachineType")
    assert (found["accelerator_kind"], found["accelerator_model"]) == (unknown, unknown)
    assert found["accelerator_count"] == unknown
    assert isinstance(found["vcpu_count"], Present)


def test_none_is_none_and_a_part_is_a_part() -> None:
    plain = mapping.machine_facts(known_machine_type("ml.m5.xlarge"))
    assert (plain["accelerator_kind"], plain["accelerator_count"]) == (Present(""), Present(0))
    assert plain["accelerator_memory_bytes"] == ABSENT
    part = mapping.machine_facts(known_machine_type("ml.g6f.large"))
    assert part["accelerator_count"] == Present(0.125)


@pytest.mark.parametrize("fee", ["1234.50", "0", "0.00", "1E+3"])
def test_a_fee_is_a_number_in_a_text(fee: str) -> None:
    assert mapping.listed_plan(plan_row(UpfrontFee=fee))["upfront_fee"] == fee


@pytest.mark.parametrize("fee", ["", "much", "NaN", "Infinity", "-1", "1,000.00", [], {}])
def test_what_is_no_amount_is_no_fee(fee: object) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - whichever way it is none
        mapping.listed_plan(plan_row(UpfrontFee=fee))


def test_figures_that_a_plan_leaves_out_are_absent() -> None:
    row: dict[str, Any] = {"Status": "Pending"}
    found = mapping.listed_plan(row)
    assert found["plan_status"] == "Pending"
    assert found["upfront_fee"] is None
    assert found["in_use_machine_count"] is None
    assert (found["reserved_capacities"], found["target_resources"]) == (None, None)
