"""Every call that this collector makes: its IAM action and what it feeds."""

from app.collectors.aws_reading import Listing
from app.domain.collecting import Operation

TASKS = "datasync:ListTasks"
TASK = "datasync:DescribeTask"
RUN = "datasync:DescribeTaskExecution"
LOCATIONS = "datasync:ListLocations"
TAGS = "datasync:ListTagsForResource"
BUCKET = "s3:GetBucketLocation"

OPERATIONS = (
    Operation(TASKS, TASKS, (), "Lists the tasks."),
    Operation(
        TASK,
        TASK,
        (
            "task_status",
            "task_mode",
            "source_location_arn",
            "destination_location_arn",
            "schedule_expression",
            "schedule_status",
            "schedule_disabled_by",
            "schedule_disabled_reason",
            "verify_mode",
            "preserve_deleted_files",
            "overwrite_mode",
            "transfer_mode",
            "task_error",
            "last_execution_arn",
        ),
        "What a task copies, how and when; also names its newest run.",
    ),
    Operation(
        RUN,
        RUN,
        (
            "last_execution_status",
            "last_execution_error",
            "last_started_at",
            "last_ended_at",
            "last_bytes_transferred",
            "last_bytes_written",
            "last_files_transferred",
        ),
        "How the newest run of a task went.",
    ),
    Operation(
        LOCATIONS,
        LOCATIONS,
        ("source_uri", "destination_uri"),
        "Which bucket, file system or server a location stands for.",
    ),
    Operation(
        BUCKET,
        BUCKET,
        ("source_bucket_region", "destination_bucket_region"),
        "Where the buckets lie that tasks read and write.",
    ),
    Operation(TAGS, TAGS, (), "Owner and purpose as tagged."),
)

TASK_LIST = Listing(TASKS, "Tasks", params={"MaxResults": 100})
LOCATION_LIST = Listing(LOCATIONS, "Locations", params={"MaxResults": 100})
TAG_LIST = Listing(TAGS, "Tags", params={"MaxResults": 100})

RUN_FEEDS = next(operation.feeds for operation in OPERATIONS if operation.name == RUN)
