"""What moto keeps as CloudWatch does: means of points that were put in, and lists of metrics."""

from datetime import datetime, timedelta
from typing import Any

from app.collectors.aws_cloudwatch import COLLECTOR
from app.collectors.aws_metrics import GET
from app.collectors.aws_s3_sizes import COLLECTOR as SIZES
from app.domain.collecting import Cell
from tests.support.aws_fixtures import MakeConnection
from tests.support.aws_wire import AwsWire
from tests.support.samples import swept

REGION = "us-west-2"


def put(
    aws: AwsWire, namespace: str, name: str, points: dict[datetime, float], **words: str
) -> None:
    client: Any = aws.client("cloudwatch", REGION)
    dimensions = [{"Name": key, "Value": word} for key, word in words.items()]
    data = [
        {"MetricName": name, "Dimensions": dimensions, "Timestamp": at, "Value": value}
        for at, value in points.items()
    ]
    client.put_metric_data(Namespace=namespace, MetricData=data)
    aws.asked.clear()


def test_five_minutes_become_their_mean_and_silence_stays_silence(
    aws: AwsWire, connection: MakeConnection, now: datetime
) -> None:
    start = now.replace(hour=8, minute=0)
    points = {start + timedelta(minutes=minute): 10.0 * minute for minute in (0, 1, 2, 10)}
    put(aws, "CWAgent", "nvidia_smi_utilization_gpu", points, InstanceId="i-1", index="0")
    found = swept(COLLECTOR, connection(cell=Cell(region_id=REGION)), now)
    (seen,) = found.seen
    assert [(sample.at, sample.value) for sample in seen.samples] == [
        (start, 10.0),
        (start + timedelta(minutes=10), 100.0),
    ]


def test_jobs_are_divided_by_the_gpus_that_their_machines_have(
    aws: AwsWire, connection: MakeConnection, now: datetime
) -> None:
    client: Any = aws.client("sagemaker", REGION)
    for name, machine in (("eight", "ml.p5.48xlarge"), ("none", "ml.m5.xlarge")):
        client.create_training_job(
            TrainingJobName=name,
            AlgorithmSpecification={"TrainingInputMode": "File", "TrainingImage": "image"},
            RoleArn="arn:aws:iam::123456789012:role/r",
            OutputDataConfig={"S3OutputPath": "s3://b/p"},
            ResourceConfig={"InstanceType": machine, "InstanceCount": 1, "VolumeSizeInGB": 1},
            StoppingCondition={"MaxRuntimeInSeconds": 60},
        )
        at = {now.replace(hour=9, minute=0): 640.0}
        put(aws, "/aws/sagemaker/TrainingJobs", "GPUUtilization", at, Host=f"{name}/algo-1")
    found = swept(COLLECTOR, connection(cell=Cell(region_id=REGION)), now)
    assert [seen.samples[0].value for seen in found.seen] == [80.0]
    assert (found.reports[GET].skipped, found.reports[GET].code) == (1, "UnknownGpuCount")


def test_sizes_of_buckets_are_read_by_day(
    aws: AwsWire, connection: MakeConnection, now: datetime
) -> None:
    day = now.replace(hour=0, minute=0)
    points = {day - timedelta(days=number): 100.0 - number for number in (1, 2, 9)}
    where = {"BucketName": "corpus", "StorageType": "GlacierStorage"}
    put(aws, "AWS/S3", "BucketSizeBytes", points, **where)
    found = swept(SIZES, connection(cell=Cell(region_id=REGION)), now)
    assert found.of("stored_bytes") == {("arn:aws:s3:::corpus", "GlacierStorage"): (98, 99)}
