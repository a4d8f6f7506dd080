"""Finds the benches by walking this package, and runs one by its name."""

import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from app.kit.discover import plugins
from app.kit.errors import NotFoundError

Line = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Bench:
    """One measurement. `measure()` yields a line per part; see `line`."""

    name: str
    title: str
    measure: Callable[[], Iterator[Line]] = field(repr=False)


def line(
    bench: str,
    *,
    ours: float,
    peer: float | None,
    limit: float | None,
    unit: str,
    rss_mb: float | None = None,
) -> Line:
    """One result: ours, a peer's and the limit's figure in `unit` (s or ms), smaller is better.

    `ratio_peer` = peer / ours, how many times faster we are; `ratio_limit` = ours / limit.
    """
    return {
        "bench": bench,
        "ours": round(ours, 3),
        "peer": None if peer is None else round(peer, 3),
        "limit": None if limit is None else round(limit, 3),
        "ratio_peer": None if peer is None else round(peer / ours, 2),
        "ratio_limit": None if limit is None else round(ours / limit, 2),
        "unit": unit,
        "rss_mb": None if rss_mb is None else round(rss_mb, 1),
    }


def benches() -> dict[str, Bench]:
    """Every bench by name; a module `some_name` holds the bench `some-name`."""
    found = plugins(importlib.import_module("app.bench"), "BENCH", Bench)
    for module, bench in found.items():
        if bench.name != module.replace("_", "-"):
            raise ValueError(f"bench {bench.name!r} lies in the module {module!r}")
    return {bench.name: bench for bench in found.values()}


def names() -> tuple[str, ...]:
    """Names of all benches."""
    return tuple(benches())


def run(name: str) -> Iterator[Line]:
    """The lines of one bench as they are measured; NotFoundError names the benches there are."""
    bench = benches().get(name)
    if bench is None:
        raise NotFoundError(f"There is no bench {name!r}.", mend=f"Try {', '.join(benches())}.")
    return bench.measure()
