"""Brings a database to the newest revision, in this process, however many try at once."""

from contextlib import suppress
from pathlib import Path

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, make_url
from sqlalchemy.exc import DatabaseError, OperationalError

from app.kit.errors import SettingsError
from app.kit.settings import ROOT
from app.store import models
from app.store.base import Base
from app.store.session import make_engine

MIGRATIONS = ROOT / "migrations"
MIGRATORS = 727274  # the advisory lock's number; any that nothing else uses
_TABLES = models.__all__


class UnusableDatabaseError(SettingsError):
    """The database does not answer, or refuses."""


def upgrade(database_url: str) -> None:
    """Creates or migrates the schema; SettingsError says what to do when that cannot be.

    All migrations run in one transaction; a second process waits and then finds nothing to do.
    """
    _make_place(database_url)
    engine = make_engine(database_url)
    try:
        with engine.begin() as connection:
            wait_for_others(connection)
            _refuse_strangers(connection, database_url)
            command.upgrade(_config(connection), "head")
    except (OperationalError, DatabaseError) as error:
        raise _unusable(database_url, error) from error
    finally:
        engine.dispose()


def downgrade(database_url: str, revision: str) -> None:
    """Takes migrations back to a revision (`base`: all of them). What they made is lost."""
    engine = make_engine(database_url)
    try:
        with engine.begin() as connection:
            wait_for_others(connection)
            command.downgrade(_config(connection), revision)
    finally:
        engine.dispose()


def wait_for_others(connection: Connection) -> None:
    """One migrator at a time until the transaction ends; on SQLite BEGIN IMMEDIATE sees to that."""
    if connection.dialect.name != "postgresql":
        return
    connection.exec_driver_sql(f"select pg_advisory_xact_lock({MIGRATORS})")
    # A migration that waits for a long query would make everything else wait behind it.
    connection.exec_driver_sql("set local lock_timeout = '10s'")


def check(database_url: str) -> None:
    """SettingsError unless the database is at the newest revision."""
    engine = make_engine(database_url)
    try:
        with engine.execution_options(readonly=True).begin() as connection:
            _refuse_strangers(connection, database_url)
            found = _revision(connection)
    except (OperationalError, DatabaseError) as error:
        raise _unusable(database_url, error) from error
    finally:
        engine.dispose()
    if found != newest():
        raise SettingsError(
            f"the database {_shown(database_url)} is at revision {found or 'none'}, "
            f"this version needs {newest()}",
            mend="run `./atalaya db upgrade`",
        )


def refuse_other(database_url: str) -> None:
    """SettingsError before a process works on a database of another revision.

    A server that does not answer may come back: the process starts and waits for it.
    """
    try:
        check(database_url)
    except UnusableDatabaseError:
        if make_url(database_url).get_backend_name() == "sqlite":
            raise


def drift(database_url: str) -> list[str]:
    """What the models have and the migrated database lacks, or the other way round."""
    engine = make_engine(database_url)
    try:
        with engine.execution_options(readonly=True).begin() as connection:
            found = MigrationContext.configure(connection, opts={"compare_type": True})
            return [str(change) for change in compare_metadata(found, Base.metadata)]
    finally:
        engine.dispose()


def newest() -> str:
    """The revision that this version of the product needs."""
    return str(_scripts().get_current_head())


def _make_place(database_url: str) -> None:
    url = make_url(database_url)
    if url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:"):
        file = Path(str(url.database))
        with suppress(OSError):  # the engine tells what is wrong with the place
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # Also in a folder that others may enter; SQLite gives its WAL the database's mode.
            file.touch(mode=0o600)


def _config(connection: Connection) -> Config:
    config = Config()
    # Alembic reads options as ConfigParser does: a percent sign in a path must be doubled.
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def _scripts() -> ScriptDirectory:
    return ScriptDirectory(str(MIGRATIONS))


def _revision(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def _refuse_strangers(connection: Connection, database_url: str) -> None:
    """A database made by a newer version, or by something else altogether, is left alone."""
    found = _revision(connection)
    known = {script.revision for script in _scripts().walk_revisions()}
    if found is not None and found not in known:
        raise SettingsError(
            f"the database {_shown(database_url)} is at revision {found}, which this version "
            "does not know: a newer version of Atalaya made it",
            mend="install that version again, or point ATALAYA_HOME or ATALAYA_DATABASE_URL "
            "at another database",
        )
    if found is None:
        ours = set(Base.metadata.tables) & set(inspect(connection).get_table_names())
        if ours:
            raise SettingsError(
                f"the database {_shown(database_url)} holds tables named like ours "
                f"({', '.join(sorted(ours)[:3])}, …) that no migration made",
                mend="point ATALAYA_DATABASE_URL at an empty database",
            )


def _unusable(database_url: str, error: DatabaseError) -> UnusableDatabaseError:
    return UnusableDatabaseError(
        f"the database {_shown(database_url)} cannot be used: {str(error.orig).strip()}",
        mend="check ATALAYA_DATABASE_URL, and that the database is up and may be written",
    )


def _shown(database_url: str) -> str:
    return make_url(database_url).render_as_string(hide_password=True)
