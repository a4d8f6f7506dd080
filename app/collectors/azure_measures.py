"""What is measured of a type of resource, and what of it can be asked for together. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby

from app.collectors.azure_metrics_words import Definition
from app.collectors.azure_questions import Row
from app.collectors.azure_words import region, subscription_of
from app.domain.samples import Unit

_UNITS = {
    Unit.PERCENT: frozenset({"percent", "count"}),  # Azure ML calls its percentages counts
    Unit.BYTES: frozenset({"bytes"}),
    Unit.COUNT: frozenset({"count"}),
    Unit.BYTES_PER_SECOND: frozenset({"bytespersecond"}),
}


class Joined(StrEnum):
    """What becomes of the parts of one resource: each a series, or all of them one value."""

    EACH = "each"
    SUM = "sum"
    MAXIMUM = "maximum"


@dataclass(frozen=True, slots=True)
class Measure:
    """A metric of Azure, and what it is for us.

    `split`: dimensions that it is split by, where it has them. Values of parts are `joined` at each
    instant for which every part has one.
    """

    name: str
    metric: str
    unit: Unit
    split: tuple[str, ...] = ()
    joined: Joined = Joined.EACH


@dataclass(frozen=True, slots=True)
class Measured:
    """What is measured of one type of resource: all means over the time of `intervals`, of which
    the first that the type has is asked for (ISO 8601 and its seconds).
    """

    namespace: str
    subject_kind: str
    measures: tuple[Measure, ...]
    intervals: tuple[tuple[str, int], ...] = (("PT5M", 300), ("PT1H", 3600))
    only_newest: bool = False


@dataclass(frozen=True, slots=True)
class Target:
    """One resource: the id that is asked for, and what its samples are filed under."""

    resource_id: str
    subject_id: str
    subscription: str
    endpoint_region: str
    region_id: str


def target_of(row: Row) -> Target | None:
    """What is asked of a resource of the inventory; None when it does not say where it lies."""
    resource_id, place = str(row["id"]), region(row.get("location"))
    if not place:
        return None
    return Target(resource_id, resource_id, subscription_of(resource_id), place, place)


@dataclass(frozen=True, slots=True)
class Question:
    """Measures that can be asked for together: split alike, over the same interval."""

    measured: Measured
    measures: tuple[Measure, ...]
    interval: str
    period_seconds: int


def grouped(measured: Measured, known: Mapping[str, Definition]) -> list[Question]:
    """The questions for a type of resource, by what it says of its metrics."""
    fitting = [
        (fitted, interval)
        for measure in measured.measures
        for fitted in [_fitted(measure, known)]
        for interval in [_interval(measured, known.get(measure.name))]
        if fitted and interval
    ]

    def alike(pair: tuple[Measure, tuple[str, int]]) -> tuple[tuple[str, ...], tuple[str, int]]:
        return pair[0].split, pair[1]

    return [
        Question(measured, tuple(measure for measure, _ in group), *interval)
        for (_, interval), group in groupby(sorted(fitting, key=alike), key=alike)
    ]


def _fitted(measure: Measure, known: Mapping[str, Definition]) -> Measure | None:
    """The measure as this type has it; None when it has none, or another thing of that name."""
    found = known.get(measure.name)
    if found is None or found.unit not in _UNITS[measure.unit] or not found.has_average:
        return None
    split = tuple(name for name in measure.split if name.lower() in found.dimensions)
    return replace(measure, split=split)


def _interval(measured: Measured, found: Definition | None) -> tuple[str, int] | None:
    grains = found.grains if found else frozenset[str]()
    return next((one for one in measured.intervals if one[0] in grains), None)
