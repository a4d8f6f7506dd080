"""Prometheus figures of several processes on one machine, kept as files in the home folder."""

import os
from pathlib import Path

from app.kit.settings import settings

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"


def folder() -> Path:
    """Where worker processes keep their counters."""
    return settings().home.resolve() / "metrics"


def share() -> None:
    """Makes this process and its children count into files; before prometheus_client is imported.

    What a former worker left is thrown away: counters start anew with their process, as usual.
    """
    folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    for file in folder().glob("*.db"):
        file.unlink(missing_ok=True)
    os.environ.setdefault(VARIABLE, str(folder()))  # noqa: TID251 - prometheus_client's own


def forget(pid: int) -> None:
    """Drops the gauges of a child that ended; its counters stay."""
    from prometheus_client import multiprocess  # noqa: PLC0415 - only after `share`

    multiprocess.mark_process_dead(pid, str(folder()))  # type: ignore[no-untyped-call]


def exposition() -> bytes:
    """This process's own figures and those of the workers, in Prometheus' text format."""
    from prometheus_client import (  # noqa: PLC0415 - only after `share`, where that is called
        REGISTRY,
        CollectorRegistry,
        generate_latest,
        multiprocess,
    )

    text = generate_latest(REGISTRY)
    if VARIABLE in os.environ or not any(folder().glob("*.db")):  # noqa: TID251 - not a setting
        return text
    shared = CollectorRegistry()
    multiprocess.MultiProcessCollector(shared, path=str(folder()))  # type: ignore[no-untyped-call]
    return text + generate_latest(shared)
