"""Dates in a report: in its zone, and with the year where it is not that of the week."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from app.domain.reporting import WeeklyReport
from app.kit.i18n import Translator

_UTC = ZoneInfo("UTC")


def day(report: WeeklyReport, t: Translator, at: datetime) -> str:
    """A day, such as `27 Nov`, or `27 Nov 2025` in a report of 2026."""
    return t.when(at, _zone(report), _pattern(report, at))


def moment(report: WeeklyReport, t: Translator, at: datetime) -> str:
    """A moment, such as `27 Nov 03:14 UTC`; the year as for days."""
    return t.when(at, _zone(report), f"{_pattern(report, at)} HH:mm z")


def last_day(t: Translator, ends_at: datetime) -> str:
    """The last day of a waiver with its year; waivers end with days of UTC, whatever the zone."""
    return t.when(ends_at - timedelta(seconds=1), _UTC, "d MMM y")


def _pattern(report: WeeklyReport, at: datetime) -> str:
    same_year = at.astimezone(_zone(report)).year == report.iso_week.sunday.year
    return "d MMM" if same_year else "d MMM y"


def _zone(report: WeeklyReport) -> ZoneInfo:
    return ZoneInfo(report.time_zone)
