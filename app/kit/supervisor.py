"""Keeps child processes running: restart with back-off, orderly stop, nothing left behind."""

import contextlib
import ctypes
import fcntl
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from app.kit.errors import AtalayaError, SettingsError

FIRST_PAUSE_SECONDS = 0.5
FAILURES_IN_A_ROW = 5
STEADY_SECONDS = 30.0
STOP_SECONDS = 20.0
LOG_BYTES = 10_000_000
PR_SET_PDEATHSIG = 1
OWNER_ONLY = 0o077  # what children write is for nobody else, whatever the home's own mode


class ChildError(AtalayaError):
    """A child process ends as often as it is started."""

    title: ClassVar[str] = "A process keeps failing"


@dataclass(slots=True)
class Child:
    """One process under supervision; times are of the monotonic clock, in seconds."""

    name: str
    command: tuple[str, ...]
    log: Path
    process: subprocess.Popen[bytes]
    started_seconds: float
    failures: int = 0
    restart_seconds: float | None = None


@dataclass(slots=True)
class Supervisor:
    """Start children from the main thread, call `watch` a few times a second, then `stop`.

    Children are stopped in the reverse order of their start. They die with this process, even by
    kill -9 (Linux): SIGKILL, because a worker that is asked to end while its broker ends too may
    hang. That is safe because no work lives in a process (the ledger holds it).
    """

    logs: Path
    say: Callable[[str], None]
    monotonic: Callable[[], float] = time.monotonic
    children: dict[str, Child] = field(default_factory=dict)

    def start(self, name: str, command: tuple[str, ...]) -> None:
        """Starts a child whose output goes to `logs/NAME.log`."""
        self.logs.mkdir(mode=0o700, parents=True, exist_ok=True)
        log = self.logs / f"{name}.log"
        process = _spawn(command, log)
        self.children[name] = Child(name, command, log, process, self.monotonic())

    def watch(self) -> None:
        """Restarts what has ended, after a pause that doubles; ChildError when that is in vain."""
        for child in self.children.values():
            if child.restart_seconds is not None:
                self._restart_when_due(child)
            elif child.process.poll() is not None:
                self._plan_restart(child)

    def stop(self) -> None:
        """Ends all children, the last one started first; a child that hangs is killed."""
        for child in reversed(self.children.values()):
            child.process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.process.wait(STOP_SECONDS)
            _kill_group(child.process)
            child.process.wait()
        self.children.clear()

    def _plan_restart(self, child: Child) -> None:
        _kill_group(child.process)  # what a dead leader may have left over
        if self.monotonic() - child.started_seconds > STEADY_SECONDS:
            child.failures = 0
        if child.failures >= FAILURES_IN_A_ROW:
            raise ChildError(
                f"{child.name} keeps failing: {_last_line(child.log)}", mend=f"see {child.log}"
            )
        pause = FIRST_PAUSE_SECONDS * 2**child.failures
        child.failures += 1
        child.restart_seconds = self.monotonic() + pause
        ending = _ending(child.process.returncode)
        self.say(f"{child.name} {ending}; starting it again in {pause:g} s")

    def _restart_when_due(self, child: Child) -> None:
        if child.restart_seconds is not None and self.monotonic() >= child.restart_seconds:
            child.restart_seconds = None
            child.process = _spawn(child.command, child.log)
            child.started_seconds = self.monotonic()


@contextlib.contextmanager
def sole_instance(home: Path) -> Iterator[None]:
    """Makes `home` (mode 0700) and holds it; SettingsError when somebody else does or it is locked.

    The kernel lets go of the lock when this process ends, however it ends.
    """
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = (home / "lock").open("a+")
    except OSError as error:
        raise SettingsError(
            f"cannot use the home folder {home}: {error.strerror}",
            mend="make it writable, or set ATALAYA_HOME to another folder",
        ) from None
    with handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise SettingsError(
                f"Atalaya is already running in {home}",
                mend="stop it, or set ATALAYA_HOME and ATALAYA_PORT for a second one",
            ) from None
        yield


def _spawn(command: tuple[str, ...], log: Path) -> subprocess.Popen[bytes]:
    if log.exists() and log.stat().st_size > LOG_BYTES:
        log.replace(log.with_suffix(".log.1"))
    parent = os.getpid()
    log.touch(mode=0o600)
    with log.open("ab") as output:
        return subprocess.Popen(  # noqa: S603 - commands come from our own code
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            umask=OWNER_ONLY,
            preexec_fn=lambda: _die_with(parent),  # noqa: PLW1509 - the supervisor has one thread
        )


def _die_with(parent: int) -> None:
    """Runs in the child: a group of its own, and SIGKILL when the supervisor dies."""
    os.setsid()
    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    if prctl is not None:
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it died before it could be watched
            os._exit(1)


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _ending(code: int) -> str:
    return f"was ended by signal {-code}" if code < 0 else f"ended with code {code}"


def _last_line(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return lines[-1].strip()[:300] if lines else "it wrote nothing"
