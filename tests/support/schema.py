"""Brings an empty database to the newest revision, as `up` does."""

import importlib.util

from app.store import models  # noqa: F401 - fills the metadata
from app.store.base import Base
from app.store.session import make_engine


def create_schema(database_url: str) -> None:
    """Migrates; afterwards nothing is connected, so the database can serve as a template."""
    if importlib.util.find_spec("app.store.migrate"):
        importlib.import_module("app.store.migrate").upgrade(database_url)
        return
    engine = make_engine(database_url)
    Base.metadata.create_all(engine)
    engine.dispose()
