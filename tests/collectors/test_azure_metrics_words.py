"""The published answers of Azure Monitor, and what stands in them that is no data."""

import copy
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from app.collectors.azure_measures import Joined, Measure, Measured, grouped
from app.collectors.azure_metrics_words import Definition, definitions, points_of
from app.domain.samples import Unit

WIRE = Path(__file__).parent / "azure_metrics" / "wire"
BATCH = json.loads((WIRE / "monitor.metrics.batch.json").read_text("utf-8"))
DEFINED = json.loads((WIRE / "monitor.metric_definitions.json").read_text("utf-8"))
SPLIT = ("ApiName", "Authentication")
FAULTS = (LookupError, TypeError, ValueError, AttributeError)


def told() -> Any:
    return copy.deepcopy(BATCH["values"][0])


def test_points_are_told_by_the_parts_that_were_asked_for() -> None:
    found = points_of(told(), "Ingress", SPLIT, "PT15M")
    assert set(found) == {"GetBlob/SAS", "GetBlobServiceProperties/AccountKey"}
    assert found["GetBlob/SAS"][datetime(2023, 2, 1, 20, 0, tzinfo=UTC)] == 437
    assert len(found["GetBlob/SAS"]) == 12


def test_a_point_without_a_value_is_no_data_and_not_zero() -> None:
    found = points_of(told(), "Ingress", SPLIT, "PT15M")["GetBlobServiceProperties/AccountKey"]
    assert found == {datetime(2023, 2, 1, 22, 0, tzinfo=UTC): 342}


def test_a_metric_without_series_has_no_parts() -> None:
    answer = told()
    answer["value"][0]["timeseries"] = []
    assert points_of(answer, "Ingress", SPLIT, "PT15M") == {}


def test_a_metric_with_an_error_is_not_read_as_empty() -> None:
    answer = told()
    answer["value"][0] |= {"errorCode": "Throttled", "timeseries": []}
    with pytest.raises(ValueError, match="Throttled"):
        points_of(answer, "Ingress", SPLIT, "PT15M")


@pytest.mark.parametrize(
    ("name", "interval"), [("Ingress", "PT1H"), ("Missing", "PT15M"), ("ingress", "PT15M")]
)
def test_what_was_not_asked_for_is_no_answer(name: str, interval: str) -> None:
    with pytest.raises((LookupError, ValueError)):
        points_of(told(), name, SPLIT, interval)


def test_a_part_that_comes_twice_is_none() -> None:
    answer = told()
    answer["value"][0]["timeseries"] *= 2
    with pytest.raises(ValueError, match="two series"):
        points_of(answer, "Ingress", SPLIT, "PT15M")


HOSTILE: list[Any] = [None, 0, True, "x", [], {}, [None], ["x"], {"x": 1}, 10**400]


def spoiled(document: Any, at: tuple[Any, ...] = ()) -> Iterator[Any]:
    inner = document
    for key in at:
        inner = inner[key]
    for value in HOSTILE:
        if at:
            found = copy.deepcopy(document)
            place = found
            for key in at[:-1]:
                place = place[key]
            place[at[-1]] = value
            yield found
    if isinstance(inner, dict | list):
        for key in inner if isinstance(inner, dict) else range(min(2, len(inner))):
            yield from spoiled(document, (*at, key))


def test_no_answer_breaks_the_reading_of_points() -> None:
    for answer in spoiled(told()):
        try:
            found = points_of(answer, "Ingress", SPLIT, "PT15M")
        except FAULTS:
            continue
        assert all(isinstance(at, datetime) for part in found.values() for at in part)


def test_no_definitions_break_the_reading_of_them() -> None:
    small = {"value": DEFINED["value"][:1]}
    for answer in spoiled(small):
        try:
            found = definitions(answer)
        except FAULTS:
            continue
        assert all(isinstance(one, Definition) for one in found.values())


def test_published_definitions_are_understood() -> None:
    found = definitions(DEFINED)
    assert found["CpuTime"].dimensions == {"instance"}
    assert found["CpuTime"].has_average
    assert "PT5M" in found["CpuTime"].grains


def defined(unit: str = "bytes", *dimensions: str, **given: Any) -> Definition:
    known: dict[str, Any] = {"has_average": True, "grains": frozenset({"PT5M", "PT1H"})}
    return Definition(unit=unit, dimensions=frozenset(dimensions), **(known | given))


USED = Measure("Used", "used_bytes", Unit.BYTES, ("Part",), Joined.SUM)
FREE = Measure("Free", "free_bytes", Unit.BYTES)
KIND = Measured("N/t", "thing", (USED, FREE))


def test_only_what_a_type_defines_is_asked_for() -> None:
    assert grouped(KIND, {}) == []
    (question,) = grouped(KIND, {"Free": defined()})
    assert [one.name for one in question.measures] == ["Free"]
    assert (question.interval, question.period_seconds) == ("PT5M", 300)


def test_measures_that_are_split_alike_are_asked_for_together() -> None:
    split = grouped(KIND, {"Used": defined("bytes", "part"), "Free": defined()})
    assert sorted(one.measures[0].split for one in split) == [(), ("Part",)]
    whole = grouped(KIND, {"Used": defined(), "Free": defined()})
    assert [len(one.measures) for one in whole] == [2]


@pytest.mark.parametrize(
    "other",
    [
        defined("percent"),
        defined(has_average=False),
        defined(grains=frozenset({"P1D"})),
    ],
)
def test_a_metric_that_is_another_thing_is_left_out(other: Definition) -> None:
    assert grouped(KIND, {"Free": other}) == []


def test_a_percentage_may_call_itself_a_count() -> None:
    gpu = Measured("N/t", "thing", (Measure("Gpu", "gpu_util_percent", Unit.PERCENT),))
    assert grouped(gpu, {"Gpu": defined("count")})
