"""Samples: whole periods, and amounts that are none."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from app.domain.samples import Unit, checked_value, floor, window

NOW = datetime(2026, 11, 30, 9, 38, 12, 5, tzinfo=UTC)


def test_a_window_holds_whole_periods_that_are_over() -> None:
    span = window(NOW, timedelta(hours=3), 300)
    assert span.start == datetime(2026, 11, 30, 6, 35, tzinfo=UTC)
    assert span.end == datetime(2026, 11, 30, 9, 35, tzinfo=UTC)


def test_periods_are_those_of_utc_wherever_one_is() -> None:
    there = NOW.astimezone(timezone(timedelta(hours=5, minutes=30)))
    assert floor(there, 86_400) == datetime(2026, 11, 30, tzinfo=UTC)


@pytest.mark.parametrize("value", [None, "1", True, -1, 10**400, float("nan"), float("inf"), []])
def test_what_is_no_amount_is_no_value(value: object) -> None:
    for unit in Unit:
        with pytest.raises(ValueError, match="value"):
            checked_value(value, unit)


@pytest.mark.parametrize(
    ("value", "divisor", "expected"),
    [(640, 8, 80), (0, 1, 0), (800.0000001, 8, 100), (50, 0.5, 100)],
)
def test_a_sum_over_gpus_becomes_their_mean(value: float, divisor: float, expected: float) -> None:
    assert checked_value(value, Unit.PERCENT, divisor) == expected


def test_more_than_all_is_refused() -> None:
    with pytest.raises(ValueError, match="101"):
        checked_value(808, Unit.PERCENT, 8)
    assert checked_value(808, Unit.BYTES, 8) == 101
