"""The embedded mode: prepares the home, starts all processes, says where to go, stops in order.

The store and the services are imported late: a refusal is quick, and so is the first child.
"""

import json
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from app.kit import assets
from app.kit.clock import utc_now
from app.kit.errors import SettingsError
from app.kit.liveness import UnwellError, ask_web
from app.kit.settings import Settings, settings, settle
from app.kit.supervisor import Supervisor, sole_instance
from app.kit.valkey import Valkey, private_server

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from app.store.queries.connections import ConnectionItem

TICK_SECONDS = 0.1
PROBE_EVERY_SECONDS = 0.5


def run(*, sandbox: bool, size: tuple[str, ...] = ()) -> None:
    """Runs until SIGINT or SIGTERM; SettingsError before anything starts when it cannot run.

    `size` are further arguments of the sandbox.
    """
    begun = time.monotonic()
    home = settings().home.resolve()
    with sole_instance(home), _stop_signals() as stopping:
        values = settle(home=home, port=_free_port(settings()), sandbox=sandbox)
        if sandbox:  # its clouds listen on loopback
            settle(allow_private_endpoints=True)
        embedded = Embedded(values, stopping, begun, size)
        try:
            embedded.start()
            while not stopping.wait(TICK_SECONDS):
                embedded.tick()
        finally:
            embedded.stop()
    typer.echo("stopped")


@dataclass(slots=True)
class Embedded:
    """The processes of one home; `begun_seconds` is of the monotonic clock."""

    values: Settings
    stopping: threading.Event
    begun_seconds: float
    sandbox_size: tuple[str, ...] = ()
    link: str | None = None
    broker: Valkey | None = None
    ready: bool = False
    was_read: bool = False
    next_probe_seconds: float = 0
    sandbox_seen_ns: int = 0
    supervisor: Supervisor = field(init=False)

    def __post_init__(self) -> None:
        """The children write to the folder `log` of the home."""
        self.supervisor = Supervisor(self.values.home / "log", typer.echo)

    def start(self) -> None:
        """Broker and sandbox first; they start while assets and database are brought up to date."""
        if not self.values.redis_url:
            self.broker = private_server(self.values.home)
            settle(redis_url=self.broker.url)
            self.supervisor.start("valkey", self.broker.command)
        if self.values.sandbox:
            self._start_sandbox()
        assets.build()
        self._prepare_database()
        for name in ("worker", "beat", "web"):
            self.supervisor.start(name, (sys.executable, "-m", "app.cli", name))

    def stop(self) -> None:
        """Ends all processes, in order."""
        self.supervisor.stop()
        if self.broker is not None:
            self.broker.clean()

    def tick(self) -> None:
        """Called several times a second."""
        self.supervisor.watch()
        if self.values.sandbox:
            self._connect_sandbox()
        if time.monotonic() < self.next_probe_seconds:
            return
        self.next_probe_seconds = time.monotonic() + PROBE_EVERY_SECONDS
        if not self.ready:
            self._probe()
        elif self.values.sandbox and not self.was_read:
            self._look_for_first_sweep()

    def _start_sandbox(self) -> None:
        self._ready_file.unlink(missing_ok=True)
        ports = ("--aws-port", "0", "--azure-port", "0")
        command = (sys.executable, "-m", "app.sandbox", "--ready-file", str(self._ready_file))
        self.supervisor.start("sandbox", (*command, *ports, *self.sandbox_size))

    @property
    def _ready_file(self) -> Path:
        return self.values.home / "sandbox.json"

    def _connect_sandbox(self) -> None:
        """Also after the sandbox was started again: its ports have changed then."""
        try:
            written_ns = self._ready_file.stat().st_mtime_ns
            if written_ns == self.sandbox_seen_ns:
                return
            ready = json.loads(self._ready_file.read_bytes())
        except (FileNotFoundError, json.JSONDecodeError):
            return  # it is not ready yet
        from app.services import sandbox
        from app.store.session import engine, transaction

        with _database_may_be_away():
            with transaction() as session:
                sandbox.connect(session, ready, utc_now())
            self.sandbox_seen_ns = written_ns  # only once that is committed
        engine().dispose()

    def _prepare_database(self) -> None:
        from app.services import accounts
        from app.store import migrate
        from app.store.session import engine, transaction

        migrate.upgrade(self.values.database)
        with transaction() as session:
            self.link = accounts.first_sign_in_link(session, utc_now(), self.values.address)
        engine().dispose()

    def _probe(self) -> None:
        try:
            ask_web(self.values)
        except UnwellError:
            return
        self.ready = True
        typer.echo(f"Atalaya is up at {self.values.address} {self._took} (Ctrl+C stops it)")
        if self.link:
            typer.echo(f"Sign in once with this link: {self.link}")

    def _look_for_first_sweep(self) -> None:
        from app.domain.access import SYSTEM
        from app.domain.declared import is_declared
        from app.store.queries.connections import list_connections
        from app.store.session import engine, transaction

        found: Sequence[ConnectionItem] = ()
        with _database_may_be_away(), transaction(readonly=True) as session:
            found = list_connections(session, access=SYSTEM)
            self.was_read = bool(found) and all(_is_read_and_judged(session, one) for one in found)
        engine().dispose()
        if self.was_read:
            resources = sum(item.resources for item in found)
            clouds = [one for one in found if not is_declared(one.provider)]
            what = f"{resources} resources of {len(clouds)} connections"
            typer.echo(f"The sandbox was read and judged: {what} {self._took}")

    @property
    def _took(self) -> str:
        return f"after {time.monotonic() - self.begun_seconds:.1f} s"


@contextmanager
def _database_may_be_away() -> Iterator[None]:
    """What the supervisor asks can wait for the next tick; it must not fall over it."""
    from sqlalchemy.exc import OperationalError

    with suppress(OperationalError):
        yield


def _is_read_and_judged(session: "Session", connection: "ConnectionItem") -> bool:
    """Whether each collector has read every cell, and an evaluation came after that.

    Samples and failed sweeps call for no evaluation.
    """
    from app.domain.access import SYSTEM
    from app.domain.declared import is_declared
    from app.services.sources import collectors_of
    from app.store.queries.work import active_sweeps

    if is_declared(connection.provider):
        return connection.evaluated_at is not None
    if not all(found.sweeps for found in connection.collectors) or active_sweeps(
        session, access=SYSTEM, connection_id=connection.id
    ):
        return False
    judging = {found.id for found in collectors_of(connection.provider) if found.kinds}
    ended = [
        sweep.ended_at
        for found in connection.collectors
        if found.collector_id in judging
        for sweep in found.sweeps
        if sweep.ended_at and sweep.state != "failed"
    ]
    judged_at = connection.evaluated_at
    return not ended or (judged_at is not None and judged_at >= max(ended))


def _free_port(values: Settings) -> int:
    """The configured port, or any free one when that is 0; SettingsError when it is taken."""
    family = socket.AF_INET6 if ":" in values.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((values.host, values.port))
        except OSError as error:
            raise SettingsError(
                f"cannot listen on {values.host}:{values.port}: {error.strerror}",
                mend="end what listens there, or set ATALAYA_PORT (and ATALAYA_HOST)",
            ) from None
        return int(probe.getsockname()[1])


@contextmanager
def _stop_signals() -> Iterator[threading.Event]:
    """An event that SIGINT and SIGTERM set."""
    stopping = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopping.set())
    yield stopping
