"""F18: freshness goes by our receipt; a reporter's clock only earns it a warning."""

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.compliance import clock_is_skewed, freshness

INPUT = json.loads((Path(__file__).parent / "inputs" / "f18_clock_skew.json").read_text("utf-8"))
NOW = datetime.fromisoformat(INPUT["now"])
FRESH_SECONDS = INPUT["fresh_within_hours"] * 3600
TOLERANCE = INPUT["future_tolerance_seconds"]


def received(report: Any) -> datetime:
    return datetime.fromisoformat(report["received_at"])


def collected(report: Any) -> datetime:
    return datetime.fromisoformat(report["collected_at"])


def test_the_dead_reporter_with_a_fast_clock_is_stale() -> None:
    states = {
        report["agent"]: freshness(NOW, received(report), FRESH_SECONDS, 0)
        for report in INPUT["reports"]
    }
    assert states == {"A": "stale", "B": "fresh", "C": "fresh"}


def test_ages_count_from_receipt() -> None:
    ages = {
        report["agent"]: round((NOW - received(report)).total_seconds() / 3600, 2)
        for report in INPUT["reports"]
    }
    assert ages == {"A": 72.0, "B": 0.02, "C": 0.0}


def test_clocks_outside_the_tolerance_are_flagged() -> None:
    flagged = [
        report["agent"]
        for report in INPUT["reports"]
        if clock_is_skewed(collected(report), received(report), TOLERANCE)
    ]
    assert flagged == ["A", "B"]


@pytest.mark.parametrize(
    ("seconds", "expected"), [(0, False), (300, False), (-300, False), (301, True), (-301, True)]
)
def test_the_tolerance_holds_both_ways(seconds: int, expected: bool) -> None:
    assert clock_is_skewed(NOW + timedelta(seconds=seconds), NOW) is expected


@pytest.mark.parametrize(
    ("age_seconds", "expected"),
    [
        (0, "fresh"),
        (60, "fresh"),
        (61, "late"),
        (90, "late"),
        (91, "stale"),
        (-60, "fresh"),
        (-61, "late"),
        (-91, "stale"),
    ],
)
def test_late_comes_between_fresh_and_stale(age_seconds: int, expected: str) -> None:
    assert freshness(NOW, NOW - timedelta(seconds=age_seconds), 60, 30) == expected


@settings(deadline=None)
@given(st.integers(0, 10**7), st.integers(0, 10**7))
def test_older_receipt_is_never_fresher(first: int, second: int) -> None:
    order = ["fresh", "late", "stale"]
    younger, older = sorted((first, second))
    states = [
        order.index(freshness(NOW, NOW - timedelta(seconds=age), 3600, 1800))
        for age in (younger, older)
    ]
    assert states == sorted(states)
