"""`job register | end | withdraw`: jobs that people run by hand, as they declare them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.commands._work import database, operator
from app.commands.connection import ASSIGNMENT, config_of
from app.kit.clean import printable

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from app.api.job_shapes import JobIn

commands = typer.Typer(name="job", help="Jobs that people run by hand.", no_args_is_help=True)
Name = Annotated[str, typer.Argument(help="NAMESPACE/NAME of the job.", metavar="NAME")]


@commands.callback()
def group() -> None:
    """Jobs that people run by hand."""


@commands.command()
def register(
    name: Annotated[
        str, typer.Argument(help="NAMESPACE/NAME; empty: the file says it.", metavar="NAME")
    ] = "",
    file: Annotated[
        Path | None, typer.Option(help="YAML or JSON with the members of POST /api/v1/jobs.")
    ] = None,
    setting: Annotated[
        list[str] | None, typer.Option("--set", help=f"{ASSIGNMENT}; FACT:=null says: none.")
    ] = None,
) -> None:
    """Register a job, or declare it anew. What is not said stays unknown.

    --set goes over what the file says, such as --set phase=training --set node_count:=4.
    """
    from app.commands._file import members
    from app.kit.clock import utc_now
    from app.services import jobs

    wanted = _wanted((members(file) if file else {}) | _named(name) | config_of(setting or []))
    with database() as session:
        item, is_new = jobs.register(
            session, access=operator(), declaration=wanted.declaration, now=utc_now()
        )
    done = "registered" if is_new else "declared anew"
    typer.echo(printable(f"{done}: {item.native_id} ({item.id})"))


@commands.command()
def end(
    name: Name,
    state: Annotated[str, typer.Option(help="succeeded, failed or cancelled.")] = "succeeded",
    at: Annotated[str, typer.Option(help="When, ISO 8601 with offset; empty: now.")] = "",
) -> None:
    """Say that a job has ended, how and when."""
    from app.api.job_shapes import JobPatch
    from app.kit.clock import utc_now
    from app.services import jobs

    said = _checked(JobPatch, {"state": state} | ({"ended_at": at} if at else {}))
    with database() as session:
        item = jobs.end(
            session,
            access=operator(),
            job_id=_id_of(session, name),
            state=said.state,
            ended_at=said.ended_at,
            now=utc_now(),
        )
    typer.echo(printable(f"{item.native_id} has {state}"))


@commands.command()
def withdraw(name: Name) -> None:
    """Take a job off the lists. Its findings close, its history stays."""
    from app.kit.clock import utc_now
    from app.services import jobs

    with database() as session:
        job_id = _id_of(session, name)
        jobs.withdraw(session, access=operator(), job_id=job_id, now=utc_now())
    typer.echo(printable(f"withdrawn: {name}"))


def _named(name: str) -> dict[str, str]:
    from app.kit.errors import InvalidInputError

    if not name:
        return {}
    namespace, slash, rest = name.partition("/")
    if not slash:
        raise InvalidInputError(
            f"{name[:60]!r} has no namespace", mend="write NAMESPACE/NAME, such as speech/asr-v2"
        )
    return {"namespace": namespace, "name": rest}


def _wanted(said: dict[str, Any]) -> "JobIn":
    from app.api.job_shapes import JobIn

    found: JobIn = _checked(JobIn, said)
    return found


def _checked(shape: Any, said: dict[str, Any]) -> Any:  # noqa: ANN401 - a shape of the API
    """The same checks as the API makes; InvalidInputError lists every fault by its place."""
    from pydantic import ValidationError

    from app.http.problems import of_validation

    try:
        return shape.model_validate(said)
    except ValidationError as error:
        faults = [{**fault, "loc": ("body", *fault["loc"])} for fault in error.errors()]
        raise of_validation(faults) from None


def _id_of(session: "Session", name: str) -> str:
    """The id of a job by NAMESPACE/NAME, in either spelling of its accents; NotFoundError."""
    from unicodedata import normalize

    from app.kit.errors import NotFoundError
    from app.store.queries.declared import find_job

    found = find_job(session, access=operator(), native_id=normalize("NFC", name))
    if found is None:
        raise NotFoundError(
            f"no job {name[:60]!r}", mend="register it first: ./atalaya job register NAME"
        )
    return found.id
