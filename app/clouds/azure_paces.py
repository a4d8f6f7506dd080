"""How fast each part of Azure is asked: below what it refills, so that others find room too.

Resource Manager keeps a bucket of 250 reads per subscription and principal and refills 25 a second
(Azure Resource Manager: request limits and throttling). Resource Graph lets 15 queries of a user
through in 5 seconds (Resource Graph: guidance for throttled requests). The batch API of Azure
Monitor names no figure, so it is asked as Resource Manager is.
"""

import re
from collections.abc import Callable
from threading import Lock

from app.clouds.pacing import Pacer

READS_PER_SECOND = 20.0
_BURST = 200
_GRAPH_PER_SECOND, _GRAPH_BURST = 2.5, 10
_SUBSCRIPTION = re.compile(r"/subscriptions/([^/?]+)", re.IGNORECASE)
GRAPH, TENANT, METRICS = "graph", "tenant", "metrics "


class AzurePacers:
    """One pacer per bucket of Azure: a subscription that wants to be left alone stops no other.

    `per_second` is what each bucket is asked at most; Resource Graph has its own, slower one.
    """

    def __init__(self, per_second: float, make: Callable[..., Pacer] = Pacer) -> None:
        self._per_second, self._make = per_second, make
        self._pacers: dict[str, Pacer] = {}
        self._lock = Lock()

    def of(self, bucket: str) -> Pacer:
        """The pacer of a bucket, the same one each time."""
        with self._lock:
            if bucket not in self._pacers:
                rate, burst = self._rate(bucket)
                self._pacers[bucket] = self._make(rate, burst=burst)
            return self._pacers[bucket]

    def _rate(self, bucket: str) -> tuple[float, int]:
        if bucket == GRAPH and self._per_second <= READS_PER_SECOND:
            return min(self._per_second, _GRAPH_PER_SECOND), _GRAPH_BURST
        return self._per_second, min(_BURST, max(1, round(self._per_second * 10)))


def bucket_of(url: str) -> str:
    """Which bucket a call is taken from: that of the subscription it names, else the tenant's."""
    found = _SUBSCRIPTION.search(url)
    return found[1].lower() if found else TENANT
