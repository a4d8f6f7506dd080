"""One connection: its settings, its sweeps, what each of them covered, the rights it lacks."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse
from pydantic import Field
from sqlalchemy.orm import Session

from app.domain.access import Access, Scope
from app.domain.collecting import ConnectionStatus
from app.domain.declared import is_declared
from app.http.deps import ConnectionsReader, DbSession
from app.store.queries import connections
from app.store.queries.connections import ConnectionItem, ScopeItem, SweepItem
from app.web import accounts_view, source_state, sources_view
from app.web.accounts_view import AccountRow
from app.web.column_chart import ColumnChart, Series
from app.web.lists import Address, ListQuery, Pager, pager_of
from app.web.pages import Crumb, Page, Shell
from app.web.permissions import Permissions, permissions_of
from app.web.render import render
from app.web.shell import FullShell
from app.web.source_state import SourceState
from app.web.sources_view import Source
from app.web.sweep_block import SweepBlock, block_of

router = APIRouter()

CHART_SWEEPS = 24


class DetailQuery(ListQuery):
    """Which sweep's coverage, and which window of the list of sweeps."""

    sweep: str = Field("", max_length=40)


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting as configured; secrets are references and are shown as such."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of testing the connection: who we are there, or why we are nobody."""

    status: ConnectionStatus | None
    problem: str = ""
    mend: str = ""
    code: str = ""


@dataclass(frozen=True, slots=True)
class Coverage:
    """What one sweep asked and was answered."""

    sweep: SweepItem
    scopes: tuple[ScopeItem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionPage(Page):
    """The page of one connection."""

    TEMPLATE: ClassVar[str] = "connections/detail/page.html"
    PARTS: ClassVar[Mapping[str, str]] = {
        "sweep": "connections/detail/_sweep.html",
        "tried": "connections/detail/_tried.html",
        "results": "connections/detail/_sweeps.html",
    }
    AREA: ClassVar[str] = "connections"

    item: ConnectionItem
    sources: tuple[Source, ...]
    worst: SourceState | None
    accounts: tuple[AccountRow, ...]
    settings: tuple[Setting, ...]
    sweep: SweepBlock
    sweeps: tuple[SweepItem, ...]
    pager: Pager
    coverage: Coverage | None
    permissions: Permissions
    calls: ColumnChart | None
    tried: Tried | None
    may_write: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredPage(Page):
    """The page of the connection that holds what people declare."""

    TEMPLATE: ClassVar[str] = "connections/declared/page.html"
    AREA: ClassVar[str] = "connections"

    item: ConnectionItem
    may_write: bool


@router.get("/connections/{connection_id}", response_class=HTMLResponse)
def connection(
    request: Request,
    shell: FullShell,
    access: ConnectionsReader,
    session: DbSession,
    connection_id: str,
    asked: Annotated[DetailQuery, Query()],
) -> HTMLResponse:
    """The page of one connection."""
    item = connections.get_connection(session, access=access, connection_id=connection_id)
    if is_declared(item.provider):
        return render(request, shell, _declared(access, shell, item))
    return render(request, shell, page_of(session, access, shell, item, asked))


def _declared(access: Access, shell: Shell, item: ConnectionItem) -> DeclaredPage:
    return DeclaredPage(
        title=item.name,
        crumbs=(Crumb(shell.t.gettext("Connections"), "/connections"),),
        item=item,
        may_write=Scope.CONNECTIONS_WRITE in access.scopes,
    )


def page_of(
    session: Session,
    access: Access,
    shell: Shell,
    item: ConnectionItem,
    asked: DetailQuery,
    tried: Tried | None = None,
) -> ConnectionPage:
    """Everything about one connection."""
    found = connections.list_sweeps(
        session, access=access, connection_id=item.id, page=asked.window
    )
    address = Address(f"/connections/{item.id}", asked.known)
    every = sources_view.load(session, access=access, shell=shell)
    sources = tuple(source for source in every if source.connection_id == item.id)
    return ConnectionPage(
        title=item.name,
        crumbs=(Crumb(shell.t.gettext("Connections"), "/connections"),),
        item=item,
        sources=sources,
        worst=min((one.state for one in sources), key=source_state.rank, default=None),
        accounts=accounts_view.load(session, access=access, shell=shell, connection=item),
        settings=tuple(_settings(item.config)),
        sweep=block_of(session, access=access, connection=item, now=shell.now),
        sweeps=found.items,
        pager=pager_of(shell.t, address, found),
        coverage=_coverage(session, access, asked.sweep, item),
        permissions=permissions_of(session, access=access, connection=item),
        calls=_calls(shell, found.items),
        tried=tried,
        may_write=Scope.CONNECTIONS_WRITE in access.scopes,
    )


def _settings(config: Mapping[str, Any], prefix: str = "") -> Iterator[Setting]:
    """Nested settings in dotted form."""
    for name, value in sorted(config.items()):
        if isinstance(value, Mapping):
            yield from _settings(value, f"{prefix}{name}.")
        elif isinstance(value, list):
            yield Setting(prefix + name, ", ".join(map(str, value)))
        elif value not in (None, ""):
            yield Setting(prefix + name, str(value))


def _coverage(
    session: Session, access: Access, sweep_id: str, item: ConnectionItem
) -> Coverage | None:
    """Of the sweep that was asked for, else of the one to look at first."""
    first = source_state.telling_sweep(item)
    wanted = sweep_id or (first.id if first else "")
    if not wanted:
        return None
    detail = connections.get_sweep(session, access=access, sweep_id=wanted)
    return Coverage(detail.item, detail.scopes)


def _calls(shell: Shell, sweeps: Sequence[SweepItem]) -> ColumnChart | None:
    """Answered and refused calls of the last sweeps, oldest first; None without refusals."""
    t = shell.t
    shown = [sweep for sweep in reversed(sweeps[:CHART_SWEEPS]) if sweep.ended_at]
    refused = [int(sweep.trace.get("throttled", 0)) for sweep in shown]
    if not any(refused):
        return None
    answered = [
        max(int(sweep.trace.get("calls", 0)) - number, 0)
        for sweep, number in zip(shown, refused, strict=True)
    ]
    reading = t.ngettext(
        "%(num)s call was refused by throttling in the sweeps shown; each was repeated later.",
        "%(num)s calls were refused by throttling in the sweeps shown; each was repeated later.",
        sum(refused),
    )
    return ColumnChart(
        id="calls",
        title=t.gettext("Calls by sweep"),
        reading=reading % {"num": t.number(sum(refused))},
        period=t.gettext("Sweep"),
        show_data=t.gettext("Show data"),
        no_data=t.gettext("no data"),
        labels=tuple(shell.formats.moment(sweep.started_at, shell.now) for sweep in shown),
        series=(
            Series(t.gettext("Answered"), "c1", tuple(map(float, answered))),
            Series(t.gettext("Refused, 429"), "chw", tuple(map(float, refused))),
        ),
        write=t.number,
        every=max(len(shown) // 6, 1),
    )
