"""Starting whole processes in tests and knowing what became of them (Linux, /proc)."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from tests.support.postgres import end_with_parent

ROOT = Path(__file__).parents[2]
CLI = (sys.executable, "-m", "app.cli")


def free_port() -> int:
    """A port of loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until(condition: Callable[[], object]) -> None:
    """Asks ten times a second; a test that waits for ever is ended by whoever runs the suite."""
    while not condition():
        time.sleep(0.1)


def is_alive(pid: int) -> bool:
    """A zombie is not alive."""
    return _stat(pid, 0) not in (None, "Z")


def descendants(pid: int) -> dict[int, str]:
    """Every process below this one, with its command line."""
    parents = {int(folder.name): _stat(int(folder.name), 1) for folder in _processes()}
    found: dict[int, str] = {}
    level = {str(pid)}
    while level:
        children = [child for child, parent in parents.items() if parent in level]
        found |= {child: _command(child) for child in children}
        level = {str(child) for child in children}
    return found


def kill_all(pids: Iterable[int]) -> None:
    """Ends what a failed test may have left over."""
    for pid in pids:
        if is_alive(pid):
            os.kill(pid, signal.SIGKILL)


def environment(**settings: object) -> dict[str, str]:
    """This environment with ATALAYA_ settings by their lower-case names."""
    named = {f"ATALAYA_{name.upper()}": str(value) for name, value in settings.items()}
    return {**os.environ, **named}


def run_command(
    command: Iterable[str], variables: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """Any command to its end, from the root of the repository."""
    return subprocess.run(
        list(command), check=False, cwd=ROOT, env=dict(variables), capture_output=True, text=True
    )


def run_cli(*arguments: str, **settings: object) -> subprocess.CompletedProcess[str]:
    """One command of ours to its end."""
    return run_command([*CLI, *arguments], environment(**settings))


def spawn(
    command: Iterable[str], output: Path, variables: Mapping[str, str]
) -> subprocess.Popen[bytes]:
    """A process that ends with the test run and writes to a file."""
    with output.open("ab") as file:
        return subprocess.Popen(
            list(command),
            cwd=ROOT,
            env=dict(variables),
            stdout=file,
            stderr=subprocess.STDOUT,
            preexec_fn=end_with_parent,  # noqa: PLW1509 - nothing runs threads at this point
        )


def _processes() -> list[Path]:
    return [folder for folder in Path("/proc").iterdir() if folder.name.isdigit()]


def _stat(pid: int, field: int) -> str | None:
    """Field 0 is the state, 1 the parent."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[field]
    except (OSError, IndexError):
        return None


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ").strip()
    except OSError:
        return ""
