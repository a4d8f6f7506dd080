"""The only place that reads the wall clock; everything else takes `now` as an argument."""

from datetime import UTC, datetime


def utc_now() -> datetime:
    """The present instant, aware, in UTC."""
    return datetime.now(UTC)
