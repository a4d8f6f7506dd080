"""`sandbox connect`: registers the clouds of a running sandbox."""

from pathlib import Path
from typing import Annotated

import typer

from app.commands._work import database

commands = typer.Typer(name="sandbox", help="The simulated estate.", no_args_is_help=True)


@commands.callback()
def group() -> None:
    """The simulated estate; `up --sandbox` starts and connects it."""


@commands.command()
def connect(
    file: Annotated[Path | None, typer.Argument(help="Its ready file; empty: the home's.")] = None,
) -> None:
    """Register the clouds of a running sandbox. They are in the file that it writes when ready."""
    import json

    from app.kit.clock import utc_now
    from app.kit.errors import InvalidInputError
    from app.kit.settings import settle
    from app.services import sandbox

    values = settle(sandbox=True, allow_private_endpoints=True)  # its clouds listen on loopback
    path = file or values.home / "sandbox.json"
    try:
        ready = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise InvalidInputError(
            f"cannot read {path}: {error}", mend="start the sandbox first: ./atalaya up --sandbox"
        ) from None
    with database() as session:
        ids = sandbox.connect(session, ready, utc_now())
    typer.echo(f"{len(ids)} connections of the sandbox are registered")
