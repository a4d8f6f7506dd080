"""`/sweeps`: what was read when, and how far it got."""

from datetime import datetime
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Path, Request
from pydantic import Field
from starlette.responses import Response

from app.api.listing import Listing, ListWish, columns, document
from app.api.shapes import ConnectionId, Out, PageOut, csv_too, problems
from app.http.deps import ConnectionsReader, DbSession
from app.store.queries import connections
from app.store.queries.connections import SweepDetail

router = APIRouter(prefix="/sweeps", tags=["Sweeps"])
ID = "0193a6c1-0a52-7f0e-b1a2-5d8c7e6f9a01"
SweepId = Annotated[str, Path(max_length=64, description="Id of a sweep.", examples=[ID])]


class SweepOut(Out):
    """One run of one collector over one cell of a connection."""

    id: str = Field(description="Id of the sweep.", examples=[ID])
    connection_id: str = Field(description="What was read.", examples=[ID])
    connection_name: str | None = Field(description="Its name.", examples=["aws production"])
    collector_id: str = Field(description="What read it.", examples=["aws_s3"])
    cell: str = Field(
        description="account, account/region or /region; empty: the connection's own account.",
        examples=["444455556666"],
    )
    state: str = Field(
        description=(
            "running; complete; partial: some cells were not read; incomplete: a list was cut, so "
            "nothing counts as deleted; failed: nothing could be read."
        ),
        examples=["partial"],
    )
    started_at: datetime = Field(description="When it began.")
    ended_at: datetime | None = Field(description="When it ended; null while it runs.")
    trace: dict[str, int] = Field(
        description="What it did, in numbers.",
        examples=[{"resources_seen": 41, "resources_changed": 2, "calls": 250, "throttled": 1}],
    )
    code: str = Field(description="The source's error code; empty without.", examples=[""])
    message: str = Field(description="What it said; empty without.", examples=[""])


class ScopeOut(Out):
    """Coverage of one scope by one operation: calls by how they ended."""

    scope: str = Field(description="Account, region or subscription.", examples=["111122223333"])
    operation: str = Field(description="The remote call.", examples=["GetBucketReplication"])
    permission: str = Field(
        description="The right it needs.", examples=["s3:GetReplicationConfiguration"]
    )
    asked: int = Field(description="Calls that were due.", examples=[41])
    answered: int = Field(description="Answered with a value.", examples=[3])
    absent: int = Field(description="Answered that there is none.", examples=[37])
    denied: int = Field(description="Refused for want of a right.", examples=[1])
    failed: int = Field(description="Failed for another reason.", examples=[0])
    skipped: int = Field(description="Not made, as nothing could come of it.", examples=[0])
    throttled: int = Field(description="Times the source asked to wait.", examples=[0])
    code: str = Field(description="Error code of a failure; empty without.", examples=[""])
    message: str = Field(description="What it said; empty without.", examples=[""])


class SweepDetailOut(SweepOut):
    """One sweep with its coverage."""

    scopes: list[ScopeOut] = Field(description="Coverage by scope and operation.")

    @classmethod
    def of(cls, found: SweepDetail) -> "SweepDetailOut":
        """The sweep as an answer."""
        scopes = [ScopeOut.model_validate(scope) for scope in found.scopes]
        return cls(**SweepOut.model_validate(found.item).model_dump(), scopes=scopes)


SWEEPS = Listing(
    "sweeps",
    SweepOut,
    SweepOut.model_validate,
    columns(
        "id", "connection_name", "collector_id", "state", "started_at", "ended_at", "code",
        "message",
    ),
)  # fmt: skip


@router.get(
    "",
    operation_id="list_sweeps",
    summary="List sweeps",
    response_model=PageOut[SweepOut],
    responses=csv_too(),
)
def list_sweeps(
    request: Request,
    session: DbSession,
    access: ConnectionsReader,
    wish: ListWish,
    connection_id: ConnectionId = "",
) -> Response:
    """Sweeps of one connection or of all, newest first."""
    fetch = partial(connections.list_sweeps, access=access, connection_id=connection_id)
    return SWEEPS.answer(request, session, wish, fetch)


@router.get(
    "/{sweep_id}",
    operation_id="get_sweep",
    summary="Read a sweep",
    response_model=SweepDetailOut,
    responses=problems(404),
)
def get_sweep(
    request: Request, session: DbSession, access: ConnectionsReader, sweep_id: SweepId
) -> Response:
    """A sweep with its coverage: which right was missing where."""
    found = connections.get_sweep(session, access=access, sweep_id=sweep_id)
    return document(request, SweepDetailOut.of(found))
