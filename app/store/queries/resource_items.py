"""One resource as lists and details show it: the columns to select and the value they make."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Select, select

from app.domain.facts import FactSet
from app.store.keyset import AnyRow
from app.store.models.inventory import ConnectionRow, ResourceRevisionRow, ResourceRow

NO_FACTS = FactSet(present={}, absent=frozenset(), unreadable={})


@dataclass(frozen=True, slots=True)
class ResourceItem:
    """A resource with its present facts.

    `worst_rank`: severity rank of its worst open finding (0 nothing … 4 critical), -1 not judged.
    The counts are verdicts of enforced policies; waived ones are left out. `observed_at` is our
    receipt time of the last sweep that saw it.
    """

    id: str
    kind: str
    provider: str
    connection_id: str
    connection_name: str
    native_id: str
    name: str
    sub_account_id: str
    region_id: str | None
    tags: dict[str, str] | None
    created_at: datetime | None
    first_observed_at: datetime
    observed_at: datetime
    deleted_at: datetime | None
    revision_id: str | None
    worst_rank: int
    non_compliant_count: int
    unknown_count: int
    facts: FactSet
    collector_id: str
    parent_native_id: str = ""

    @property
    def connection_key(self) -> UUID:
        """The id of the connection as the database keeps it."""
        return UUID(self.connection_id)


_COLUMNS = (
    ResourceRow.id, ResourceRow.kind, ResourceRow.provider, ResourceRow.connection_id,
    ResourceRow.native_id, ResourceRow.name, ResourceRow.sub_account_id, ResourceRow.region_id,
    ResourceRow.tags, ResourceRow.created_at, ResourceRow.first_observed_at,
    ResourceRow.observed_at, ResourceRow.deleted_at, ResourceRow.revision_id,
    ResourceRow.worst_rank, ResourceRow.worst_order, ResourceRow.non_compliant_count,
    ResourceRow.unknown_count, ResourceRow.collector_id, ResourceRow.parent_native_id,
    ConnectionRow.name.label("connection_name"), ResourceRevisionRow.facts,
)  # fmt: skip


def select_items() -> Select[*tuple[Any, ...]]:
    """Outer joins, so that SQLite walks the resources in the order of the list."""
    return (
        select(*_COLUMNS)
        .outerjoin(ConnectionRow, ConnectionRow.id == ResourceRow.connection_id)
        .outerjoin(ResourceRevisionRow, ResourceRevisionRow.id == ResourceRow.revision_id)
    )


def item_of(row: AnyRow) -> ResourceItem:
    """The value of one row of `select_items`."""
    return ResourceItem(
        id=str(row.id),
        kind=row.kind,
        provider=row.provider,
        connection_id=str(row.connection_id),
        connection_name=row.connection_name,
        native_id=row.native_id,
        name=row.name,
        sub_account_id=row.sub_account_id,
        region_id=row.region_id,
        tags=row.tags,
        created_at=row.created_at,
        first_observed_at=row.first_observed_at,
        observed_at=row.observed_at,
        deleted_at=row.deleted_at,
        revision_id=str(row.revision_id) if row.revision_id else None,
        worst_rank=row.worst_rank,
        non_compliant_count=row.non_compliant_count,
        unknown_count=row.unknown_count,
        facts=FactSet.from_json(row.facts) if row.facts else NO_FACTS,
        collector_id=row.collector_id,
        parent_native_id=row.parent_native_id,
    )
