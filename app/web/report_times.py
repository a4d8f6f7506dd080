"""When the next weekly report is made, by the configured zone."""

from dataclasses import dataclass
from datetime import datetime

from app.domain.weeks import week_of
from app.kit.settings import settings


@dataclass(frozen=True, slots=True)
class NextReport:
    """The week it will cover, and when that week is over."""

    week: str
    number: int
    due_at: datetime


def next_report(now: datetime) -> NextReport:
    """The report of the running week."""
    zone = settings().zone
    week = week_of(now, zone)
    return NextReport(str(week), week.number, week.ends_at(zone))
