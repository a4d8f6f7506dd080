"""Our whole path: a claimed run, a real sweep, stored in SQLite.

`python -m app.bench.s3.ours RUN` does the run that `prepare` queued, and prints how it ended.
"""

import gc
import json
import resource
import sys
import time
from datetime import timedelta
from uuid import UUID

from app.collectors import registry
from app.kit.clock import utc_now
from app.services.sweep_run import run_sweep
from app.store import ledger
from app.store.session import transaction


def main(run_id: UUID) -> None:
    """Does the run as a worker does; the peak memory is that of this whole process.

    Timed from the claim to the commit of the last row. A worker has everything loaded by then.
    """
    registry.collector("aws_s3")
    gc.freeze()
    start = time.perf_counter()
    with transaction() as session:
        claimed = ledger.claim(session, run_id, now=utc_now(), lease=timedelta(minutes=10))
    if claimed is None:
        raise RuntimeError(f"the run {run_id} cannot be claimed")
    state = run_sweep(transaction, run=claimed, now=utc_now())
    seconds = time.perf_counter() - start
    peak_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"state": state.value, "seconds": seconds, "rss_mb": peak_kib / 1024}))


if __name__ == "__main__":
    main(UUID(sys.argv[1]))
