"""The collector on answers that moto does not give: long, cut, odd and refused lists."""

from typing import Any

import pytest

from app.clouds.failures import CallFailedError
from app.domain.collecting import Cell, ListingDone, ResourceSeen, ScopeReport
from tests.collectors.aws_ec2.conftest import Sweep, Swept
from tests.collectors.aws_ec2.rows import (
    block,
    image,
    instance,
    launch,
    reservation,
    snapshot,
    tagged,
    volume,
)
from tests.support.aws_fixtures import MakeConnection
from tests.support.aws_shapes import fixture, refused
from tests.support.aws_wire import ACCOUNT, AwsWire, Fault

LISTS = {
    "DescribeInstances": "Reservations",
    "DescribeCapacityReservations": "CapacityReservations",
    "DescribeCapacityBlockStatus": "CapacityBlockStatuses",
    "DescribeVolumes": "Volumes",
    "DescribeSnapshots": "Snapshots",
    "DescribeImages": "Images",
}
KINDS = {
    "DescribeInstances": "ec2_instance",
    "DescribeCapacityReservations": "ec2_capacity_reservation",
    "DescribeVolumes": "ebs_volume",
    "DescribeSnapshots": "ebs_snapshot",
    "DescribeImages": "ec2_image",
}


@pytest.fixture(autouse=True)
def one_try(monkeypatch: pytest.MonkeyPatch) -> None:
    """Faults here are lasting; how often they are tried again is proven elsewhere."""
    monkeypatch.setattr("app.clouds.aws._ATTEMPTS", 1)


def answer(operation: str, *rows: Any, token: str = "", **where: Any) -> Fault:
    """A page of a list."""
    more = {"NextToken": token} if token else {}
    return fixture("ec2", operation, {LISTS[operation]: list(rows), **more}, **where)


def answers(**lists: list[Any]) -> list[Fault]:
    """Every list; those not given are empty."""
    default = fixture("ec2", "GetEbsEncryptionByDefault", {"EbsEncryptionByDefault": True})
    return [default, *(answer(name, *lists.get(name, [])) for name in LISTS)]


@pytest.fixture
def read(aws: AwsWire, connection: MakeConnection, sweep: Sweep, here: Cell) -> Any:
    """Sweeps the region while these answers are given; the first that fits is."""

    def run(*first: Fault, **lists: list[Any]) -> Swept:
        aws.faults = [*first, *answers(**lists)]
        return sweep(connection(cell=here))

    return run


def test_resources_come_first_then_lists_then_the_coverage(read: Any) -> None:
    swept = read(
        DescribeInstances=[launch(instance())],
        DescribeVolumes=[volume()],
        DescribeSnapshots=[snapshot()],
    )
    order = [type(one) for one in swept.observations]
    assert order[-1] is ScopeReport
    assert {one for one in order if one is not ScopeReport} == {ResourceSeen, ListingDone}
    assert {one.scope for one in swept.observations} == {f"{ACCOUNT}/us-west-2"}


def test_machines_of_all_pages_and_launches_are_read(read: Any, aws: AwsWire) -> None:
    first = answer("DescribeInstances", launch(instance(1), instance(2)), token="2", times=1)
    second = answer("DescribeInstances", launch(instance(3)), parameters={"NextToken": "2"})
    swept = read(first, second)
    assert set(swept.seen) == {"i-1", "i-2", "i-3"}
    assert swept.reports["ec2:DescribeInstances"].answered == 2
    assert swept.reports["ec2:DescribeInstanceTypes"].asked == 1
    assert aws.questions("DescribeInstances")[0].parameters["MaxResults"] == 1000


def test_own_images_and_snapshots_are_asked_for_disabled_ones_too(read: Any, aws: AwsWire) -> None:
    read()
    (images,) = aws.questions("DescribeImages")
    assert images.parameters["Owners"] == ["self"]
    assert images.parameters["IncludeDisabled"] is True
    (snapshots,) = aws.questions("DescribeSnapshots")
    assert snapshots.parameters["OwnerIds"] == ["self"]
    assert aws.questions("DescribeVolumes")[0].parameters["IncludeManagedResources"] is True


def test_a_terminated_machine_is_gone_and_a_stopped_one_is_not(read: Any) -> None:
    dead = instance(1, State={"Code": 48, "Name": "terminated"})
    asleep = instance(2, State={"Code": 80, "Name": "stopped"})
    assert set(read(DescribeInstances=[launch(dead, asleep)]).seen) == {"i-2"}


def test_a_machine_is_kept_by_its_cluster_whatever_it_is_called(read: Any) -> None:
    node = instance(1, "m5.large", Tags=tagged(Name="web-1", eks__cluster_name="x"))
    node["Tags"][1]["Key"] = "eks:cluster-name"
    called = instance(2, "m5.large", Tags=tagged(Name="gpu-node-of-a-cluster"))
    assert set(read(DescribeInstances=[launch(node, called)]).seen) == {"web-1"}


def test_a_machine_of_a_type_that_nobody_knows_is_kept_and_its_accelerators_are_no_guess(
    read: Any,
) -> None:
    row = {**instance(1), "InstanceType": "p5.48xlarge"}
    found = fixture("ec2", "DescribeInstances", {"Reservations": [launch(row)]})
    found.body = found.body.replace("p5.48xlarge", "p99.huge")
    facts = read(found).facts("i-1")
    assert facts.present["machine_type"] == "p99.huge"
    assert facts.unreadable["accelerator_count"] == "UnknownMachineType"


def test_a_machine_whose_interfaces_are_left_out_has_no_known_number_of_adapters(read: Any) -> None:
    row = instance()
    del row["NetworkInterfaces"]
    swept = read(DescribeInstances=[launch(row)])
    assert swept.facts("i-1").unreadable["rdma_interfaces"] == "NotReported"


def test_without_the_right_to_ask_for_types_our_own_table_answers(read: Any) -> None:
    swept = read(
        refused("ec2", "DescribeInstanceTypes", "UnauthorizedOperation", 403),
        DescribeInstances=[launch(instance(1), instance(2, "m5.large"))],
    )
    assert swept.present("i-1")["accelerator_count"] == 8
    assert set(swept.seen) == {"i-1"}
    assert swept.reports["ec2:DescribeInstanceTypes"].denied == 1


def test_a_reservation_that_another_account_shares_is_not_ours(read: Any) -> None:
    own, shared = reservation(), reservation(CapacityReservationId="cr-2", OwnerId="999999999999")
    swept = read(DescribeCapacityReservations=[own, shared])
    assert set(swept.seen) == {"cr-1"}
    assert swept.listings["ec2_capacity_reservation"].complete


def test_broken_machines_of_a_block_are_told(read: Any) -> None:
    part = {"CapacityReservationId": "cr-1", "TotalUnavailableCapacity": 1}
    status = {"CapacityBlockId": "cb-1", "CapacityReservationStatuses": [part]}
    swept = read(DescribeCapacityReservations=[block()], DescribeCapacityBlockStatus=[status])
    assert swept.present("cr-1")["unavailable_machine_count"] == 1


def test_a_refused_state_of_blocks_is_unreadable_for_blocks_alone(read: Any) -> None:
    swept = read(
        refused("ec2", "DescribeCapacityBlockStatus", "UnauthorizedOperation", 403),
        DescribeCapacityReservations=[block(), reservation(CapacityReservationId="cr-2")],
    )
    unread = swept.facts("cr-1").unreadable
    assert unread["unavailable_machine_count"] == "UnauthorizedOperation"
    assert "unavailable_machine_count" in swept.facts("cr-2").absent
    assert swept.present("cr-1")["usable_until_at"] == "2026-12-24T11:00:00+00:00"


@pytest.mark.parametrize(
    ("code", "status", "outcome"),
    [
        ("UnauthorizedOperation", 403, "denied"),
        ("RequestLimitExceeded", 503, "failed"),
        ("InternalError", 500, "failed"),
        ("RequestExpired", 400, "failed"),
    ],
)
@pytest.mark.parametrize("operation", sorted(KINDS))
def test_a_list_that_cannot_be_read_ends_nothing_and_costs_itself_alone(
    operation: str, code: str, status: int, outcome: str, read: Any
) -> None:
    swept = read(refused("ec2", operation, code, status))
    assert swept.listings[KINDS[operation]].code == code
    incomplete = {kind for kind, one in swept.listings.items() if not one.complete}
    assert incomplete == {KINDS[operation]}
    report = swept.reports[f"ec2:{operation}"]
    assert (getattr(report, outcome), report.code) == (1, code)


def test_a_region_that_is_off_is_skipped(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep, here: Cell
) -> None:
    aws.faults = [refused("ec2", one, "AuthFailure", 401) for one in LISTS]
    swept = sweep(connection(cell=here, home_region="eu-west-1"))
    assert not any(one.complete for one in swept.listings.values())
    assert {report.skipped for report in swept.reports.values()} == {1}
    assert {report.failed + report.denied for report in swept.reports.values()} == {0}


@pytest.mark.parametrize("operation", sorted(KINDS))
def test_a_list_in_circles_is_not_whole(operation: str, read: Any) -> None:
    swept = read(answer(operation, token="T"))
    assert swept.listings[KINDS[operation]].code == "RepeatedToken"


@pytest.mark.parametrize("operation", ["DescribeVolumes", "DescribeImages"])
def test_an_orphan_is_only_told_by_whole_lists(operation: str, read: Any) -> None:
    lost = snapshot(1, VolumeId="vol-9")
    assert read(DescribeSnapshots=[lost]).present("snap-1")["is_orphan"] is True
    cut = refused("ec2", operation, "UnauthorizedOperation", 403)
    facts = read(cut, DescribeSnapshots=[lost]).facts("snap-1")
    assert facts.unreadable["is_orphan"] == "UnauthorizedOperation"


def test_a_snapshot_with_its_volume_is_needed_whatever_is_unread(read: Any) -> None:
    cut = refused("ec2", "DescribeImages", "UnauthorizedOperation", 403)
    swept = read(cut, DescribeVolumes=[volume(1)], DescribeSnapshots=[snapshot(1)])
    assert swept.present("snap-1")["is_orphan"] is False


def test_a_volume_seen_before_its_list_was_cut_is_known_to_exist(read: Any) -> None:
    first = answer("DescribeVolumes", volume(1), token="2", times=1)
    then = refused("ec2", "DescribeVolumes", "InternalError", 500)
    swept = read(first, then, DescribeSnapshots=[snapshot(1), snapshot(2, VolumeId="vol-2")])
    assert swept.present("snap-1")["volume_exists"] is True
    assert swept.facts("snap-2").unreadable["volume_exists"] == "InternalError"
    assert not swept.listings["ebs_volume"].complete


def test_an_image_needs_each_of_its_snapshots(read: Any) -> None:
    swept = read(
        DescribeImages=[image("snap-1", "snap-2")],
        DescribeSnapshots=[snapshot(1), snapshot(2), snapshot(3)],
    )
    used = {name: swept.present(name)["used_by_images"] for name in ("snap-1", "snap-2", "snap-3")}
    assert used == {"snap-1": ["ami-1"], "snap-2": ["ami-1"], "snap-3": []}


def test_an_image_whose_disk_tells_no_size_is_not_empty(read: Any) -> None:
    disks = [{"DeviceName": "sda", "Ebs": {"SnapshotId": "snap-1"}}]
    swept = read(DescribeImages=[image(BlockDeviceMappings=disks)])
    assert swept.facts("base").unreadable["size_bytes"] == "NotReported"
    assert swept.present("base")["snapshot_ids"] == ["snap-1"]
    assert swept.reports["ec2:DescribeImages"].failed == 0


def test_encryption_by_default_is_asked_once_and_only_where_there_are_volumes(
    read: Any, aws: AwsWire
) -> None:
    read()
    assert aws.questions("GetEbsEncryptionByDefault") == []
    swept = read(DescribeVolumes=[volume(1), volume(2)])
    assert len(aws.questions("GetEbsEncryptionByDefault")) == 1
    assert swept.present("vol-2")["encryption_by_default"] is True


def test_an_odd_volume_is_seen_with_nothing_known_of_it(read: Any) -> None:
    odd = answer("DescribeVolumes", volume(1))
    odd.body = odd.body.replace("<size>100</size>", "<size>-5</size>")
    swept = read(odd)
    assert swept.facts("vol-1").unreadable["size_bytes"] == "UnexpectedAnswer"
    assert swept.listings["ebs_volume"].complete
    assert swept.reports["ec2:DescribeVolumes"].failed == 1


@pytest.mark.parametrize("operation", ["DescribeVolumes", "DescribeSnapshots", "DescribeImages"])
def test_a_row_without_its_id_is_no_resource_and_its_list_is_not_whole(
    operation: str, read: Any
) -> None:
    swept = read(answer(operation, {"Tags": tagged(a="b")}))
    assert swept.listings[KINDS[operation]].code == "UnexpectedAnswer"
    assert swept.seen == {}


def test_when_nothing_at_all_answers_the_sweep_fails(read: Any) -> None:
    with pytest.raises(CallFailedError) as failed:
        read(*(refused("ec2", one, "InternalError", 500) for one in LISTS))
    assert failed.value.code == "InternalError"


def test_a_hundred_pages_of_snapshots_are_streamed(read: Any) -> None:
    pages = [
        answer(
            "DescribeSnapshots",
            *(snapshot(page * 10 + number) for number in range(10)),
            token=str(page + 1) if page < 99 else "",
            parameters={"NextToken": str(page)} if page else {},
            **({} if page else {"times": 1}),
        )
        for page in range(100)
    ]
    swept = read(*pages)
    assert len(swept.seen) == 1000
    assert swept.listings["ebs_snapshot"].complete
