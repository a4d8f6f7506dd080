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
from tests.support.processes import free_port, kill_all, run_command, spawn, wait_until

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


def test_services_become_well_and_stop_when_asked(services: Services) -> None:
    assert "newest revision" in services.run("migrate")
    for name in STAYING:
        services.start(name)
    for name in STAYING:
        wait_until(lambda name=name: services.is_well(name))  # type: ignore[misc]
    assert {name: services.stop(name) for name in STAYING} == dict.fromkeys(STAYING, 0)
