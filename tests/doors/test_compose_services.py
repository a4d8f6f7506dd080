"""The commands of docker-compose.yml, run as local processes on Postgres and Valkey."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support import compose
from tests.support.postgres import Postgres
from tests.support.processes import CLI, free_port, kill_all, run_command, spawn, wait_until

pytestmark = pytest.mark.slow
STAYING = ("web", "worker", "beat")


class Services:
    """Our services of the file, with the hosts of containers replaced by this machine's."""

    def __init__(self, folder: Path, database_url: str, redis_url: str) -> None:
        self._folder = folder
        self._services: dict[str, Any] = compose.load(compose.FILE.read_text(), os.environ)[
            "services"
        ]
        self._local = {
            "ATALAYA_DATABASE_URL": database_url,
            "ATALAYA_REDIS_URL": redis_url,
            "ATALAYA_BASE_URL": "https://atalaya.example.org",
            "ATALAYA_HOST": "127.0.0.1",
            "ATALAYA_PORT": str(free_port()),
            "ATALAYA_HOME": str(folder),
            "ATALAYA_ALLOW_PRIVATE_ENDPOINTS": "true",  # the simulated clouds are on loopback
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        }
        self.running: dict[str, Any] = {}

    def environment(self, name: str) -> dict[str, str]:
        """What the container would have, but for the hosts."""
        own = {key: value or "" for key, value in self._services[name]["environment"].items()}
        return {**own, **self._local}

    def run(self, name: str) -> str:
        """A service that ends by itself: what it said, after exit code 0."""
        done = run_command(self._services[name]["command"], self.environment(name))
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def start(self, name: str) -> None:
        """A service that stays."""
        output = self._folder / f"{name}.out"
        self.running[name] = spawn(self._services[name]["command"], output, self.environment(name))

    def is_well(self, name: str) -> bool:
        """Its own health check, word for word."""
        assert self.running[name].poll() is None, (self._folder / f"{name}.out").read_text()
        kind, *command = self._services[name]["healthcheck"]["test"]
        assert kind == "CMD"
        return run_command(command, self.environment(name)).returncode == 0

    def sweeps(self) -> set[str]:
        """The states of the last sweep of each connection, as a person lists them.

        What people declare is never swept.
        """
        done = run_command((*CLI, "connection", "list"), self.environment("web"))
        told = [line.split("resources  ")[1] for line in done.stdout.splitlines()]
        return {state.split()[0] for state in told if state != "not swept"}

    def stop(self, name: str) -> int:
        """SIGTERM, as a container engine sends it; the exit code."""
        process = self.running.pop(name)
        process.send_signal(signal.SIGTERM)
        return int(process.wait())


@pytest.fixture
def services(tmp_path: Path, postgres: Postgres, valkey: str) -> Iterator[Services]:
    database = postgres.fresh()
    services = Services(tmp_path, postgres.url(database), valkey)
    yield services
    kill_all([process.pid for process in services.running.values()])
    for process in services.running.values():
        process.wait()
    postgres.drop(database)


def sandbox(services: Services, folder: Path) -> None:
    """Starts the simulated clouds and registers them."""
    ready = folder / "sandbox.json"
    command = (sys.executable, "-m", "app.sandbox", "--ready-file", str(ready))
    services.running["sandbox"] = spawn(
        (*command, "--aws-port", "0", "--azure-port", "0"), folder / "sandbox.out", os.environ
    )
    wait_until(ready.exists)
    done = run_command((*CLI, "sandbox", "connect", str(ready)), services.environment("web"))
    assert done.returncode == 0, done.stderr


def test_services_become_well_sweep_and_stop_when_asked(services: Services, tmp_path: Path) -> None:
    assert "newest revision" in services.run("migrate")
    sandbox(services, tmp_path)
    for name in STAYING:
        services.start(name)
    for name in STAYING:
        wait_until(lambda name=name: services.is_well(name))  # type: ignore[misc]
    wait_until(lambda: set() < services.sweeps() <= {"complete", "partial", "incomplete"})
    codes = {name: services.stop(name) for name in STAYING}
    # The web process ends its requests, then itself by the signal that it was sent.
    assert codes == {"web": -signal.SIGTERM, "worker": 0, "beat": 0}
