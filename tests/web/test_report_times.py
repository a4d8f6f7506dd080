"""The report that is announced is the next one that is made."""

from datetime import datetime

import pytest

from app.kit.settings import settings
from app.web.report_times import next_report


@pytest.mark.parametrize(
    ("now", "week", "due"),
    [
        ("2026-11-27T12:00+01:00", "2026-W48", "2026-11-30T06:00+01:00"),
        ("2026-11-30T05:59+01:00", "2026-W48", "2026-11-30T06:00+01:00"),
        ("2026-11-30T06:00+01:00", "2026-W49", "2026-12-07T06:00+01:00"),
    ],
)
def test_until_monday_at_six_it_is_that_of_the_week_before(
    now: str, week: str, due: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ATALAYA_TIME_ZONE", "Europe/Madrid")
    settings.cache_clear()
    found = next_report(datetime.fromisoformat(now))
    assert (found.week, found.due_at) == (week, datetime.fromisoformat(due))
