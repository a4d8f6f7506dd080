"""Our whole path: every queued sweep of a connection, one after the other, stored in SQLite.

`python -m app.bench.estate.ours CONNECTION [REACH]` prints how they ended. Without a reach these
are the sweeps of accounts and of regions, with `whole` those of whole connections.
"""

import gc
import json
import resource
import sys
import time
from collections import Counter
from datetime import timedelta
from uuid import UUID

from sqlalchemy import func, select

from app.collectors import registry
from app.domain.access import SYSTEM
from app.domain.collecting import Reach
from app.kit.clock import utc_now
from app.services.sweep_run import run_sweep
from app.store import ledger
from app.store.models.inventory import ResourceRow
from app.store.queries.work import active_sweeps
from app.store.session import transaction


def main(connection_id: str, reach: str = "parts") -> None:
    """Does the runs as a worker does; the peak memory is that of this whole process."""
    runs = _queued(connection_id, whole=reach == "whole")
    gc.freeze()
    states: Counter[str] = Counter()
    before = _stored()
    start, worked = time.perf_counter(), time.process_time()
    for run_id in runs:
        states[_swept(run_id)] += 1
    seconds, cpu = time.perf_counter() - start, time.process_time() - worked
    peak_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    told = {"states": states, "resources": _stored() - before, "rss_mb": peak_kib / 1024}
    print(json.dumps({"seconds": seconds, "cpu_seconds": cpu, **told}))


def _queued(connection_id: str, *, whole: bool) -> list[UUID]:
    """The sweeps of that reach; loads their collectors, as a worker has."""
    every = registry.collectors().values()
    wanted = {one.id for one in every if (one.reach is Reach.CONNECTION) is whole}
    with transaction() as session:
        queued = active_sweeps(session, access=SYSTEM, connection_id=connection_id)
    return [UUID(run.id) for run in queued if run.args["collector_id"] in wanted]


def _swept(run_id: UUID) -> str:
    with transaction() as session:
        claimed = ledger.claim(session, run_id, now=utc_now(), lease=timedelta(minutes=10))
    if claimed is None:
        raise RuntimeError(f"the run {run_id} cannot be claimed")
    return run_sweep(transaction, run=claimed, now=utc_now()).value


def _stored() -> int:
    with transaction() as session:
        return session.scalar(select(func.count()).select_from(ResourceRow)) or 0


if __name__ == "__main__":
    main(*sys.argv[1:])
