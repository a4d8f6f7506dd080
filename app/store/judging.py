"""Reads and writes of an evaluation: resources with their facts, verdicts, and what they sum to."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import and_, delete, func, select, tuple_, update
from sqlalchemy.orm import Session

from app.domain.compliance import Verdict
from app.store import dialect
from app.store.estate import CHUNK
from app.store.models.compliance import FindingRow, VerdictRow
from app.store.models.inventory import ResourceRevisionRow, ResourceRow
from app.store.models.tallies import VerdictTallyRow


@dataclass(frozen=True, slots=True)
class Subject:
    """A live resource as policies judge it. `counts` is (worst_rank, non_compliant, unknown)."""

    id: UUID
    kind: str
    provider: str
    collector_id: str
    native_id: str
    name: str
    sub_account_id: str
    region_id: str | None
    tags: dict[str, str] | None
    created_at: datetime | None
    observed_at: datetime
    revision_id: UUID
    facts: dict[str, Any]
    counts: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Standing:
    """The verdict of a policy on a resource as it is stored."""

    policy_version: str
    verdict: str
    waived: bool
    message: str
    revision_id: UUID
    since: datetime
    evaluated_at: datetime


_COLUMNS = (
    ResourceRow.id, ResourceRow.kind, ResourceRow.provider, ResourceRow.collector_id,
    ResourceRow.native_id, ResourceRow.name, ResourceRow.sub_account_id, ResourceRow.region_id,
    ResourceRow.tags, ResourceRow.created_at, ResourceRow.observed_at, ResourceRow.revision_id,
    ResourceRevisionRow.facts, ResourceRow.worst_rank, ResourceRow.non_compliant_count,
    ResourceRow.unknown_count,
)  # fmt: skip


def kinds(session: Session, connection_id: UUID) -> tuple[str, ...]:
    """Kinds of live resources on a connection, read by skipping through the index."""
    found: list[str] = []
    while True:
        after = ResourceRow.kind > (found[-1] if found else "")
        kind = session.scalar(
            select(ResourceRow.kind)
            .where(
                ResourceRow.connection_id == connection_id, ResourceRow.deleted_at.is_(None), after
            )
            .order_by(ResourceRow.kind)
            .limit(1)
        )
        if kind is None:
            return tuple(found)
        found.append(kind)


def subjects(
    session: Session, connection_id: UUID, kind: str, *, after: UUID | None, limit: int
) -> tuple[Subject, ...]:
    """The next live resources of one kind, by id."""
    statement = (
        select(*_COLUMNS)
        .join(ResourceRevisionRow, ResourceRevisionRow.id == ResourceRow.revision_id)
        .where(
            ResourceRow.connection_id == connection_id,
            ResourceRow.kind == kind,
            ResourceRow.deleted_at.is_(None),
        )
        .order_by(ResourceRow.id)
        .limit(limit)
    )
    if after is not None:
        statement = statement.where(ResourceRow.id > after)
    return tuple(_subject(*row) for row in session.execute(statement))


def _subject(*values: Any) -> Subject:  # noqa: ANN401 - columns are of many types
    *known, worst, non_compliant, unknown = values
    return Subject(*(*known, (worst, non_compliant, unknown)))


def standings(session: Session, resource_ids: Sequence[UUID]) -> dict[tuple[str, UUID], Standing]:
    """Stored verdicts on these resources, by policy and resource."""
    found: dict[tuple[str, UUID], Standing] = {}
    row = VerdictRow
    for start in range(0, len(resource_ids), CHUNK):
        rows = session.execute(
            select(
                row.policy_id, row.resource_id, row.policy_version, row.verdict, row.waived,
                row.message, row.revision_id, row.since, row.evaluated_at,
            ).where(row.resource_id.in_(resource_ids[start : start + CHUNK]))
        )  # fmt: skip
        found.update(((row[0], row[1]), _standing(*row[2:])) for row in rows)
    return found


def _standing(*values: Any) -> Standing:  # noqa: ANN401 - columns are of many types
    return Standing(*values)


def write_verdicts(session: Session, rows: Sequence[Mapping[str, Any]]) -> None:
    """Upserts whole verdicts."""
    if rows:
        identity = ("policy_id", "resource_id")
        session.execute(
            dialect.upsert(session, VerdictRow, on=identity), [dict(row) for row in rows]
        )


def drop_verdicts(session: Session, keys: Sequence[tuple[str, UUID]]) -> None:
    """Removes verdicts that no policy gives any more."""
    for start in range(0, len(keys), CHUNK):
        pairs = tuple_(VerdictRow.policy_id, VerdictRow.resource_id)
        session.execute(
            delete(VerdictRow)
            .where(pairs.in_(keys[start : start + CHUNK]))
            .execution_options(synchronize_session=False)
        )


def drop_verdicts_of_others(session: Session, connection_id: UUID, keep: AbstractSet[str]) -> None:
    """Removes verdicts on a connection by all policies but these."""
    session.execute(
        delete(VerdictRow)
        .where(VerdictRow.connection_id == connection_id, VerdictRow.policy_id.not_in(sorted(keep)))
        .execution_options(synchronize_session=False)
    )


def write_counts(session: Session, counts: Mapping[UUID, tuple[int, int, int]]) -> None:
    """Sets (worst_rank, non_compliant_count, unknown_count) of resources."""
    rows = [
        {
            "id": resource_id,
            "worst_rank": worst,
            "worst_order": -worst,
            "non_compliant_count": non_compliant,
            "unknown_count": unknown,
        }
        for resource_id, (worst, non_compliant, unknown) in counts.items()
    ]
    if rows:
        session.execute(update(ResourceRow), rows)


def set_waived(session: Session, policy_id: str, resource_id: UUID, *, waived: bool) -> None:
    """Marks a non_compliant verdict as excused, or no longer."""
    session.execute(
        update(VerdictRow)
        .where(
            VerdictRow.policy_id == policy_id,
            VerdictRow.resource_id == resource_id,
            VerdictRow.verdict == Verdict.NON_COMPLIANT,
        )
        .values(waived=waived)
        .execution_options(synchronize_session=False)
    )


def recount(session: Session, resource_id: UUID) -> None:
    """Counts one resource's breaches anew after a waiver came or went."""
    breaches = session.scalar(
        select(func.count())
        .select_from(VerdictRow)
        .join(
            VerdictTallyRow,
            and_(
                VerdictTallyRow.connection_id == VerdictRow.connection_id,
                VerdictTallyRow.policy_id == VerdictRow.policy_id,
                VerdictTallyRow.enforced,
            ),
        )
        .where(
            VerdictRow.resource_id == resource_id,
            VerdictRow.verdict == Verdict.NON_COMPLIANT,
            VerdictRow.waived.is_(False),
        )
    )
    worst = session.scalar(
        select(func.max(FindingRow.severity_rank)).where(
            FindingRow.resource_id == resource_id,
            FindingRow.state == "open",
            FindingRow.tab != "waived",
        )
    )
    session.execute(
        update(ResourceRow)
        .where(ResourceRow.id == resource_id, ResourceRow.deleted_at.is_(None))
        .values(non_compliant_count=breaches or 0, worst_rank=worst or 0, worst_order=-(worst or 0))
        .execution_options(synchronize_session=False)
    )
