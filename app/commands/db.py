"""`db upgrade`, `db check`: the schema of the database in force."""

import typer

commands = typer.Typer(name="db", help="The schema of the database.", no_args_is_help=True)


@commands.command()
def upgrade() -> None:
    """Bring the database to the newest revision. Safe to run from several places at once."""
    from app.kit.settings import settings
    from app.store import migrate

    migrate.upgrade(settings().database)
    typer.echo("the database is at the newest revision")


@commands.command()
def check() -> None:
    """Say whether the database is at the newest revision. Exit code 2 when it is not."""
    from app.kit.settings import settings
    from app.store import migrate

    migrate.check(settings().database)
    typer.echo("the database is at the newest revision")
