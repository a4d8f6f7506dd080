"""Brings an empty database to the newest revision, as `up` does."""

from app.store.migrate import upgrade


def create_schema(database_url: str) -> None:
    """Migrates; afterwards nothing is connected, so the database can serve as a template."""
    upgrade(database_url)
