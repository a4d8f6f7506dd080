"""`policy check FILE`: is this policy file in order, and does it pass its own tests?"""

from pathlib import Path
from typing import Annotated

import typer

from app.kit.clean import printable

commands = typer.Typer(name="policy", help="Policies.", no_args_is_help=True)


@commands.callback()
def group() -> None:
    """Policies."""


@commands.command()
def check(file: Annotated[Path, typer.Argument(help="A YAML file; - is standard input.")]) -> None:
    """Check a policy and run the tests that it brings. Every fault is named with its line."""
    from app.kit.errors import InvalidInputError
    from app.policies.registry import parse

    try:
        policy = parse(_text(file), where=str(file))
    except InvalidInputError as error:
        for fault in error.errors:
            line = f"{file}:{fault['where']}: {fault['what']}"
            typer.echo(printable(line), err=True)
        raise
    typer.echo(f"{policy.id} is in order; {len(policy.tests)} tests passed")


def _text(file: Path) -> str:
    from app.kit.errors import InvalidInputError

    try:
        return (Path("/dev/stdin") if str(file) == "-" else file).read_text(encoding="utf-8")
    except OSError as error:
        raise InvalidInputError(
            f"cannot read {file}: {error.strerror}", mend="give the path of a YAML file"
        ) from None
    except UnicodeDecodeError:
        raise InvalidInputError(f"{file} is not UTF-8 text", mend="save it as UTF-8") from None
