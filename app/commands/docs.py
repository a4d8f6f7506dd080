"""`docs build`: the reference pages, and the README's settings and permissions."""

import typer

commands = typer.Typer(name="docs", help="Pages written from the code.", no_args_is_help=True)


@commands.callback()
def group() -> None:
    """Pages written from the code."""


@commands.command()
def build() -> None:
    """Write anew what the documentation takes from the code.

    These are docs/reference/*.md and, in README.md, the table of settings and the rights that
    AWS and Azure have to grant. Run it after changing a setting, fact, policy, route or collector;
    it prints the files it wrote.
    """
    from app import handbook

    written = handbook.write()
    for path in written:
        typer.echo(f"wrote {path}")
    if not written:
        typer.echo("nothing to write")
