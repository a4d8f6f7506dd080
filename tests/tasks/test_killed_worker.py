"""kill -9 of a worker in the middle of a sweep: the next one finishes it, once."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, func, select

from app.store.models.inventory import ResourceRevisionRow, ResourceRow, SweepRow
from app.store.models.work import RunRow
from tests import build
from tests.support.postgres import end_with_parent
from tests.support.slow_worker import RESOURCES

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
BEAT = """
from app.worker import celery_app
celery_app.Beat(scheduler_cls="celery.beat:Scheduler").run()
"""


class Processes:
    """Workers and a beat on this test's database and broker; ended by their pids."""

    def __init__(self, engine: Engine, broker: str, folder: Path) -> None:
        self.folder = folder
        self.running: list[subprocess.Popen[bytes]] = []
        self._log = (folder / "log").open("wb")
        self._environment = {
            **os.environ,
            "ATALAYA_DATABASE_URL": engine.url.render_as_string(hide_password=False),
            "ATALAYA_REDIS_URL": broker,
            "ATALAYA_HOME": str(folder / "home"),
            "ATALAYA_LEASE_SECONDS": "3",
            "ATALAYA_RESEND_AFTER_SECONDS": "2",
            "ATALAYA_DISPATCH_EVERY_SECONDS": "0.5",
        }

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=self._environment,
            stdout=self._log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=end_with_parent,  # noqa: PLW1509 - nothing runs threads at this point
        )
        self.running.append(process)
        return process

    def worker(self) -> subprocess.Popen[bytes]:
        return self.start("-m", "tests.support.slow_worker", str(self.folder))

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        """The whole group at once, children too, as the out-of-memory killer might."""
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        self.running.remove(process)

    def stop(self) -> None:
        for process in list(self.running):
            self.kill(process)
        self._log.close()

    def until(self, condition: Callable[[], bool]) -> None:
        while not condition():
            dead = [process for process in self.running if process.poll() is not None]
            assert not dead, (self.folder / "log").read_text()
            time.sleep(0.1)


@pytest.fixture
def processes(engine: Engine, valkey: str, tmp_path: Path) -> Iterator[Processes]:
    found = Processes(engine, valkey, tmp_path)
    yield found
    found.stop()


def test_a_sweep_is_finished_once(engine: Engine, processes: Processes) -> None:
    transactions = build.transactions_of(engine)

    def count(table: type[ResourceRow | ResourceRevisionRow | SweepRow]) -> int:
        with transactions() as session:
            return session.scalar(select(func.count()).select_from(table)) or 0

    def the_run() -> RunRow:
        with transactions() as session:
            # a slot that begins during the test queues another one
            runs = select(RunRow).where(RunRow.kind == "sweep").order_by(RunRow.id)
            return session.scalars(runs.limit(1)).one()

    with transactions() as session:
        build.connection(session)
    processes.start("-c", BEAT)
    first = processes.worker()
    processes.until((processes.folder / "reached").exists)
    assert the_run().state == "running"
    assert 0 < count(ResourceRow) < RESOURCES

    processes.kill(first)
    (processes.folder / "go").touch()
    processes.worker()
    processes.until(lambda: the_run().state == "done")
    assert (the_run().starts, the_run().fence) == (2, 2)
    assert (count(ResourceRow), count(ResourceRevisionRow)) == (RESOURCES, RESOURCES)
    with transactions() as session:
        sweep = session.scalars(select(SweepRow).order_by(SweepRow.id).limit(1)).one()
        assert (sweep.state, sweep.trace["starts"]) == ("complete", 2)
        assert sweep.trace["resources_seen"] == RESOURCES
