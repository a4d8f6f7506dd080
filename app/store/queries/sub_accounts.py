"""The accounts that a connection covers, as its account collector last saw them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain.access import Access
from app.domain.facts import FactSet
from app.domain.sub_accounts import AwsAccountFacts
from app.store.models.inventory import ResourceRevisionRow, ResourceRow
from app.store.scoping import visible


@dataclass(frozen=True, slots=True)
class SubAccount:
    """One account. Facts that could not be read are None: `enabled_regions` then says nothing.

    `own`: the connection's credentials belong to it. `state` is the provider's word.
    """

    id: str
    resource_id: str
    name: str
    own: bool
    state: str | None
    enabled_regions: tuple[str, ...] | None
    disabled_regions: tuple[str, ...] | None
    regions_source: str | None
    observed_at: datetime


def list_sub_accounts(
    session: Session, *, access: Access, connection_id: UUID
) -> tuple[SubAccount, ...]:
    """Live accounts of a connection, its own first, then by name."""
    rows = session.execute(
        select(
            ResourceRow.id,
            ResourceRow.immutable_id,
            ResourceRow.name,
            ResourceRow.observed_at,
            ResourceRevisionRow.facts,
        )
        .join(ResourceRevisionRow, ResourceRevisionRow.id == ResourceRow.revision_id)
        .where(
            visible(access, ResourceRow.connection_id),
            ResourceRow.connection_id == connection_id,
            ResourceRow.kind == AwsAccountFacts.KIND,
            ResourceRow.deleted_at.is_(None),
        )
    )
    found = (_sub_account(row) for row in rows)
    return tuple(sorted(found, key=lambda one: (not one.own, one.name, one.id)))


def _sub_account(row: Any) -> SubAccount:  # noqa: ANN401 - a row
    known = FactSet.from_json(row.facts).present
    return SubAccount(
        id=row.immutable_id,
        resource_id=str(row.id),
        name=row.name,
        own=known.get("is_own_account") is True,
        state=known.get("account_state"),
        enabled_regions=_regions(known.get("enabled_regions")),
        disabled_regions=_regions(known.get("disabled_regions")),
        regions_source=known.get("regions_source"),
        observed_at=row.observed_at,
    )


def _regions(found: list[str] | None) -> tuple[str, ...] | None:
    return None if found is None else tuple(found)
