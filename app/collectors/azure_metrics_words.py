"""The answers of Azure Monitor, read strictly. Pure; shapes: Microsoft.Insights 2024-02-01."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from app.collectors.azure_words import Json, instant

_AVERAGE, _SUCCESS = "average", "success"


@dataclass(frozen=True, slots=True)
class Definition:
    """What a type of resource says of one of its metrics; all words in lower case but `grains`."""

    unit: str
    dimensions: frozenset[str]
    has_average: bool
    grains: frozenset[str]


def definitions(answer: Json) -> dict[str, Definition]:
    """Metrics by name. LookupError, TypeError or AttributeError for another shape."""
    return {_word(row["name"]["value"]): _definition(row) for row in _rows(answer, "value")}


def _definition(row: Json) -> Definition:
    return Definition(
        unit=_word(row["unit"]).lower(),
        dimensions=frozenset(_word(one["value"]).lower() for one in _rows(row, "dimensions")),
        has_average=_AVERAGE in {_word(one).lower() for one in row["supportedAggregationTypes"]},
        grains=frozenset(_word(one["timeGrain"]) for one in _rows(row, "metricAvailabilities")),
    )


def points_of(
    told: Json, name: str, split: tuple[str, ...], interval: str
) -> dict[str, dict[datetime, object]]:
    """Values of one metric of a resource by part and instant; points without a value are left out.

    A part is named by its values of `split`, joined by slashes. ValueError when the metric was not
    answered, has an error, or over another interval than was asked for.
    """
    if not told:
        raise LookupError("no answer to it")
    if told.get("interval") != interval:
        raise ValueError(f"told over {told.get('interval')!r}, not {interval}")
    found = [one for one in _rows(told, "value") if _word(one["name"]["value"]) == name]
    if len(found) != 1:
        raise LookupError(f"told {len(found)} times")
    code = found[0].get("errorCode")
    if code is not None and str(code).lower() != _SUCCESS:
        raise ValueError(f"{code}: {found[0].get('errorMessage') or ''}")
    parts: dict[str, dict[datetime, object]] = {}
    for series in _rows(found[0], "timeseries"):
        part = _part(series, split)
        if part in parts:
            raise ValueError(f"two series of {part!r}")
        parts[part] = dict(_points(series))
    return parts


def _part(series: Json, split: tuple[str, ...]) -> str:
    """Names of dimensions come in lower case, whatever they were asked for as."""
    values = {
        _word(one["name"]["value"]).lower(): _word(one["value"])
        for one in _rows(series, "metadatavalues")
    }
    return "/".join(values[name.lower()] for name in split)


def _points(series: Json) -> Iterator[tuple[datetime, object]]:
    for point in _rows(series, "data"):
        value = point.get(_AVERAGE)
        if value is None:
            continue  # not measured then
        at = instant(_word(point["timeStamp"]))
        if at is None:
            raise ValueError("a point without its time")
        yield at.astimezone(UTC), value


def _rows(document: Json, name: str) -> list[Mapping[str, Any]]:
    """A list of documents; empty when Azure leaves it out. TypeError for anything else."""
    found = document.get(name)
    if found is None and name in ("dimensions", "metadatavalues"):
        return []
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise TypeError(f"{name} is no list of documents")
    return found


def _word(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("a word is no text")
    return value
