"""`link`, `user`, `token`: how people and programs get in, and how people are shut out."""

from typing import TYPE_CHECKING, Annotated

import typer

from app.commands._work import database, operator

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from app.store.queries.accounts import UserItem

commands = typer.Typer()
users = typer.Typer(name="user", help="People.", no_args_is_help=True)
tokens = typer.Typer(name="token", help="API tokens.", no_args_is_help=True)
commands.add_typer(users)
commands.add_typer(tokens)

SomeEmail = Annotated[str, typer.Argument(metavar="EMAIL", help="Address of the account.")]
Email = Annotated[str, typer.Option(help="Whose it is; empty: the first account that may sign in.")]


@commands.command()
def link(
    email: Annotated[str, typer.Argument(help="Empty: the first account that may sign in.")] = "",
) -> None:
    """Print a link that signs in once, within 24 hours."""
    from app.kit.clock import utc_now
    from app.kit.settings import settings
    from app.services import accounts
    from app.store.queries.accounts import first_user

    with database() as session:
        now, address = utc_now(), settings().address
        first = (
            None
            if email or first_user(session)
            else accounts.first_sign_in_link(session, now, address)
        )
        whose = email or _owner(session, "").email
        typer.echo(first or accounts.make_link(session, whose, now, address))


@users.callback()
def people() -> None:
    """People."""


@users.command("create")
def create_user(
    email: SomeEmail, name: Annotated[str, typer.Option(help="Full name; empty: EMAIL.")] = ""
) -> None:
    """Make an account. Prints the link that signs it in for the first time."""
    from app.kit.clock import utc_now
    from app.kit.settings import settings
    from app.services import accounts

    with database() as session:
        now = utc_now()
        user = accounts.create_user(
            session, access=operator(), email=email, name=name or email, now=now
        )
        found = accounts.make_link(session, user.email, now, settings().address)
    typer.echo(found)


@users.command("disable")
def disable_user(email: SomeEmail) -> None:
    """Lock an account out at once. Its sessions, links and API tokens stop working."""
    from app.kit.clock import utc_now
    from app.services import accounts

    with database() as session:
        user = accounts.disable_user(session, access=operator(), email=email, now=utc_now())
    typer.echo(f"{user.email} is locked out; ./atalaya user enable {user.email} undoes it")


@users.command("enable")
def enable_user(email: SomeEmail) -> None:
    """Let an account in again. Its password and tokens work as before."""
    from app.kit.clock import utc_now
    from app.services import accounts

    with database() as session:
        user = accounts.enable_user(session, access=operator(), email=email, now=utc_now())
    typer.echo(f"{user.email} may sign in; ./atalaya link {user.email} prints a link")


def _owner(session: "Session", email: str) -> "UserItem":
    from app.kit.errors import NotFoundError
    from app.store.queries import accounts

    found = accounts.user_by_email(session, email) if email else accounts.first_user(session)
    if found is None:
        who = f"no account {email[:60]}" if email else "there is no account that may sign in"
        raise NotFoundError(who, mend="make one: ./atalaya user create EMAIL")
    return found


@tokens.callback()
def programs() -> None:
    """API tokens."""


@tokens.command("create")
def create_token(
    name: Annotated[str, typer.Argument(help="What will use it.")],
    scope: Annotated[list[str], typer.Option(help="Such as findings:read; may be repeated.")],
    email: Email = "",
    days: Annotated[int, typer.Option(min=1, max=365, help="How long it is valid.")] = 90,
) -> None:
    """Make an API token and print it; it is shown only now."""
    from datetime import timedelta

    from app.kit.clock import utc_now
    from app.services import tokens as service

    with database() as session:
        now = utc_now()
        user = _owner(session, email)
        wanted = service.TokenRequest(
            name, service.known_scopes(scope), None, now + timedelta(days=days)
        )
        _, secret = service.create(session, access=operator(), user=user, wanted=wanted, now=now)
    typer.echo(secret)
