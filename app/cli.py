"""The command line: gathers the commands of app/commands and turns errors into one line."""

import sys

import typer

import app.commands
from app.kit.clean import printable
from app.kit.discover import plugins
from app.kit.errors import AtalayaError


def gather() -> typer.Typer:
    """All commands under one roof."""
    root = typer.Typer(
        name="atalaya",
        help="Watchtower for AI platforms. Settings are environment variables ATALAYA_*.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    for part in plugins(app.commands, "commands", typer.Typer).values():
        root.add_typer(part)
    return root


def one_line(error: AtalayaError) -> str:
    """What went wrong and how to mend it, without a line break."""
    told = f"{error.detail.rstrip('.')}; {_small(error.mend)}" if error.mend else error.detail
    return printable(" ".join(told.split()))


def _small(text: str) -> str:
    """The text as the rest of a sentence; names in capitals stay what they are."""
    first, _, rest = text.partition(" ")
    return f"{first.lower()} {rest}" if first.istitle() else text


def main() -> None:
    """Exit code 2 and one line on an expected error; anything else is a defect and shows itself."""
    try:
        gather()(prog_name="./atalaya")
    except AtalayaError as error:
        typer.echo(f"atalaya: {one_line(error)}", err=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
