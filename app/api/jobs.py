"""`/jobs`: jobs that people run by hand register here; they are read under `/resources`."""

from typing import Annotated

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from app.api.job_shapes import JobIn, JobPatch
from app.api.listing import document
from app.api.resource_shapes import ID, ResourceDetailOut
from app.api.shapes import problems
from app.http import paths
from app.http.deps import DbSession, JobsWriter, Now
from app.http.idempotency import OnceOnly
from app.services import jobs

router = APIRouter(prefix="/jobs", tags=["Jobs"])
JobId = Annotated[str, Path(max_length=64, description="Id of the job's resource.", examples=[ID])]


@router.post(
    "",
    operation_id="register_job",
    summary="Register a job",
    status_code=201,
    response_model=ResourceDetailOut,
    responses={200: {"model": ResourceDetailOut, "description": "Declared anew."}},
)
def register_job(
    once: OnceOnly, session: DbSession, access: JobsWriter, now: Now, body: JobIn
) -> Response:
    """A job as its owner declares it. One of the same namespace and name is declared anew (200).

    Null says that there is none of something; what is left out stays unknown, and so does what
    policies make of it.
    """
    item, is_new = jobs.register(session, access=access, declaration=body.declaration, now=now)
    response = Response(
        ResourceDetailOut.of(item).model_dump_json(),
        201 if is_new else 200,
        headers={"Location": f"{paths.API}/resources/{item.id}"},
        media_type="application/json",
    )
    return once.keep(session, response)


@router.patch(
    "/{job_id}",
    operation_id="update_job",
    summary="Change or end a job",
    response_model=ResourceDetailOut,
    responses=problems(404),
)
def update_job(
    request: Request,
    session: DbSession,
    access: JobsWriter,
    *,
    now: Now,
    job_id: JobId,
    body: JobPatch,
) -> Response:
    """Changes what was said of it, such as its `state` and `ended_at`; the rest stays."""
    item = jobs.change(session, access=access, job_id=job_id, said=body.said, now=now)
    return document(request, ResourceDetailOut.of(item))


@router.delete(
    "/{job_id}",
    operation_id="withdraw_job",
    summary="Withdraw a job",
    status_code=204,
    responses=problems(404),
)
def withdraw_job(session: DbSession, access: JobsWriter, now: Now, job_id: JobId) -> None:
    """Takes it off the lists and closes its findings; its history stays readable."""
    jobs.withdraw(session, access=access, job_id=job_id, now=now)
