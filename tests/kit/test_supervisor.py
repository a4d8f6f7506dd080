import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.kit.errors import SettingsError
from app.kit.supervisor import LOG_BYTES, ChildError, Supervisor, sole_instance

SLEEP = (sys.executable, "-c", "import time; time.sleep(1000)")
FAIL = (sys.executable, "-c", "import sys; sys.exit('no disk left')")
PARENT = """
import subprocess, time
print(subprocess.Popen(["sleep", "1000"]).pid, flush=True)
time.sleep(1000)
"""


class Clock:
    """A monotonic clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


class Watched:
    """A supervisor on a clock of ours, with all that it said."""

    def __init__(self, logs: Path) -> None:
        self.clock = Clock()
        self.said: list[str] = []
        self.supervisor = Supervisor(logs, self.said.append, self.clock)

    def pid(self, name: str) -> int:
        return self.supervisor.children[name].process.pid

    def until_said(self, count: int) -> None:
        """Watches while time stands still, until the deaths that happen are seen."""
        while len(self.said) < count:
            self.supervisor.watch()
            time.sleep(0.01)


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    watched = Watched(tmp_path / "log")
    yield watched
    watched.supervisor.stop()


def is_alive(pid: int) -> bool:
    """A zombie is not alive."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def wait_until(condition: Callable[[], bool]) -> None:
    while not condition():
        time.sleep(0.02)


def test_a_killed_child_comes_back_after_a_pause(watched: Watched) -> None:
    watched.supervisor.start("web", SLEEP)
    first = watched.pid("web")
    os.kill(first, signal.SIGKILL)
    watched.until_said(1)
    assert watched.said == ["web was ended by signal 9; starting it again in 0.5 s"]
    watched.supervisor.watch()
    assert watched.pid("web") == first
    watched.clock.seconds += 0.5
    watched.supervisor.watch()
    assert watched.pid("web") != first
    assert is_alive(watched.pid("web"))


def test_pauses_double_until_it_gives_up_with_the_last_line(watched: Watched) -> None:
    watched.supervisor.start("worker", FAIL)
    for count in range(1, 6):
        watched.until_said(count)
        watched.clock.seconds += 0.5 * 2 ** (count - 1)
        watched.supervisor.watch()
    assert [line.rsplit(" ", 2)[-2] for line in watched.said] == ["0.5", "1", "2", "4", "8"]
    with pytest.raises(ChildError, match="worker keeps failing: no disk left"):
        watched.until_said(6)


def test_a_steady_child_is_forgiven(watched: Watched) -> None:
    watched.supervisor.start("web", SLEEP)
    for count in range(1, 9):
        os.kill(watched.pid("web"), signal.SIGKILL)
        watched.clock.seconds += 31
        watched.until_said(count)
        watched.clock.seconds += 0.5
        watched.supervisor.watch()
    assert {line.rsplit("; ", 1)[1] for line in watched.said} == {"starting it again in 0.5 s"}


def test_one_dead_child_does_not_hold_up_another(watched: Watched) -> None:
    watched.supervisor.start("web", SLEEP)
    watched.supervisor.start("beat", FAIL)
    watched.until_said(1)
    os.kill(watched.pid("web"), signal.SIGKILL)
    watched.until_said(2)
    watched.clock.seconds += 0.5
    before = watched.pid("web")
    watched.supervisor.watch()
    assert watched.pid("web") != before


def test_a_stop_ends_the_last_started_first(watched: Watched, tmp_path: Path) -> None:
    order = tmp_path / "order"
    script = (
        "import signal, sys, time\n"
        "def end(*_):\n"
        "    open(sys.argv[1], 'a').write(sys.argv[2] + '\\n'); sys.exit()\n"
        "signal.signal(signal.SIGTERM, end); print('ready', flush=True); time.sleep(1000)"
    )
    for name in ("valkey", "worker", "web"):
        watched.supervisor.start(name, (sys.executable, "-c", script, str(order), name))
        log = watched.supervisor.children[name].log
        wait_until(lambda log=log: "ready" in log.read_text())  # type: ignore[misc]
    watched.supervisor.stop()
    assert order.read_text().split() == ["web", "worker", "valkey"]


def test_a_stop_leaves_no_grandchild(watched: Watched) -> None:
    watched.supervisor.start("worker", (sys.executable, "-c", PARENT))
    log = watched.supervisor.children["worker"].log
    wait_until(lambda: log.read_text().endswith("\n"))
    grandchild = int(log.read_text())
    watched.supervisor.stop()
    wait_until(lambda: not is_alive(grandchild))


def test_a_large_log_is_put_aside(watched: Watched) -> None:
    watched.supervisor.logs.mkdir()
    log = watched.supervisor.logs / "web.log"
    with log.open("wb") as file:
        file.truncate(LOG_BYTES + 1)
    watched.supervisor.start("web", SLEEP)
    assert log.stat().st_size == 0
    assert log.with_suffix(".log.1").stat().st_size == LOG_BYTES + 1


def test_what_children_write_is_for_the_owner_alone(watched: Watched, tmp_path: Path) -> None:
    made = tmp_path / "made"
    program = f"from pathlib import Path; Path({str(made)!r}).touch()"
    watched.supervisor.start("web", (sys.executable, "-c", program))
    wait_until(made.exists)
    places = (made, watched.supervisor.logs, watched.supervisor.logs / "web.log")
    assert [stat.S_IMODE(place.stat().st_mode) for place in places] == [0o600, 0o700, 0o600]


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel ends orphans only on Linux")
def test_children_die_with_a_supervisor_that_was_killed(tmp_path: Path) -> None:
    program = (
        "import sys, time\nfrom pathlib import Path\nfrom app.kit.supervisor import Supervisor\n"
        f"s = Supervisor(Path({str(tmp_path)!r}), print)\n"
        f"s.start('web', {SLEEP!r})\n"
        "print(s.children['web'].process.pid, flush=True)\ntime.sleep(1000)"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        assert is_alive(child)
        parent.kill()
    wait_until(lambda: not is_alive(child))


def test_a_home_belongs_to_one_instance(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with sole_instance(home):
        assert home.stat().st_mode & 0o777 == 0o700
        with pytest.raises(SettingsError, match="already running in"), sole_instance(home):
            pass
    with sole_instance(home):
        pass


def test_a_home_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(SettingsError, match=r"cannot use the home folder .*file/home"),
        sole_instance(tmp_path / "file" / "home"),
    ):
        pass
