"""The limit: the same six questions by boto3 on as many threads as ours, and nothing else.

Credentials and endpoint come from the environment. Prints the number of buckets, that of answers
and the seconds.
"""

import contextlib
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

THREADS = 20
HOME = "us-west-2"
REST = (
    "get_bucket_versioning",
    "get_bucket_lifecycle_configuration",
    "get_bucket_replication",
    "get_bucket_encryption",
    "get_bucket_tagging",
)


class Clients:
    """One client per region."""

    def __init__(self) -> None:
        self._made: dict[str, Any] = {}
        self._lock = threading.Lock()

    def of(self, region: str) -> Any:  # noqa: ANN401 - boto3 makes its clients at run time
        """The client of a region."""
        with self._lock:
            if region not in self._made:
                config = Config(max_pool_connections=THREADS, retries={"mode": "standard"})
                self._made[region] = boto3.client("s3", region_name=region, config=config)
            return self._made[region]


def read(clients: Clients, bucket: str) -> int:
    """Asks everything about one bucket; how many answers there were."""
    where = clients.of(HOME).get_bucket_location(Bucket=bucket)["LocationConstraint"]
    client = clients.of(where or "us-east-1")
    answers = 1
    for question in REST:
        with contextlib.suppress(ClientError):
            getattr(client, question)(Bucket=bucket)
        answers += 1
    return answers


def main() -> None:
    """Reads every bucket; timed from the first client to the last answer."""
    start = time.perf_counter()
    clients = Clients()
    buckets = [bucket["Name"] for bucket in clients.of(HOME).list_buckets()["Buckets"]]
    with ThreadPoolExecutor(THREADS) as pool:
        cells = sum(pool.map(lambda bucket: read(clients, bucket), buckets))
    print(len(buckets), cells, time.perf_counter() - start)


if __name__ == "__main__":
    main()
