"""The collector against the sandbox's file systems, over the wire and through roles."""

from collections.abc import Iterator
from typing import Any

import pytest

from app.collectors.aws_fsx import COLLECTOR
from app.domain.collecting import ListingDone
from app.domain.derive import derive
from app.domain.facts import ABSENT, Present, Unreadable
from app.sandbox.aws.estate import AwsEstate
from app.sandbox.aws_server import AwsServer
from app.sandbox.faults import Fault
from app.sandbox.story import AWS_PLATFORM, AWS_RESEARCH, AWS_TRAINING, FRA, PDX, AwsAccount
from tests.support.aws_sweeps import Swept, in_sandbox, swept


@pytest.fixture(scope="module")
def running() -> Iterator[AwsServer]:
    found = AwsServer(AwsEstate(scripted=()))
    found.start()
    yield found
    found.stop()


@pytest.fixture
def server(running: AwsServer) -> Iterator[AwsServer]:
    yield running
    running.faults.clear()


def sweep(server: AwsServer, account: AwsAccount = AWS_TRAINING, region: str = PDX) -> Swept:
    server.calls.clear()
    return swept(COLLECTOR, in_sandbox(server, account, region))


def own(found: Swept, name: str) -> Any:
    return found.resources[name].facts


def derived(found: Swept, name: str) -> Any:
    return derive(found.resources[name].facts)[0]


def test_the_file_system_of_the_cluster_is_read_whole(server: AwsServer) -> None:
    found = sweep(server)
    seen = found.resources["fsx-hyperpod"]
    facts = own(found, "fsx-hyperpod")
    assert seen.native_id.startswith("arn:aws:fsx:us-west-2:444455556666:file-system/fs-0")
    assert seen.immutable_id == seen.native_id
    assert seen.tags is not None
    assert seen.tags["cluster"] == "hyperpod-usw2"
    assert seen.created_at is not None
    assert facts.storage_capacity_bytes == Present(12_000 * 2**30)
    assert facts.throughput_megabytes_per_second == Present(250 * 12_000 / 1024)
    assert facts.availability_zones == Present(("us-west-2a",))
    assert facts.key_manager == Present("CUSTOMER")
    assert facts.dns_name.value.endswith(".fsx.us-west-2.amazonaws.com")
    assert derived(found, "fsx-hyperpod").exports_changes == Present(False)
    assert derived(found, "fsx-webtext-pdx").exports_changes == Present(True)


def test_lists_that_nothing_needs_are_not_asked_for(server: AwsServer) -> None:
    found = sweep(server)
    assert "fsx:DescribeVolumes" not in found.reports
    assert "fsx:DescribeStorageVirtualMachines" not in found.reports
    assert own(found, "fsx-hyperpod").volumes == ABSENT
    empty = sweep(server, AWS_PLATFORM, "us-east-1")
    assert empty.resources == {}
    assert set(empty.reports) == {"fsx:DescribeFileSystems", "fsx:DescribeFileCaches"}
    assert {one.complete for one in empty.listings.values()} == {True}


def test_no_call_is_made_per_file_system(server: AwsServer) -> None:
    found = sweep(server, AWS_RESEARCH, FRA)
    asked = {operation: report.asked for operation, report in found.reports.items()}
    assert asked == {
        "fsx:DescribeFileSystems": 1,
        "fsx:DescribeFileCaches": 1,
        "fsx:DescribeDataRepositoryAssociations": 1,
        "fsx:DescribeVolumes": 1,
        "fsx:DescribeStorageVirtualMachines": 1,
        "ec2:DescribeSubnets": 1,
        "kms:DescribeKey": 2,
    }


def test_each_kind_of_file_system_is_told_apart(server: AwsServer) -> None:
    found = sweep(server, AWS_RESEARCH, FRA)
    assert derived(found, "fsx-scratch-sweeps").durability == Present("scratch")
    assert own(found, "fsx-scratch-sweeps").kms_key_id == ABSENT
    assert derived(found, "fsx-pathology").broken_repository_paths == Present(("/slides",))
    legacy = derived(found, "fsx-thorax-legacy").repositories.value[0]
    assert (legacy.store, legacy.exports) == ("cierzo-ct-thorax-fra", False)
    ontap = own(found, "fsx-ontap-research")
    assert [one.ontap_type for one in ontap.volumes.value] == ["", "RW", "DP"]
    assert [one.name for one in ontap.storage_virtual_machines.value] == ["svm-research"]
    zfs = own(found, "fsx-zfs-builds")
    assert zfs.volumes.value[0].size_bytes is None
    assert derived(found, "fsx-zfs-builds").encryption == Present("provider_key")


def test_the_cache_is_read_with_what_it_is_a_cache_of(server: AwsServer) -> None:
    found = sweep(server)
    (cache,) = (one for one in found.resources.values() if one.kind == "fsx_file_cache")
    assert cache.name.startswith("fc-")
    assert cache.tags is None
    assert derived(found, cache.name).repositories.value[0].system == "nfs"


DENIED = Unreadable("AccessDenied")
COSTS = {
    "fsx.DescribeDataRepositoryAssociations": "data_repository_associations",
    "fsx.DescribeVolumes": "volumes",
    "fsx.DescribeStorageVirtualMachines": "storage_virtual_machines",
    "ec2.DescribeSubnets": "availability_zones",
    "kms.DescribeKey": "key_manager",
}


@pytest.mark.parametrize("operation", sorted(COSTS))
def test_a_missing_right_costs_what_it_feeds_and_nothing_else(
    server: AwsServer, operation: str
) -> None:
    whole = own(sweep(server, AWS_RESEARCH, FRA), "fsx-ontap-research")
    linked = own(sweep(server, AWS_RESEARCH, FRA), "fsx-pathology")
    server.faults.add(Fault(operation=operation, status=403, code="AccessDenied"))
    found = sweep(server, AWS_RESEARCH, FRA)
    known = (own(found, "fsx-ontap-research"), whole)
    if COSTS[operation] == "data_repository_associations":
        known = (own(found, "fsx-pathology"), linked)
    for name in type(whole).__dataclass_fields__:
        lost = name == COSTS[operation]
        assert getattr(known[0], name) == (DENIED if lost else getattr(known[1], name)), name
    assert found.listings["fsx_file_system"].complete
    assert found.reports[operation.replace(".", ":")].denied


def test_a_denied_list_ends_no_life(server: AwsServer) -> None:
    server.faults.add(Fault(operation="fsx.DescribeFileSystems", status=403, code="AccessDenied"))
    found = sweep(server)
    assert [one.kind for one in found.resources.values()] == ["fsx_file_cache"]
    listing = found.listings["fsx_file_system"]
    assert listing == ListingDone("fsx_file_system", listing.scope, False, "AccessDenied")
    assert found.listings["fsx_file_cache"].complete
