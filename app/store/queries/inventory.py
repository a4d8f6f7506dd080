"""The estate: its list, one resource, and what was known of it at any instant."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from app.domain.access import Access
from app.domain.facts import FactSet
from app.domain.paging import Page, PageRequest
from app.kit.errors import NotFoundError
from app.store import keyset
from app.store.models.inventory import ResourceRevisionRow, ResourceRow
from app.store.queries.resource_items import ResourceItem, item_of, select_items
from app.store.queries.resource_search import ResourceFilter, ResourceSort, search_resources
from app.store.queries.resource_tallies import (
    RegionCopies,
    copies_by_region,
    count_resources,
    facets,
)
from app.store.scoping import key_of, visible

__all__ = [
    "RegionCopies",
    "ResourceFilter",
    "ResourceItem",
    "ResourceSort",
    "Revision",
    "copies_by_region",
    "count_resources",
    "facets",
    "get_resource",
    "list_revisions",
    "revision_as_of",
    "search_resources",
]


@dataclass(frozen=True, slots=True)
class Revision:
    """What was known of a resource from `valid_from` until `valid_to` (None: still)."""

    id: str
    resource_id: str
    number: int
    valid_from: datetime
    valid_to: datetime | None
    digest: str
    name: str
    region_id: str | None
    tags: dict[str, str] | None
    facts: FactSet
    sweep_id: str | None


def get_resource(session: Session, *, access: Access, resource_id: str) -> ResourceItem:
    """One resource, deleted ones too; NotFoundError when there is none that the caller may see."""
    row = session.execute(
        select_items().where(
            ResourceRow.id == key_of(resource_id, "resource"),
            visible(access, ResourceRow.connection_id),
        )
    ).first()
    if row is None:
        raise NotFoundError(f"no resource {resource_id[:40]!r}")
    return item_of(row)


_REVISIONS = (
    ResourceRevisionRow.id, ResourceRevisionRow.resource_id, ResourceRevisionRow.number,
    ResourceRevisionRow.valid_from, ResourceRevisionRow.valid_to, ResourceRevisionRow.digest,
    ResourceRevisionRow.name, ResourceRevisionRow.region_id, ResourceRevisionRow.tags,
    ResourceRevisionRow.facts, ResourceRevisionRow.sweep_id,
)  # fmt: skip
_NEWEST = keyset.Order(
    "revisions", (ResourceRevisionRow.valid_from, ResourceRevisionRow.id), descending=True
)


def list_revisions(
    session: Session, *, access: Access, resource_id: str, page: PageRequest | None = None
) -> Page[Revision]:
    """The history of a resource, newest first; NotFoundError as `get_resource`."""
    get_resource(session, access=access, resource_id=resource_id)
    key = key_of(resource_id, "resource")
    # Revisions are numbered from 1, so the current one's number is their count.
    total = session.scalar(
        select(ResourceRevisionRow.number)
        .where(ResourceRevisionRow.resource_id == key)
        .order_by(ResourceRevisionRow.valid_from.desc(), ResourceRevisionRow.id.desc())
        .limit(1)
    )
    statement = select(*_REVISIONS).where(ResourceRevisionRow.resource_id == key)
    return keyset.fetch(
        session, statement, _NEWEST, page or PageRequest(), total=total or 0, item=_revision
    )


def revision_as_of(
    session: Session, *, access: Access, resource_id: str, at: datetime
) -> Revision | None:
    """What was known at an instant; None when it was not known then, or known to be deleted."""
    get_resource(session, access=access, resource_id=resource_id)
    row = session.execute(
        select(*_REVISIONS)
        .where(
            ResourceRevisionRow.resource_id == key_of(resource_id, "resource"),
            ResourceRevisionRow.valid_from <= at,
            or_(ResourceRevisionRow.valid_to.is_(None), ResourceRevisionRow.valid_to > at),
        )
        .order_by(ResourceRevisionRow.valid_from.desc(), ResourceRevisionRow.id.desc())
        .limit(1)
    ).first()
    return None if row is None else _revision(row)


def _revision(row: keyset.AnyRow) -> Revision:
    return Revision(
        id=str(row.id),
        resource_id=str(row.resource_id),
        number=row.number,
        valid_from=row.valid_from,
        valid_to=row.valid_to,
        digest=row.digest,
        name=row.name,
        region_id=row.region_id,
        tags=row.tags,
        facts=FactSet.from_json(row.facts),
        sweep_id=str(row.sweep_id) if row.sweep_id else None,
    )
