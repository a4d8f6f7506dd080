"""The collector against the sandbox's transfers, whose buckets lie in several regions."""

from collections.abc import Iterator
from typing import Any

import pytest

from app.collectors.aws_datasync import COLLECTOR
from app.domain.derive import derive
from app.domain.facts import ABSENT, Present, Unreadable
from app.sandbox.aws.estate import SCRIPTED, AwsEstate
from app.sandbox.aws.story_datasync import TASKS
from app.sandbox.aws_server import AwsServer
from app.sandbox.faults import Fault
from app.sandbox.story import AWS_PLATFORM, AWS_RESEARCH, AWS_TRAINING, FRA, PDX, AwsAccount
from tests.support.aws_sweeps import Swept, in_sandbox, swept

BUCKETS = {uri.split("/")[2] for task in TASKS for uri in (task.source, task.destination)}


@pytest.fixture(scope="module")
def running() -> Iterator[AwsServer]:
    with AwsServer(AwsEstate(scripted=[one for one in SCRIPTED if one.name in BUCKETS])) as found:
        yield found


@pytest.fixture
def server(running: AwsServer) -> Iterator[AwsServer]:
    yield running
    running.faults.clear()


def sweep(server: AwsServer, account: AwsAccount = AWS_RESEARCH, region: str = FRA) -> Swept:
    return swept(COLLECTOR, in_sandbox(server, account, region))


def own(found: Swept, name: str) -> Any:
    return found.resources[name].facts


def derived(found: Swept, name: str) -> Any:
    return derive(found.resources[name].facts)[0]


def test_a_task_is_read_with_both_ends_and_its_newest_run(server: AwsServer) -> None:
    found = sweep(server)
    seen, follows = found.resources["thorax-madrid-to-fra"], derived(found, "thorax-madrid-to-fra")
    assert seen.native_id.startswith("arn:aws:datasync:eu-central-1:111122223333:task/task-0")
    assert seen.created_at is not None
    assert seen.tags is not None
    assert seen.tags["dataset"] == "ct-thorax"
    source, destination = follows.source.value, follows.destination.value
    assert (source.system, source.store) == ("nfs", "qumulo-mad1.cierzo.example")
    assert (source.region_id, source.zone) == (None, None)
    assert (destination.store, destination.path) == ("cierzo-ct-thorax-fra", "studies/")
    assert (destination.region_id, destination.zone) == (FRA, "EU")
    assert follows.source_region == ABSENT
    assert follows.last_run == Present("succeeded")
    assert follows.runs_by_itself == Present(True)


def test_the_region_of_a_bucket_is_that_which_s3_tells(server: AwsServer) -> None:
    follows = derived(sweep(server), "notes-fra-to-iad")
    assert (follows.source_zone, follows.destination_zone) == (Present("EU"), Present("US"))
    assert follows.destination_region == Present("us-east-1")


def test_a_bucket_that_hides_its_region_is_unknown(server: AwsServer) -> None:
    follows = derived(sweep(server), "notes-to-hospital")
    assert follows.destination_region == Unreadable("AccessDenied")
    assert follows.destination.value.store == "hospital-dr-copy"


def test_failing_and_idle_tasks_say_so(server: AwsServer) -> None:
    found = sweep(server)
    failing = derived(found, "pathology-weekly")
    assert (failing.last_run, failing.schedule_given_up) == (Present("failed"), Present(True))
    assert own(found, "pathology-weekly").last_execution_error == Present(
        "Access to the bucket was denied."
    )
    assert derived(found, "exports-by-hand").last_run == Present("never")
    assert own(found, "exports-by-hand").last_execution_status == ABSENT
    assert own(found, "exports-by-hand").schedule_status == ABSENT


def test_a_file_system_in_a_uri_tells_its_region(server: AwsServer) -> None:
    found = sweep(server, AWS_TRAINING, PDX)
    follows = derived(found, "dialogues-to-lustre")
    end = follows.destination.value
    assert (end.system, end.store, end.region_id) == ("fsx-lustre", "fs-0c1e72000000000a1", PDX)
    assert follows.last_run == Unreadable("StillRunning")


def test_an_empty_region_costs_one_call(server: AwsServer) -> None:
    found = sweep(server, AWS_PLATFORM, "eu-west-1")
    assert set(found.reports) == {"datasync:ListTasks"}
    assert found.listings["datasync_task"].complete


def test_each_bucket_is_asked_once(server: AwsServer) -> None:
    found = sweep(server)
    assert found.reports["s3:GetBucketLocation"].asked == 6
    assert found.reports["datasync:ListLocations"].asked == 1


@pytest.mark.parametrize(
    ("operation", "lost"),
    [
        ("datasync.DescribeTask", "task_status"),
        ("datasync.DescribeTaskExecution", "last_execution_status"),
        ("datasync.ListLocations", "destination_uri"),
        ("s3.GetBucketLocation", "destination_bucket_region"),
    ],
)
def test_a_missing_right_costs_what_it_feeds(server: AwsServer, operation: str, lost: str) -> None:
    server.faults.add(Fault(operation=operation, status=403, code="AccessDenied"))
    found = sweep(server)
    assert getattr(own(found, "thorax-madrid-to-fra"), lost) == Unreadable("AccessDenied")
    assert len(found.resources) == 5
    assert found.listings["datasync_task"].complete
    assert found.reports[operation.replace(".", ":")].code == "AccessDenied"


def test_tags_that_cannot_be_read_are_not_no_tags(server: AwsServer) -> None:
    server.faults.add(
        Fault(operation="datasync.ListTagsForResource", status=403, code="AccessDenied")
    )
    assert [one.tags for one in sweep(server).resources.values()] == [None] * 5


def test_a_denied_list_ends_no_life(server: AwsServer) -> None:
    server.faults.add(Fault(operation="datasync.ListTasks", status=403, code="AccessDenied"))
    found = sweep(server)
    assert found.resources == {}
    assert not found.listings["datasync_task"].complete
