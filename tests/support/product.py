"""The whole product as a test sees it from outside: `up` in a home of its own."""

import re
import signal
from pathlib import Path

from app.kit.valkey import private_server
from tests.support.processes import (
    CLI,
    descendants,
    environment,
    free_port,
    is_alive,
    kill_all,
    run_cli,
    spawn,
    wait_until,
)

WORDS = {
    "valkey": "valkey.sock",
    "web": "app.cli web",
    "worker": "app.cli worker",
    "beat": "app.cli beat",
    "sandbox": "app.sandbox",
}


class Product:
    """`up` with what it said so far; `stop` also after a failed test."""

    def __init__(self, home: Path, *arguments: str, **settings: object) -> None:
        self.settings = {"home": home, "port": free_port(), "lease_seconds": 3, **settings}
        self.address = f"http://127.0.0.1:{self.settings['port']}"
        self.home = home
        self._output = home.parent / f"up-{self.settings['port']}.out"
        command = (*CLI, "up", *arguments)
        self.process = spawn(command, self._output, environment(**self.settings))
        self.seen: set[int] = set()

    @property
    def said(self) -> str:
        """Everything it printed."""
        return self._output.read_text()

    def until_said(self, pattern: str, count: int = 1) -> str:
        """Waits for a line; AssertionError with all that was said when the product ends first."""
        wait_until(lambda: len(self._found(pattern)) >= count or self.process.poll() is not None)
        found = self._found(pattern)
        assert len(found) >= count, f"ended with {self.process.returncode}:\n{self.said}"
        return found[-1]

    def until_up(self) -> None:
        """Waits for the address, and notes all processes."""
        self.until_said(r"Atalaya is up at .*")
        self.seen |= set(self.children())

    def children(self) -> dict[int, str]:
        """All processes below the supervisor."""
        return descendants(self.process.pid)

    def pid(self, name: str) -> int:
        """The process of a child by its name in the supervisor; 0 while there is none."""
        word = WORDS[name]
        return min((pid for pid, line in self.children().items() if word in line), default=0)

    def health(self, name: str) -> bool:
        """Whether `health NAME` finds it well, on the product's own broker."""
        broker = private_server(self.home).url
        done = run_cli("health", name, redis_url=broker, **self.settings)
        return done.returncode == 0

    def stop(self) -> int:
        """Asks it to stop; its exit code."""
        self.seen |= set(self.children())
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait()

    def leftovers(self) -> list[int]:
        """Processes that were below it and still live."""
        return [pid for pid in self.seen if is_alive(pid)]

    def clean(self) -> None:
        """Leaves nothing behind whatever happened."""
        self.seen |= set(self.children())
        kill_all([self.process.pid, *self.seen])
        self.process.wait()

    def _found(self, pattern: str) -> list[str]:
        return re.findall(pattern, self.said)
