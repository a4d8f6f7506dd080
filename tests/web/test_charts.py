"""Charts keep their promises: no inline styles, no zero for what is missing, no markup let in."""

import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from app.web import charts
from app.web.charts import Box, Part
from app.web.column_chart import ColumnChart, Series, columns, nice_ticks

HOSTILE = "<img src=x onerror=alert(1)>\"'"


def chart(*series: Series, labels: tuple[str, ...] = ("Mon", "Tue")) -> ColumnChart:
    return ColumnChart(
        id="c",
        title="Calls",
        reading="2 calls were refused.",
        period="Sweep",
        show_data="Show data",
        no_data="no data",
        labels=labels,
        series=series,
        write=lambda value: f"{value:g}",
    )


def parsed(markup: Markup) -> ET.Element:
    return ET.fromstring(markup)  # noqa: S314 - our own markup


def test_a_spark_is_broken_where_a_value_is_missing() -> None:
    paths = re.findall(r'class="k-line" d="([^"]+)"', charts.spark([1, 2, None, 4]))
    assert len(paths) == 2
    assert paths[0].count("L") == 1


def test_a_spark_of_nothing_draws_nothing() -> None:
    assert charts.spark([None, None]) == ""
    assert charts.spark([]) == ""


def test_a_spark_ends_in_a_dot_at_its_last_value() -> None:
    dot = parsed(charts.spark([0, 10], Box(100, 26), low=0, high=10)).find("circle")
    assert dot is not None
    assert dot.get("cy") == "3"


@pytest.mark.parametrize(
    ("percent", "width"), [(-5, "0%"), (0, "0%"), (33.34, "33.3%"), (140, "100%")]
)
def test_a_meter_stays_inside_its_track(percent: float, width: str) -> None:
    fill = parsed(charts.meter(percent, "cp", target=80)).findall("rect")[1]
    assert fill.get("width") == width


def test_a_stack_leaves_out_what_is_empty() -> None:
    drawn = parsed(charts.stack([Part("a", 3, "cp"), Part("b", 0, "cf"), Part("c", 1, "chx")]))
    assert [rect.get("width") for rect in drawn.findall("rect")] == ["75%", "25%"]
    assert len(drawn.findall("line")) == 1


def test_a_stack_of_nothing_is_an_empty_bar() -> None:
    assert parsed(charts.stack([])).findall("rect") == []


def test_each_outcome_of_a_sweep_has_its_own_shape() -> None:
    shapes = [
        [
            (rect.get("y"), rect.get("height"))
            for rect in parsed(charts.history(cell)).findall("rect")
        ]
        for cell in "olfn"
    ]
    assert len({tuple(shape) for shape in shapes}) == 4


def test_bars_leave_the_place_of_a_missing_value_empty() -> None:
    bars = parsed(charts.bars([50, None, 100])).findall("rect")
    assert [bar.get("x") for bar in bars] == ["0", "65"]


@given(st.floats(min_value=0, max_value=1e15))
def test_ticks_are_few_round_and_reach_over_the_highest_value(highest: float) -> None:
    ticks = nice_ticks(highest)
    assert ticks[0] == 0
    assert len(ticks) <= 6
    assert ticks[-1] >= highest * (1 - 1e-6)


def test_columns_come_with_title_sentence_and_data() -> None:
    figure = columns(chart(Series("Answered", "c1", (3, 4)), Series("Refused", "chw", (1, None))))
    root = parsed(figure)
    assert root.find(".//figcaption") is not None
    cells = [cell.text for cell in root.findall(".//td")]
    assert cells == ["3", "1", "4", "no data"]
    assert next(item.text for item in root.findall(".//title")) == "Calls"
    assert len(root.findall(".//ul/li")) == 2


def test_one_series_needs_no_legend() -> None:
    assert "legend" not in columns(chart(Series("Answered", "c1", (3, 4))))


def test_no_chart_styles_inline_or_lets_markup_in() -> None:
    hostile = chart(Series(HOSTILE, "c1", (1,)), Series("b", "c2", (2,)), labels=(HOSTILE,))
    for markup in (columns(hostile), charts.stack([Part(HOSTILE, 1, "cp")])):
        assert " style=" not in markup
        assert "<img" not in markup
        parsed(markup)
