"""When the next weekly report is made, by the configured zone."""

from dataclasses import dataclass
from datetime import datetime

from app.domain.weeks import report_at, week_of
from app.kit.settings import settings


@dataclass(frozen=True, slots=True)
class NextReport:
    """The week it will cover, and from when on it is made."""

    week: str
    number: int
    due_at: datetime


def next_report(now: datetime) -> NextReport:
    """The report of the running week; before 06:00 of Monday still that of the week before."""
    zone = settings().zone
    week = week_of(now, zone)
    if now < report_at(week.previous(), zone):
        week = week.previous()
    return NextReport(str(week), week.number, report_at(week, zone))
