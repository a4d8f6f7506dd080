"""Exact counts of resources from the maintained roll-up: no request counts the estate itself."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from app.domain.access import Access
from app.store.models.tallies import PlaceTallyRow, ResourceTallyRow
from app.store.scoping import key_of, visible

_COLUMNS: dict[tuple[str, str], ColumnElement[int] | InstrumentedAttribute[int]] = {
    ("live", ""): ResourceTallyRow.live,
    ("live", "non_compliant"): ResourceTallyRow.breached,
    ("live", "unknown"): ResourceTallyRow.unsure,
    ("live", "compliant"): ResourceTallyRow.clean,
    ("deleted", ""): ResourceTallyRow.deleted,
    ("all", ""): ResourceTallyRow.live + ResourceTallyRow.deleted,
}


@dataclass(frozen=True, slots=True)
class RegionCopies:
    """How many copies rest in a region (None: it could not be read), by role."""

    region_id: str | None
    zone: str
    role: str
    copies: int


def count(
    session: Session,
    *,
    access: Access,
    state: str,
    verdict: str = "",
    kinds: tuple[str, ...] = (),
    **equals: str,
) -> int | None:
    """Resources with these values of kind, provider, region_id, connection_id ('' = any).

    `kinds`: of one of these, () = of any. None when the roll-up does not know this combination of
    `state` and `verdict`.
    """
    column = _COLUMNS.get((state, verdict))
    if column is None:
        return None
    statement = select(func.coalesce(func.sum(column), 0)).where(
        visible(access, ResourceTallyRow.connection_id), *_of(kinds)
    )
    for name, value in equals.items():
        if value:
            wanted = key_of(value, "connection") if name == "connection_id" else value
            statement = statement.where(getattr(ResourceTallyRow, name) == wanted)
    return int(session.scalar(statement) or 0)


def _of(kinds: tuple[str, ...]) -> tuple[ColumnElement[bool], ...]:
    return (ResourceTallyRow.kind.in_(kinds),) if kinds else ()


def count_resources(session: Session, *, access: Access, kinds: tuple[str, ...] = ()) -> int:
    """Live resources, of some kinds or all."""
    return count(session, access=access, state="live", kinds=kinds) or 0


def facets(
    session: Session, *, access: Access, kinds: tuple[str, ...] = ()
) -> dict[str, list[tuple[str, int]]]:
    """Live resources by provider, region_id ('' = not readable) and kind; the most first."""
    return {
        name: _facet(session, access, column, kinds)
        for name, column in (
            ("provider", ResourceTallyRow.provider),
            ("region_id", ResourceTallyRow.region_id),
            ("kind", ResourceTallyRow.kind),
        )
    }


def _facet(
    session: Session, access: Access, column: InstrumentedAttribute[str], kinds: tuple[str, ...]
) -> list[tuple[str, int]]:
    number: ColumnElement[Any] = func.sum(ResourceTallyRow.live)
    rows = session.execute(
        select(column, number)
        .where(visible(access, ResourceTallyRow.connection_id), *_of(kinds))
        .group_by(column)
        .having(number > 0)
        .order_by(number.desc(), column)
    )
    return [(value, int(found)) for value, found in rows]


def kinds_of(
    session: Session, *, access: Access, provider: str, kinds: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """Kinds of resource, of `kinds` if given, that a provider has here."""
    return tuple(
        session.scalars(
            select(ResourceTallyRow.kind)
            .distinct()
            .where(
                visible(access, ResourceTallyRow.connection_id),
                ResourceTallyRow.provider == provider,
                *_of(kinds),
            )
            .order_by(ResourceTallyRow.kind)
        )
    )


def copies_by_region(session: Session, *, access: Access) -> tuple[RegionCopies, ...]:
    """Copies that live resources keep, by region, legal zone and role; the most first."""
    row = PlaceTallyRow
    number: ColumnElement[Any] = func.sum(row.copies)
    found = session.execute(
        select(row.region_id, row.zone, row.role, number)
        .where(visible(access, row.connection_id))
        .group_by(row.region_id, row.zone, row.role)
        .order_by(number.desc(), row.region_id, row.role)
    )
    return tuple(
        RegionCopies(region or None, zone, role, int(copies))
        for region, zone, role, copies in found
    )
