"""CloudWatch: which metrics there are, and their values, made from name and time alone."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

from app.sandbox.aws.answers import Answerer, Json, Question, page_of
from app.sandbox.aws.errors import AwsRefusal
from app.sandbox.aws.story_metrics import METRICS, Measured

_MOST_LISTED = _MOST_QUERIES = 500
_MORE = "the-other-half"


def list_metrics(question: Question) -> Json:
    """`ListMetrics` by namespace, name and the names of dimensions."""
    params = question.params
    names = [row["Name"] for row in params.get("Dimensions") or ()]
    rows = [
        {
            "Namespace": metric.namespace,
            "MetricName": metric.name,
            "Dimensions": [{"Name": name, "Value": word} for name, word in metric.dimensions],
        }
        for metric in METRICS
        if question.is_at(metric.account, metric.region)
        and params.get("Namespace") in (None, metric.namespace)
        and params.get("MetricName") in (None, metric.name)
        and set(names) <= set(dict(metric.dimensions))
    ]
    return page_of(question, "Metrics", rows, most=_MOST_LISTED)


def get_metric_data(question: Question) -> Json:
    """`GetMetricData`. What comes in halves has its second one on a page of its own."""
    queries, token = question.params["MetricDataQueries"], question.params.get("NextToken")
    if len(queries) > _MOST_QUERIES or token not in (None, _MORE):
        raise AwsRefusal(400, "ValidationError", "too many queries, or a token of somebody else")
    known = {
        (metric.namespace, metric.name, frozenset(metric.dimensions)): metric
        for metric in METRICS
        if question.is_at(metric.account, metric.region)
    }
    asked = [(query, known.get(_key(query))) for query in queries]
    halved = [(query, metric) for query, metric in asked if metric and metric.in_halves]
    if token:
        return _page(question, halved, second=True)
    more = {"NextToken": _MORE} if halved else {}
    return {**_page(question, asked, second=False), **more}


def _key(query: Json) -> tuple[str, str, frozenset[tuple[str, str]]]:
    metric = query["MetricStat"]["Metric"]
    words = frozenset((row["Name"], row["Value"]) for row in metric.get("Dimensions") or ())
    return metric["Namespace"], metric["MetricName"], words


def _page(
    question: Question, asked: Iterable[tuple[Json, Measured | None]], *, second: bool
) -> Json:
    return {"MetricDataResults": [_result(question, *pair, second=second) for pair in asked]}


def _result(question: Question, query: Json, metric: Measured | None, *, second: bool) -> Json:
    times = _times(question.params, query["MetricStat"]["Period"]) if metric else []
    halved = metric is not None and metric.in_halves
    if halved:
        half = len(times) // 2
        times = times[half:] if second else times[:half]
    found = [(at, metric.value(at)) for at in times] if metric else []
    told = [(at, value) for at, value in found if value is not None]
    return {
        "Id": query["Id"],
        "Label": query["MetricStat"]["Metric"]["MetricName"],
        "Timestamps": [datetime.fromtimestamp(at, UTC) for at, _ in told],
        "Values": [value for _, value in told],
        "StatusCode": "PartialData" if halved and not second else "Complete",
    }


def _times(params: Mapping[str, object], period: int) -> list[int]:
    """The starts of the periods: CloudWatch aligns them to the period, not to StartTime."""
    start, end = _second(params["StartTime"]), _second(params["EndTime"])
    return list(range(start - start % period, end, period))


def _second(instant: object) -> int:
    if isinstance(instant, datetime):
        return int(instant.timestamp())
    raise AwsRefusal(400, "ValidationError", "a time is none")


ANSWERS: dict[str, Answerer] = {
    "cloudwatch.ListMetrics": list_metrics,
    "cloudwatch.GetMetricData": get_metric_data,
}
