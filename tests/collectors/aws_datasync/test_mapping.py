"""DataSync's words into ours, and whatever else may stand in their place."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from app.collectors.aws_datasync import mapping
from app.collectors.aws_datasync.operations import OPERATIONS
from app.domain.collecting import Outcome
from app.domain.datasync import DatasyncTaskFacts
from app.domain.derive import derive
from app.domain.fact_check import typed
from app.domain.fact_schema import to_fact_set
from app.domain.facts import ABSENT, Present, fact_names
from app.domain.replies import Parse, Reply, understood
from app.domain.transfer_datasync import parts_of
from tests.collectors.test_hostile_answers import spoiled

FEEDS = {operation.name: operation.feeds for operation in OPERATIONS}
TASK: dict[str, Any] = {
    "Status": "AVAILABLE",
    "SourceLocationArn": "arn:source",
    "DestinationLocationArn": "arn:destination",
    "Options": {"VerifyMode": "NONE", "PreserveDeletedFiles": "REMOVE"},
    "Schedule": {"ScheduleExpression": "rate(1 day)", "Status": "DISABLED"},
    "ScheduleDetails": {"DisabledBy": "SERVICE", "DisabledReason": "x"},
    "CurrentTaskExecutionArn": "arn:run",
    "TaskMode": "BASIC",
    "ErrorDetail": "x",
}
RUN: dict[str, Any] = {
    "Status": "ERROR",
    "StartTime": datetime(2026, 11, 30, tzinfo=UTC),
    "EndTime": datetime(2026, 11, 30, 1, tzinfo=UTC),
    "BytesTransferred": 3,
    "BytesWritten": 2,
    "FilesTransferred": 1,
    "Result": {"ErrorCode": "x", "ErrorDetail": "y"},
}


def facts(**known: Any) -> DatasyncTaskFacts:
    every: dict[str, Any] = dict.fromkeys(fact_names(DatasyncTaskFacts), ABSENT)
    uris = {"source_uri": Present("s3://a/b"), "destination_uri": Present("efs://eu-west-1.fs-1/")}
    return DatasyncTaskFacts(**(every | uris | known))


@pytest.mark.parametrize(
    ("operation", "parse", "answer"),
    [
        ("datasync:DescribeTask", mapping.task, TASK),
        ("datasync:DescribeTaskExecution", mapping.run, RUN),
    ],
)
def test_no_answer_breaks_what_follows(operation: str, parse: Parse, answer: Any) -> None:
    for one in spoiled(answer):
        reply = Reply(Outcome.ANSWERED, one)
        _, found = understood(reply, FEEDS[operation], typed(DatasyncTaskFacts, parse))
        document = facts(**found)
        json.dumps(to_fact_set(document, *derive(document)).to_json(), allow_nan=False)


@pytest.mark.parametrize(
    ("uri", "parts"),
    [
        ("s3://bucket/a/b/", ("s3", "", "bucket", "a/b/")),
        ("s3://eu-west-1.bucket/a", ("s3", "", "eu-west-1.bucket", "a")),
        ("efs://us-east-2.fs-abcd1234/dir", ("efs", "us-east-2", "fs-abcd1234", "dir")),
        ("fsxn-nfs://eu-central-1.fs-1/x", ("fsx-ontap", "eu-central-1", "fs-1", "x")),
        ("nfs://filer.example/export", ("nfs", "", "filer.example", "export")),
        ("odd", ("odd", "", "", "")),
    ],
)
def test_a_uri_tells_system_region_store_and_path(uri: str, parts: tuple[str, ...]) -> None:
    assert parts_of(uri) == parts


def test_a_task_without_a_schedule_has_none() -> None:
    found = mapping.task({**TASK, "Schedule": {}, "ScheduleDetails": {}})
    assert (found["schedule_expression"], found["schedule_status"]) == (None, None)
