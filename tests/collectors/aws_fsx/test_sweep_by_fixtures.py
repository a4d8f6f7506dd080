"""The collector on answers that moto does not give: long lists, odd entries, other times."""

from datetime import UTC, datetime
from typing import Any

import pytest

from app.collectors.aws_fsx import COLLECTOR
from app.domain.collecting import Cell
from app.domain.facts import ABSENT, Present, Unreadable
from app.kit.errors import CollectorError
from tests.support.aws_fixtures import MakeConnection
from tests.support.aws_shapes import fixture, refused
from tests.support.aws_sweeps import Swept, swept
from tests.support.aws_wire import AwsWire, Fault

REGION = "us-west-2"
BORN = datetime(2026, 1, 2, tzinfo=UTC)


@pytest.fixture(autouse=True)
def one_try(monkeypatch: pytest.MonkeyPatch) -> None:
    """Faults here are lasting; how often they are tried again is proven elsewhere."""
    monkeypatch.setattr("app.clouds.aws._ATTEMPTS", 1)


def file_system(number: int = 1, **more: Any) -> dict[str, Any]:
    """A Lustre file system without subnets and key, so that nobody else is asked."""
    return {
        "FileSystemId": f"fs-0{number:016x}",
        "FileSystemType": "LUSTRE",
        "CreationTime": BORN,
        "SubnetIds": [],
        "LustreConfiguration": {"DeploymentType": "SCRATCH_2"},
        "Tags": [{"Key": "Name", "Value": f"fsx-{number}"}],
        **more,
    }


def link(number: int = 1, **more: Any) -> dict[str, Any]:
    return {
        "AssociationId": f"dra-0{number:016x}",
        "FileSystemId": f"fs-0{number:016x}",
        "Lifecycle": "AVAILABLE",
        "FileSystemPath": "/data",
        "DataRepositoryPath": "s3://bucket/",
        **more,
    }


def answers(*rows: Any, **more: Any) -> Fault:
    return fixture("fsx", "DescribeFileSystems", {"FileSystems": list(rows)}, **more)


def links(*rows: Any, token: str = "", **more: Any) -> Fault:
    page = {"Associations": list(rows), **({"NextToken": token} if token else {})}
    return fixture("fsx", "DescribeDataRepositoryAssociations", page, **more)


NO_CACHES = fixture("fsx", "DescribeFileCaches", {"FileCaches": []})


def sweep(connection: MakeConnection) -> Swept:
    return swept(COLLECTOR, connection(cell=Cell(region_id=REGION)))


def facts(found: Swept, name: str = "fsx-1") -> Any:
    return found.resources[name].facts


def test_links_on_later_pages_are_links_too(aws: AwsWire, connection: MakeConnection) -> None:
    aws.faults = [
        answers(file_system(1), file_system(2)),
        NO_CACHES,
        links(link(1), token="Mg==", times=1),
        links(link(2), parameters={"NextToken": "Mg=="}),
    ]
    found = sweep(connection)
    for name in ("fsx-1", "fsx-2"):
        assert len(facts(found, name).data_repository_associations.value) == 1
    assert found.reports["fsx:DescribeDataRepositoryAssociations"].answered == 2
    (first, _) = aws.questions("DescribeDataRepositoryAssociations")
    assert first.parameters["MaxResults"] == 25


def test_a_list_of_links_in_circles_is_no_list(aws: AwsWire, connection: MakeConnection) -> None:
    aws.faults = [answers(file_system()), NO_CACHES, links(link(), token="Mg==")]
    found = sweep(connection)
    assert facts(found).data_repository_associations == Unreadable("RepeatedToken")
    assert found.listings["fsx_file_system"].complete


def test_what_cannot_be_linked_is_not_asked_for_links(
    aws: AwsWire, connection: MakeConnection
) -> None:
    old = {"LustreConfiguration": {"DeploymentType": "SCRATCH_1"}}
    aws.faults = [
        answers(
            file_system(1, **old),
            file_system(2, StorageType="INTELLIGENT_TIERING"),
            file_system(3, FileSystemType="WINDOWS", LustreConfiguration={}),
        ),
        NO_CACHES,
    ]
    found = sweep(connection)
    assert aws.questions("DescribeDataRepositoryAssociations") == []
    for name in found.resources:
        assert facts(found, name).data_repository_associations == ABSENT


def test_a_new_type_of_file_system_is_seen_without_being_understood(
    aws: AwsWire, connection: MakeConnection
) -> None:
    page = {"FileSystems": [file_system(FileSystemType="WINDOWS")]}
    other = fixture("fsx", "DescribeFileSystems", page)
    other.body = other.body.replace("WINDOWS", "CEPH")
    aws.faults = [other, NO_CACHES]
    found = sweep(connection)
    assert facts(found).file_system_type == Present("CEPH")
    assert facts(found).deployment_type == ABSENT


def test_an_entry_without_an_id_leaves_the_list_open(
    aws: AwsWire, connection: MakeConnection
) -> None:
    nameless = file_system(2)
    del nameless["FileSystemId"]
    aws.faults = [answers(file_system(1), nameless), NO_CACHES, links()]
    found = sweep(connection)
    assert set(found.resources) == {"fsx-1"}
    listing = found.listings["fsx_file_system"]
    assert (listing.complete, listing.code) == (False, "UnexpectedAnswer")


def test_an_odd_entry_is_unreadable_and_the_others_are_read(
    aws: AwsWire, connection: MakeConnection
) -> None:
    page = answers(file_system(1, StorageCapacity=77), file_system(2, StorageCapacity=1200))
    page.body = page.body.replace("77", '"77"')
    aws.faults = [page, NO_CACHES, links()]
    found = sweep(connection)
    assert facts(found, "fsx-1").storage_capacity_bytes == Unreadable("UnexpectedAnswer")
    assert facts(found, "fsx-2").storage_capacity_bytes == Present(1200 * 2**30)
    assert found.reports["fsx:DescribeFileSystems"].code == "UnexpectedAnswer"


def test_no_tags_are_no_tags_and_the_id_is_the_name(
    aws: AwsWire, connection: MakeConnection
) -> None:
    untagged = file_system()
    del untagged["Tags"]
    aws.faults = [answers(untagged), NO_CACHES, links()]
    found = sweep(connection)
    (seen,) = found.resources.values()
    assert (seen.name, seen.tags, seen.created_at) == ("fs-00000000000000001", {}, BORN)


def test_a_subnet_that_ec2_does_not_name_leaves_the_zones_unknown(
    aws: AwsWire, connection: MakeConnection
) -> None:
    subnet = "subnet-0123456789abcdef0"
    aws.faults = [
        answers(file_system(SubnetIds=[subnet])),
        NO_CACHES,
        links(),
        fixture("ec2", "DescribeSubnets", {"Subnets": []}),
    ]
    found = sweep(connection)
    assert facts(found).availability_zones == Unreadable("UnexpectedAnswer")
    (asked,) = aws.questions("DescribeSubnets")
    assert asked.parameters["Filters"] == [{"Name": "subnet-id", "Values": [subnet]}]


def test_a_region_where_every_call_fails_is_a_failed_sweep(
    aws: AwsWire, connection: MakeConnection
) -> None:
    aws.faults = [
        refused("fsx", operation, "InternalServerError", 500)
        for operation in ("DescribeFileSystems", "DescribeFileCaches")
    ]
    with pytest.raises(CollectorError):
        sweep(connection)


def test_a_region_that_is_off_is_skipped(aws: AwsWire, connection: MakeConnection) -> None:
    aws.faults = [
        refused("fsx", operation, "UnrecognizedClientException", 400)
        for operation in ("DescribeFileSystems", "DescribeFileCaches")
    ]
    found = swept(COLLECTOR, connection(cell=Cell(region_id="ap-south-2")))
    assert found.resources == {}
    assert {one.complete for one in found.listings.values()} == {False}
    assert {one.skipped for one in found.reports.values()} == {1}
