"""`health PROCESS`: is the web process, worker or beat of this machine well? For containers."""

from enum import StrEnum
from typing import Annotated

import typer

commands = typer.Typer()


class Process(StrEnum):
    """What runs in a container of its own."""

    WEB = "web"
    WORKER = "worker"
    BEAT = "beat"


@commands.command()
def health(process: Annotated[Process, typer.Argument(help="web, worker or beat")]) -> None:
    """Ask a process of this machine whether it is well. Exit code 2 and a reason if not."""
    from app.kit.liveness import ask_beat, ask_web
    from app.kit.settings import settings

    if process is Process.WORKER:
        _ask_worker()
    else:
        {Process.WEB: ask_web, Process.BEAT: ask_beat}[process](settings())
    typer.echo(f"{process} is well")


def _ask_worker() -> None:
    """UnwellError unless the worker of this host answers a ping through the broker."""
    from celery.utils.nodenames import default_nodename
    from kombu.exceptions import OperationalError

    from app.kit.liveness import TIMEOUT_SECONDS, UnwellError
    from app.worker import celery_app

    name = default_nodename(None)
    try:
        pong = celery_app.control.inspect(destination=[name], timeout=TIMEOUT_SECONDS).ping()
    except (OSError, OperationalError) as error:
        raise UnwellError(f"the broker cannot be reached: {error}") from None
    if not pong:
        raise UnwellError(f"{name} does not answer")
