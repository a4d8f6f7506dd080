"""A sweep of 300 buckets by six facts, 40 ms away: ours with storing, Cloud Custodian, bare boto3.

All three are fresh processes that ask one server the same questions, in turn: five rounds, the
peer in three of them, and medians.
Each is timed from when it is loaded until its last fact is there (ours: committed), the peer by
the duration that it states itself: our worker is resident, so nobody's start-up counts.
"""

import json
import shutil
import statistics
import tempfile
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from app.bench.peers import installed
from app.bench.processes import BenchError, environment, finished, python, server
from app.bench.registry import Bench, Line, line

BUCKETS, DELAY_MS, ROUNDS, PEER_ROUNDS = 300, 40, 5, 3
# One list and six questions per bucket; besides, each client asks a handful of its own.
REQUESTS, SPARE = 1 + 6 * BUCKETS, 10
PEER = "c7n==0.9.53"
# The same facts in the peer's words. Encryption is read only by a filter, so it has to be one
# that lets every bucket pass.
POLICY = """
policies:
  - name: six-facts
    resource: aws.s3
    query:
      - augment-keys: [Location, Versioning, Lifecycle, Replication, Tags]
    filters:
      - or:
          - {type: bucket-encryption, state: true}
          - {type: bucket-encryption, state: false}
"""


@dataclass(slots=True)
class Rounds:
    """Seconds of each contestant, one per round."""

    ours: list[float] = field(default_factory=list)
    peer: list[float] = field(default_factory=list)
    limit: list[float] = field(default_factory=list)
    rss_mb: list[float] = field(default_factory=list)


def run() -> Iterator[Line]:
    """One line. BenchError when a contestant did not read everything."""
    custodian = installed("c7n", PEER) / "custodian"
    replay = python("app.bench.s3.replay", str(BUCKETS), str(DELAY_MS))
    rounds = Rounds()
    with (
        server(replay, environment()) as url,
        tempfile.TemporaryDirectory(prefix="atalaya-bench-") as folder,
    ):
        for number in range(ROUNDS):
            home = Path(folder) / str(number)
            _ours(url, home, rounds)
            if number < PEER_ROUNDS:
                _peer(url, home, custodian, rounds)
            _limit(url, rounds)
            shutil.rmtree(home)
    yield line(
        "s3-sweep",
        ours=statistics.median(rounds.ours),
        peer=statistics.median(rounds.peer),
        limit=statistics.median(rounds.limit),
        unit="s",
        rss_mb=statistics.median(rounds.rss_mb),
    )


def _ours(url: str, home: Path, rounds: Rounds) -> None:
    own = {"ATALAYA_HOME": str(home), "ATALAYA_ALLOW_PRIVATE_ENDPOINTS": "true"}
    env = environment(**_keys(), **own)
    run_id = finished(python("app.bench.s3.prepare", url), env).strip()
    said = finished(python("app.bench.s3.ours", run_id), env)
    ended = json.loads(said.splitlines()[-1])
    # one bucket of the estate denies one cell, so a whole sweep is partial
    _demand(url, "our sweep", ended["state"] == "partial")
    rounds.ours.append(ended["seconds"])
    rounds.rss_mb.append(ended["rss_mb"])


def _peer(url: str, home: Path, custodian: Path, rounds: Rounds) -> None:
    policy = home / "policy.yml"
    policy.write_text(POLICY, "utf-8")
    command = [str(custodian), "run", "--cache-period", "0", "-s", str(home / "out"), str(policy)]
    finished(command, environment(**_keys(), AWS_ENDPOINT_URL=url))
    results = home / "out" / "six-facts"
    found = json.loads((results / "resources.json").read_text("utf-8"))
    _demand(url, "the peer", len(found) == BUCKETS)
    execution = json.loads((results / "metadata.json").read_text("utf-8"))["execution"]
    rounds.peer.append(execution["duration"])


def _limit(url: str, rounds: Rounds) -> None:
    env = environment(**_keys(), AWS_ENDPOINT_URL=url)
    buckets, cells, seconds = finished(python("app.bench.s3.limit"), env).split()
    _demand(url, "the limit", (int(buckets), int(cells)) == (BUCKETS, 6 * BUCKETS))
    rounds.limit.append(float(seconds))


def _demand(url: str, who: str, read_all: bool) -> None:  # noqa: FBT001 - reads as a sentence
    with urllib.request.urlopen(f"{url}/_served") as answer:  # noqa: S310 - our own server
        served = int(answer.read())
    if not read_all or not REQUESTS <= served <= REQUESTS + SPARE:
        raise BenchError(f"{who} did not read everything: {served} of {REQUESTS} requests")


def _keys() -> dict[str, str]:
    return {
        "AWS_ACCESS_KEY_ID": "AKIAIOSFODNN7EXAMPLE",
        "AWS_SECRET_ACCESS_KEY": "bench",
        "AWS_DEFAULT_REGION": "us-west-2",
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_CONFIG_FILE": "/dev/null",
        "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
    }


BENCH = Bench("s3-sweep", "300 buckets by six facts, 40 ms away", run)
