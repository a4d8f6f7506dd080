"""`sweep run`: reads sources now, in this process."""

from typing import Annotated

import typer

from app.commands._work import database, operator, reader
from app.kit.clean import printable

commands = typer.Typer(name="sweep", help="Reading of sources.", no_args_is_help=True)


@commands.callback()
def group() -> None:
    """Reading of sources."""


@commands.command()
def run(
    connection: Annotated[str, typer.Argument(help="Its name; empty: all that are on.")] = "",
) -> None:
    """Read one source or all of them now and judge what was found; a report per source."""
    from uuid import UUID

    from app.services.work import Desk, perform
    from app.store.session import transaction

    runs = _request(connection)
    for run_id in runs:
        perform(Desk(transaction), UUID(run_id))
    _judge()
    _tell(connection)


def _request(connection: str) -> list[str]:
    from app.commands.connection import id_of
    from app.kit.clock import utc_now
    from app.services.sweeps import request_sweep
    from app.store.queries.connections import list_connections

    with database() as session:
        found = list_connections(session, access=operator())
        only = id_of(session, connection) if connection else ""
        return [
            run_id
            for item in found
            if item.id == only or (not only and item.enabled)
            for run_id in request_sweep(
                session, access=operator(), connection_id=item.id, now=utc_now()
            )
        ]


def _judge() -> None:
    from app.kit.clock import utc_now
    from app.services.evaluate import evaluate

    with database() as session:
        evaluate(session, now=utc_now())


def _tell(connection: str) -> None:
    from app.store.queries.connections import list_connections

    with reader() as session:
        for item in list_connections(session, access=operator()):
            if connection in ("", item.name):
                state = item.last_sweep.state if item.last_sweep else "not read"
                line = f"{item.name}: {state}, {item.resources} resources"
                typer.echo(printable(line))
