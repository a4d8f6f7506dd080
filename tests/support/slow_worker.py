"""A worker whose one source stops in the middle of its list until a file appears.

`python -m tests.support.slow_worker FOLDER`: touches FOLDER/reached there, waits for FOLDER/go.
"""

import sys
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from typing_extensions import override

from app.collectors import registry
from app.domain.collecting import Connection, Observation
from tests import build
from tests.build import Cloud

RESOURCES = 700  # more than one batch, so that one is stored when the worker dies


class SlowCloud(Cloud):
    """Yields most of its resources, and the last ones when it may."""

    folder: Path

    @override
    def collect(self, connection: Connection, now: datetime) -> Iterator[Observation]:
        for number, observation in enumerate(super().collect(connection, now)):
            if number == RESOURCES - 10:
                (self.folder / "reached").touch()
                while not (self.folder / "go").exists():
                    time.sleep(0.05)
            yield observation


def main(folder: Path) -> None:
    """Runs a worker with this source as its only one."""
    from app.worker import celery_app  # noqa: PLC0415 - the module needs a broker to be imported

    cloud = SlowCloud([build.seen(f"bucket-{number:03d}") for number in range(RESOURCES)])
    cloud.folder = folder
    found = build.collector(cloud)
    registry.collectors = lambda: {found.id: found}  # type: ignore[assignment]
    registry.collector = {found.id: found}.__getitem__  # type: ignore[assignment]
    options = ["--without-gossip", "--without-mingle", "--concurrency=1", "--loglevel=INFO"]
    celery_app.worker_main(["worker", *options])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
