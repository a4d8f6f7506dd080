"""`/resources`: the estate as last read, its history, and its verdicts."""

from datetime import datetime
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query, Request
from pydantic import Field
from starlette.responses import Response

from app.api.listing import Listing, ListWish, columns, document, whole
from app.api.shapes import (
    ConnectionId,
    Instant,
    Out,
    PageOut,
    Search,
    VerdictWord,
    csv_too,
    problems,
)
from app.api.verdicts import VERDICTS, VerdictOut
from app.domain.facts import FactSet
from app.http.deps import DbSession, ResourcesReader
from app.kit.errors import NotFoundError
from app.store.queries import compliance, inventory
from app.store.queries.inventory import ResourceFilter, ResourceItem, ResourceSort, Revision

router = APIRouter(prefix="/resources", tags=["Resources"])
ID = "0193a6c0-9b1d-7c02-8f5e-6d0f3a4f2b10"
ResourceId = Annotated[str, Path(max_length=64, description="Id of a resource.", examples=[ID])]
Word = Annotated[str, Query(max_length=100)]
State = Literal["live", "deleted", "all"]


class FactsOut(Out):
    """What is known: a name in none of the three was never collected."""

    present: dict[str, Any] = Field(
        description="Values by name; integers are exact at any size.",
        examples=[{"versioning_status": "Enabled"}],
    )
    absent: list[str] = Field(
        description="Names of which the source said that there is none.",
        examples=[["lifecycle_rules"]],
    )
    unreadable: dict[str, str] = Field(
        description="Names that could not be read, with the source's error code.",
        examples=[{"replication_rules": "AccessDenied"}],
    )

    @classmethod
    def of(cls, facts: FactSet) -> "FactsOut":
        """The stored form as an answer."""
        return cls.model_validate(facts.to_json())


class ResourceOut(Out):
    """One resource in a list."""

    id: str = Field(description="Id of this life of the resource.", examples=[ID])
    kind: str = Field(description="Kind of fact document.", examples=["s3_bucket"])
    provider: str = Field(description="Whose system it is in.", examples=["aws"])
    connection_id: str = Field(description="Connection that reads it.", examples=[ID])
    connection_name: str = Field(description="Its name.", examples=["aws production"])
    native_id: str = Field(
        description="The provider's id.", examples=["arn:aws:s3:::training-corpus"]
    )
    name: str = Field(description="Display name.", examples=["training-corpus"])
    sub_account_id: str = Field(
        description="AWS account or Azure subscription.", examples=["111122223333"]
    )
    region_id: str | None = Field(
        description="The provider's region code; null when it could not be read.",
        examples=["eu-west-1"],
    )
    tags: dict[str, str] | None = Field(
        description="Tags; null when they could not be read.", examples=[{"team": "speech"}]
    )
    created_at: datetime | None = Field(description="Creation, as the provider says.")
    first_observed_at: datetime = Field(description="When it was first seen here.")
    observed_at: datetime = Field(description="When it was last seen here: the `as_of` of facts.")
    deleted_at: datetime | None = Field(description="When a complete list lacked it.")
    revision_id: str | None = Field(description="The present revision.", examples=[ID])
    worst_rank: int = Field(
        description="Worst open finding: 0 nothing … 4 critical; -1 not judged yet.", examples=[3]
    )
    non_compliant_count: int = Field(description="Breaches, waived ones left out.", examples=[1])
    unknown_count: int = Field(description="Verdicts that facts did not suffice for.", examples=[0])
    collector_id: str = Field(description="The collector that reads it.", examples=["aws_s3"])


class ResourceDetailOut(ResourceOut):
    """One resource with its facts, as of now or of another instant."""

    facts: FactsOut = Field(description="What is known of it.")
    as_of: datetime = Field(description="The instant of the facts.")

    @classmethod
    def of(cls, item: ResourceItem) -> "ResourceDetailOut":
        """The resource as last seen."""
        base = ResourceOut.model_validate(item).model_dump()
        return cls(**base, facts=FactsOut.of(item.facts), as_of=item.observed_at)


class RevisionOut(Out):
    """What was known of a resource during one span of time."""

    id: str = Field(description="Id of the revision.", examples=[ID])
    resource_id: str = Field(description="The resource.", examples=[ID])
    number: int = Field(description="1 for the first.", examples=[2])
    valid_from: datetime = Field(description="First seen so.")
    valid_to: datetime | None = Field(description="Seen otherwise from here on; null: still so.")
    digest: str = Field(description="sha256 over the facts in canonical JSON.")
    name: str = Field(description="Name in that span.", examples=["training-corpus"])
    region_id: str | None = Field(description="Region in that span.", examples=["eu-west-1"])
    tags: dict[str, str] | None = Field(description="Tags in that span.")
    sweep_id: str | None = Field(description="The sweep that saw the change.", examples=[ID])
    facts: FactsOut = Field(description="The facts.")

    @classmethod
    def of(cls, item: Revision) -> "RevisionOut":
        """One row of the history."""
        plain = {name: getattr(item, name) for name in _REVISION}
        return cls(**plain, facts=FactsOut.of(item.facts))


_REVISION = (
    "id", "resource_id", "number", "valid_from", "valid_to", "digest", "name", "region_id",
    "tags", "sweep_id",
)  # fmt: skip
RESOURCES = Listing(
    "resources",
    ResourceOut,
    ResourceOut.model_validate,
    columns(
        "id", "kind", "provider", "connection_name", "sub_account_id", "region_id", "name",
        "native_id", "created_at", "first_observed_at", "observed_at", "deleted_at", "worst_rank",
        "non_compliant_count", "unknown_count",
    ),
)  # fmt: skip
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
