"""`bench NAME`: the one door for measurements."""

import json
from typing import Annotated

import typer

commands = typer.Typer()


@commands.command()
def bench(
    name: Annotated[str, typer.Argument(help="Empty: list what can be measured.")] = "",
) -> None:
    """Measure. Prints a JSON line per part: ours, peer and limit in the same unit."""
    from app.bench import names, run

    if not name:
        typer.echo("\n".join(names()))
        return
    for line in run(name):
        typer.echo(json.dumps(line))
