"""What the collectors of CloudWatch share: find metrics, and read their points whole."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import groupby
from typing import Any

from app.clouds.failures import CallFailedError
from app.clouds.paging import Pages
from app.clouds.parallel import stream
from app.collectors.aws_reading import AwsReading, Listing, Row
from app.domain.collecting import Operation, Outcome, SamplesSeen
from app.domain.replies import UNEXPECTED, Reply
from app.domain.samples import Sample, Series, Statistic, Window, checked_value

LIST = "cloudwatch:ListMetrics"
GET = "cloudwatch:GetMetricData"
OPERATIONS = (
    Operation(LIST, LIST, (), "Finds what is measured."),
    Operation(GET, GET, (), "Reads the values; AWS bills each metric that is asked for."),
)
# Quotas of GetMetricData (CloudWatch API reference).
_MOST_QUERIES, _MOST_POINTS = 500, 100_800
_STATISTICS = {Statistic.AVERAGE: "Average", Statistic.SUM: "Sum"}
# Words of StatusCode that say that a metric was not read, and what they mean for coverage.
_UNREAD = {"Forbidden": Outcome.DENIED, "InternalError": Outcome.FAILED}
_COMPLETE, _PARTIAL = "Complete", "PartialData"


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric as CloudWatch names it."""

    namespace: str
    name: str
    dimensions: Mapping[str, str]

    @property
    def key(self) -> tuple[str, str, frozenset[tuple[str, str]]]:
        """What makes it another metric than others."""
        return self.namespace, self.name, frozenset(self.dimensions.items())

    @property
    def source(self) -> str:
        """The word on its samples that says where they come from."""
        return f"cloudwatch:{self.namespace}/{self.name}"


@dataclass(frozen=True, slots=True)
class Query:
    """A series and the metric that it is read from.

    `divisor`: what each value is divided by. Of the samples only those are kept that begin at a
    whole multiple of `every_seconds`.
    """

    series: Series
    metric: Metric
    divisor: float = 1
    every_seconds: int = 1


@dataclass(frozen=True, slots=True)
class _Batch:
    """Queries that are asked together."""

    queries: tuple[Query, ...]
    window: Window


@dataclass(slots=True)
class _Result:
    """What the pages of one batch told of one query so far."""

    points: dict[datetime, object] = field(default_factory=dict)
    status: str = ""
    message: str = ""
    odd: str = ""


def find_metrics(reading: AwsReading, **params: object) -> tuple[list[Metric], str]:
    """The metrics that ListMetrics names, each once, and why their list is not whole ('': it is).

    An entry that is not understood is counted and left out.
    """
    rows = reading.rows(Listing(LIST, "Metrics", params=params))
    found = [metric for row in rows for metric in [_metric(reading, row)] if metric]
    return list({metric.key: metric for metric in found}.values()), rows.cut


def _metric(reading: AwsReading, row: Row) -> Metric | None:
    try:
        dimensions = {_word(one["Name"]): _word(one["Value"]) for one in row["Dimensions"]}
        return Metric(_word(row["Namespace"]), _word(row["MetricName"]), dimensions)
    except (LookupError, TypeError, ValueError) as error:
        _count(reading, LIST, Outcome.FAILED, UNEXPECTED, f"{type(error).__name__}: {error}")
        return None


def _word(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("a word is no text")
    return value


def read_samples(
    reading: AwsReading, queries: Iterable[Query], spans: Callable[[int], Window]
) -> Iterator[SamplesSeen]:
    """The samples of all queries, batch by batch. `spans` gives the window for a period.

    A metric that is refused, fails, or of which not all was given is counted as such. One
    without points yields nothing: no data is no value.
    """
    batches = _batches(queries, spans)
    for found in stream(lambda batch: _read(reading, batch), batches, threads=reading.threads):
        yield from found


def _batches(queries: Iterable[Query], spans: Callable[[int], Window]) -> Iterator[_Batch]:
    def period(query: Query) -> int:
        return query.series.period_seconds

    for seconds, group in groupby(sorted(queries, key=period), key=period):
        span, alike = spans(seconds), tuple(group)
        points = max(1, int((span.end - span.start).total_seconds()) // seconds)
        size = max(1, min(_MOST_QUERIES, _MOST_POINTS // points))
        for start in range(0, len(alike), size):
            yield _Batch(alike[start : start + size], span)


def _read(reading: AwsReading, batch: _Batch) -> list[SamplesSeen]:
    results: dict[str, _Result] = {}
    pages = Pages(lambda token: _page(reading, batch, token), lambda page: page.get("NextToken"))
    try:
        for page in pages:
            for row in page["MetricDataResults"]:
                _take(results, row)
    except CallFailedError:
        pass  # the page is counted; what the others said stands
    if pages.code:
        _count(reading, GET, Outcome.FAILED, pages.code, "The points were not read to their end.")
    found = []
    for number, query in enumerate(batch.queries):
        result = results.get(_name(number))
        if _is_read(reading, query, result, whole=pages.complete) and result:
            found.append(_seen(reading, query, result, batch.window))
    return [seen for seen in found if seen.samples]


def _page(reading: AwsReading, batch: _Batch, token: str | None) -> Row:
    reply = reading.ask(GET, **_question(batch), **({"NextToken": token} if token else {}))
    if reply.outcome is Outcome.ANSWERED and not _is_page(reply.answer):
        reply = Reply(Outcome.FAILED, {}, UNEXPECTED, "an answer of another form")
    reading.count(GET, reply)
    if reply.outcome is not Outcome.ANSWERED:
        raise CallFailedError(reply.message, code=reply.code)
    for code, text in _messages(reply.answer):
        _count(reading, GET, Outcome.FAILED, code, text)
    return dict(reply.answer)


def _question(batch: _Batch) -> dict[str, Any]:
    return {
        "MetricDataQueries": [_asked(*numbered) for numbered in enumerate(batch.queries)],
        "StartTime": batch.window.start,
        "EndTime": batch.window.end,
        "ScanBy": "TimestampAscending",
    }


def _asked(number: int, query: Query) -> Row:
    dimensions = [{"Name": name, "Value": word} for name, word in query.metric.dimensions.items()]
    metric = {
        "Namespace": query.metric.namespace,
        "MetricName": query.metric.name,
        "Dimensions": dimensions,
    }
    stat = {
        "Metric": metric,
        "Period": query.series.period_seconds,
        "Stat": _STATISTICS[query.series.statistic],
    }
    return {"Id": _name(number), "MetricStat": stat, "ReturnData": True}


def _name(number: int) -> str:
    return f"q{number}"


def _is_page(answer: Mapping[str, Any]) -> bool:
    rows, token = answer.get("MetricDataResults"), answer.get("NextToken")
    return (
        isinstance(rows, list)
        and all(isinstance(row, dict) and isinstance(row.get("Id"), str) for row in rows)
        and (token is None or isinstance(token, str))
    )


def _messages(answer: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Code and words of what AWS has to say about an answer or one of its metrics."""
    found = answer.get("Messages")
    rows = found if isinstance(found, list) else []
    return [
        (str(row.get("Code") or UNEXPECTED)[:100], str(row.get("Value") or "")[:200])
        for row in rows
        if isinstance(row, dict)
    ]


def _take(results: dict[str, _Result], row: Row) -> None:
    """Lays the points of one row to those of earlier pages; its status is the newest."""
    result = results.setdefault(row["Id"], _Result())
    result.status = str(row.get("StatusCode", ""))
    result.message = "; ".join(f"{code}: {text}" for code, text in _messages(row))
    times, values = row.get("Timestamps", []), row.get("Values", [])
    if not isinstance(times, list) or not isinstance(values, list) or len(times) != len(values):
        result.odd = "times and values do not pair"
        return
    for at, value in zip(times, values, strict=True):
        if isinstance(at, datetime) and at.tzinfo:
            result.points[at.astimezone(UTC)] = value
        else:
            result.odd = "a time is none"


def _is_read(reading: AwsReading, query: Query, result: _Result | None, *, whole: bool) -> bool:
    """Whether the points of a query stand; what is wrong with it is counted.

    Of a list that was cut nothing is missed: the cut itself is counted. Points that came stand
    also where others did not (PartialData: not all of them).
    """
    if result is None:
        if whole:
            _count_series(reading, query, Outcome.FAILED, UNEXPECTED, "no answer to it")
        return False
    if result.status in _UNREAD:
        outcome = _UNREAD[result.status]
        _count_series(reading, query, outcome, result.status, result.message)
        return False
    if result.status == _PARTIAL and whole:
        _count_series(reading, query, Outcome.FAILED, _PARTIAL, result.message)
    if result.status not in (_COMPLETE, _PARTIAL):
        _count_series(reading, query, Outcome.FAILED, UNEXPECTED, "a status of another kind")
        return False
    return True


def _seen(reading: AwsReading, query: Query, result: _Result, span: Window) -> SamplesSeen:
    samples, odd = _samples(query, result, span)
    if odd:
        _count_series(reading, query, Outcome.FAILED, UNEXPECTED, odd)
    return SamplesSeen(query.series, tuple(samples))


def _samples(query: Query, result: _Result, span: Window) -> tuple[Sequence[Sample], str]:
    """The samples of a query, and what the first odd point was; odd ones are left out."""
    samples, odd = [], result.odd
    for at, value in sorted(result.points.items()):
        if int(at.timestamp()) % query.every_seconds:
            continue
        try:
            samples.append(Sample(at, _value(at, value, query, span)))
        except ValueError as error:
            odd = odd or str(error)
    return samples, odd


def _value(at: datetime, value: object, query: Query, span: Window) -> float:
    if not span.start <= at < span.end:
        raise ValueError("a time lies outside of what was asked for")
    return checked_value(value, query.series.unit, query.divisor)


def _count_series(
    reading: AwsReading, query: Query, outcome: Outcome, code: str, text: str
) -> None:
    series = query.series
    named = f"{series.metric} of {series.subject_id} {series.dimension}".rstrip()
    _count(reading, GET, outcome, code, f"{named}: {text}" if text else named)


def _count(reading: AwsReading, operation: str, outcome: Outcome, code: str, text: str) -> None:
    reading.count(operation, Reply(outcome, {}, code, text[:200]))
