"""What can be done to a connection: sweep it, try it out, switch it on or off, delete it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar

from fastapi import APIRouter, Request
from fastapi import Form as FormField
from fastapi.responses import HTMLResponse
from starlette.responses import Response

from app.http.deps import (
    ConnectionsReader,
    ConnectionsWriter,
    DbSession,
    Now,
    ReaderSession,
    SweepsWriter,
)
from app.http.fragments import wants_fragment
from app.kit.errors import CollectorError
from app.services import connections as service
from app.services import sweeps
from app.store.queries import compliance, connections
from app.store.queries.compliance import FindingFilter
from app.store.queries.connections import ConnectionItem
from app.web import toasts
from app.web.connection_detail import DetailQuery, Tried, page_of
from app.web.pages import Crumb, Page
from app.web.render import render
from app.web.shell import FullShell, ReaderShell
from app.web.sweep_block import SweepPage, block_of

router = APIRouter(prefix="/connections/{connection_id}")


@dataclass(frozen=True, slots=True, kw_only=True)
class DeletePage(Page):
    """Asks before a connection is deleted, and says what goes with it."""

    TEMPLATE: ClassVar[str] = "connections/delete/page.html"
    PARTS: ClassVar[Mapping[str, str]] = {"dialog-body": "connections/delete/_body.html"}
    AREA: ClassVar[str] = "connections"

    item: ConnectionItem
    findings: int


@router.post("/sweep")
def sweep(
    request: Request,
    shell: FullShell,
    access: SweepsWriter,
    session: DbSession,
    connection_id: str,
) -> Response:
    """Asks for a sweep now."""
    sweeps.request_sweep(session, access=access, connection_id=connection_id, now=shell.now)
    item = connections.get_connection(session, access=access, connection_id=connection_id)
    if wants_fragment(request):
        block = block_of(session, access=access, connection=item, now=shell.now)
        return render(request, shell, SweepPage(title=item.name, sweep=block))
    toast = toasts.said(shell.t, "sweep_asked", {"name": item.name})
    return toasts.go_on(f"/connections/{connection_id}", toast)


@router.get("/sweep", response_class=HTMLResponse)
def sweep_state(
    request: Request,
    shell: FullShell,
    access: ConnectionsReader,
    session: DbSession,
    connection_id: str,
) -> HTMLResponse:
    """Where the sweep stands; the block asks for this again until it is done."""
    item = connections.get_connection(session, access=access, connection_id=connection_id)
    block = block_of(session, access=access, connection=item, now=shell.now)
    done = block.state in {"idle", "retry"}
    headers = {"HX-Trigger": "sweep-done"} if done else {}
    page = SweepPage(title=item.name, sweep=block)
    if not wants_fragment(request):
        return render(request, shell, page_of(session, access, shell, item, DetailQuery()))
    return render(request, shell, page, headers=headers)


@router.post("/test", response_class=HTMLResponse)
def test(
    request: Request,
    shell: ReaderShell,
    access: ConnectionsWriter,
    session: ReaderSession,
    connection_id: str,
) -> HTMLResponse:
    """Asks the source who we are there; nothing is written."""
    item = connections.get_connection(session, access=access, connection_id=connection_id)
    try:
        tried = Tried(service.test(session, access=access, connection_id=connection_id))
    except CollectorError as error:
        tried = Tried(None, error.detail, error.mend, error.code)
    return render(request, shell, page_of(session, access, shell, item, DetailQuery(), tried))


@router.post("/enabled")
def set_enabled(
    shell: FullShell,
    access: ConnectionsWriter,
    session: DbSession,
    now: Now,
    connection_id: str,
    enabled: Annotated[bool, FormField()] = False,
) -> Response:
    """Switches the connection on or off; what was read stays, and grows stale."""
    item = service.set_enabled(
        session, access=access, connection_id=connection_id, enabled=enabled, now=now
    )
    name = "connection_on" if enabled else "connection_off"
    return toasts.go_on(
        f"/connections/{connection_id}", toasts.said(shell.t, name, {"name": item.name})
    )


@router.get("/delete", response_class=HTMLResponse)
def ask_delete(
    request: Request,
    shell: FullShell,
    access: ConnectionsWriter,
    session: DbSession,
    connection_id: str,
) -> HTMLResponse:
    """The plan of what a deletion would take along."""
    item = connections.get_connection(session, access=access, connection_id=connection_id)
    where = FindingFilter(state="all", connection_id=connection_id)
    page = DeletePage(
        title=shell.t.gettext("Delete"),
        crumbs=(
            Crumb(shell.t.gettext("Connections"), "/connections"),
            Crumb(item.name, f"/connections/{item.id}"),
        ),
        item=item,
        findings=compliance.count_findings(session, access=access, where=where) or 0,
    )
    return render(request, shell, page)


@router.post("/delete")
def delete(
    shell: FullShell,
    access: ConnectionsWriter,
    session: DbSession,
    now: Now,
    connection_id: str,
    version: Annotated[int, FormField(ge=0)] = 0,
) -> Response:
    """Deletes the connection with all that was read through it."""
    item = connections.get_connection(session, access=access, connection_id=connection_id)
    service.delete(session, access=access, connection_id=connection_id, now=now, version=version)
    toast = toasts.said(shell.t, "connection_deleted", {"name": item.name})
    return toasts.go_on("/connections", toast)
