"""Counts the roll-ups anew, in the transaction that changed what they count.

Counting a connection of 100,000 resources reads one index (tens of milliseconds in a worker);
in return no page counts anything, and no increment can drift.
"""

from collections.abc import Mapping
from uuid import UUID

from sqlalchemy import ColumnElement, and_, case, delete, func, insert, select
from sqlalchemy.orm import Session

from app.domain.compliance import Verdict
from app.store.base import Base
from app.store.models.compliance import FindingRow, VerdictRow
from app.store.models.inventory import ResourcePlaceRow, ResourceRow
from app.store.models.tallies import (
    FindingTallyRow,
    PlaceTallyRow,
    ResourceTallyRow,
    VerdictTallyRow,
)


def _sum(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return func.sum(case((condition, 1), else_=0))


def count_resources(session: Session, connection_id: UUID) -> None:
    """Resources by kind and region. Call it when some appeared, vanished, moved or were judged."""
    row = ResourceRow
    live = row.deleted_at.is_(None)
    sound = and_(live, row.worst_rank >= 0, row.non_compliant_count == 0, row.unknown_count == 0)
    region = func.coalesce(row.region_id, "")
    counted = session.execute(
        select(
            row.kind,
            region,
            row.provider,
            _sum(live),
            _sum(row.deleted_at.is_not(None)),
            _sum(and_(live, row.non_compliant_count > 0)),
            _sum(and_(live, row.unknown_count > 0)),
            _sum(sound),
        )
        .where(row.connection_id == connection_id)
        .group_by(row.kind, row.region_id, row.provider)
    )
    names = ("kind", "region_id", "provider", "live", "deleted", "breached", "unsure", "clean")
    _replace(
        session,
        ResourceTallyRow,
        connection_id,
        [dict(zip(names, r, strict=True)) for r in counted],
    )


def count_places(session: Session, connection_id: UUID) -> None:
    """Copies by region, role and zone. Call it when places were written."""
    row = ResourcePlaceRow
    counted = session.execute(
        select(row.region_id, row.role, row.zone, func.count())
        .where(row.connection_id == connection_id)
        .group_by(row.region_id, row.role, row.zone)
    )
    names = ("region_id", "role", "zone", "copies")
    _replace(
        session, PlaceTallyRow, connection_id, [dict(zip(names, r, strict=True)) for r in counted]
    )


def count_findings(session: Session, connection_id: UUID) -> None:
    """Findings by policy, tab and severity. Call it when a finding moved between tabs."""
    row = FindingRow
    counted = session.execute(
        select(row.policy_id, row.tab, row.severity, row.pillar, func.count())
        .where(row.connection_id == connection_id)
        .group_by(row.policy_id, row.tab, row.severity, row.pillar)
    )
    names = ("policy_id", "tab", "severity", "pillar", "findings")
    _replace(
        session, FindingTallyRow, connection_id, [dict(zip(names, r, strict=True)) for r in counted]
    )


def count_verdicts(
    session: Session,
    connection_id: UUID,
    standing: Mapping[str, tuple[str, bool]] | None = None,
) -> None:
    """Verdicts by policy. `standing`: pillar and whether it is enforced, by policy id.

    Without `standing` policies keep what the last evaluation said of them.
    """
    if standing is None:
        standing = _standing(session, connection_id)
    found: dict[str, dict[str, int]] = {}
    counted = session.execute(
        select(VerdictRow.policy_id, VerdictRow.verdict, VerdictRow.waived, func.count())
        .where(VerdictRow.connection_id == connection_id)
        .group_by(VerdictRow.policy_id, VerdictRow.verdict, VerdictRow.waived)
    )
    for policy_id, verdict, waived, number in counted:
        word = "waived" if waived else verdict
        found.setdefault(policy_id, dict.fromkeys((*Verdict, "waived"), 0))[word] += number
    rows = [
        {"policy_id": policy_id, "pillar": pillar, "enforced": enforced, **found[policy_id]}
        for policy_id, (pillar, enforced) in standing.items()
        if policy_id in found
    ]
    _replace(session, VerdictTallyRow, connection_id, rows)


def _standing(session: Session, connection_id: UUID) -> dict[str, tuple[str, bool]]:
    rows = session.execute(
        select(VerdictTallyRow.policy_id, VerdictTallyRow.pillar, VerdictTallyRow.enforced).where(
            VerdictTallyRow.connection_id == connection_id
        )
    )
    return {policy_id: (pillar, enforced) for policy_id, pillar, enforced in rows}


def _replace(
    session: Session, row: type[Base], connection_id: UUID, values: list[dict[str, object]]
) -> None:
    table = row.__table__
    session.execute(delete(row).where(table.c.connection_id == connection_id))
    if values:
        stamped = [{"connection_id": connection_id, **value} for value in values]
        session.execute(insert(row), stamped)
