"""`connection add | list | test`: the sources that are polled."""

from typing import Annotated, Any

import typer

from app.commands._work import database, operator, reader
from app.kit.clean import printable

commands = typer.Typer(name="connection", help="Sources that are polled.", no_args_is_help=True)
Name = Annotated[str, typer.Argument(help="Name of the connection.", metavar="NAME")]
ASSIGNMENT = "KEY=text or KEY:=JSON; a dot leads into an object, as in credentials.mode=profile"


@commands.callback()
def group() -> None:
    """Sources that are polled."""


@commands.command()
def add(
    name: Name,
    provider: Annotated[str, typer.Argument(help="aws or azure.", metavar="PROVIDER")],
    setting: Annotated[list[str] | None, typer.Option("--set", help=ASSIGNMENT)] = None,
) -> None:
    """Add a connection; the worker reads it at once.

    A secret is given as a reference, env:NAME or file:/path, and never stored.
    """
    from app.kit.clock import utc_now
    from app.services import connections

    config = config_of(setting or [])
    with database() as session:
        made = connections.create(
            session, access=operator(), name=name, provider=provider, config=config, now=utc_now()
        )
    typer.echo(f"added {made.name} ({made.id})")


@commands.command("list")
def list_all() -> None:
    """List all connections with the state of their last sweep."""
    from app.domain.declared import is_declared
    from app.store.queries.connections import list_connections

    with reader() as session:
        for found in list_connections(session, access=operator()):
            sweep = found.last_sweep
            state = f"{sweep.state} {sweep.started_at:%Y-%m-%d %H:%M} UTC" if sweep else "not read"
            state = "not swept" if is_declared(found.provider) else state
            enabled = "" if found.enabled else ", switched off"
            line = f"{found.name}  {found.provider}  {found.resources} resources  {state}{enabled}"
            typer.echo(printable(line))


@commands.command()
def test(name: Name) -> None:
    """Ask a source who we are there and what we may see."""
    from app.services import connections

    with reader() as session:
        status = connections.test(session, access=operator(), connection_id=id_of(session, name))
    typer.echo(printable(f"signed in as {status.identity}"))
    for scope in status.scopes:
        typer.echo(printable(f"sees {scope}"))


def config_of(settings: list[str]) -> dict[str, Any]:
    """The nested settings that KEY=text and KEY:=JSON say; InvalidInputError names a bad one."""
    config: dict[str, Any] = {}
    for setting in settings:
        key, value = _assignment(setting)
        *path, last = key.split(".")
        place = config
        for part in path:
            place = place.setdefault(part, {})
            if not isinstance(place, dict):
                raise _bad(setting)
        place[last] = value
    return config


def _assignment(setting: str) -> tuple[str, Any]:
    import json

    key, equals, value = setting.partition("=")
    if not equals or not key.removesuffix(":"):
        raise _bad(setting)
    if not key.endswith(":"):
        return key, value
    try:
        return key[:-1], json.loads(value)
    except json.JSONDecodeError:
        raise _bad(setting) from None


def _bad(setting: str) -> Exception:
    from app.kit.errors import InvalidInputError

    return InvalidInputError(f"cannot read --set {setting[:60]!r}", mend=f"write {ASSIGNMENT}")


def id_of(session: Any, name: str) -> str:  # noqa: ANN401 - a Session, imported late
    """The id of a connection by its name; NotFoundError lists the names there are."""
    from app.kit.errors import NotFoundError
    from app.store.queries.connections import list_connections

    found = {item.name: item.id for item in list_connections(session, access=operator())}
    if name not in found:
        known = ", ".join(sorted(found)) or "none yet"
        raise NotFoundError(f"no connection {name[:60]!r}", mend=f"there are: {known}")
    return found[name]
