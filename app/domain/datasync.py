"""AWS DataSync as it reports itself: what it copies from where to where, and how that went."""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from app.domain.facts import Fact, FactDocument, fact

_TASK = "datasync:DescribeTask"
_RUN = "datasync:DescribeTaskExecution"
_LOCATIONS = "datasync:ListLocations"
_BUCKET = "s3:GetBucketLocation"


@dataclass(frozen=True, slots=True)
class DatasyncTaskFacts(FactDocument):
    """A DataSync task."""

    KIND: ClassVar[str] = "datasync_task"
    AREA: ClassVar[str] = "transfers"

    task_status: Fact[str] = fact("AVAILABLE, CREATING, QUEUED, RUNNING or UNAVAILABLE.", _TASK)
    task_mode: Fact[str] = fact("BASIC or ENHANCED.", _TASK)
    source_location_arn: Fact[str] = fact("Location that it reads.", _TASK)
    destination_location_arn: Fact[str] = fact("Location that it writes.", _TASK)
    source_uri: Fact[str] = fact("Where that location is, such as s3://bucket/path/.", _LOCATIONS)
    destination_uri: Fact[str] = fact("Where that location is.", _LOCATIONS)
    source_bucket_region: Fact[str] = fact("Region of the bucket; absent for others.", _BUCKET)
    destination_bucket_region: Fact[str] = fact("Region of the bucket; absent for others.", _BUCKET)
    schedule_expression: Fact[str] = fact("When it runs by itself.", _TASK)
    schedule_status: Fact[str] = fact("ENABLED or DISABLED; absent without a schedule.", _TASK)
    schedule_disabled_by: Fact[str] = fact(
        "USER, or SERVICE after the same error again and again.", _TASK
    )
    schedule_disabled_reason: Fact[str] = fact("Why the schedule was disabled.", _TASK)
    verify_mode: Fact[str] = fact(
        "POINT_IN_TIME_CONSISTENT, ONLY_FILES_TRANSFERRED or NONE.", _TASK
    )
    preserve_deleted_files: Fact[str] = fact(
        "PRESERVE keeps at the destination what the source deleted, REMOVE removes it.", _TASK
    )
    overwrite_mode: Fact[str] = fact("ALWAYS or NEVER.", _TASK)
    transfer_mode: Fact[str] = fact("CHANGED or ALL.", _TASK)
    task_error: Fact[str] = fact("What is wrong with the task itself.", _TASK)
    last_execution_arn: Fact[str] = fact("Its newest run; absent when it never ran.", _TASK)
    last_execution_status: Fact[str] = fact(
        "SUCCESS, ERROR, or the stage that the newest run is in.", _RUN
    )
    last_execution_error: Fact[str] = fact("Why the newest run failed.", _RUN)
    last_started_at: Fact[datetime] = fact("When the newest run began.", _RUN)
    last_ended_at: Fact[datetime] = fact("When the newest run ended.", _RUN)
    last_bytes_transferred: Fact[int] = fact("Bytes sent over the network by it.", _RUN)
    last_bytes_written: Fact[int] = fact("Bytes written at the destination by it.", _RUN)
    last_files_transferred: Fact[int] = fact("Files copied by it.", _RUN)
