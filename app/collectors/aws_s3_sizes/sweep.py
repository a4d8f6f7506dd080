"""One sweep of a region: the sizes of its buckets by storage type, of the last days."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from app.collectors.aws_metrics import Query, find_metrics, read_samples
from app.collectors.aws_reading import AwsReading
from app.collectors.aws_s3_sizes.mapping import METRICS, NAMESPACE, size_queries
from app.domain.collecting import ListingDone, Observation
from app.domain.samples import SERIES, Window, floor

# S3 tells a day late, and now and then skips one (S3 user guide).
LOOK_BACK = timedelta(days=4)


class Sweep:
    """Reads one cell once."""

    def __init__(self, reading: AwsReading, now: datetime) -> None:
        self._reading, self._now = reading, now
        self._cut = ""

    def observations(self) -> Iterator[Observation]:
        """Samples, then whether all that is measured was found, then the coverage."""
        yield from read_samples(self._reading, self._queries(), self._days)
        yield ListingDone(SERIES, self._reading.scope, complete=not self._cut, code=self._cut)
        yield from self._reading.reports()

    def _queries(self) -> Iterator[Query]:
        reading = self._reading
        for name in METRICS:
            # Not RecentlyActive: it looks back three hours, and these come once a day.
            found, cut = find_metrics(reading, Namespace=NAMESPACE, MetricName=name)
            self._cut = self._cut or cut
            yield from size_queries(found, reading.account_id, reading.region_id, reading.partition)

    def _days(self, period_seconds: int) -> Window:
        """Today too: a size is that of one moment of the day, so it is whole when it is told."""
        end = floor(self._now, period_seconds) + timedelta(seconds=period_seconds)
        return Window(end - LOOK_BACK, end)
