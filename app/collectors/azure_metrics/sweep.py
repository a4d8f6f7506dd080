"""One sweep of all subscriptions: find what is measured, read the last three hours, stream.

Three hours at every sweep: what came late, or was cut short then, is laid over what is stored.
"""

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime, timedelta

from app.collectors.azure_measures import Target, target_of
from app.collectors.azure_metrics.measures import MEASURED
from app.collectors.azure_metrics_batch import read_samples
from app.collectors.azure_reading import AzureReading
from app.domain.collecting import ListingDone, Observation
from app.domain.samples import SERIES, window

LOOK_BACK = timedelta(hours=3)


class Sweep:
    """Reads one connection once."""

    def __init__(self, reading: AzureReading, now: datetime) -> None:
        self._reading, self._now = reading, now

    def observations(self) -> Iterator[Observation]:
        """Samples, then whether all that is measured was found, then the coverage."""
        spans = {seconds: window(self._now, LOOK_BACK, seconds) for seconds in (300, 3600)}
        for namespace, targets in self._targets().items():
            yield from read_samples(self._reading, MEASURED[namespace], targets, spans)
        for subscription in self._reading.subscriptions:
            codes = (self._reading.cut_of(namespace, subscription) for namespace in MEASURED)
            code = next(filter(None, codes), "")
            yield ListingDone(SERIES, subscription, complete=not code, code=code)
        yield from self._reading.reports()

    def _targets(self) -> dict[str, list[Target]]:
        found: dict[str, list[Target]] = defaultdict(list)
        for row in self._reading.inventory(*MEASURED):
            kind = str(row.get("type", "")).lower()
            target = target_of(row)
            if kind in MEASURED and target:
                found[kind].append(target)
        return found
