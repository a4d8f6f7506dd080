"""What the collectors of Azure Monitor share: measures, what is defined of them, points in batches.

The batch API answers for at most 50 resources of one type, subscription and region at once. A point
without a value, and a series without points, is no data and never zero.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import groupby

from app.clouds.parallel import stream
from app.collectors.azure_measures import Joined, Measure, Measured, Question, Target, grouped
from app.collectors.azure_metrics_words import Definition, definitions, points_of
from app.collectors.azure_questions import Row
from app.collectors.azure_reading import AzureReading
from app.collectors.azure_words import canonical_id
from app.domain.collecting import Operation, Outcome, SamplesSeen
from app.domain.replies import UNEXPECTED, Reply
from app.domain.samples import Sample, Series, Statistic, Window, checked_value

GET = "metrics:getBatch"
DEFINITIONS = "metrics:metricDefinitions"
OPERATIONS = (
    Operation(
        DEFINITIONS,
        "Microsoft.Insights/metricDefinitions/read",
        (),
        "Says which metrics a type of resource has, and by what they can be split.",
    ),
    Operation(
        GET,
        "Microsoft.Insights/metrics/read",
        (),
        "Reads the values of 50 resources at once; it asks for Monitoring Reader on the whole "
        "subscription, since a right on the resources alone is refused.",
    ),
)
MOST_RESOURCES = 50
# Without it ten series are answered where a metric is split (Azure Monitor, metrics batch).
_MOST_SERIES = 10_000
_ASKED_FOR_DEFINITIONS = 3  # of a type: the first ones may be gone already
_NO_RIGHT = "Assign Monitoring Reader on the subscription: the batch API takes no smaller scope."


@dataclass(frozen=True, slots=True)
class _Batch:
    question: Question
    targets: tuple[Target, ...]
    window: Window


def read_samples(
    reading: AzureReading,
    measured: Measured,
    targets: Sequence[Target],
    spans: Mapping[int, Window],
) -> Iterator[SamplesSeen]:
    """The samples of all targets of one type; `spans` has the window for each period.

    What is refused, fails or is not understood is counted. Nothing is read of a type whose
    definitions could not be read: its metrics may have other names and other parts.
    """
    questions = _questions(reading, measured, targets)
    batches = list(_batches(questions, targets, spans))
    for found in stream(lambda one: _read(reading, one), batches, threads=reading.threads):
        yield from found


def _questions(
    reading: AzureReading, measured: Measured, targets: Sequence[Target]
) -> list[Question]:
    for target in targets[:_ASKED_FOR_DEFINITIONS]:
        path = f"{target.resource_id}/providers/Microsoft.Insights/metricDefinitions"
        reply = reading.ask(DEFINITIONS, path, metricnamespace=measured.namespace)
        found: Mapping[str, Definition] = {}
        if reply.outcome is Outcome.ANSWERED:
            try:
                found = definitions(reply.answer)
            except (LookupError, TypeError, ValueError, AttributeError) as error:
                text = f"{type(error).__name__}: {error}"[:200]
                reply = Reply(Outcome.FAILED, {}, UNEXPECTED, text, reply.throttled)
        reading.count(DEFINITIONS, target.resource_id, reply)
        if reply.outcome is Outcome.ANSWERED:
            return grouped(measured, found)
        if reply.outcome is not Outcome.FAILED:
            break  # refused or switched off: asking for another one changes nothing
    return []


def _batches(
    questions: Iterable[Question], targets: Iterable[Target], spans: Mapping[int, Window]
) -> Iterator[_Batch]:
    def place(target: Target) -> tuple[str, str]:
        return target.subscription, target.endpoint_region

    ordered = sorted(targets, key=place)
    for question in questions:
        for _, group in groupby(ordered, key=place):
            alike = tuple(group)
            for start in range(0, len(alike), MOST_RESOURCES):
                part = alike[start : start + MOST_RESOURCES]
                yield _Batch(question, part, spans[question.period_seconds])


def _read(reading: AzureReading, batch: _Batch) -> list[SamplesSeen]:
    first = batch.targets[0]
    ids = [target.resource_id for target in batch.targets]
    reply = reading.called(
        GET,
        lambda: reading.azure.metrics(
            first.subscription, first.endpoint_region, ids, **_parameters(batch)
        ),
    )
    answered = reply.outcome is Outcome.ANSWERED
    values = reply.answer.get("values") if answered else []
    if answered and not (isinstance(values, list) and all(isinstance(one, dict) for one in values)):
        reply = Reply(Outcome.FAILED, {}, UNEXPECTED, "an answer without values", reply.throttled)
        values = []
    if reply.outcome is Outcome.DENIED:
        reply = replace(reply, message=f"{_NO_RIGHT} {reply.message}"[:200])
    reading.count(GET, _path(batch), reply)
    if reply.outcome is not Outcome.ANSWERED:
        return []
    told = {canonical_id(str(one.get("resourceid", ""))): one for one in values or ()}
    return [
        seen
        for target in batch.targets
        for seen in _of_target(reading, batch, target, told.get(canonical_id(target.resource_id)))
    ]


def _path(batch: _Batch) -> str:
    return f"/subscriptions/{batch.targets[0].subscription}"


def _parameters(batch: _Batch) -> dict[str, str]:
    question = batch.question
    split = question.measures[0].split
    parameters = {
        "starttime": _instant(batch.window.start),
        "endtime": _instant(batch.window.end),
        "interval": question.interval,
        "metricnamespace": question.measured.namespace,
        "metricnames": ",".join(measure.name for measure in question.measures),
        "aggregation": "average",
        "top": str(_MOST_SERIES),
    }
    if split:
        parameters["filter"] = " and ".join(f"{name} eq '*'" for name in split)
    return parameters


def _instant(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _of_target(
    reading: AzureReading, batch: _Batch, target: Target, told: Row | None
) -> list[SamplesSeen]:
    """The series of one resource; what is not understood costs its own metric alone."""
    found: list[SamplesSeen] = []
    for measure in batch.question.measures:
        try:
            parts = points_of(told or {}, measure.name, measure.split, batch.question.interval)
            found += _series(batch, target, measure, parts)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            text = f"{measure.name} of {target.subject_id}: {error}"[:200]
            reading.count(GET, _path(batch), Reply(Outcome.FAILED, {}, UNEXPECTED, text))
    return found


def _series(
    batch: _Batch, target: Target, measure: Measure, parts: Mapping[str, Mapping[datetime, object]]
) -> Iterator[SamplesSeen]:
    checked = {
        part: {at: checked_value(value, measure.unit) for at, value in points.items()}
        for part, points in parts.items()
    }
    if measure.joined is not Joined.EACH:
        checked = {"": _joined(measure, list(checked.values()))}
    for part, points in checked.items():
        samples = _in_window(points, batch)
        if samples:
            yield SamplesSeen(_described(batch, target, measure, part), samples)


def _joined(measure: Measure, parts: Sequence[Mapping[datetime, float]]) -> dict[datetime, float]:
    """One value per instant, told only where every part has one: a part of a sum is no sum."""
    whole = set(parts[0]).intersection(*parts[1:]) if parts else set()
    join = sum if measure.joined is Joined.SUM else max
    return {at: float(join([part[at] for part in parts])) for at in whole}


def _in_window(points: Mapping[datetime, float], batch: _Batch) -> tuple[Sample, ...]:
    span = batch.window
    if any(not span.start <= at < span.end for at in points):
        raise ValueError("a time lies outside of what was asked for")
    samples = tuple(Sample(at, value) for at, value in sorted(points.items()))
    return samples[-1:] if batch.question.measured.only_newest else samples


def _described(batch: _Batch, target: Target, measure: Measure, part: str) -> Series:
    question = batch.question
    return Series(
        sub_account_id=target.subscription,
        region_id=target.region_id,
        subject_kind=question.measured.subject_kind,
        subject_id=target.subject_id,
        metric=measure.metric,
        unit=measure.unit,
        source=f"azure_monitor:{question.measured.namespace}/{measure.name}",
        statistic=Statistic.AVERAGE,
        period_seconds=question.period_seconds,
        dimension=part,
    )
