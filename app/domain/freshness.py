"""How far a source's clock is from ours; whether that is tolerated says `clock_is_skewed`."""

from datetime import datetime


def clock_skew_seconds(reported_at: datetime, received_at: datetime) -> float:
    """How far a source's clock is ahead of ours (negative: behind), when its answer arrived."""
    return (reported_at - received_at).total_seconds()
