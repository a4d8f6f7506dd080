"""`assets build`: htmx, fonts and icons from their packages into static/vendor."""

from typing import Annotated

import typer

commands = typer.Typer(name="assets", help="Files that browsers get.", no_args_is_help=True)
Quiet = Annotated[bool, typer.Option("--quiet", help="Say nothing when all is well.")]


@commands.callback()
def group() -> None:
    """Files that browsers get."""


@commands.command()
def build(quiet: Quiet = False) -> None:
    """Extract htmx, fonts and icons from their packages. Does nothing when they are current."""
    from app.kit import assets

    built = assets.build()
    if not quiet:
        typer.echo("static/vendor was built" if built else "static/vendor is up to date")
