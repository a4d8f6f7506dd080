"""The collector against the sandbox's story: what is kept, and what follows from it."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
import structlog
from structlog.testing import LogCapture

from app.domain.collecting import Cell, Connection
from app.sandbox.aws.estate import AwsEstate
from app.sandbox.aws_server import AwsServer
from app.sandbox.faults import Fault
from app.sandbox.story import AWS_RESEARCH, AWS_TRAINING, EXTERNAL_ID, FRA, PDX, ROLE_NAME
from tests.collectors.aws_ec2.conftest import Sweep, Swept
from tests.support.aws_fixtures import aws_connection

FRANKFURT = Cell(AWS_RESEARCH.account_id, FRA)
OREGON = Cell(AWS_TRAINING.account_id, PDX)


@pytest.fixture(scope="module")
def server() -> Iterator[AwsServer]:
    found = AwsServer(AwsEstate(scripted=()))
    found.start()
    yield found
    found.stop()


def connection(server: AwsServer, cell: Cell) -> Connection:
    key = {
        "mode": "access_key",
        "access_key_id": server.access_key_id,
        "secret_access_key": "env:AWS_SECRET",
    }
    members = {"role_name": ROLE_NAME, "external_id": EXTERNAL_ID}
    made = aws_connection(server.endpoint, cell=cell, credentials=key, organization=members)
    return replace(made, secret=lambda _: server.secret_access_key)


@pytest.fixture
def frankfurt(server: AwsServer, sweep: Sweep) -> Swept:
    return sweep(connection(server, FRANKFURT))


@pytest.fixture
def oregon(server: AwsServer, sweep: Sweep) -> Swept:
    return sweep(connection(server, OREGON))


def test_machines_are_kept_by_their_type_or_their_cluster(frankfurt: Swept, oregon: Swept) -> None:
    kept = {one.name for one in frankfurt.seen.values() if one.kind == "ec2_instance"}
    assert kept == {"forgotten-notebook", "labelling-gpu"}  # and not the bastion
    machines = {
        one.name: oregon.present(one.name)
        for one in oregon.seen.values()
        if one.kind == "ec2_instance"
    }
    assert {
        name: (one["cluster_name"], one["accelerator_count"]) for name, one in machines.items()
    } == {
        "pcluster-pdx-spot-1": ("pcluster-pdx", 8),
        "pcs-trainium-1": ("pcs_cierzo0001", 16),
        "hyperpod-eks-workers-1": ("hyperpod-eks", 1),
        "hyperpod-eks-workers-2": ("hyperpod-eks", 1),
        **{f"cnq-spoke-pdx-{number}": ("cnq-spoke-pdx", 0) for number in (1, 2, 3, 4)},
    }


def test_how_many_machines_are_not_kept_is_said(
    server: AwsServer, sweep: Sweep, monkeypatch: pytest.MonkeyPatch
) -> None:
    captured = LogCapture()  # whatever level other tests have set
    logger = structlog.wrap_logger(None, processors=[captured], wrapper_class=structlog.BoundLogger)
    monkeypatch.setattr("app.collectors.aws_ec2.machines.log", logger)
    sweep(connection(server, FRANKFURT))
    assert captured.entries == [
        {
            "event": "ec2.machines_not_kept",
            "log_level": "info",
            "scope": f"{AWS_RESEARCH.account_id}/{FRA}",
            "machines": 1,
        }
    ]


def test_a_forgotten_notebook(frankfurt: Swept) -> None:
    found = frankfurt.facts("forgotten-notebook")
    assert found.present["accelerator_model"] == "NVIDIA A10G"
    assert found.present["metadata_tokens"] == "optional"
    assert found.present["public_ip"] == "203.0.113.41"
    assert {"cluster_name", "cluster_tag", "capacity_reservation_id"} <= found.absent
    assert found.unreadable == {}


def test_a_part_of_a_gpu_that_is_stopped_is_still_there(frankfurt: Swept) -> None:
    found = frankfurt.present("labelling-gpu")
    assert (found["accelerator_count"], found["state"]) == (0.125, "stopped")
    assert found["stopped_at"] == "2026-06-30T17:03:11+00:00"


def test_how_machines_are_bought_and_connected(oregon: Swept) -> None:
    def told(name: str) -> tuple[object, ...]:
        one = oregon.present(name)
        return one["capacity"], one["rdma_interfaces"], one["rdma_interfaces_possible"]

    assert told("pcluster-pdx-spot-1") == ("spot", 4, 4)
    assert told("pcs-trainium-1") == ("capacity_block", 16, 16)
    assert told("hyperpod-eks-workers-1") == ("on_demand", 1, 1)


def test_a_machine_of_eks_is_a_part_of_its_cluster(oregon: Swept) -> None:
    parent = oregon.seen["hyperpod-eks-workers-1"].parent_native_id
    assert parent == f"arn:aws:eks:{PDX}:{AWS_TRAINING.account_id}:cluster/hyperpod-eks"
    assert oregon.seen["cnq-spoke-pdx-1"].parent_native_id == ""


def test_a_volume_is_a_part_of_its_machine(oregon: Swept) -> None:
    machine = oregon.seen["pcs-trainium-1"].native_id
    assert oregon.seen["pcs-trainium-1-root"].parent_native_id == machine
    assert oregon.seen["pvc-tokenizer-cache"].parent_native_id == ""


def test_an_idle_capacity_block(oregon: Swept) -> None:
    found = oregon.present("block-h200")
    ends = datetime.fromisoformat(found["ends_at"])
    assert (ends.hour, ends.minute) == (11, 30)
    assert datetime.fromisoformat(found["usable_until_at"]) == ends - timedelta(minutes=30)
    assert (found["idle_accelerator_count"], found["idle_percent"]) == (16, 100)
    assert found["unavailable_machine_count"] == 0


def test_a_reservation_without_an_end_is_half_idle(oregon: Swept) -> None:
    found = oregon.facts("odcr-p5-workers")
    assert (found.present["idle_accelerator_count"], found.present["idle_percent"]) == (2, 50)
    assert {"ends_at", "usable_until_at", "unavailable_machine_count"} <= found.absent


def test_orphans_are_told_from_what_is_needed(frankfurt: Swept, oregon: Swept) -> None:
    kinds = {"ebs_volume", "ebs_snapshot"}
    orphans = {
        name: swept.present(name).get("is_orphan")
        for swept in (frankfurt, oregon)
        for name, one in swept.seen.items()
        if one.kind in kinds
    }
    assert orphans == {
        "forgotten-notebook-root": False,
        "scratch-2024": True,
        "pcs-trainium-1-root": False,
        "pvc-tokenizer-cache": True,
        "scratch-2023-last": True,
        "notebook-base-root": False,
        "forgotten-notebook-weekly": False,
        "ct-thorax-vault": True,
        "atlas-train-root": False,
    }
    assert frankfurt.present("ct-thorax-vault")["kept_by"] == "aws_backup"
    assert oregon.facts("atlas-train-root").present["is_copy"] is True
    assert {"volume_id", "volume_exists"} <= oregon.facts("atlas-train-root").absent


def test_images_with_their_dates(frankfurt: Swept) -> None:
    image = frankfurt.seen["notebook-base"]
    assert image.created_at == datetime(2024, 2, 6, 8, 14, 2, tzinfo=UTC)
    assert image.native_id.startswith(f"arn:aws:ec2:{FRA}::image/ami-")
    assert frankfurt.present("notebook-base")["deprecated_at"] == "2026-02-06T08:14:00+00:00"


def test_encryption_by_default_differs_by_region(frankfurt: Swept, oregon: Swept) -> None:
    assert frankfurt.present("scratch-2024")["encryption_by_default"] is False
    assert oregon.present("pvc-tokenizer-cache")["encryption_by_default"] is True


def test_every_list_is_whole_and_no_call_is_made_in_vain(frankfurt: Swept, oregon: Swept) -> None:
    for swept in (frankfurt, oregon):
        assert [one.complete for one in swept.listings.values()] == [True] * 5
        assert {report.code for report in swept.reports.values()} == {""}
    assert "ec2:DescribeCapacityBlockStatus" in oregon.reports
    assert "ec2:DescribeCapacityBlockStatus" not in frankfurt.reports


def test_an_empty_region_costs_five_calls(server: AwsServer, sweep: Sweep) -> None:
    swept = sweep(connection(server, Cell(AWS_RESEARCH.account_id, "eu-west-3")))
    assert swept.seen == {}
    assert [one.complete for one in swept.listings.values()] == [True] * 5
    assert sum(report.asked for report in swept.reports.values()) == 5


def test_a_member_that_denies_one_list_keeps_the_rest(server: AwsServer, sweep: Sweep) -> None:
    server.faults.add(
        Fault(operation="ec2.DescribeSnapshots", status=403, code="UnauthorizedOperation")
    )
    swept = sweep(connection(server, FRANKFURT))
    server.faults.clear()
    assert swept.listings["ebs_snapshot"].code == "UnauthorizedOperation"
    assert not swept.listings["ebs_snapshot"].complete
    assert "scratch-2024" in swept.seen
    assert swept.reports["ec2:DescribeSnapshots"].denied == 1
