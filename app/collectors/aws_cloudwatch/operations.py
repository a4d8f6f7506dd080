"""Every call that the collector makes."""

from app.collectors import aws_metrics
from app.collectors.aws_machine_types import machine_types_operation
from app.domain.collecting import Operation

JOB = "sagemaker:DescribeTrainingJob"
OPERATIONS = (
    *aws_metrics.OPERATIONS,
    Operation(
        JOB,
        JOB,
        (),
        "The machines of a training job, whose GPU use is told as a sum over its GPUs.",
    ),
    machine_types_operation(),
)
