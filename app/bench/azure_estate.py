"""A tenant of 30 subscriptions with 10,000 resources, swept whole by every collector of Azure.

The tenant answers after 40 ms and keeps Azure's quotas: 250 reads of a subscription at once and 25
a second after that, 15 queries of Resource Graph in 5 seconds. Ours is every sweep, one after the
other in one fresh process, until the last is committed; the limit makes the same calls with a bare
HTTP client on twenty threads, without quotas, and decodes the answers. Medians of three rounds. No
peer is known that reads all these kinds. Some resources are parts of others and not stored by
themselves (interfaces of machines), others are stored and no resources of Azure (pools, quotas).
"""

import json
import shutil
import statistics
import tempfile
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from app.bench.processes import BenchError, environment, finished, python, server
from app.bench.registry import Bench, Line, line
from app.bench.tenant.replay import CALLS

RESOURCES, ROUNDS = 10_000, 3
_TOKEN = {"BENCH_TOKEN": "bench"}


@dataclass(slots=True)
class Measured:
    """What was measured, round by round."""

    ours: list[float] = field(default_factory=list)
    limit: list[float] = field(default_factory=list)
    rss_mb: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    resources: int = 0
    calls: int = 0
    throttled: int = 0


def run() -> Iterator[Line]:
    """One line. BenchError when something was not read."""
    yield measured(RESOURCES, ROUNDS)


def measured(resources: int, rounds: int) -> Line:
    """The line for a tenant of this size."""
    found = Measured()
    tenant = server(python("app.bench.tenant.replay", str(resources)), environment())
    with tenant as url, tempfile.TemporaryDirectory(prefix="atalaya-bench-") as folder:
        for number in range(rounds):
            home = Path(folder) / str(number)
            sweep(url, home, found)
            call_barely(url, home, found)
            shutil.rmtree(home)
    return _line(found) | {"in_tenant": resources}


def _line(found: Measured) -> Line:
    whole = line(
        "azure-estate",
        ours=statistics.median(found.ours),
        peer=None,
        limit=statistics.median(found.limit),
        unit="s",
        rss_mb=statistics.median(found.rss_mb),
    )
    return whole | {
        "stored": found.resources,
        "calls": found.calls,
        "calls_per_resource": round(found.calls / found.resources, 2),
        "throttled": found.throttled,
        "cpu_seconds": round(statistics.median(found.cpu), 1),
    }


def sweep(url: str, home: Path, found: Measured) -> None:
    """One round of ours. BenchError when a sweep failed or found another number of resources."""
    own = {"ATALAYA_HOME": str(home), "ATALAYA_ALLOW_PRIVATE_ENDPOINTS": "true"}
    env = environment(**_TOKEN, **own)
    connection_id = finished(python("app.bench.tenant.prepare", url), env).strip()
    _asked(url)
    said = finished(python("app.bench.estate.ours", connection_id, "whole"), env)
    ended = json.loads(said.splitlines()[-1])
    if ended["states"].keys() - {"complete", "partial"}:
        raise BenchError(f"sweeps did not end well: {ended}")
    if found.resources not in (0, ended["resources"]):
        raise BenchError(f"{ended['resources']} resources, {found.resources} in the round before")
    calls = _asked(url, bare=True)
    (home / "calls.json").write_bytes(calls)
    told = json.loads(calls)
    found.resources, found.calls = ended["resources"], len(told["calls"])
    found.throttled += told["throttled"]
    found.ours.append(ended["seconds"])
    found.rss_mb.append(ended["rss_mb"])
    found.cpu.append(ended["cpu_seconds"])


def call_barely(url: str, home: Path, found: Measured) -> None:
    """One round of the limit: the calls of the sweeps just done. BenchError when one is missing."""
    command = python("app.bench.tenant.limit", url, str(home / "calls.json"))
    answers, seconds = finished(command, environment()).split()
    if int(answers) != found.calls:
        raise BenchError(f"the limit had {answers} answers")
    found.limit.append(float(seconds))


def _asked(url: str, *, bare: bool = False) -> bytes:
    with urllib.request.urlopen(url + CALLS + ("?bare" if bare else "")) as answer:  # noqa: S310 - our own server
        body: bytes = answer.read()
    return body


BENCH = Bench("azure-estate", "A tenant of 30 subscriptions, 10,000 resources", run)
