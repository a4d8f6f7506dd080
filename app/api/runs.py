"""`/runs`: the ledger of work, such as a sweep that was asked for."""

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query, Request
from pydantic import Field
from starlette.responses import Response

from app.api.listing import Listing, ListWish, columns, document
from app.api.shapes import Out, PageOut, csv_too, problems
from app.http.deps import ConnectionsReader, DbSession
from app.store.queries import work

router = APIRouter(prefix="/runs", tags=["Runs"])
ID = "0193a6c1-1f00-7b8b-9d0e-2c4b6a8d0e1f"
RunId = Annotated[str, Path(max_length=64, description="Id of a run.", examples=[ID])]


class RunOut(Out):
    """One piece of work; the same work asked for twice is one run."""

    id: str = Field(description="Id of the run.", examples=[ID])
    kind: str = Field(description="sweep, evaluate, report or housekeeping.", examples=["sweep"])
    slot: str = Field(description="What it is for; unique within a kind.")
    args: dict[str, Any] = Field(description="What it works on.")
    state: str = Field(description="queued, running, done or failed.", examples=["done"])
    starts: int = Field(description="How often it was begun; more than 1 after a crash.")
    queued_at: datetime = Field(description="When it was asked for.")
    not_before: datetime | None = Field(description="It waits until then; null: no wait.")
    started_at: datetime | None = Field(description="When it last began.")
    ended_at: datetime | None = Field(description="When it ended.")
    error: str = Field(description="Why it failed; empty without.", examples=[""])
    requested_by: str = Field(description="Who asked; `system` for the schedule.")


RUNS = Listing(
    "runs",
    RunOut,
    RunOut.model_validate,
    columns(
        "id", "kind", "slot", "state", "starts", "queued_at", "started_at", "ended_at", "error",
        "requested_by",
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RunFilter:
    """What to list; empty text means any."""

    kind: str
    state: str


def get_filter(
    kind: Annotated[
        str, Query(max_length=50, description="Only this kind.", examples=["sweep"])
    ] = "",
    state: Annotated[
        Literal["", "queued", "running", "done", "failed"], Query(description="Only this state.")
    ] = "",
) -> RunFilter:
    """What to list."""
    return RunFilter(kind, state)


@router.get(
    "",
    operation_id="list_runs",
    summary="List runs",
    response_model=PageOut[RunOut],
    responses=csv_too(),
)
def list_runs(
    request: Request,
    session: DbSession,
    access: ConnectionsReader,
    wish: ListWish,
    where: Annotated[RunFilter, Depends(get_filter)],
) -> Response:
    """Runs, newest first."""
    fetch = partial(work.list_runs, access=access, kind=where.kind, state=where.state)
    return RUNS.answer(request, session, wish, fetch)


@router.get(
    "/{run_id}",
    operation_id="get_run",
    summary="Read a run",
    response_model=RunOut,
    responses=problems(404),
)
def get_run(
    request: Request, session: DbSession, access: ConnectionsReader, run_id: RunId
) -> Response:
    """One run: where the answer to a sweep request leads."""
    found = work.get_run(session, access=access, run_id=run_id)
    return document(request, RunOut.model_validate(found))
