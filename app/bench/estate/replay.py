"""A server on loopback that answers for the whole organization.

`python -m app.bench.estate.replay RESOURCES` prints its address; GET /_bench/calls tells each call
that came since it was last asked.
"""

import sys
import threading
from typing import Any

from app.bench.estate.answers import Organization, account_of
from app.sandbox.aws import documents, modelled
from app.sandbox.aws.answers import Question
from app.sandbox.aws.requests import AwsCall, identify
from app.sandbox.wire import Answer, LoopbackServer, Request, json_answer

CALLS = "/_bench/calls"


class Replay:
    """Each answer is made once and then kept, so that little of what is measured is the server."""

    def __init__(self, organization: Organization) -> None:
        self._organization = organization
        self._lock = threading.Lock()
        self._kept: dict[tuple[str, ...], tuple[dict[str, Any], Answer]] = {}
        self._calls: list[dict[str, Any]] = []

    def __call__(self, request: Request) -> Answer:
        """The answer to one request."""
        if request.path == CALLS:
            return json_answer(self._told())
        key = _key(request)
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = self._made(identify(request))
        with self._lock:
            self._calls.append(found[0])
        return found[1]

    def _told(self) -> list[dict[str, Any]]:
        with self._lock:
            told, self._calls = self._calls, []
        return told

    def _made(self, call: AwsCall) -> tuple[dict[str, Any], Answer]:
        account_id = account_of(call.access_key)
        asked = {
            "account_id": account_id,
            "region": call.region,
            "service": call.service,
            "action": call.action,
            "params": {} if call.service == "s3" else dict(call.params),
        }
        if call.service == "s3":  # no buckets: those are measured by s3-sweep
            return asked, documents.serialized(call.action, {"Buckets": []})
        question = Question(account_id, call.region, call.params)
        result = self._organization.answer(call.service, call.action, question)
        return asked, modelled.written(call.service, call.action, result)


def _key(request: Request) -> tuple[str, ...]:
    """All that an answer depends on; of the signature only who signed, and for what."""
    headers = request.headers
    signer, _, rest = headers.get("authorization", "").partition("/")
    scope = rest.partition(",")[0].partition("/")[2]
    target = headers.get("x-amz-target", "")
    return (request.method, request.target, target, signer, scope, request.body.decode())


def main(resources: int) -> None:
    """Serves until the process is ended."""
    server = LoopbackServer(Replay(Organization(resources)))
    server.start()
    print(server.endpoint, flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main(int(sys.argv[1]))
