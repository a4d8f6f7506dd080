"""`/resources`: the estate as last read, its history, and its verdicts."""

from functools import partial
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Path, Query, Request
from starlette.responses import Response

from app.api.listing import Listing, ListWish, columns, document, whole
from app.api.resource_shapes import ID, FactsOut, ResourceDetailOut, ResourceOut, RevisionOut
from app.api.shapes import (
    ConnectionId,
    Instant,
    PageOut,
    Search,
    VerdictWord,
    csv_too,
    problems,
)
from app.api.verdicts import VERDICTS, VerdictOut
from app.http.deps import DbSession, ResourcesReader
from app.kit.errors import NotFoundError
from app.store.queries import compliance, inventory, parts
from app.store.queries.inventory import ResourceFilter, ResourceSort

router = APIRouter(prefix="/resources", tags=["Resources"])
ResourceId = Annotated[str, Path(max_length=64, description="Id of a resource.", examples=[ID])]
Word = Annotated[str, Query(max_length=100)]
State = Literal["live", "deleted", "all"]
_RESOURCE_COLUMNS = columns(
    "id", "kind", "provider", "connection_name", "sub_account_id", "region_id", "name",
    "native_id", "created_at", "first_observed_at", "observed_at", "deleted_at", "worst_rank",
    "non_compliant_count", "unknown_count", "parent_native_id",
)  # fmt: skip
RESOURCES, PARTS = (
    Listing(name, ResourceOut, ResourceOut.model_validate, _RESOURCE_COLUMNS)
    for name in ("resources", "parts")
)
REVISIONS = Listing(
    "revisions", RevisionOut, RevisionOut.of, columns("number", "valid_from", "valid_to", "digest")
)


def get_filter(  # noqa: PLR0913 - one per parameter of the address
    *,
    q: Search = "",
    kind: Annotated[Word, Query(description="Such as s3_bucket.", examples=["s3_bucket"])] = "",
    provider: Annotated[Word, Query(description="aws or azure.", examples=["aws"])] = "",
    region_id: Annotated[Word, Query(description="Region code.", examples=["eu-west-1"])] = "",
    connection_id: ConnectionId = "",
    policy_id: Annotated[
        Word, Query(description="`verdict` is of this policy.", examples=["versioning-on"])
    ] = "",
    verdict: Annotated[
        VerdictWord, Query(description="Verdict of `policy_id`, or of all policies together.")
    ] = "",
    state: Annotated[State, Query(description="Live, deleted or all.")] = "live",
) -> ResourceFilter:
    """What to list."""
    return ResourceFilter(
        q=q,
        kind=kind,
        provider=provider,
        region_id=region_id,
        connection_id=connection_id,
        verdict=verdict,
        policy_id=policy_id,
        state=state,
    )


Filter = Annotated[ResourceFilter, Depends(get_filter)]
Sort = Annotated[ResourceSort, Query(description="Order; `worst`: worst finding first.")]
AsOf = Annotated[
    Instant | None,
    Query(
        description="Facts as of this instant (ISO 8601 with offset) instead of now.",
        examples=["2026-11-30T09:00:00Z"],
    ),
]


@router.get(
    "",
    operation_id="list_resources",
    summary="List resources",
    response_model=PageOut[ResourceOut],
    responses=csv_too(),
)
def list_resources(
    request: Request,
    session: DbSession,
    access: ResourcesReader,
    wish: ListWish,
    where: Filter,
    sort: Sort = ResourceSort.NAME,
) -> Response:
    """Resources without their facts; filters combine, and all of them work in CSV too."""
    fetch = partial(inventory.search_resources, access=access, where=where, sort=sort)
    return RESOURCES.answer(request, session, wish, fetch)


@router.get(
    "/{resource_id}",
    operation_id="get_resource",
    summary="Read a resource",
    response_model=ResourceDetailOut,
    responses=problems(404),
)
def get_resource(
    request: Request,
    session: DbSession,
    access: ResourcesReader,
    resource_id: ResourceId,
    as_of: AsOf = None,
) -> Response:
    """A resource with its facts, deleted ones too; with `as_of` as it was known then."""
    item = inventory.get_resource(session, access=access, resource_id=resource_id)
    out = ResourceDetailOut.of(item)
    if as_of is None:
        return document(request, out)
    then = inventory.revision_as_of(session, access=access, resource_id=resource_id, at=as_of)
    if then is None:
        raise NotFoundError(
            f"nothing was known of this resource at {as_of.isoformat()}",
            mend=f"it was first seen at {item.first_observed_at.isoformat()}",
        )
    changes = {
        "facts": FactsOut.of(then.facts),
        "as_of": as_of,
        "name": then.name,
        "region_id": then.region_id,
        "tags": then.tags,
        "revision_id": then.id,
    }
    return document(request, out.model_copy(update=changes))


@router.get(
    "/{resource_id}/parts",
    operation_id="list_resource_parts",
    summary="List a resource's parts",
    response_model=PageOut[ResourceOut],
    responses=csv_too() | problems(404),
)
def list_parts(
    request: Request,
    session: DbSession,
    access: ResourcesReader,
    wish: ListWish,
    resource_id: ResourceId,
) -> Response:
    """What names it as its parent, by name: the live machines of a cluster; of one that was
    deleted, those that were last seen in its life.
    """
    fetch = partial(parts.list_parts, access=access, resource_id=resource_id)
    return PARTS.answer(request, session, wish, fetch)


@router.get(
    "/{resource_id}/revisions",
    operation_id="list_revisions",
    summary="Read a resource's history",
    response_model=PageOut[RevisionOut],
    responses=csv_too() | problems(404),
)
def list_revisions(
    request: Request,
    session: DbSession,
    access: ResourcesReader,
    wish: ListWish,
    resource_id: ResourceId,
) -> Response:
    """Each change of the facts, newest first."""
    fetch = partial(inventory.list_revisions, access=access, resource_id=resource_id)
    return REVISIONS.answer(request, session, wish, fetch)


@router.get(
    "/{resource_id}/verdicts",
    operation_id="list_resource_verdicts",
    summary="List a resource's verdicts",
    response_model=PageOut[VerdictOut],
    responses=csv_too() | problems(404),
)
def list_verdicts(
    request: Request,
    session: DbSession,
    access: ResourcesReader,
    wish: ListWish,
    resource_id: ResourceId,
) -> Response:
    """What each policy says of it now; a deleted resource has none."""
    inventory.get_resource(session, access=access, resource_id=resource_id)
    found = compliance.verdicts_of(session, access=access, resource_id=resource_id)
    return VERDICTS.answer(request, session, wish, whole(found))
