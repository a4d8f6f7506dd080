"""How DataSync answers."""

from datetime import timedelta

from app.sandbox.aws.answers import Answerer, Json, Question, page_of
from app.sandbox.aws.errors import AwsRefusal
from app.sandbox.aws.story_datasync import TASKS, Task

_BYTES, _FILES = 412_316_860_416, 18_204
_DISABLED = "DataSync disabled the schedule: the task failed with the same error again."


def tasks(question: Question) -> Json:
    """`datasync:ListTasks`."""
    rows = [
        {"TaskArn": one.arn, "Status": _status(one), "Name": one.name, "TaskMode": "BASIC"}
        for one in _here(question)
    ]
    return page_of(question, "Tasks", rows)


def task(question: Question) -> Json:
    """`datasync:DescribeTask`; AwsRefusal for a task that is not here."""
    one = _asked(question, "TaskArn")
    schedule = {
        "Schedule": {
            "ScheduleExpression": one.schedule,
            "Status": "DISABLED" if one.given_up else "ENABLED",
        }
    }
    given_up = {"ScheduleDetails": {"DisabledBy": "SERVICE", "DisabledReason": _DISABLED}}
    return {
        "TaskArn": one.arn,
        "Status": _status(one),
        "Name": one.name,
        "SourceLocationArn": one.location_arn(one.source),
        "DestinationLocationArn": one.location_arn(one.destination),
        "Options": {
            "VerifyMode": "ONLY_FILES_TRANSFERRED",
            "OverwriteMode": "ALWAYS",
            "PreserveDeletedFiles": "REMOVE" if one.deletes else "PRESERVE",
            "TransferMode": "CHANGED",
        },
        "CreationTime": one.created_at,
        "TaskMode": "BASIC",
        **({"CurrentTaskExecutionArn": one.run_arn} if one.run else {}),
        **(schedule if one.schedule else {}),
        **(given_up if one.given_up else {}),
    }


def run(question: Question) -> Json:
    """`datasync:DescribeTaskExecution`; AwsRefusal for one that is not here."""
    one = _asked(question, "TaskExecutionArn")
    ended = one.run in ("SUCCESS", "ERROR")
    failed = {"Result": {"ErrorCode": "AccessDenied", "ErrorDetail": one.error}}
    return {
        "TaskExecutionArn": one.run_arn,
        "Status": one.run,
        "StartTime": one.started_at,
        "BytesTransferred": 0 if one.error else _BYTES,
        "BytesWritten": 0 if one.error else _BYTES,
        "FilesTransferred": 0 if one.error else _FILES,
        "TaskMode": "BASIC",
        **({"EndTime": one.started_at + timedelta(hours=2)} if ended else {}),
        **(failed if one.error else {}),
    }


def locations(question: Question) -> Json:
    """`datasync:ListLocations`."""
    pairs = {
        one.location_arn(uri): uri
        for one in _here(question)
        for uri in (one.source, one.destination)
    }
    rows = [{"LocationArn": arn, "LocationUri": uri} for arn, uri in pairs.items()]
    return page_of(question, "Locations", rows)


def tags(question: Question) -> Json:
    """`datasync:ListTagsForResource`; AwsRefusal for a task that is not here."""
    one = _asked(question, "ResourceArn")
    rows = [{"Key": key, "Value": value} for key, value in (one.tags or {}).items()]
    return page_of(question, "Tags", rows)


def _here(question: Question) -> list[Task]:
    return [one for one in TASKS if question.is_at(one.account, one.region)]


def _asked(question: Question, name: str) -> Task:
    asked = question.params[name]
    found = next((one for one in _here(question) if asked in (one.arn, one.run_arn)), None)
    if found is None:
        raise AwsRefusal(400, "InvalidRequestException", f"There is no {str(asked)[:100]} here.")
    return found


def _status(one: Task) -> str:
    return "AVAILABLE" if one.run in ("", "SUCCESS", "ERROR") else "RUNNING"


ANSWERS: dict[str, Answerer] = {
    "datasync.ListTasks": tasks,
    "datasync.DescribeTask": task,
    "datasync.DescribeTaskExecution": run,
    "datasync.ListLocations": locations,
    "datasync.ListTagsForResource": tags,
}
