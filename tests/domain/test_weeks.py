"""ISO weeks by the calendar of a zone, field case F28 and its kind."""

import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.weeks import IsoWeek, parse_week, report_at, week_of, weeks_in
from app.kit.errors import InvalidInputError

FIELD = json.loads(
    (Path(__file__).parents[1] / "field" / "inputs" / "f28_iso_weeks.json").read_text()
)
MADRID = ZoneInfo(FIELD["timezone"])
# hypothesis wants naive bounds and adds the zone itself
FIRST, LAST = datetime.fromisoformat("1971-01-01"), datetime.fromisoformat("2099-12-31")
ZONES = [ZoneInfo(name) for name in ("UTC", "Europe/Madrid", "Pacific/Kiritimati", "Asia/Kolkata")]


def test_the_field_instants_fall_into_the_weeks_of_madrid() -> None:
    instants = [datetime.fromisoformat(text) for text in FIELD["timestamps"]]
    expected = ["2026-W53", "2026-W53", "2027-W01", "2027-W01", "2025-W01", "2021-W52", "2022-W52"]
    assert [str(week_of(instant, MADRID)) for instant in instants] == expected


def test_before_the_first_week_of_2027_comes_week_53_of_2026() -> None:
    assert FIELD["previous_of"] == ["2027-W01", "2026-W01"]
    before = parse_week("2027-W01").previous()
    assert str(before) == "2026-W53"
    assert (before.monday, before.sunday) == (date(2026, 12, 28), date(2027, 1, 3))
    assert str(parse_week("2026-W01").previous()) == "2025-W52"


@pytest.mark.parametrize(("year", "weeks"), [(2026, 53), (2025, 52), (2020, 53), (2024, 52)])
def test_a_year_has_52_or_53_weeks(year: int, weeks: int) -> None:
    assert weeks_in(year) == weeks


@pytest.mark.parametrize(
    "text",
    [
        "2025-W53", "2026-W54", "2026-W00", "2026-48", "2026-W5", "2026W48", "", "2026-W48 ",
        "\uff12\uff10\uff12\uff16-W48", "9999-W01", "0001-W01", "2026-W48'; drop table report",
    ],
)  # fmt: skip
def test_a_week_that_does_not_exist_is_refused(text: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        parse_week(text)
    assert caught.value.mend


@given(
    st.datetimes(FIRST, LAST, timezones=st.just(UTC)),
    st.sampled_from(ZONES),
)
def test_an_instant_lies_in_its_week_and_in_no_other(instant: datetime, zone: ZoneInfo) -> None:
    week = week_of(instant, zone)
    assert week.starts_at(zone) <= instant < week.ends_at(zone)
    assert week.previous().ends_at(zone) == week.starts_at(zone)
    assert week.next().previous() == week
    assert parse_week(str(week)) == week


def test_a_week_with_a_clock_change_has_an_hour_more_or_less() -> None:
    autumn = IsoWeek(2026, 43)
    assert autumn.ends_at(MADRID) - autumn.starts_at(MADRID) == timedelta(days=7, hours=1)


@pytest.mark.parametrize(
    ("week", "due"), [("2026-W12", "2026-03-23T05:00Z"), ("2026-W13", "2026-03-30T04:00Z")]
)
def test_a_report_is_due_at_six_by_the_clock_of_the_zone(week: str, due: str) -> None:
    assert report_at(parse_week(week), MADRID) == datetime.fromisoformat(due)
