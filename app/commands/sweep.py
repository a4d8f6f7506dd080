"""`sweep run`: reads sources now, in this process."""

from typing import TYPE_CHECKING, Annotated

import typer

from app.commands._work import database, operator, reader
from app.kit.clean import printable

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

commands = typer.Typer(name="sweep", help="Reading of sources.", no_args_is_help=True)


@commands.callback()
def group() -> None:
    """Reading of sources."""


@commands.command()
def run(
    connection: Annotated[str, typer.Argument(help="Its name; empty: all that are on.")] = "",
) -> None:
    """Read sources now. One or all of them; judges what was found and prints a line per source.

    Exit code 1 when the last sweep of one of them failed.
    """
    from uuid import UUID

    from app.services.work import Desk, perform
    from app.store.session import transaction

    runs = _request(connection)
    while runs:
        for run_id in runs:
            perform(Desk(transaction), UUID(run_id))
        runs = _found_meanwhile(connection)
    _judge()
    if not _tell(connection):
        raise typer.Exit(1)


def _request(connection: str) -> list[str]:
    from app.kit.clock import utc_now
    from app.services.sweeps import request_sweep

    with database() as session:
        return [
            run_id
            for wanted in _wanted(session, connection)
            for run_id in request_sweep(
                session, access=operator(), connection_id=wanted, now=utc_now()
            )
        ]


def _found_meanwhile(connection: str) -> list[str]:
    """Sweeps of accounts that the last ones found; what waits for another try is left alone."""
    from app.kit.clock import utc_now
    from app.services.sweeps import enqueue_due
    from app.store.queries.work import active_sweeps

    with database() as session:
        enqueue_due(session, now=utc_now())
        return [
            run.id
            for wanted in _wanted(session, connection)
            for run in active_sweeps(session, access=operator(), connection_id=wanted)
            if run.state == "queued" and run.not_before is None
        ]


def _wanted(session: "Session", connection: str) -> list[str]:
    """Ids of the connection of this name, or of all that are on."""
    from app.commands.connection import id_of
    from app.domain.declared import is_declared
    from app.store.queries.connections import list_connections

    if connection:
        return [id_of(session, connection)]
    found = list_connections(session, access=operator())
    return [item.id for item in found if item.enabled and not is_declared(item.provider)]


def _judge() -> None:
    from app.kit.clock import utc_now
    from app.services.evaluate import evaluate

    with database() as session:
        evaluate(session, now=utc_now())


def _tell(connection: str) -> bool:
    """One line per source; False when one could not be read."""
    from app.domain.collecting import SweepState
    from app.domain.declared import is_declared
    from app.store.queries.connections import list_connections

    with reader() as session:
        listed = list_connections(session, access=operator())
    asked = [
        item for item in listed if connection in ("", item.name) and not is_declared(item.provider)
    ]
    states = [item.last_sweep.state if item.last_sweep else "not read" for item in asked]
    for item, state in zip(asked, states, strict=True):
        typer.echo(printable(f"{item.name}: {state}, {item.resources} resources"))
    return SweepState.FAILED not in states
