"""`/findings`: breaches, who looks after them, and what excuses them."""

from functools import partial
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Path, Query, Request
from sqlalchemy.orm import Session
from starlette.responses import Response

from app.api.finding_shapes import (
    ID,
    CommentIn,
    FindingDetailOut,
    FindingOut,
    FindingPatch,
    WaiverIn,
)
from app.api.listing import Listing, ListWish, columns, document
from app.api.shapes import ConnectionId, IdFilter, PageOut, Search, csv_too, problems
from app.domain.access import Access
from app.domain.compliance import Pillar, Severity
from app.http import paths
from app.http.deps import DbSession, FindingsReader, FindingsWriter, Now
from app.http.idempotency import OnceOnly
from app.kit.errors import NotFoundError
from app.services import findings
from app.store.queries import compliance
from app.store.queries.compliance import FindingFilter, FindingSort

router = APIRouter(prefix="/findings", tags=["Findings"])
PREFIX = "F-"
DIGITS = 18  # more do not fit the column
FindingId = Annotated[
    str,
    Path(
        max_length=40,
        pattern=r"^F-[0-9]+$",
        description="Number of a finding, as pages show it.",
        examples=[ID],
    ),
]
WaiverId = Annotated[str, Path(max_length=64, description="Id of a waiver.")]
Tab = Literal["open", "snoozed", "waived", "resolved", "all"]
Sort = Annotated[FindingSort, Query(description="`risk`: most severe first, then the newest.")]
FINDINGS = Listing(
    "findings",
    FindingOut,
    FindingOut.model_validate,
    columns(
        "id", "severity", "state", "overlay", "title", "policy_id", "pillar", "resource_name",
        "resource_kind", "message", "owner", "opened_at", "last_observed_at", "resolved_at",
        "close_reason", "snoozed_until", "waived_until",
    ),
)  # fmt: skip


def get_filter(  # noqa: PLR0913 - one per parameter of the address
    *,
    q: Search = "",
    state: Annotated[
        Tab, Query(description="`open` leaves out what is snoozed or waived.")
    ] = "open",
    severity: Annotated[Severity | Literal[""], Query(description="Only this weight.")] = "",
    pillar: Annotated[Pillar | Literal[""], Query(description="Only this pillar.")] = "",
    policy_id: Annotated[
        str, Query(max_length=100, description="Only of this policy.", examples=["versioning-on"])
    ] = "",
    owner: Annotated[
        str, Query(max_length=200, description="Only of this person.", examples=["Ana"])
    ] = "",
    connection_id: ConnectionId = "",
    resource_id: Annotated[IdFilter, Query(description="Only of this resource.")] = "",
) -> FindingFilter:
    """What to list."""
    return FindingFilter(
        q=q,
        state=state,
        severity=severity,
        pillar=pillar,
        policy_id=policy_id,
        owner=owner,
        connection_id=connection_id,
        resource_id=resource_id,
    )


def number_of(finding_id: str) -> int:
    """The number in `F-1182`; NotFoundError for one that cannot be."""
    digits = finding_id.removeprefix(PREFIX)
    if len(digits) > DIGITS or not digits.isascii() or not digits.isdecimal():
        raise NotFoundError(f"no finding {finding_id[:40]!r}", mend="write it like F-1182")
    return int(digits)


def _detail(session: Session, access: Access, number: int) -> FindingDetailOut:
    return FindingDetailOut.of(compliance.get_finding(session, access=access, number=number))


@router.get(
    "",
    operation_id="list_findings",
    summary="List findings",
    response_model=PageOut[FindingOut],
    responses=csv_too(),
)
def list_findings(
    request: Request,
    session: DbSession,
    access: FindingsReader,
    wish: ListWish,
    where: Annotated[FindingFilter, Depends(get_filter)],
    sort: Sort = FindingSort.RISK,
) -> Response:
    """Findings; those that are open, neither snoozed nor waived, unless asked otherwise."""
    fetch = partial(compliance.search_findings, access=access, where=where, sort=sort)
    return FINDINGS.answer(request, session, wish, fetch)


@router.get(
    "/{finding_id}",
    operation_id="get_finding",
    summary="Read a finding",
    response_model=FindingDetailOut,
    responses=problems(404),
)
def get_finding(
    request: Request, session: DbSession, access: FindingsReader, finding_id: FindingId
) -> Response:
    """A finding with the facts it rests on, its history and its waivers."""
    return document(request, _detail(session, access, number_of(finding_id)))


@router.patch(
    "/{finding_id}",
    operation_id="update_finding",
    summary="Assign or snooze a finding",
    response_model=FindingDetailOut,
    responses=problems(404, 409),
)
def update_finding(
    request: Request,
    session: DbSession,
    access: FindingsWriter,
    *,
    now: Now,
    finding_id: FindingId,
    body: FindingPatch,
) -> Response:
    """Names who looks after it, or hides it until a date; null takes either back."""
    number = number_of(finding_id)
    if "owner" in body.model_fields_set:
        findings.assign(session, access=access, number=number, owner=body.owner, now=now)
    if "snoozed_until" in body.model_fields_set:
        until = body.snoozed_until
        findings.snooze(session, access=access, number=number, until=until, now=now)
    return document(request, _detail(session, access, number))


@router.post(
    "/{finding_id}/comments",
    operation_id="create_comment",
    summary="Comment on a finding",
    status_code=201,
    response_model=FindingDetailOut,
    responses=problems(404),
)
def create_comment(
    once: OnceOnly,
    session: DbSession,
    access: FindingsWriter,
    *,
    now: Now,
    finding_id: FindingId,
    body: CommentIn,
) -> Response:
    """Adds a line to the history."""
    number = number_of(finding_id)
    findings.comment(session, access=access, number=number, text=body.text, now=now)
    return once.keep(session, _made(session, access, number))


@router.post(
    "/{finding_id}/waivers",
    operation_id="create_waiver",
    summary="Waive a finding",
    status_code=201,
    response_model=FindingDetailOut,
    responses=problems(404, 409),
)
def create_waiver(
    once: OnceOnly,
    session: DbSession,
    access: FindingsWriter,
    *,
    now: Now,
    finding_id: FindingId,
    body: WaiverIn,
) -> Response:
    """Excuses the breach for a time and a reason; it stays a breach and is shown as waived."""
    number = number_of(finding_id)
    findings.waive(
        session, access=access, number=number, reason=body.reason, until=body.until, now=now
    )
    return once.keep(session, _made(session, access, number))


def _made(session: Session, access: Access, number: int) -> Response:
    content = _detail(session, access, number).model_dump_json()
    headers = {"Location": f"{paths.API}/findings/{PREFIX}{number}"}
    return Response(content, 201, headers=headers, media_type="application/json")


@router.delete(
    "/{finding_id}/waivers/{waiver_id}",
    operation_id="revoke_waiver",
    summary="Revoke a waiver",
    response_model=FindingDetailOut,
    responses=problems(404, 409),
)
def revoke_waiver(
    request: Request,
    session: DbSession,
    access: FindingsWriter,
    *,
    now: Now,
    finding_id: FindingId,
    waiver_id: WaiverId,
) -> Response:
    """Ends a waiver before its time; the finding is open again."""
    number = number_of(finding_id)
    found = compliance.get_finding(session, access=access, number=number)
    if waiver_id not in {waiver.id for waiver in found.waivers}:
        raise NotFoundError(f"no waiver {waiver_id[:40]!r} of {finding_id}", mend="read it first")
    findings.revoke_waiver(session, access=access, number=number, now=now)
    return document(request, _detail(session, access, number))
