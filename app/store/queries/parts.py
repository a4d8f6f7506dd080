"""The parts of a resource: what names it as its parent, such as the machines of a cluster.

A part names its parent by a native id, which another life of the parent may have borne before or
after: a part belongs to the life that there was when the part was last seen.
"""

from sqlalchemy import ColumnElement, TextClause, and_, func, or_, select
from sqlalchemy.orm import Session

from app.domain.access import Access
from app.domain.paging import Page, PageRequest
from app.store import keyset
from app.store.models.inventory import A_GONE_PART, A_PART, ResourceRow
from app.store.queries.inventory import get_resource
from app.store.queries.resource_items import ResourceItem, item_of, select_items
from app.store.scoping import visible

_BY_NAME = keyset.Order("parts", (ResourceRow.name, ResourceRow.id))


def list_parts(
    session: Session, *, access: Access, resource_id: str, page: PageRequest | None = None
) -> Page[ResourceItem]:
    """The parts of a resource in the same connection, by name; NotFoundError without it.

    Those that live of one that lives, and of a deleted one those that were last seen in its life.
    """
    conditions = _conditions(session, access, resource_id)
    total = session.scalar(select(func.count()).select_from(ResourceRow).where(*conditions))
    return keyset.fetch(
        session,
        select_items().where(*conditions),
        _BY_NAME,
        page or PageRequest(),
        total=total or 0,
        item=item_of,
    )


def find_parent(session: Session, *, access: Access, resource_id: str) -> ResourceItem | None:
    """What a resource is a part of; None when it stands alone or its parent is not known."""
    item = get_resource(session, access=access, resource_id=resource_id)
    if not item.parent_native_id:
        return None
    row = session.execute(
        select_items()
        .where(
            ResourceRow.native_id == item.parent_native_id,
            keyset.unindexed(ResourceRow.connection_id, session) == item.connection_key,
            visible(access, keyset.unindexed(ResourceRow.connection_id, session)),
        )
        .order_by(
            _lived_with(item).desc(),
            ResourceRow.deleted_at.is_not(None),
            ResourceRow.observed_at.desc(),
        )
        .limit(1)
    ).first()
    return item_of(row) if row else None


def _conditions(
    session: Session, access: Access, resource_id: str
) -> tuple[ColumnElement[bool] | TextClause, ...]:
    item = get_resource(session, access=access, resource_id=resource_id)
    connection_id = keyset.unindexed(ResourceRow.connection_id, session)
    return (
        *_of_this_life(item),
        ResourceRow.parent_native_id == item.native_id,
        connection_id == item.connection_key,
        visible(access, connection_id),
    )


def _of_this_life(item: ResourceItem) -> tuple[ColumnElement[bool] | TextClause, ...]:
    if item.deleted_at is None:
        return (A_PART,)
    seen_at = ResourceRow.observed_at
    return (A_GONE_PART, seen_at.between(item.first_observed_at, item.deleted_at))


def _lived_with(part: ResourceItem) -> ColumnElement[bool]:
    """Whether a resource lived when the part was last seen."""
    return and_(
        ResourceRow.first_observed_at <= part.observed_at,
        or_(ResourceRow.deleted_at.is_(None), ResourceRow.deleted_at >= part.observed_at),
    )
