"""ISO 8601 weeks in a time zone: Monday to Sunday, numbered by the year of their Thursday."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from typing_extensions import override

from app.kit.errors import InvalidInputError

_FORM = re.compile(r"(\d{4})-W(\d{2})", re.ASCII)
_WEEK = timedelta(days=7)
_REPORT_AT = time(6)  # of the Monday after, when the night's sweeps are done
# ISO weeks need a year before and after; datetime knows 1 to 9999.
_FIRST_YEAR, _LAST_YEAR = 1970, 9998


@dataclass(frozen=True, slots=True, order=True)
class IsoWeek:
    """A week such as 2026-W53; only weeks that exist can be made by `parse` and `of`."""

    year: int
    number: int

    @override
    def __str__(self) -> str:
        return f"{self.year}-W{self.number:02d}"

    @property
    def monday(self) -> date:
        """Its first day."""
        return date.fromisocalendar(self.year, self.number, 1)

    @property
    def sunday(self) -> date:
        """Its last day."""
        return date.fromisocalendar(self.year, self.number, 7)

    def starts_at(self, zone: ZoneInfo) -> datetime:
        """Midnight of Monday in `zone`, in UTC."""
        return datetime.combine(self.monday, time(), tzinfo=zone).astimezone(UTC)

    def ends_at(self, zone: ZoneInfo) -> datetime:
        """Midnight after Sunday in `zone`, in UTC; the week does not contain it."""
        return self.next().starts_at(zone)

    def next(self) -> "IsoWeek":
        """The week after."""
        return week_of_day(self.monday + _WEEK)

    def previous(self) -> "IsoWeek":
        """The week before."""
        return week_of_day(self.monday - _WEEK)


def week_of_day(day: date) -> IsoWeek:
    """The ISO week of a calendar day."""
    year, number, _ = day.isocalendar()
    return IsoWeek(year, number)


def week_of(instant: datetime, zone: ZoneInfo) -> IsoWeek:
    """The week in which an instant falls, by the calendar of `zone` (field case F28)."""
    return week_of_day(instant.astimezone(zone).date())


def report_at(week: IsoWeek, zone: ZoneInfo) -> datetime:
    """When the report of a week is due: Monday after it, 06:00 by the clock of `zone`, in UTC."""
    return datetime.combine(week.next().monday, _REPORT_AT, tzinfo=zone).astimezone(UTC)


def weeks_in(year: int) -> int:
    """52 or 53: 28 December always lies in the last week."""
    return date(year, 12, 28).isocalendar().week


def parse_week(text: str) -> IsoWeek:
    """Reads `2026-W48`; InvalidInputError for another form or a week that does not exist."""
    found = _FORM.fullmatch(text)
    if found is None:
        raise InvalidInputError(f"{text[:20]!r} is not an ISO week", mend="write it like 2026-W48")
    year, number = int(found[1]), int(found[2])
    if not _FIRST_YEAR <= year <= _LAST_YEAR:
        raise InvalidInputError(
            f"no reports of the year {year}",
            mend=f"use a year from {_FIRST_YEAR} to {_LAST_YEAR}",
        )
    if not 1 <= number <= weeks_in(year):
        raise InvalidInputError(
            f"{text} does not exist: {year} has the weeks W01 to W{weeks_in(year)}",
            mend="choose one of them",
        )
    return IsoWeek(year, number)
