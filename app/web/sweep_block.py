"""The button that asks for a sweep: it becomes progress, then the result, and then itself again."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from sqlalchemy.orm import Session

from app.domain.access import Access, Scope
from app.domain.collecting import SweepState
from app.store.queries import work
from app.store.queries.connections import ConnectionItem, SweepItem
from app.web.pages import Page
from app.web.source_state import telling_sweep


@dataclass(frozen=True, slots=True)
class SweepBlock:
    """`state` is idle, waiting, retry or running; `last` is the newest sweep.

    `retry_at`: a failed sweep is tried again then, and not before.
    """

    connection_id: str
    state: str
    retry_at: datetime | None
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


def block_of(
    session: Session, *, access: Access, connection: ConnectionItem, now: datetime
) -> SweepBlock:
    """Where the sweeps of a connection stand."""
    runs = work.active_sweeps(session, access=access, connection_id=connection.id)
    later = [run.not_before for run in runs if run.not_before and run.not_before > now]
    newest = connection.last_sweep
    state = "waiting" if runs else "idle"
    if newest is not None and newest.state == SweepState.RUNNING:
        state = "running"
    elif runs and len(later) == len(runs):
        state = "retry"
    return SweepBlock(
        connection_id=connection.id,
        state=state,
        retry_at=min(later, default=None),
        last=newest if state == "running" else telling_sweep(connection),
        enabled=connection.enabled,
        may_sweep=Scope.SWEEPS_WRITE in access.scopes,
    )
