"""How fast each API of AWS is asked: half of what it allows, so that others find room too."""

from collections.abc import Callable
from dataclasses import dataclass

from app.clouds.pacing import Pacer


@dataclass(frozen=True, slots=True)
class Rate:
    """Calls per second for as long as one likes, and how many may come at once."""

    per_second: float
    burst: int


# AWS limits each account in each region, which is what one sweep reads. EC2 lets 20 a second
# through and 100 at once of each action that reads (EC2 developer guide, request throttling);
# CloudWatch 50 GetMetricData and 25 ListMetrics a second (CloudWatch service quotas). S3 names
# no limit for its settings and says when it wants to be left alone.
_RATES: dict[str, Rate | None] = {
    "ec2": Rate(10, 50),
    "cloudwatch": Rate(12, 12),
    "s3": None,
}
# Services that publish no figure.
_CAUTIOUS = Rate(10, 20)


def rate_of(service: str) -> Rate | None:
    """The rate of a service in boto3's spelling; None: as fast as answers come."""
    return _RATES.get(service, _CAUTIOUS)


class ServicePacers:
    """One pacer per service and region: a service that wants to be left alone stops no other."""

    def __init__(self, make: Callable[..., Pacer] = Pacer) -> None:
        self._make = make
        self._pacers: dict[tuple[str, str], Pacer] = {}

    def of(self, service: str, region: str) -> Pacer:
        """The pacer of that API, the same one each time; the caller holds a lock."""
        found = self._pacers.get((service, region))
        if found is None:
            rate = rate_of(service)
            found = self._make(rate.per_second, burst=rate.burst) if rate else self._make()
            self._pacers[service, region] = found
        return found
