"""Machines are looked up by type, never by name: at EC2, and in our own table behind it."""

from typing import Any

import pytest

from app.clouds.aws import AwsClients
from app.collectors.aws_machine_types import MACHINE_TYPES, machine_types, machine_types_operation
from app.collectors.aws_reading import AwsReading
from app.domain.collecting import Cell, ScopeReport
from app.domain.machine_types import TABLE, MachineType
from tests.support.aws_fixtures import MakeConnection
from tests.support.aws_shapes import fixture, refused
from tests.support.aws_wire import ACCOUNT, AwsWire

REGION = "us-west-2"
SCOPE = f"{ACCOUNT}/{REGION}"


@pytest.fixture(autouse=True)
def one_try(monkeypatch: pytest.MonkeyPatch) -> None:
    """Faults here are lasting; how often they are tried again is proven elsewhere."""
    monkeypatch.setattr("app.clouds.aws._ATTEMPTS", 1)


def looked_up(
    connection: MakeConnection, *names: str
) -> tuple[dict[str, MachineType], dict[str, ScopeReport]]:
    """The types of these names, and the coverage by operation."""
    asking = connection(cell=Cell(region_id=REGION))
    with AwsClients(asking) as clients:
        reading = AwsReading(asking, clients, (machine_types_operation(),))
        found = machine_types(reading, names)
        return found, {report.operation: report for report in reading.reports()}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("p5.48xlarge", ("gpu", "NVIDIA H100", 8, 32)),
        ("ml.p5.4xlarge", ("gpu", "NVIDIA H100", 1, 1)),
        ("g6f.large", ("gpu", "NVIDIA L4", 0.125, 0)),
        ("gr6f.4xlarge", ("gpu", "NVIDIA L4", 0.5, 0)),
        ("trn2.48xlarge", ("neuron", "AWS Trainium2", 16, 16)),
        ("inf2.xlarge", ("neuron", "AWS Inferentia2", 1, 0)),
        ("ml.m5.2xlarge", ("", "", 0, 0)),
        ("trn2u.48xlarge", (None, "", None, 16)),
    ],
)
@pytest.mark.parametrize("told", [True, False], ids=["on moto", "from our table"])
def test_accelerators_are_counted_in_whole_devices(
    aws: AwsWire,
    connection: MakeConnection,
    told: bool,
    name: str,
    expected: tuple[object, ...],
) -> None:
    if not told:
        aws.faults = [refused("ec2", "DescribeInstanceTypes", "UnauthorizedOperation", 403)]
    found, _ = looked_up(connection, name)
    one = found[name]
    assert (
        one.accelerator_kind,
        one.accelerator_model,
        one.accelerator_count,
        one.rdma_interfaces,
    ) == expected
    assert one.source == (MACHINE_TYPES if told else TABLE)


def test_a_type_that_nobody_knows_is_left_out(aws: AwsWire, connection: MakeConnection) -> None:
    found, reports = looked_up(connection, "p99.huge", "m5.2xlarge")
    assert list(found) == ["m5.2xlarge"]
    assert reports[MACHINE_TYPES].answered == 1
    (asked,) = aws.questions("DescribeInstanceTypes")
    assert asked.parameters["Filters"] == [
        {"Name": "instance-type", "Values": ["m5.2xlarge", "p99.huge"]}
    ]


def test_all_pages_are_read(aws: AwsWire, connection: MakeConnection) -> None:
    def page(name: str, **more: Any) -> dict[str, Any]:
        gpu = {"Name": "N", "Manufacturer": "M", "Count": 3}
        return {"InstanceTypes": [{"InstanceType": name, "GpuInfo": {"Gpus": [gpu]}}], **more}

    aws.faults = [
        fixture("ec2", "DescribeInstanceTypes", page("a1.large", NextToken="2"), times=1),
        fixture("ec2", "DescribeInstanceTypes", page("a1.medium"), parameters={"NextToken": "2"}),
    ]
    found, reports = looked_up(connection, "a1.large", "a1.medium")
    assert {name: one.accelerator_count for name, one in found.items()} == {
        "a1.large": 3,
        "a1.medium": 3,
    }
    assert reports[MACHINE_TYPES].answered == 2


def test_an_odd_entry_is_said_and_the_table_answers(
    aws: AwsWire, connection: MakeConnection
) -> None:
    odd = {"InstanceTypes": [{"InstanceType": "m5.large", "GpuInfo": {"Gpus": [{"Name": "N"}]}}]}
    aws.faults = [fixture("ec2", "DescribeInstanceTypes", odd)]
    found, reports = looked_up(connection, "m5.large")
    assert found["m5.large"].source == TABLE
    assert (reports[MACHINE_TYPES].failed, reports[MACHINE_TYPES].code) == (1, "UnexpectedAnswer")


def described(**more: Any) -> dict[str, Any]:
    """EC2's answer on a machine with eight GPUs."""
    gpu = {"Name": "H100", "Manufacturer": "NVIDIA", "Count": 8}
    return {"InstanceTypes": [{"InstanceType": "p5.48xlarge", "GpuInfo": {"Gpus": [gpu]}, **more}]}


@pytest.mark.parametrize(
    ("network", "interfaces"),
    [
        ({"EfaSupported": False}, 0),
        ({"EfaSupported": True, "EfaInfo": {"MaximumEfaInterfaces": 32}}, 32),
        ({"EfaSupported": True}, None),
        ({}, None),
    ],
)
def test_adapters_that_are_not_told_are_not_none(
    aws: AwsWire, connection: MakeConnection, network: dict[str, Any], interfaces: int | None
) -> None:
    aws.faults = [fixture("ec2", "DescribeInstanceTypes", described(NetworkInfo=network))]
    found, _ = looked_up(connection, "p5.48xlarge")
    assert (found["p5.48xlarge"].rdma_interfaces, found["p5.48xlarge"].source) == (
        interfaces,
        MACHINE_TYPES,
    )


def test_a_part_of_a_gpu_that_is_not_counted_is_not_none(
    aws: AwsWire, connection: MakeConnection
) -> None:
    part = {"Name": "L4", "Manufacturer": "NVIDIA", "Count": 0, "GpuPartitionSize": 0.125}
    row = {"InstanceType": "g6f.large", "GpuInfo": {"Gpus": [part]}}
    aws.faults = [fixture("ec2", "DescribeInstanceTypes", {"InstanceTypes": [row]})]
    found, reports = looked_up(connection, "g6f.large")
    assert (found["g6f.large"].accelerator_count, found["g6f.large"].source) == (0.125, TABLE)
    assert reports[MACHINE_TYPES].failed == 1
