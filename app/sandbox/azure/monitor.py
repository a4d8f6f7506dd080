"""Azure Monitor: which metrics a resource has, and the values of up to 50 resources at once."""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from app.sandbox.azure.estate import AzureEstate
from app.sandbox.azure.held import Held
from app.sandbox.azure.model import Json
from app.sandbox.azure.refusal import Refusal
from app.sandbox.azure.story_metrics import METRICS, Metric, Parts
from app.sandbox.wire import Answer, Request, json_answer

MOST_RESOURCES = 50
_FEW_SERIES = 10  # where a metric is split and nothing else is asked for
_SECONDS = {"PT1M": 60, "PT5M": 300, "PT15M": 900, "PT30M": 1800, "PT1H": 3600}
_FILTER = re.compile(r"(\w+) eq '\*'")
_STORAGE = re.compile(
    r"(?P<account>/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft\.Storage"
    r"/storageAccounts/(?P<name>[^/]+))/blobServices/default",
    re.IGNORECASE,
)


class Monitor:
    """Reads of metrics; every method answers one operation."""

    def __init__(self, estate: AzureEstate, held: Held) -> None:
        self._estate, self._held = estate, held

    def definitions(self, request: Request, resource_id: str) -> Answer:
        """`GET {id}/providers/Microsoft.Insights/metricDefinitions`."""
        if self._document(resource_id) is None:
            raise Refusal(404, "ResourceNotFound", f"The Resource {resource_id} was not found.")
        namespace = request.parameter("metricnamespace") or type_of(resource_id)
        found = METRICS.get(namespace.lower(), ())
        return json_answer({"value": [_definition(resource_id, namespace, one) for one in found]})

    def batch(self, request: Request, region: str, subscription: str) -> Answer:
        """`POST {region}/subscriptions/{id}/metrics:getBatch`: Refusal for what Azure refuses."""
        ids = (request.json() or {}).get("resourceids")
        if not isinstance(ids, list) or not 0 < len(ids) <= MOST_RESOURCES:
            raise _bad(f"Between 1 and {MOST_RESOURCES} resource ids are asked for at once.")
        namespace = _needed(request, "metricnamespace")
        known = {one.name: one for one in METRICS.get(namespace.lower(), ())}
        wanted = [known.get(name) for name in _needed(request, "metricnames").split(",")]
        metrics = [one for one in wanted if one]
        if len(metrics) < len(wanted):
            raise _bad(f"Failed to find metric configuration for provider: {namespace}.")
        self._check_places(ids, region, subscription)
        return json_answer(
            {
                "values": [
                    _values(request, region, namespace, one, document, metrics)
                    for one in ids
                    for document in [self._document(one)]
                    if document is not None
                ]
            }
        )

    def _check_places(self, ids: Sequence[str], region: str, subscription: str) -> None:
        if len({type_of(one) for one in ids}) > 1:
            raise _bad("All resources must be of one type.")
        for one in ids:
            document = self._document(one)
            if f"/subscriptions/{subscription}/".lower() not in one.lower():
                raise _bad(f"{one} lies in another subscription.")
            if document and document["location"].replace(" ", "").lower() != region:
                raise _bad(f"{one} lies in {document['location']}, not in {region}.")

    def _document(self, resource_id: str) -> Json | None:
        found = _STORAGE.fullmatch(resource_id)
        if not found:
            return self._held.resource(resource_id)
        account = self._estate.named(found["name"])
        if account is None or account.resource_id.lower() != found["account"].lower():
            return None
        return self._estate.document(account)


def type_of(resource_id: str) -> str:
    """The type of a resource in lower case, from its id."""
    parts = resource_id.lower().rpartition("/providers/")[2].split("/")
    return "/".join([parts[0], *parts[1::2]])


def _definition(resource_id: str, namespace: str, metric: Metric) -> Json:
    return {
        "id": f"{resource_id}/providers/microsoft.insights/metricdefinitions/{metric.name}",
        "resourceId": resource_id,
        "namespace": namespace,
        "name": {"value": metric.name, "localizedValue": metric.name},
        "isDimensionRequired": False,
        "unit": metric.unit,
        "primaryAggregationType": "Average",
        "supportedAggregationTypes": ["Average", "Minimum", "Maximum"],
        "metricAvailabilities": [{"timeGrain": one, "retention": "P93D"} for one in metric.grains],
        "dimensions": [{"value": one, "localizedValue": one} for one in metric.dimensions],
    }


def _values(
    request: Request,
    region: str,
    namespace: str,
    resource_id: str,
    document: Json,
    metrics: Sequence[Metric],
) -> Json:
    start, end = (_instant(_needed(request, name)) for name in ("starttime", "endtime"))
    interval = _needed(request, "interval")
    return {
        "starttime": _text(start),
        "endtime": _text(end),
        "interval": interval,
        "namespace": namespace.lower(),
        "resourceregion": region,
        "resourceid": resource_id,
        "value": [
            _metric(request, resource_id, document, metric, (start, end, interval))
            for metric in metrics
        ],
    }


def _metric(
    request: Request, resource_id: str, document: Json, metric: Metric, span: tuple[int, int, str]
) -> Json:
    if span[2] not in metric.grains or span[2] not in _SECONDS:
        raise _bad(f"Detected invalid time grain input: {span[2]}.")
    split = _FILTER.findall(request.parameter("filter") or "")
    if unknown := [name for name in split if name not in metric.dimensions]:
        raise _bad(f"Metric {metric.name} does not support the dimensions {unknown}.")
    most = int(request.parameter("top") or _FEW_SERIES)
    series = list(_series(document, metric, split, span))
    return {
        "id": f"{resource_id}/providers/Microsoft.Insights/metrics/{metric.name}",
        "type": "Microsoft.Insights/metrics",
        "name": {"value": metric.name, "localizedValue": metric.name},
        "displayDescription": metric.name,
        "unit": metric.unit,
        "timeseries": series[:most] if split else series,
        "errorCode": "Success",
    }


def _series(
    document: Json, metric: Metric, split: Sequence[str], span: tuple[int, int, str]
) -> Iterator[Json]:
    """Each part, or the mean over all of them; none where nothing was measured at all."""
    parts = list(metric.parts(document))
    groups = [[part] for part in parts] if split else [parts]
    start, end, interval = span
    for group in groups:
        points = [
            _point(document, metric, group, at, end) for at in range(start, end, _SECONDS[interval])
        ]
        if any("average" in point for point in points):
            words = [
                {"name": {"value": name.lower(), "localizedValue": name.lower()}, "value": value}
                for name, value in group[0].items()
                if name in split
            ]
            yield {"metadatavalues": words, "data": points}


def _point(document: Json, metric: Metric, group: Sequence[Parts], at: int, end: int) -> Json:
    found = [metric.value(document, part, at, end) for part in group]
    known = [value for value in found if value is not None]
    point: Json = {"timeStamp": _text(at)}
    return point | ({"average": sum(known) / len(known)} if known else {})


def _instant(text: str) -> int:
    try:
        return int(datetime.fromisoformat(text).timestamp())
    except ValueError as error:
        raise _bad(f"{text} is no time.") from error


def _text(at: int) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _needed(request: Request, name: str) -> str:
    found = request.parameter(name)
    if not found:
        raise _bad(f"The parameter {name} is missing.")
    return found


def _bad(message: str) -> Refusal:
    return Refusal(400, "BadRequest", message)
