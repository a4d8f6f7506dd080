"""Pages and API answers over 100,000 resources, against the same over 1,000: they must not grow.

Two whole web processes on databases of their own are asked in turn; per round the 95th percentile
of each address, and the median of three rounds.
"""

import http.client
import json
import socket
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from subprocess import DEVNULL, Popen
from typing import Any
from urllib.parse import quote

from app.bench.processes import environment, finished, python
from app.bench.registry import Bench, Line, line

SMALL, LARGE = 0, 99  # copies of a thousand resources
ROUNDS, PAIRS, WARM_UPS = 3, 30, 5
COOKIE = "atalaya_session"


@dataclass(frozen=True, slots=True)
class Address:
    """What is asked for. `path` may name what a seeded estate holds; `far` the thousandth page."""

    name: str
    path: str
    far: str = ""


ADDRESSES = (
    Address("html overview", "/"),
    Address("html storage list", "/storage"),
    Address(
        "html storage list, page 1000",
        "/storage?sort=name",
        "/storage?sort=name&after={resources_after}",
    ),
    Address("html storage list, worst first", "/storage?sort=worst"),
    Address("html storage list, one region", "/storage?sort=name&region=us-west-2"),
    Address("html storage detail", "/storage/{resource_id}"),
    Address("html findings list", "/findings"),
    Address("html findings list, page 1000", "/findings", "/findings?after={findings_after}"),
    Address("html finding detail", "/findings/F-{number}"),
    Address("html policies list", "/policies"),
    Address("json resources list", "/api/v1/resources"),
    Address(
        "json resources list, page 1000",
        "/api/v1/resources",
        "/api/v1/resources?after={resources_after}",
    ),
    Address("json resource detail", "/api/v1/resources/{resource_id}"),
    Address("json findings list", "/api/v1/findings"),
    Address(
        "json findings list, page 1000",
        "/api/v1/findings",
        "/api/v1/findings?after={findings_after}",
    ),
    Address("json finding detail", "/api/v1/findings/F-{number}"),
)


class Site:
    """A web process over a seeded estate, asked over one connection that stays open."""

    def __init__(self, port: int, seeded: Mapping[str, Any]) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port)
        self._known = {name: quote(str(value)) for name, value in seeded.items()}
        self._cookie = {"Cookie": f"{COOKIE}={seeded['cookie']}"}
        self._token = {"Authorization": f"Bearer {seeded['token']}"}

    def ask(self, path: str) -> float:
        """Milliseconds until the whole answer was read; RuntimeError unless it is a 200."""
        headers = self._token if path.startswith("/api/") else self._cookie
        begun = time.perf_counter()
        self._connection.request("GET", path.format(**self._known), headers=headers)
        answer = self._connection.getresponse()
        body = answer.read()
        taken = (time.perf_counter() - begun) * 1000
        if answer.status != http.HTTPStatus.OK:
            raise RuntimeError(f"{path}: {answer.status} {body[:300]!r}")
        return taken


def run() -> Iterator[Line]:
    """A line per address: ours at 100,000 resources, the limit at 1,000, in milliseconds."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="atalaya-bench-")))
        small = stack.enter_context(_site(folder / "small", SMALL))
        large = stack.enter_context(_site(folder / "large", LARGE))
        for address in ADDRESSES:
            limit, ours = _compared(small, large, address)
            yield line(f"pages {address.name}", ours=ours, peer=None, limit=limit, unit="ms")


def _compared(small: Site, large: Site, address: Address) -> tuple[float, float]:
    far = address.far or address.path
    for _ in range(WARM_UPS):
        small.ask(address.path)
        large.ask(far)
    limits, ours = [], []
    for _ in range(ROUNDS):
        pairs = [(small.ask(address.path), large.ask(far)) for _ in range(PAIRS)]
        limits.append(_p95([pair[0] for pair in pairs]))
        ours.append(_p95([pair[1] for pair in pairs]))
    return statistics.median(limits), statistics.median(ours)


def _p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


@contextmanager
def _site(home: Path, copies: int) -> Iterator[Site]:
    home.mkdir()
    port = _free_port()
    own = {"ATALAYA_HOME": str(home), "ATALAYA_PORT": str(port), "ATALAYA_LOG_LEVEL": "WARNING"}
    env = environment(**own)
    seeded = json.loads(finished(python("app.bench.web.seed", str(copies)), env))
    process = Popen(python("app.cli", "web"), env=env, stdout=DEVNULL, stderr=DEVNULL)
    try:
        _wait(port, process)
        yield Site(port, seeded)
    finally:
        process.terminate()
        process.wait()


def _wait(port: int, process: "Popen[bytes]") -> None:
    while process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except ConnectionRefusedError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError("the web process ended at once")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


BENCH = Bench("pages", "Lists and details over 100,000 resources against 1,000", run)
