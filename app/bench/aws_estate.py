"""An organization of 20 accounts in 4 regions, swept whole at 1,000 and at 5,000 resources.

Ours is every sweep of accounts and of regions, one after the other in one fresh process, until the
last is committed. The limit makes the same calls (without the sign-ins of each sweep) with bare
botocore clients on twenty threads, and decodes the answers. Both ask one server on loopback, in
turn; medians of three rounds. No peer is known that reads all these kinds.

The last line is about growth: ours and its limit are milliseconds per resource, at 5,000 and at
1,000; a ratio of at most 1.3 is held.
"""

import json
import shutil
import statistics
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.bench.estate.answers import Organization
from app.bench.estate.documents import OWN_KEY
from app.bench.estate.replay import CALLS
from app.bench.processes import BenchError, environment, finished, python, server
from app.bench.registry import Bench, Line, line

SIZES, ROUNDS = (1_000, 5_000), 3


@dataclass(slots=True)
class Size:
    """An organization that is served at `url`, and what was measured of it, round by round."""

    resources: int
    url: str
    ours: list[float] = field(default_factory=list)
    limit: list[float] = field(default_factory=list)
    rss_mb: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    calls: int = 0

    @property
    def found(self) -> int:
        """How many resources a whole sweep stores."""
        return Organization(self.resources).expected()

    def per_resource_ms(self) -> float:
        """Milliseconds per resource, ours."""
        return statistics.median(self.ours) * 1000 / self.found


def run() -> Iterator[Line]:
    """A line per size, then one about growth. BenchError when something was not read."""
    yield from measured(SIZES, ROUNDS)


def measured(resources: tuple[int, ...], rounds: int) -> Iterator[Line]:
    """The lines for these sizes, the smallest first."""
    with (
        ExitStack() as servers,
        tempfile.TemporaryDirectory(prefix="atalaya-bench-") as folder,
    ):
        sizes = [Size(number, servers.enter_context(_served(number))) for number in resources]
        for number in range(rounds):
            for size in sizes:
                home = Path(folder) / f"{size.resources}-{number}"
                sweep(size, home)
                call_barely(size, home)
                shutil.rmtree(home)
    yield from map(_line, sizes)
    small, large = sizes[0].per_resource_ms(), sizes[-1].per_resource_ms()
    yield line("aws-estate linearity", ours=large, peer=None, limit=small, unit="ms")


def _served(resources: int) -> Any:  # noqa: ANN401 - a context manager of an address
    return server(python("app.bench.estate.replay", str(resources)), environment())


def _line(size: Size) -> Line:
    whole = line(
        f"aws-estate {size.resources}",
        ours=statistics.median(size.ours),
        peer=None,
        limit=statistics.median(size.limit),
        unit="s",
        rss_mb=statistics.median(size.rss_mb),
    )
    each = round(size.calls / size.found, 2)
    return whole | {
        "resources": size.found,
        "calls": size.calls,
        "calls_per_resource": each,
        "cpu_seconds": round(statistics.median(size.cpu), 1),
    }


def sweep(size: Size, home: Path) -> None:
    """One round of ours. BenchError when it did not read everything."""
    own = {"ATALAYA_HOME": str(home), "ATALAYA_ALLOW_PRIVATE_ENDPOINTS": "true"}
    env = environment(**_keys(), **own)
    connection_id = finished(python("app.bench.estate.prepare", size.url), env).strip()
    _asked(size.url)
    said = finished(python("app.bench.estate.ours", connection_id), env)
    ended = json.loads(said.splitlines()[-1])
    if ended["resources"] != size.found or ended["states"].keys() != {"complete"}:
        raise BenchError(f"our sweeps did not read all {size.found} resources: {ended}")
    calls = _asked(size.url)
    (home / "calls.json").write_bytes(calls)
    size.calls = len(json.loads(calls))
    size.ours.append(ended["seconds"])
    size.rss_mb.append(ended["rss_mb"])
    size.cpu.append(ended["cpu_seconds"])


def call_barely(size: Size, home: Path) -> None:
    """One round of the limit: the calls of the sweeps just done. BenchError when one is missing."""
    env = environment(**_keys(), AWS_ENDPOINT_URL=size.url)
    wanted = json.loads((home / "calls.json").read_text("utf-8"))
    command = python("app.bench.estate.limit", str(home / "calls.json"))
    answers, seconds = finished(command, env).split()
    if int(answers) != sum(call["service"] != "sts" for call in wanted):
        raise BenchError(f"the limit had {answers} answers")
    size.limit.append(float(seconds))


def _asked(url: str) -> bytes:
    with urllib.request.urlopen(url + CALLS) as answer:  # noqa: S310 - our own server
        body: bytes = answer.read()
    return body


def _keys() -> dict[str, str]:
    return {
        "AWS_ACCESS_KEY_ID": OWN_KEY,
        "AWS_SECRET_ACCESS_KEY": "bench",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_CONFIG_FILE": "/dev/null",
        "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
    }


BENCH = Bench("aws-estate", "An organization of 20 accounts in 4 regions, swept whole", run)
