"""The button that asks for a sweep: it becomes progress, then the result, and then itself again."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from sqlalchemy.orm import Session

from app.domain.access import Access, Scope
from app.domain.collecting import SweepState
from app.services.sources import collectors_of
from app.store import ledger
from app.store.queries.connections import ConnectionItem, SweepItem
from app.web.pages import Page


@dataclass(frozen=True, slots=True)
class SweepBlock:
    """`state` is idle, waiting or running; `last` is the newest sweep."""

    connection_id: str
    state: str
    last: SweepItem | None
    enabled: bool
    may_sweep: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepPage(Page):
    """The block alone, as it replaces itself."""

    TEMPLATE: ClassVar[str] = "connections/detail/_sweep.html"
    PARTS: ClassVar[Mapping[str, str]] = {}
    AREA: ClassVar[str] = "connections"

    sweep: SweepBlock


def block_of(session: Session, *, access: Access, connection: ConnectionItem) -> SweepBlock:
    """Where the sweeps of a connection stand."""
    last = connection.last_sweep
    running = last is not None and last.state == SweepState.RUNNING
    waiting = any(
        ledger.active(session, kind="sweep", subject=f"{connection.id}/{collector.id}")
        for collector in collectors_of(connection.provider)
    )
    return SweepBlock(
        connection_id=connection.id,
        state="running" if running else "waiting" if waiting else "idle",
        last=last,
        enabled=connection.enabled,
        may_sweep=Scope.SWEEPS_WRITE in access.scopes,
    )
