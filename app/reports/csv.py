"""The findings of a weekly report as CSV: open ones first, then those closed in the week."""

import csv
import io
from dataclasses import fields
from datetime import datetime

from app.domain.reporting import FindingLine, WeeklyReport
from app.kit.csv_text import cell

MEDIA_TYPE = "text/csv; charset=utf-8"


def render(report: WeeklyReport, language: str) -> bytes:
    """One row per finding; field names as in the API, so the same in every language."""
    del language
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    names = [found.name for found in fields(FindingLine)]
    writer.writerow(["week", "state", *names])
    for state, lines in (("open", report.open_at_end), ("resolved", report.resolved_in_week)):
        for line in lines:
            writer.writerow([report.week, state, *(_cell(getattr(line, name)) for name in names)])
    return text.getvalue().encode()


def _cell(value: str | datetime | None) -> str:
    if value is None:
        return ""
    return value.isoformat() if isinstance(value, datetime) else cell(value)
