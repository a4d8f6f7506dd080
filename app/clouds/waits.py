"""How long a throttled answer asks us to wait: the largest of everything it says."""

import math
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

# Retry-After and every vendor's …-retry-after, also in milliseconds, and Resource Graph's
# x-ms-user-quota-resets-after (hours:minutes:seconds). One answer may carry several and leave
# out the plain one: Cost Management does.
_WAIT = re.compile(r"(?:^|-)(?:retry-after|resets-after)(?P<ms>-ms)?$", re.IGNORECASE)
_CLOCK = re.compile(r"(?:(?P<hours>\d+):)?(?P<minutes>\d+):(?P<seconds>\d+(?:\.\d+)?)")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def longest_wait(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Seconds to wait, or None when no header says so.

    An HTTP date (RFC 9110, 10.2.3) counts from `now`, else from the answer's own Date header.
    """
    start = now or http_date(next((v for k, v in headers.items() if k.lower() == "date"), ""))
    return max(_waits(headers, start), default=None)


def _waits(headers: Mapping[str, str], start: datetime | None) -> Iterator[float]:
    for name, value in headers.items():
        match = _WAIT.search(name)
        if match:
            seconds = _seconds(str(value).strip(), start)
            if seconds is not None and math.isfinite(seconds):
                yield seconds / 1000 if match["ms"] else seconds


def _seconds(text: str, start: datetime | None) -> float | None:
    if _NUMBER.fullmatch(text):
        return float(text)
    clock = _CLOCK.fullmatch(text)
    if clock:
        hours = int(clock["hours"] or 0)
        return hours * 3600 + int(clock["minutes"]) * 60 + float(clock["seconds"])
    until = http_date(text)
    return max(0.0, (until - start).total_seconds()) if until and start else None


def http_date(text: str) -> datetime | None:
    """The instant that a date header names, None when it names none."""
    try:
        found = parsedate_to_datetime(text)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
