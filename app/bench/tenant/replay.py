"""A tenant on loopback that answers after 40 ms and keeps Azure's quotas.

`python -m app.bench.tenant.replay RESOURCES` prints its address; GET /_bench/calls tells each call
that came since it was last asked, and how many of them were throttled.
"""

import re
import sys
import threading
import time
from typing import Any

from app.bench.tenant.documents import TENANT, chapters
from app.sandbox.azure.estate import AzureEstate
from app.sandbox.azure.graph import Graph
from app.sandbox.azure.held import Held
from app.sandbox.azure.places import locations
from app.sandbox.azure.refusal import Refusal
from app.sandbox.story import TENANT_ID
from app.sandbox.wire import Answer, LoopbackServer, Request, json_answer

CALLS = "/_bench/calls"
REPLY_SECONDS = 0.04
GRAPH = "/providers/Microsoft.ResourceGraph/resources"
_PAGE = 200  # rows of a list of Resource Manager
# Reads of Resource Manager per subscription, and queries of Resource Graph per user.
_READS, _READS_PER_SECOND = 250.0, 25.0
_QUERIES, _QUERIES_PER_SECOND = 15.0, 3.0
_SUBSCRIPTION = re.compile(r"/subscriptions/([^/?]+)")


class Bucket:
    """A token bucket: so many at once, so many more each second."""

    def __init__(self, size: float, per_second: float) -> None:
        self._size, self._per_second = size, per_second
        self._left, self._at = size, time.monotonic()
        self._lock = threading.Lock()

    def take(self) -> bool:
        """Whether there was one left."""
        with self._lock:
            now = time.monotonic()
            self._left = min(self._size, self._left + (now - self._at) * self._per_second)
            self._at = now
            if self._left < 1:
                return False
            self._left -= 1
            return True


class Tenant:
    """Answers as Azure does; each call is kept, so that it can be made once more."""

    def __init__(self, resources: int) -> None:
        self._held = Held(chapters(resources), TENANT, page=_PAGE)
        self._graph = Graph(AzureEstate(0, ()), self._held, TENANT)
        self._queries = Bucket(_QUERIES, _QUERIES_PER_SECOND)
        self._reads: dict[str, Bucket] = {}
        self._lock = threading.Lock()
        self._calls: list[dict[str, Any]] = []
        self._throttled = 0
        self._bare = False

    def __call__(self, request: Request) -> Answer:
        """The answer to one request, or 429 when its bucket is empty."""
        if request.path == CALLS:
            return json_answer(self._told(bare=request.parameter("bare") is not None))
        time.sleep(REPLY_SECONDS)
        with self._lock:
            body = request.body.decode()
            self._calls.append({"method": request.method, "target": request.target, "body": body})
        if not self._bare and not self._bucket(request).take():
            self._throttled += 1
            return Refusal(429, "TooManyRequests", "", {"Retry-After": "5"}).as_json()
        try:
            return self._answer(request)
        except Refusal as refusal:
            return refusal.as_json()

    def _bucket(self, request: Request) -> Bucket:
        if request.path == GRAPH:
            return self._queries
        found = _SUBSCRIPTION.search(request.path)
        with self._lock:
            key = found[1] if found else ""
            return self._reads.setdefault(key, Bucket(_READS, _READS_PER_SECOND))

    def _told(self, *, bare: bool) -> dict[str, Any]:
        """The calls since it was last asked. `bare`: the next ones are not throttled."""
        with self._lock:
            told = {"calls": self._calls, "throttled": self._throttled}
            self._calls, self._throttled, self._bare = [], 0, bare
            self._reads, self._queries = {}, Bucket(_QUERIES, _QUERIES_PER_SECOND)
        return told

    def _answer(self, request: Request) -> Answer:
        if request.path == "/subscriptions":
            return json_answer({"value": [_subscription(one) for one in TENANT]})
        if request.path == GRAPH:
            return self._graph.answer(request)
        if request.path.endswith("/locations"):
            return json_answer({"value": locations(request.path.split("/")[2])})
        found = self._held.answer(request)
        if found is None:
            raise Refusal(404, "ResourceNotFound", request.path)
        return found


def _subscription(one: Any) -> dict[str, Any]:  # noqa: ANN401 - the story's Subscription
    return {
        "id": f"/subscriptions/{one.subscription_id}",
        "subscriptionId": one.subscription_id,
        "tenantId": TENANT_ID,
        "displayName": one.display_name,
        "state": "Enabled",
    }


def main(resources: int) -> None:
    """Serves until the process is ended."""
    server = LoopbackServer(Tenant(resources))
    server.start()
    print(server.endpoint, flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main(int(sys.argv[1]))
