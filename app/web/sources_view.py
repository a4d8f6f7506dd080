"""Sources as pages list them: each collector of each connection, its state and its last day."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from app.collectors.registry import collectors
from app.domain.access import Access
from app.domain.collecting import Collector
from app.domain.declared import is_declared
from app.kit.i18n import mark
from app.store.queries import connections
from app.store.queries.connections import (
    CollectorItem,
    ConnectionItem,
    PermissionItem,
    SweepItem,
)
from app.web import source_state
from app.web.pages import Shell
from app.web.source_state import SourceState
from app.web.words import PROVIDERS


@dataclass(frozen=True, slots=True)
class Source:
    """One collector on one connection.

    `seconds`, `read` and `throttled` are of the last sweep; None: none has ended, or read anything.
    `missing` are the rights that were denied; `strip` is the last day for `charts.history`.
    `is_declared`: people declare what it holds; nothing is swept.
    """

    connection_id: str
    name: str
    title: str
    provider: str
    enabled: bool
    state: SourceState
    since: datetime | None
    last_good_at: datetime | None
    every: timedelta
    seconds: float | None
    read: int | None
    throttled: int
    code: str
    message: str
    strip: str
    missing: tuple[PermissionItem, ...]
    is_declared: bool = False

    @property
    def good_sweeps(self) -> int:
        """Half hours of the last day whose sweeps were all good."""
        return self.strip.count("o")

    @property
    def swept_cells(self) -> int:
        """Half hours of the last day with a sweep."""
        return len(self.strip) - self.strip.count("n")


def load(session: Session, *, access: Access, shell: Shell) -> tuple[Source, ...]:
    """Every source, those that need attention first."""
    known = collectors()
    every = connections.list_connections(session, access=access)
    found = [
        _source(session, access, shell, connection, (item, known[item.collector_id], denied))
        for connection in every
        for denied in [_denied(session, access, connection)]
        for item in items_of(connection)
        if item.collector_id in known
    ]
    found += [_declared(one) for one in every if is_declared(one.provider)]
    return tuple(sorted(found, key=lambda source: (_order(source), source.name)))


def _declared(connection: ConnectionItem) -> Source:
    return Source(
        connection_id=connection.id,
        name=connection.name,
        title=mark("What people declare"),
        provider=PROVIDERS[connection.provider],
        enabled=True,
        state=source_state.DECLARED,
        since=None,
        last_good_at=None,
        every=timedelta(0),
        seconds=None,
        read=connection.resources,
        throttled=0,
        code="",
        message="",
        strip="",
        missing=(),
        is_declared=True,
    )


def items_of(connection: ConnectionItem) -> tuple[CollectorItem, ...]:
    """The collectors of a connection; those that have not run yet too."""
    run = {item.collector_id: item for item in connection.collectors}
    fitting = [c.id for c in collectors().values() if c.provider == connection.provider]
    return tuple(run.get(name) or CollectorItem(name) for name in fitting)


def _order(source: Source) -> int:
    shapes = ("fail", "warn", "stale", "unknown", "run", "pass", "paused")
    return shapes.index(source.state.shape)


def _source(
    session: Session,
    access: Access,
    shell: Shell,
    connection: ConnectionItem,
    run: tuple[CollectorItem, Collector, tuple[PermissionItem, ...]],
) -> Source:
    item, collector, denied = run
    missing = _missing(item, denied)
    sweeps = connections.sweep_history(
        session,
        access=access,
        connection_id=connection.id,
        collector_id=collector.id,
        since=shell.now - source_state.DAY,
    )
    state = source_state.state_of(item, collector, shell.now, denied=len(missing))
    last = item.last_sweep
    return Source(
        connection_id=connection.id,
        name=connection.name,
        title=collector.title,
        provider=PROVIDERS.get(connection.provider, connection.provider),
        enabled=connection.enabled,
        state=state if connection.enabled else source_state.PAUSED,
        since=source_state.since(sweeps, connection.created_at, shell.now),
        last_good_at=item.last_good_at,
        every=collector.every,
        seconds=(last.ended_at - last.started_at).total_seconds()
        if last and last.ended_at
        else None,
        read=total(item.sweeps, "resources_seen"),
        throttled=total(item.sweeps, "throttled") or 0,
        code=last.code if last else "",
        message=last.message if last else "",
        strip=source_state.strip(sweeps, shell.now),
        missing=missing,
    )


def total(sweeps: Iterable[SweepItem], figure: str) -> int | None:
    """The sum of a figure over sweeps; None when none of them tells it."""
    known = [int(sweep.trace[figure]) for sweep in sweeps if figure in sweep.trace]
    return sum(known) if known else None


def _denied(
    session: Session, access: Access, connection: ConnectionItem
) -> tuple[PermissionItem, ...]:
    """Denied rights of all collectors; only a connection with gaps is looked into."""
    if not any(_has_gaps(item) for item in connection.collectors):
        return ()
    found = connections.permission_status(session, access=access, connection_id=connection.id)
    return tuple(one for one in found if one.result == "denied")


def _missing(item: CollectorItem, denied: tuple[PermissionItem, ...]) -> tuple[PermissionItem, ...]:
    own = (one for one in denied if one.collector_id == item.collector_id)
    return tuple(own) if _has_gaps(item) else ()


def _has_gaps(item: CollectorItem) -> bool:
    return any(sweep.state not in {"complete", "running"} for sweep in item.sweeps)


def tally(sources: tuple[Source, ...]) -> Counter[str]:
    """How many sources have each word of state."""
    return Counter(source.state.word for source in sources)
