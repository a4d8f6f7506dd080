"""`evaluate`: judges all resources by all policies now."""

import typer

from app.commands._work import database

commands = typer.Typer()


@commands.command()
def evaluate() -> None:
    """Judge all resources now; beat does so after every sweep."""
    from app.kit.clock import utc_now
    from app.services.evaluate import evaluate as judge_all

    with database() as session:
        summary = judge_all(session, now=utc_now())
    typer.echo(
        f"{summary.resources} resources in {summary.seconds:.1f} s: {summary.changed} verdicts "
        f"changed, {len(summary.opened)} findings opened, {len(summary.resolved)} resolved"
    )
