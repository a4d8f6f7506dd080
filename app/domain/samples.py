"""Metric samples: what a source measured, of what, in which unit and over which span of time."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from app.domain.quantities import MOST_BYTES

# What lists of series are counted for in `ListingDone`: no kind of resource.
SERIES = "metric_series"
DAY_SECONDS = 86_400
# The kinds of thing that are measured (`Series.subject_kind`).
INSTANCE, HOST, TRAINING_JOB = "instance", "host", "training_job"
FILE_SYSTEM, BUCKET = "fsx_file_system", "s3_bucket"
AZURE_VM, AZURE_SCALE_SET = "azure_vm", "azure_vm_scale_set"
AZURE_LUSTRE, AZURE_STORAGE = "azure_lustre_file_system", "azure_storage_account"
NETAPP_POOL, NETAPP_VOLUME = "azure_netapp_pool", "azure_netapp_volume"
AZURE_ML_WORKSPACE = "ml_workspace"
MOST_PERCENT = 100.0
_SLACK_PERCENT = 1e-6  # a mean of hundreds may miss them by the last bits of a float


class Unit(StrEnum):
    """What a value counts."""

    PERCENT = "percent"
    BYTES = "bytes"
    COUNT = "count"
    BYTES_PER_SECOND = "bytes_per_second"


class Statistic(StrEnum):
    """How a source made one value of what it measured within a period."""

    AVERAGE = "average"
    SUM = "sum"


@dataclass(frozen=True, slots=True)
class Series:
    """What was measured, how and by whom; its samples differ in time and value alone.

    `subject_kind` and `subject_id` name the thing: its native id, or the id that the source uses
    where that leaves open whose it is (`i-0abc` of an EC2 instance or a HyperPod node); which
    resources they may be, `app/domain/measured.py` says. `metric`
    is in the field's words with its unit (`gpu_util_percent`). `source` is the system with its
    own name of the metric. `dimension` tells apart what one thing has several of (a GPU, a
    storage class); '' where it has one. `labels` are all words of the source on it.
    """

    sub_account_id: str
    region_id: str
    subject_kind: str
    subject_id: str
    metric: str
    unit: Unit
    source: str
    statistic: Statistic
    period_seconds: int
    dimension: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)

    @property
    def identity(self) -> tuple[str | int, ...]:
        """What makes it another series than others of its connection; its labels do not."""
        return (
            self.sub_account_id,
            self.region_id,
            self.subject_kind,
            self.subject_id,
            self.metric,
            self.source,
            self.statistic.value,
            self.period_seconds,
            self.dimension,
        )


@dataclass(frozen=True, slots=True)
class Sample:
    """One value. `at` is the start of the period in UTC; `sample_count` how many measurements
    the value is made of, None where the source did not tell.
    """

    at: datetime
    value: float
    sample_count: int | None = None


@dataclass(frozen=True, slots=True)
class Window:
    """From `start` up to, and without, `end`: whole periods in UTC."""

    start: datetime
    end: datetime


def window(now: datetime, length: timedelta, period_seconds: int) -> Window:
    """The last whole periods, at least `length` long; the period that is not over is left out."""
    end = floor(now, period_seconds)
    return Window(floor(now - length, period_seconds), end)


def floor(instant: datetime, period_seconds: int) -> datetime:
    """The start of the period that an instant lies in; periods are counted from 1970 on."""
    seconds = int(instant.timestamp())
    return datetime.fromtimestamp(seconds - seconds % period_seconds, UTC)


def checked_value(value: object, unit: Unit, divisor: float = 1) -> float:
    """A value of a source, divided. ValueError for what is no amount or beyond its unit."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("a value is no number")  # noqa: TRY004 - the answer's fault, not ours
    if not 0 <= value <= MOST_BYTES:
        raise ValueError("a value is negative, endless or no number")
    found = value / divisor
    if unit is Unit.PERCENT and found > MOST_PERCENT + _SLACK_PERCENT:
        raise ValueError(f"{found:.1f} is more than 100 percent")
    return min(found, MOST_PERCENT) if unit is Unit.PERCENT else found
