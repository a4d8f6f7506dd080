"""What people declared, by the name that they gave it."""

from sqlalchemy.orm import Session

from app.domain.access import Access
from app.domain.declared import DECLARED
from app.domain.jobs import JobFacts
from app.store.models.inventory import ResourceRow
from app.store.queries.resource_items import ResourceItem, item_of, select_items
from app.store.scoping import visible


def find_job(session: Session, *, access: Access, native_id: str) -> ResourceItem | None:
    """The live job of this `namespace/name`; None when there is none that the caller may see."""
    row = session.execute(
        select_items()
        .where(
            ResourceRow.native_id == native_id,
            ResourceRow.kind == JobFacts.KIND,
            ResourceRow.collector_id == DECLARED,
            ResourceRow.deleted_at.is_(None),
            visible(access, ResourceRow.connection_id),
        )
        .order_by(ResourceRow.first_observed_at.desc())
        .limit(1)
    ).first()
    return item_of(row) if row else None
