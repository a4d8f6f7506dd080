"""The collector against the sandbox's EFS, where replicas lie in other regions and accounts."""

from collections.abc import Iterator
from typing import Any

import pytest

from app.collectors.aws_efs import COLLECTOR
from app.domain.derive import derive
from app.domain.facts import ABSENT, Present, Unreadable
from app.sandbox.aws.estate import AwsEstate
from app.sandbox.aws_server import AwsServer
from app.sandbox.faults import Fault
from app.sandbox.story import AWS_PARTNER, AWS_RESEARCH, AWS_TRAINING, FRA, PDX, AwsAccount
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


def sweep(server: AwsServer, account: AwsAccount = AWS_RESEARCH, region: str = FRA) -> Swept:
    return swept(COLLECTOR, in_sandbox(server, account, region))


def derived(found: Swept, name: str) -> Any:
    return derive(found.resources[name].facts)[0]


def test_replicas_are_places_wherever_they_lie(server: AwsServer) -> None:
    found = sweep(server)
    regions = {name: derived(found, name).rest_region_ids.value for name in found.resources}
    assert regions == {
        "efs-notebooks": (FRA, "eu-west-1"),
        "efs-clinical-notes": (FRA, "us-east-1"),
        "efs-hospital-share": (FRA, "eu-west-1"),
    }
    shared = derived(found, "efs-hospital-share").rest_places.value[1]
    assert shared.account_id == AWS_PARTNER.account_id
    assert derived(found, "efs-notebooks").rest_places.value[1].account_id is None


def test_a_replica_knows_that_it_is_one(server: AwsServer) -> None:
    found = sweep(server, region="eu-west-1")
    assert derived(found, "efs-notebooks-dub").is_replica == Present(True)
    assert derived(found, "efs-notebooks-dub").encryption == Present("provider_key")


def test_a_file_system_without_anything_says_so(server: AwsServer) -> None:
    found = sweep(server, AWS_TRAINING, PDX)
    facts: Any = found.resources["efs-hyperpod-homes"].facts
    assert facts.backup_policy_status == ABSENT
    assert facts.key_manager == ABSENT
    assert facts.availability_zone == Present("us-west-2a")
    follows = derived(found, "efs-hyperpod-homes")
    assert (follows.encryption, follows.backed_up) == (Present("none"), Present(False))


def test_one_denied_file_system_costs_itself_alone(server: AwsServer) -> None:
    server.faults.add(
        Fault(operation="efs.DescribeBackupPolicy", times=1, status=403, code="AccessDenied")
    )
    found = sweep(server)
    states = [facts.backup_policy_status for facts in map(_facts, found.resources.values())]
    assert sorted(states, key=str) == [
        Present("ENABLED"),
        Present("ENABLED"),
        Unreadable("AccessDenied"),
    ]


def _facts(seen: Any) -> Any:
    return seen.facts
