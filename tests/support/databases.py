"""Where tests get an empty, migrated database of either dialect, quickly: copies of a template."""

import shutil
from pathlib import Path
from typing import Protocol

from sqlalchemy import make_url

from tests.support.postgres import Postgres
from tests.support.schema import create_schema


class Databases(Protocol):
    """Makes and drops databases of one dialect."""

    def make(self) -> str:
        """The URL of a new, empty, migrated database."""

    def drop(self, url: str) -> None:
        """Removes what `make` gave."""


class SqliteDatabases:
    """Files in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made = 0
        self._template = folder / "template.db"
        create_schema(f"sqlite:///{self._template}")

    def make(self) -> str:
        self._made += 1
        path = self._folder / f"{self._made}" / "atalaya.db"
        path.parent.mkdir()
        shutil.copy(self._template, path)
        return f"sqlite:///{path}"

    def drop(self, url: str) -> None:
        path = Path(make_url(url).database or "")
        shutil.rmtree(path.parent)


class PostgresDatabases:
    """Databases of one private server."""

    def __init__(self, server: Postgres) -> None:
        self._server = server
        self._template = server.fresh()
        create_schema(server.url(self._template))

    def make(self) -> str:
        return self._server.url(self._server.fresh(self._template))

    def drop(self, url: str) -> None:
        self._server.drop(str(make_url(url).database))
