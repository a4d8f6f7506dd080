"""`up`: everything on embedded defaults under one supervisor."""

from typing import Annotated

import typer

commands = typer.Typer()
Sandbox = Annotated[
    bool, typer.Option("--sandbox", help="Add a simulated estate that speaks the real wires.")
]


@commands.command()
def up(sandbox: Sandbox = False) -> None:
    """Run web, worker, beat and a private Valkey; Ctrl+C stops them."""
    from app.embedded import run
    from app.kit.settings import settings

    run(sandbox=sandbox or settings().sandbox)
