"""Finds the collectors by walking this package; adding one edits nothing else."""

import importlib
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import app.collectors
from app.domain.collecting import Collector, Connection, ConnectionStatus
from app.kit.discover import plugins
from app.kit.errors import InvalidInputError, NotFoundError


@lru_cache(maxsize=1)
def collectors() -> dict[str, Collector]:
    """Every collector by its id, which is the name of its folder."""
    found = plugins(app.collectors, "COLLECTOR", Collector)
    for folder, collector in found.items():
        if collector.id != folder:
            raise ValueError(f"collector {collector.id!r} lies in the folder {folder!r}")
    return found


def collector(collector_id: str) -> Collector:
    """One collector, without loading the clients of the others; NotFoundError."""
    folder = Path(__file__).parent / collector_id
    if not collector_id.isidentifier() or not (folder / "__init__.py").is_file():
        raise NotFoundError(f"There is no collector {collector_id!r}.")
    found: Collector = importlib.import_module(f"app.collectors.{collector_id}").COLLECTOR
    return found


def identity(connection: Connection) -> ConnectionStatus:
    """Who we are at the source and what we may see; CollectorError when we are nobody.

    One collector package of each provider has a function `identity`.
    """
    of_provider = (c for c in collectors().values() if c.provider is connection.provider)
    modules = (importlib.import_module(f"app.collectors.{found.id}") for found in of_provider)
    answering = (module.identity for module in modules if hasattr(module, "identity"))
    ask: Callable[[Connection], ConnectionStatus] | None = next(answering, None)
    if ask is None:
        raise InvalidInputError(f"No collector reads {connection.provider}.")
    return ask(connection)
