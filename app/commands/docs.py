"""`docs build`: the reference pages, and the README's settings and permissions."""

import typer

commands = typer.Typer(name="docs", help="Pages written from the code.", no_args_is_help=True)


@commands.callback()
def group() -> None:
    """Pages written from the code."""


@commands.command()
def build() -> None:
    """Write docs/reference/*.md and the README's settings and permissions anew."""
    from app import handbook

    written = handbook.write()
    for path in written:
        typer.echo(f"wrote {path}")
    if not written:
        typer.echo("nothing to write")
