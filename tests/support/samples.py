"""What one sweep of samples yielded, and how it is asked for."""

from dataclasses import dataclass
from datetime import datetime

from app.domain.collecting import (
    Collector,
    Connection,
    ListingDone,
    Observation,
    SamplesSeen,
    ScopeReport,
)
from app.domain.samples import Series


@dataclass(frozen=True)
class Swept:
    """The observations of one sweep."""

    seen: tuple[SamplesSeen, ...]
    listings: tuple[ListingDone, ...]
    reports: dict[str, ScopeReport]
    order: tuple[type[Observation], ...]

    def of(self, metric: str, subject: str = "") -> dict[tuple[str, str], tuple[float, ...]]:
        """Values by subject and dimension, of a metric and of ids that end so."""
        return {
            (one.series.subject_id, one.series.dimension): tuple(
                sample.value for sample in one.samples
            )
            for one in self.seen
            if one.series.metric == metric and one.series.subject_id.endswith(subject)
        }

    def series(self, metric: str, subject: str = "") -> list[Series]:
        """The series of a metric and of ids that end so."""
        return [
            one.series
            for one in self.seen
            if one.series.metric == metric and one.series.subject_id.endswith(subject)
        ]


def swept(collector: Collector, connection: Connection, now: datetime) -> Swept:
    """Runs a collector to its end; a series comes once."""
    seen = list(collector.collect(connection, now))
    samples = tuple(one for one in seen if isinstance(one, SamplesSeen))
    identities = [one.series.identity for one in samples]
    assert len(set(identities)) == len(identities)
    reports = [one for one in seen if isinstance(one, ScopeReport)]
    return Swept(
        samples,
        tuple(one for one in seen if isinstance(one, ListingDone)),
        {one.operation: one for one in reports},
        tuple(type(one) for one in seen),
    )
