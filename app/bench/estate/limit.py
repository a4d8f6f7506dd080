"""The limit: the calls of our sweeps once more, by bare botocore clients, and nothing else.

`python -m app.bench.estate.limit FILE` reads the calls from a JSON file; endpoint and key come from
the environment. Prints the number of answers and the seconds.
"""

import json
import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import botocore.session
from botocore import xform_name
from botocore.config import Config
from botocore.loaders import create_loader

from app.bench.estate.documents import ACCOUNTS, EXTERNAL_ID, ROLE

THREADS = 20


class Clients:
    """One client per account, service and region; each account is entered once."""

    def __init__(self) -> None:
        self._loader = create_loader()
        self._sessions: dict[str, botocore.session.Session] = {}
        self._made: dict[tuple[str, str, str], Any] = {}
        self._lock = threading.RLock()

    def of(self, account_id: str, service: str, region: str) -> Any:  # noqa: ANN401 - made at run time
        """The client of a service there."""
        key = (account_id, service, region)
        found = self._made.get(key)
        if found is None:
            with self._lock:
                found = self._made.get(key) or self._client(account_id, service, region)
                self._made[key] = found
        return found

    def _client(self, account_id: str, service: str, region: str) -> Any:  # noqa: ANN401
        s3: Any = {"addressing_style": "path", "disable_s3_express_session_auth": True}
        config = Config(
            max_pool_connections=THREADS,
            retries={"mode": "standard"},
            parameter_validation=False,
            s3=s3,
        )
        client = self._session(account_id).create_client(service, region_name=region, config=config)
        client.meta.events.register("before-sign", _keep_to_endpoint)
        return client

    def _session(self, account_id: str) -> botocore.session.Session:
        found = self._sessions.get(account_id)
        if found is None:
            found = self._sessions[account_id] = botocore.session.Session()
            found.register_component("data_loader", self._loader)
            if account_id != ACCOUNTS[0]:
                found.set_credentials(*self._entered(account_id))
        return found

    def _entered(self, account_id: str) -> tuple[str, str, str]:
        sts = self.of(ACCOUNTS[0], "sts", "us-east-1")
        role = f"arn:aws:iam::{account_id}:role/{ROLE}"
        names = {"RoleSessionName": "bench", "ExternalId": EXTERNAL_ID}
        got = sts.assume_role(RoleArn=role, **names)["Credentials"]
        return got["AccessKeyId"], got["SecretAccessKey"], got["SessionToken"]


def _keep_to_endpoint(request: Any, **_: object) -> None:  # noqa: ANN401 - botocore's AWSRequest
    """S3 Control puts the account before the name of the host, which loopback has not."""
    host = urlsplit(os.environ["AWS_ENDPOINT_URL"]).netloc
    request.url = urlsplit(request.url)._replace(netloc=host).geturl()


def answered(clients: Clients, call: dict[str, Any]) -> int:
    """Asks once; 1."""
    client = clients.of(call["account_id"], call["service"], call["region"])
    getattr(client, xform_name(call["action"]))(**call["params"])
    return 1


def main(path: str) -> None:
    """Asks all; timed from the first client to the last answer."""
    calls = [one for one in json.loads(Path(path).read_text("utf-8")) if one["service"] != "sts"]
    start = time.perf_counter()
    clients = Clients()
    with ThreadPoolExecutor(THREADS) as pool:
        answers = sum(pool.map(lambda call: answered(clients, call), calls))
    print(answers, time.perf_counter() - start)


if __name__ == "__main__":
    main(sys.argv[1])
