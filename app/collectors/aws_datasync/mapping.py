"""DataSync's words into ours. Pure: answers as botocore parses them in, values out.

None states that there is none.
"""

from collections.abc import Mapping
from typing import Any

from app.domain.quantities import size_bytes

Answer = Mapping[str, Any]


def task(answer: Answer) -> Answer:
    """DescribeTask."""
    options, schedule = answer.get("Options", {}), answer.get("Schedule", {})
    details = answer.get("ScheduleDetails", {})
    return {
        "task_status": answer["Status"],
        "task_mode": answer.get("TaskMode"),
        "source_location_arn": answer["SourceLocationArn"],
        "destination_location_arn": answer["DestinationLocationArn"],
        "schedule_expression": schedule.get("ScheduleExpression"),
        "schedule_status": schedule.get("Status", "ENABLED") if schedule else None,
        "schedule_disabled_by": details.get("DisabledBy"),
        "schedule_disabled_reason": details.get("DisabledReason"),
        "verify_mode": options.get("VerifyMode"),
        "preserve_deleted_files": options.get("PreserveDeletedFiles"),
        "overwrite_mode": options.get("OverwriteMode"),
        "transfer_mode": options.get("TransferMode"),
        "task_error": answer.get("ErrorDetail") or answer.get("ErrorCode"),
        "last_execution_arn": answer.get("CurrentTaskExecutionArn"),
    }


def run(answer: Answer) -> Answer:
    """DescribeTaskExecution."""
    result = answer.get("Result", {})
    return {
        "last_execution_status": answer["Status"],
        "last_execution_error": result.get("ErrorDetail") or result.get("ErrorCode"),
        "last_started_at": answer.get("StartTime"),
        "last_ended_at": answer.get("EndTime"),
        "last_bytes_transferred": size_bytes(answer.get("BytesTransferred")),
        "last_bytes_written": size_bytes(answer.get("BytesWritten")),
        "last_files_transferred": size_bytes(answer.get("FilesTransferred")),
    }
