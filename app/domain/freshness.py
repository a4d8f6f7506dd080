"""How old figures are, by our own receipt time, and whether a source's clock can be believed."""

from datetime import datetime

# NTP keeps healthy machines within milliseconds; signatures of AWS bear 5 minutes (field case F18).
TOLERATED_SKEW_SECONDS = 300


def age_seconds(now: datetime, received_at: datetime) -> float:
    """Time since we received something; never negative. The reporter's own clock has no say."""
    return max(0.0, (now - received_at).total_seconds())


def clock_skew_seconds(reported_at: datetime, received_at: datetime) -> float:
    """How far a source's clock is ahead of ours (negative: behind)."""
    return (reported_at - received_at).total_seconds()


def is_skewed(skew_seconds: float) -> bool:
    """Whether a clock is off by more than we tolerate; worth a warning, never a verdict."""
    return abs(skew_seconds) > TOLERATED_SKEW_SECONDS
