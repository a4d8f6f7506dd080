"""`report WEEK`: the weekly report as a file."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from app.commands._work import database, operator

commands = typer.Typer()


class Format(StrEnum):
    """What a report can be written as."""

    HTML = "html"
    PDF = "pdf"
    CSV = "csv"
    JSON = "json"


@commands.command()
def report(
    week: Annotated[str, typer.Argument(help="An ISO week, such as 2026-W48.")],
    form: Annotated[Format, typer.Option("--format", help="What it is written as.")] = Format.PDF,
    out: Annotated[str, typer.Option(help="File to write; - is standard output.")] = "",
    language: Annotated[str, typer.Option(help="en or es.")] = "en",
) -> None:
    """Make the report of a week. Made from stored data and written to a file."""
    from app.kit.clock import utc_now
    from app.services import reports

    with database() as session:
        reports.make(session, access=operator(), week=week, now=utc_now())
        made = reports.get(session, access=operator(), week=week)
    rendered = reports.render(made, form, language)
    if out == "-":
        typer.echo(rendered.content, nl=False)
        return
    path = Path(out or rendered.name)
    _write(path, rendered.content)
    typer.echo(str(path))


def _write(path: Path, content: bytes) -> None:
    from app.kit.errors import InvalidInputError

    try:
        path.write_bytes(content)
    except OSError as error:
        raise InvalidInputError(
            f"cannot write {path}: {error.strerror}", mend="choose another file by --out"
        ) from None
