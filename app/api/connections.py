"""`/connections`: the sources, as whom they are read, and what is missing there."""

from typing import Annotated

from fastapi import APIRouter, Path, Request
from sqlalchemy.orm import Session
from starlette.responses import Response

from app.api.connection_shapes import (
    ID,
    ConnectionIn,
    ConnectionOut,
    ConnectionPatch,
    PermissionOut,
    RequestedOut,
    StatusOut,
)
from app.api.listing import Listing, ListWish, columns, document, whole
from app.api.shapes import PageOut, csv_too, problems
from app.http import paths
from app.http.conditional import IfMatch, demand_version, etag_of
from app.http.deps import (
    ConnectionsReader,
    ConnectionsWriter,
    DbSession,
    Now,
    ReaderSession,
    SweepsWriter,
)
from app.http.idempotency import OnceOnly
from app.services import connections, sweeps
from app.store.queries import connections as queries

router = APIRouter(prefix="/connections", tags=["Connections"])
ConnectionId = Annotated[str, Path(max_length=64, description="Id of a connection.", examples=[ID])]
CONNECTIONS = Listing(
    "connections",
    ConnectionOut,
    ConnectionOut.model_validate,
    columns(
        "id", "name", "provider", "enabled", "created_at", "version", "resources",
        "last_good_at", "evaluated_at",
    ),
)  # fmt: skip
PERMISSIONS = Listing(
    "permissions",
    PermissionOut,
    PermissionOut.model_validate,
    columns(
        "collector_id", "permission", "operation", "why", "result", "code", "message", "asked",
        "affected", "checked_at",
    ),
)  # fmt: skip


@router.get(
    "",
    operation_id="list_connections",
    summary="List connections",
    response_model=PageOut[ConnectionOut],
    responses=csv_too(),
)
def list_connections(
    request: Request, session: DbSession, access: ConnectionsReader, wish: ListWish
) -> Response:
    """All connections that the caller may see, by name."""
    found = queries.list_connections(session, access=access)
    return CONNECTIONS.answer(request, session, wish, whole(found))


@router.get(
    "/{connection_id}",
    operation_id="get_connection",
    summary="Read a connection",
    response_model=ConnectionOut,
    responses=problems(404),
)
def get_connection(
    request: Request, session: DbSession, access: ConnectionsReader, connection_id: ConnectionId
) -> Response:
    """A connection with its collectors; the ETag is for PATCH and DELETE."""
    found = queries.get_connection(session, access=access, connection_id=connection_id)
    return document(request, ConnectionOut.model_validate(found), version=found.version)


@router.get(
    "/{connection_id}/permissions",
    operation_id="list_permissions",
    summary="List a connection's permissions",
    response_model=PageOut[PermissionOut],
    responses=csv_too() | problems(404),
)
def list_permissions(
    request: Request,
    session: DbSession,
    access: ConnectionsReader,
    wish: ListWish,
    connection_id: ConnectionId,
) -> Response:
    """Every right that is used there, and whether the last sweep had it."""
    found = queries.permission_status(session, access=access, connection_id=connection_id)
    return PERMISSIONS.answer(request, session, wish, whole(found))


@router.post(
    "",
    operation_id="create_connection",
    summary="Make a connection",
    status_code=201,
    response_model=ConnectionOut,
    responses=problems(409),
)
def create_connection(
    once: OnceOnly, session: DbSession, access: ConnectionsWriter, now: Now, body: ConnectionIn
) -> Response:
    """A connection, and its first sweeps. Secrets in `config` are references, never values."""
    made = connections.create(
        session,
        access=access,
        name=body.name,
        provider=body.provider.value,
        config=body.config,
        now=now,
    )
    content = ConnectionOut.model_validate(made).model_dump_json().encode()
    headers = {
        "Location": f"{paths.API}/connections/{made.id}",
        "ETag": etag_of(content, made.version),
    }
    response = Response(content, 201, headers=headers, media_type="application/json")
    return once.keep(session, response)


@router.patch(
    "/{connection_id}",
    operation_id="update_connection",
    summary="Change a connection",
    response_model=ConnectionOut,
    responses=problems(404, 409),
)
def update_connection(  # noqa: PLR0913 - what FastAPI hands in
    request: Request,
    session: DbSession,
    access: ConnectionsWriter,
    *,
    now: Now,
    connection_id: ConnectionId,
    wanted: IfMatch,
    body: ConnectionPatch,
) -> Response:
    """Changes name, settings or whether it is read."""
    _demand_version(session, access, connection_id, wanted)
    found = connections.update(
        session,
        access=access,
        connection_id=connection_id,
        changes=body.model_dump(include=body.model_fields_set),
        now=now,
        version=wanted,
    )
    return document(request, ConnectionOut.model_validate(found), version=found.version)


@router.delete(
    "/{connection_id}",
    operation_id="delete_connection",
    summary="Delete a connection",
    status_code=204,
    responses=problems(404, 409),
)
def delete_connection(
    session: DbSession,
    access: ConnectionsWriter,
    now: Now,
    connection_id: ConnectionId,
    wanted: IfMatch,
) -> None:
    """Removes it with all that was read through it; reports keep what they say."""
    _demand_version(session, access, connection_id, wanted)
    connections.delete(session, access=access, connection_id=connection_id, now=now, version=wanted)


def _demand_version(
    session: Session, access: ConnectionsWriter, connection_id: str, wanted: int
) -> None:
    found = queries.get_connection(session, access=access, connection_id=connection_id)
    demand_version(wanted, found.version)


@router.post(
    "/{connection_id}/test",
    operation_id="check_connection",
    summary="Try a connection",
    response_model=StatusOut,
    responses=problems(404, 502),
)
def check_connection(
    session: ReaderSession, access: ConnectionsWriter, connection_id: ConnectionId
) -> Response:
    """Asks the source who we are there; changes nothing, here or there."""
    status = connections.test(session, access=access, connection_id=connection_id)
    return Response(StatusOut.of(status).model_dump_json(), media_type="application/json")


@router.post(
    "/{connection_id}/sweeps",
    operation_id="request_sweep",
    summary="Ask for a sweep",
    status_code=202,
    response_model=RequestedOut,
    responses=problems(404, 409),
)
def request_sweep(
    once: OnceOnly,
    session: DbSession,
    access: SweepsWriter,
    now: Now,
    connection_id: ConnectionId,
) -> Response:
    """Queues a sweep by every collector; where one waits or runs already, that one counts."""
    run_ids = sweeps.request_sweep(session, access=access, connection_id=connection_id, now=now)
    headers = {"Location": f"{paths.API}/runs/{run_ids[0]}"} if run_ids else {}
    response = Response(
        RequestedOut(run_ids=list(run_ids)).model_dump_json(),
        202,
        headers=headers,
        media_type="application/json",
    )
    return once.keep(session, response)
