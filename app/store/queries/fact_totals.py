"""Sums of a fact over the live resources of some kinds, with how many did not tell it."""

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.domain.access import Access
from app.store.models.inventory import ResourceRevisionRow, ResourceRow
from app.store.scoping import visible


@dataclass(frozen=True, slots=True)
class FactTotal:
    """The sum over those that told the fact; `told` of them did, of `all`."""

    sum: float
    told: int
    all: int


def sum_of_fact(
    session: Session, *, access: Access, kinds: tuple[str, ...], fact: str
) -> FactTotal:
    """Meant for kinds of which there are hundreds: it reads the facts of each."""
    value = ResourceRevisionRow.facts["present"][fact].as_float()
    row = session.execute(
        select(func.coalesce(func.sum(value), 0), func.count(value), func.count())
        .select_from(ResourceRow)
        .join(ResourceRevisionRow, ResourceRevisionRow.id == ResourceRow.revision_id)
        .where(
            visible(access, ResourceRow.connection_id),
            ResourceRow.kind.in_(kinds),
            ResourceRow.deleted_at.is_(None),
        )
    ).one()
    return FactTotal(float(row[0]), row[1], row[2])
