"""Adding and changing a connection by a form without secrets in it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse
from starlette.responses import Response

from app.domain.access import Access
from app.domain.declared import is_declared
from app.http.deps import ConnectionsWriter, DbSession, Now
from app.kit.errors import AtalayaError, ConflictError, InvalidInputError
from app.services import connections as service
from app.store.queries import connections
from app.store.queries.connections import ConnectionItem
from app.web import toasts
from app.web.connection_fields import FieldSpec, config_of, field_name, fields_of, texts_of
from app.web.forms import Form, FormValues, rejected
from app.web.pages import Crumb, Page, Shell
from app.web.render import render
from app.web.shell import FullShell

router = APIRouter()

Provider = Literal["aws", "azure"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionFormPage(Page):
    """The form; `connection_id` is empty for a new connection."""

    TEMPLATE: ClassVar[str] = "connections/form/page.html"
    AREA: ClassVar[str] = "connections"

    connection_id: str
    action: str
    provider: str
    version: int
    fields: tuple[FieldSpec, ...]
    form: Form


@router.get("/connections/new", response_class=HTMLResponse)
def new(
    request: Request,
    shell: FullShell,
    access: ConnectionsWriter,
    provider: Annotated[Provider, Query()] = "aws",
) -> HTMLResponse:
    """An empty form for one cloud."""
    del access
    return render(request, shell, _page(shell, provider, Form()))


@router.post("/connections/new")
def create(
    request: Request,
    shell: FullShell,
    access: ConnectionsWriter,
    session: DbSession,
    now: Now,
    values: FormValues,
) -> Response:
    """Makes the connection and asks for its first sweep."""
    provider = "azure" if values.get("provider") == "azure" else "aws"
    fields = fields_of(provider, shell.t)
    try:
        with session.begin_nested():
            item = service.create(
                session,
                access=access,
                name=values.get("name", ""),
                provider=provider,
                config=config_of(fields, values, {}),
                now=now,
            )
    except (InvalidInputError, ConflictError) as error:
        page = _page(shell, provider, _rejected(error, fields, values))
        return render(request, shell, page, status=422)
    toast = toasts.said(shell.t, "connection_created", {"name": item.name})
    return toasts.go_on(f"/connections/{item.id}", toast)


@router.get("/connections/{connection_id}/edit", response_class=HTMLResponse)
def edit(
    request: Request,
    shell: FullShell,
    access: ConnectionsWriter,
    session: DbSession,
    connection_id: str,
) -> HTMLResponse:
    """The form with the settings as they are."""
    item = _editable(session, access, connection_id)
    fields = fields_of(item.provider, shell.t)
    form = Form({"name": item.name, **texts_of(fields, item.config)})
    return render(request, shell, _page(shell, item.provider, form, item))


@router.post("/connections/{connection_id}/edit")
def update(
    request: Request,
    shell: FullShell,
    access: ConnectionsWriter,
    session: DbSession,
    connection_id: str,
    values: FormValues,
) -> Response:
    """Saves the settings; new ones are tried by a sweep at once."""
    item = _editable(session, access, connection_id)
    fields = fields_of(item.provider, shell.t)
    try:
        with session.begin_nested():
            saved = _save(session, access, shell, item, values)
    except (InvalidInputError, ConflictError) as error:
        page = _page(shell, item.provider, _rejected(error, fields, values), item)
        return render(request, shell, page, status=422)
    toast = toasts.said(shell.t, "connection_saved", {"name": saved.name})
    return toasts.go_on(f"/connections/{connection_id}", toast)


def _editable(session: DbSession, access: Access, connection_id: str) -> ConnectionItem:
    """A connection with settings; ConflictError for the one of what people declare."""
    item = connections.get_connection(session, access=access, connection_id=connection_id)
    if is_declared(item.provider):
        raise ConflictError(
            f"{item.name} has no settings", mend="PATCH /api/v1/connections/{id} can rename it"
        )
    return item


def _save(
    session: DbSession,
    access: Access,
    shell: Shell,
    item: ConnectionItem,
    values: Mapping[str, str],
) -> ConnectionItem:
    fields = fields_of(item.provider, shell.t)
    config = config_of(fields, values, item.config)
    changes: dict[str, Any] = {"name": values.get("name", "")}
    if config != item.config:
        changes["config"] = config
    version = values.get("version", "")
    return service.update(
        session,
        access=access,
        connection_id=item.id,
        changes=changes,
        now=shell.now,
        version=int(version) if version.isdecimal() else None,
    )


def _rejected(
    error: AtalayaError, fields: tuple[FieldSpec, ...], values: Mapping[str, str]
) -> Form:
    """Faults name settings by dotted path, lists with an index; the form has flat names."""
    named = tuple(
        {"where": field_name(fault["where"]), "what": fault["what"]} for fault in error.errors
    )
    plain = InvalidInputError(error.detail, mend=error.mend, errors=named)
    return rejected(plain, values, "name", *(field.name for field in fields))


def _page(
    shell: Shell, provider: str, form: Form, item: ConnectionItem | None = None
) -> ConnectionFormPage:
    t = shell.t
    crumbs = [Crumb(t.gettext("Connections"), "/connections")]
    if item is not None:
        crumbs.append(Crumb(item.name, f"/connections/{item.id}"))
    return ConnectionFormPage(
        title=t.gettext("Edit source") if item else t.gettext("Add source"),
        crumbs=tuple(crumbs),
        connection_id=item.id if item else "",
        action=f"/connections/{item.id}/edit" if item else "/connections/new",
        provider=provider,
        version=item.version if item else 0,
        fields=fields_of(provider, t),
        form=form,
    )
