"""The connections: every source with its state, its last day and what it lacks."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from sqlalchemy.orm import Session
from starlette.responses import Response

from app.domain.access import Access, Scope
from app.domain.declared import is_declared
from app.http.deps import ConnectionsReader, DbSession, Now, SweepsWriter
from app.services import sweeps
from app.store.queries import connections
from app.web import sources_view, toasts
from app.web.pages import Page, Shell
from app.web.permissions import Permissions, permissions_of
from app.web.render import render
from app.web.shell import FullShell
from app.web.sources_view import Source

router = APIRouter()

ALARMING = {"fail", "stale"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionsPage(Page):
    """The list of sources."""

    TEMPLATE: ClassVar[str] = "connections/list/page.html"
    PARTS: ClassVar[Mapping[str, str]] = {"sources": "connections/list/_sources.html"}
    AREA: ClassVar[str] = "connections"

    sentence: str
    sources: tuple[Source, ...]
    alarm: Source | None
    missing: Permissions | None
    any_at_all: bool
    may_write: bool
    may_sweep: bool


@router.get("/connections", response_class=HTMLResponse)
def connection_list(
    request: Request, shell: FullShell, access: ConnectionsReader, session: DbSession
) -> HTMLResponse:
    """All sources, those that need attention first."""
    sources = sources_view.load(session, access=access, shell=shell)
    page = ConnectionsPage(
        title=shell.t.gettext("Connections"),
        sentence=_sentence(shell, sources),
        sources=sources,
        alarm=next((one for one in sources if one.state.shape in ALARMING), None),
        missing=_missing(session, access, sources),
        any_at_all=bool(sources),
        may_write=Scope.CONNECTIONS_WRITE in access.scopes,
        may_sweep=Scope.SWEEPS_WRITE in access.scopes
        and not all(one.is_declared for one in sources),
    )
    return render(request, shell, page)


@router.post("/connections/sweep")
def sweep_all(shell: FullShell, access: SweepsWriter, session: DbSession, now: Now) -> Response:
    """Asks for a sweep of every connection that is switched on."""
    for connection in connections.list_connections(session, access=access):
        if connection.enabled and not is_declared(connection.provider):
            sweeps.request_sweep(session, access=access, connection_id=connection.id, now=now)
    return toasts.go_on("/connections", toasts.said(shell.t, "all_sweeps_asked", {}))


def _missing(session: Session, access: Access, sources: tuple[Source, ...]) -> Permissions | None:
    source = next((one for one in sources if one.missing), None)
    if source is None:
        return None
    item = connections.get_connection(session, access=access, connection_id=source.connection_id)
    return permissions_of(session, access=access, connection=item)


def _sentence(shell: Shell, sources: tuple[Source, ...]) -> str:
    t = shell.t
    swept = [one for one in sources if not one.is_declared]
    if not swept:
        return t.gettext("No source is connected.")
    attention = sum(1 for one in swept if one.state.attention)
    fresh = sum(1 for one in swept if one.state.shape == "pass")
    head = t.ngettext(
        "%(num)s source, read only: %(fresh)s fresh, %(attention)s in need of attention.",
        "%(num)s sources, read only: %(fresh)s fresh, %(attention)s in need of attention.",
        len(swept),
    )
    return head % {
        "num": t.number(len(swept)),
        "fresh": t.number(fresh),
        "attention": t.number(attention),
    }
