"""The limit: the calls of our sweeps once more, by one bare HTTP client, and nothing else.

`python -m app.bench.tenant.limit URL FILE` reads the calls from a JSON file; prints the number of
answers and the seconds.
"""

import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import orjson

THREADS = 20


def answered(http: httpx2.Client, call: dict[str, Any]) -> int:
    """Asks once and decodes the answer; 1."""
    headers = {"Content-Type": "application/json", "Authorization": "Bearer bench"}
    answer = http.request(
        call["method"], call["target"], content=call["body"].encode(), headers=headers
    )
    orjson.loads(answer.content)
    return 1


def main(url: str, path: str) -> None:
    """Asks all; timed from the first client to the last answer."""
    calls = json.loads(Path(path).read_text("utf-8"))["calls"]
    start = time.perf_counter()
    limits = httpx2.Limits(max_connections=THREADS, max_keepalive_connections=THREADS)
    with httpx2.Client(base_url=url, limits=limits) as http, ThreadPoolExecutor(THREADS) as pool:
        answers = sum(pool.map(lambda call: answered(http, call), calls))
    print(answers, time.perf_counter() - start)


if __name__ == "__main__":
    main(*sys.argv[1:])
