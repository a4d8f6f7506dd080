"""`/policies`: what must hold, how it is set here, and what each says of the estate."""

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from app.api.listing import Listing, ListWish, columns, document, whole
from app.api.policy_shapes import (
    ID,
    DiagnosticsOut,
    PolicyDetailOut,
    PolicyIn,
    PolicyOut,
    PolicyPatch,
)
from app.api.shapes import PageOut, VerdictWord, csv_too, problems
from app.api.verdicts import VERDICTS, VerdictOut
from app.domain.access import Access
from app.http import paths
from app.http.conditional import IfMatch, demand_version, etag_of
from app.http.deps import DbSession, Now, PoliciesReader, PoliciesWriter
from app.http.idempotency import OnceOnly
from app.kit.errors import InvalidInputError
from app.services import policies
from app.services.policies import PolicyItem
from app.store.queries import compliance

router = APIRouter(prefix="/policies", tags=["Policies"])
PolicyId = Annotated[str, Path(max_length=100, description="Id of a policy.", examples=[ID])]
POLICIES = Listing(
    "policies",
    PolicyOut,
    lambda out: out,
    columns(
        "id", "title", "severity", "pillar", "area", "mode", "own", "policy_version", "compliant",
        "non_compliant", "waived", "unknown", "not_applicable",
    ),
)  # fmt: skip


@router.get(
    "",
    operation_id="list_policies",
    summary="List policies",
    response_model=PageOut[PolicyOut],
    responses=csv_too(),
)
def list_policies(
    request: Request, session: DbSession, access: PoliciesReader, wish: ListWish
) -> Response:
    """All policies with their verdicts on what the caller may see, by id."""
    counts = compliance.policy_counts(session, access=access)
    found = policies.list_policies(session, access=access)
    rows = [PolicyOut.of(item, counts.get(item.effective.policy.id, {})) for item in found]
    return POLICIES.answer(request, session, wish, whole(rows))


@router.get(
    "/{policy_id}",
    operation_id="get_policy",
    summary="Read a policy",
    response_model=PolicyDetailOut,
    responses=problems(404),
)
def get_policy(
    request: Request, session: DbSession, access: PoliciesReader, policy_id: PolicyId
) -> Response:
    """A policy with its text, params and verdicts; the ETag is for PATCH and DELETE."""
    item = policies.get(session, access=access, policy_id=policy_id)
    return document(request, _detail(session, access, item), version=item.version)


def _detail(session: DbSession, access: Access, item: PolicyItem) -> PolicyDetailOut:
    counts = compliance.policy_counts(session, access=access)
    return PolicyDetailOut.in_full(item, counts.get(item.effective.policy.id, {}))


@router.post(
    "",
    operation_id="create_policy",
    summary="Make a policy",
    status_code=201,
    response_model=PolicyDetailOut,
    responses=problems(409),
)
def create_policy(
    once: OnceOnly, session: DbSession, access: PoliciesWriter, *, now: Now, body: PolicyIn
) -> Response:
    """A policy of one's own from its YAML (JSON is YAML too), which brings its own tests."""
    item = policies.save(session, access=access, text=body.text, now=now, version=0)
    content = _detail(session, access, item).model_dump_json().encode()
    headers = {
        "Location": f"{paths.API}/policies/{item.effective.policy.id}",
        "ETag": etag_of(content, item.version),
    }
    response = Response(content, 201, headers=headers, media_type="application/json")
    return once.keep(session, response)


@router.post(
    "/check",
    operation_id="check_policy",
    summary="Check a policy's text",
)
def check_policy(access: PoliciesReader, body: PolicyIn) -> DiagnosticsOut:
    """Says what is wrong with a text, by line and column, and stores nothing."""
    del access
    return DiagnosticsOut.of(policies.check(body.text))


@router.patch(
    "/{policy_id}",
    operation_id="update_policy",
    summary="Change a policy",
    response_model=PolicyDetailOut,
    responses=problems(404, 409),
)
def update_policy(  # noqa: PLR0913 - what FastAPI hands in
    request: Request,
    session: DbSession,
    access: PoliciesWriter,
    *,
    now: Now,
    policy_id: PolicyId,
    wanted: IfMatch,
    body: PolicyPatch,
) -> Response:
    """Sets mode, params or, for a policy of one's own, the text; what is left out stays."""
    item = policies.get(session, access=access, policy_id=policy_id)
    demand_version(wanted, item.version)
    if body.text is not None:
        item = policies.save(session, access=access, text=body.text, now=now)
        _demand_same_id(policy_id, item)
    set_mode = partial(policies.set_mode, session, access=access, policy_id=policy_id, now=now)
    set_params = partial(policies.set_params, session, access=access, policy_id=policy_id, now=now)
    item = set_mode(mode=body.mode) if body.mode is not None else item
    item = set_params(params=body.params) if body.params is not None else item
    return document(request, _detail(session, access, item), version=item.version)


def _demand_same_id(policy_id: str, item: PolicyItem) -> None:
    """Raised after the save, which is rolled back with everything else."""
    found = item.effective.policy.id
    if found != policy_id:
        raise InvalidInputError(
            f"the text is of the policy {found}, the address of {policy_id}",
            mend="keep the id, or make a policy of its own with POST",
            errors=({"where": "#/text", "what": "another id"},),
        )


@router.delete(
    "/{policy_id}",
    operation_id="delete_policy",
    summary="Delete a policy",
    status_code=204,
    responses=problems(404, 409),
)
def delete_policy(
    session: DbSession,
    access: PoliciesWriter,
    *,
    now: Now,
    policy_id: PolicyId,
    wanted: IfMatch,
) -> None:
    """Removes a policy of one's own; its findings close at the evaluation that follows."""
    item = policies.get(session, access=access, policy_id=policy_id)
    demand_version(wanted, item.version)
    policies.delete(session, access=access, policy_id=policy_id, now=now)


@router.get(
    "/{policy_id}/verdicts",
    operation_id="list_policy_verdicts",
    summary="List a policy's verdicts",
    response_model=PageOut[VerdictOut],
    responses=csv_too() | problems(404),
)
def list_verdicts(
    request: Request,
    session: DbSession,
    access: PoliciesReader,
    *,
    wish: ListWish,
    policy_id: PolicyId,
    verdict: Annotated[VerdictWord, Query(description="Only this verdict.")] = "",
) -> Response:
    """What the policy says of each resource; `non_compliant` leaves waived ones out."""
    policies.get(session, access=access, policy_id=policy_id)
    fetch = partial(compliance.search_verdicts, access=access, policy_id=policy_id, verdict=verdict)
    return VERDICTS.answer(request, session, wish, fetch)
