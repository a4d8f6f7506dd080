"""Which series the daily metrics of S3 are. Pure."""

from collections.abc import Iterable, Iterator

from app.collectors.aws_metrics import Metric, Query
from app.domain.samples import BUCKET, DAY_SECONDS, Series, Statistic, Unit

NAMESPACE = "AWS/S3"
# Both count noncurrent versions and the parts of uploads that never ended; the number of objects
# counts delete markers too (S3 user guide, metrics and dimensions).
METRICS = {
    "BucketSizeBytes": ("stored_bytes", Unit.BYTES),
    "NumberOfObjects": ("object_count", Unit.COUNT),
}
_DIMENSIONS = frozenset({"BucketName", "StorageType"})


def size_queries(
    metrics: Iterable[Metric], account_id: str, region_id: str, partition: str
) -> Iterator[Query]:
    """Each storage type of each bucket; S3 knows the mean of a day and no other statistic."""
    for metric in metrics:
        if frozenset(metric.dimensions) == _DIMENSIONS:
            name, unit = METRICS[metric.name]
            series = Series(
                sub_account_id=account_id,
                region_id=region_id,
                subject_kind=BUCKET,
                subject_id=f"arn:{partition}:s3:::{metric.dimensions['BucketName']}",
                metric=name,
                unit=unit,
                source=metric.source,
                statistic=Statistic.AVERAGE,
                period_seconds=DAY_SECONDS,
                dimension=metric.dimensions["StorageType"],
                labels=metric.dimensions,
            )
            yield Query(series, metric)
