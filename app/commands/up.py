"""`up`: everything on embedded defaults under one supervisor."""

from typing import Annotated

import typer

commands = typer.Typer()
Sandbox = Annotated[
    bool, typer.Option("--sandbox", help="Add a simulated estate that speaks the real wires.")
]
Size = Annotated[int, typer.Option(min=0, help="With --sandbox: at least so many of them.")]


@commands.command()
def up(sandbox: Sandbox = False, buckets: Size = 0, accounts: Size = 0) -> None:
    """Run web, worker, beat and a private Valkey. Ctrl+C stops them."""
    from app.embedded import run
    from app.kit.settings import settings

    size = ("--buckets", str(buckets), "--accounts", str(accounts))
    run(sandbox=sandbox or settings().sandbox, size=size)
