"""The collector against the sandbox: the clusters of the story, in the regions they are in."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from app.domain.cluster import ClusterFacts
from app.domain.collecting import Cell
from app.domain.derive import derive
from app.domain.facts import ABSENT, Present, Unreadable
from app.sandbox.aws.estate import AwsEstate
from app.sandbox.aws_server import AwsServer
from app.sandbox.faults import Effect, Fault
from app.sandbox.story import (
    AWS_PLATFORM,
    AWS_RESEARCH,
    AWS_TRAINING,
    EXTERNAL_ID,
    FRA,
    PDX,
    ROLE_NAME,
    AwsAccount,
)
from tests.collectors.aws_eks.conftest import Sweep, Swept
from tests.support.aws_fixtures import aws_connection

DENIED, NOT_TOLD = Unreadable("AccessDeniedException"), Unreadable("NotTold")
Read = Callable[[AwsAccount, str], Swept]


@pytest.fixture(scope="module")
def server() -> Iterator[AwsServer]:
    found = AwsServer(AwsEstate(scripted=()))
    found.start()
    yield found
    found.stop()


@pytest.fixture
def read(server: AwsServer, sweep: Sweep) -> Read:
    """Sweeps one region of one account of the organization."""
    server.faults.clear()
    key = {
        "mode": "access_key",
        "access_key_id": server.access_key_id,
        "secret_access_key": "env:AWS_SECRET",
    }
    members = {"role_name": ROLE_NAME, "external_id": EXTERNAL_ID}

    def run(account: AwsAccount, region: str) -> Swept:
        cell = Cell("" if account == AWS_PLATFORM else account.account_id, region)
        made = aws_connection(server.endpoint, credentials=key, organization=members, cell=cell)
        return sweep(replace(made, secret=lambda _: server.secret_access_key))

    return run


def derived(swept: Swept, name: str) -> ClusterFacts:
    (found,) = derive(swept.facts(name))
    assert isinstance(found, ClusterFacts)
    return found


def test_the_training_cluster_is_long_out_of_support_and_counts_its_accelerators(
    read: Read,
) -> None:
    swept = read(AWS_TRAINING, PDX)
    facts = swept.facts("hyperpod-eks")
    assert facts.version_status == Present("UNSUPPORTED")
    assert facts.unhealthy_addons == Present(("aws-efs-csi-driver",))
    found = derived(swept, "hyperpod-eks")
    assert found.capacities == Present(("capacity_block", "on_demand"))
    assert (found.machine_target_count, found.machine_count) == (Present(9), NOT_TOLD)
    assert found.accelerator_target_count == Present(2 + 4 * 8 + 3)


def test_the_preparing_cluster_has_nine_machines_and_no_accelerator(read: Read) -> None:
    found = derived(read(AWS_RESEARCH, FRA), "cpu-prep-fra")
    assert (found.machine_target_count, found.accelerator_target_count) == (Present(9), Present(0))
    assert found.capacities == Present(("spot",))


def test_a_group_that_nobody_may_read_is_named_and_leaves_sums_unread(read: Read) -> None:
    swept = read(AWS_RESEARCH, "eu-west-1")
    facts = swept.facts("serve-dub")
    assert facts.unread_nodegroups == Present(("canary",))
    assert facts.shared_storage_addons == ABSENT
    assert derived(swept, "serve-dub").machine_target_count == DENIED
    assert swept.listing.complete


def test_a_cluster_of_auto_mode_has_machines_that_nobody_tells(read: Read) -> None:
    swept = read(AWS_PLATFORM, "us-east-1")
    assert swept.facts("platform-use1").nodegroups == ABSENT
    assert derived(swept, "platform-use1").machine_target_count == NOT_TOLD


def test_other_regions_and_accounts_hold_none(read: Read) -> None:
    for account, region in ((AWS_TRAINING, FRA), (AWS_PLATFORM, PDX), (AWS_RESEARCH, "eu-west-3")):
        swept = read(account, region)
        assert (swept.clusters, swept.listing.complete) == ({}, True)


def test_a_list_in_circles_ends_and_is_not_taken_for_whole(server: AwsServer, read: Read) -> None:
    server.faults.add(Fault(operation="eks.ListNodegroups", effect=Effect.REPEATED_NEXT))
    swept = read(AWS_TRAINING, PDX)
    assert swept.facts("hyperpod-eks").nodegroups == Unreadable("RepeatedToken")
    server.faults.add(Fault(operation="eks.ListClusters", effect=Effect.REPEATED_NEXT))
    assert read(AWS_TRAINING, PDX).listing.code == "RepeatedToken"


@pytest.mark.parametrize("effect", [Effect.TRUNCATED, Effect.MALFORMED, Effect.DISCONNECT])
def test_a_broken_answer_costs_one_cell(effect: Effect, server: AwsServer, read: Read) -> None:
    server.faults.add(Fault(operation="eks.ListAddons", effect=effect))
    swept = read(AWS_TRAINING, PDX)
    facts = swept.facts("hyperpod-eks")
    assert isinstance(facts.addons, Unreadable)
    assert isinstance(facts.nodegroups, Present)
    assert swept.reports["eks:ListAddons"].failed == 1
