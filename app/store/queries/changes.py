"""What changed lately: findings, resources and policies, newest first."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Row, Select, literal_column, select
from sqlalchemy.orm import Session

from app.domain.access import Access
from app.store.models.accounts import AuditEventRow
from app.store.models.compliance import FindingRow
from app.store.models.inventory import ResourceRevisionRow, ResourceRow
from app.store.scoping import visible


class ChangeKind(StrEnum):
    """What happened."""

    FINDING_OPENED = "finding_opened"
    FINDING_RESOLVED = "finding_resolved"
    RESOURCE_APPEARED = "resource_appeared"
    RESOURCE_CHANGED = "resource_changed"
    RESOURCE_DELETED = "resource_deleted"
    POLICY_CHANGED = "policy_changed"


@dataclass(frozen=True, slots=True)
class ChangeItem:
    """One change. `subject_id`: number of a finding, id of a resource or policy.

    `name` is the resource's, or the policy's id; `detail` is the finding's title, the reason why
    it was closed, the kind of resource, or what was done to the policy.
    """

    at: datetime
    kind: ChangeKind
    subject_id: str
    name: str
    detail: str


AnyRow = Row[*tuple[Any, ...]]


def recent_changes(
    session: Session, *, access: Access, since: datetime, limit: int = 20
) -> tuple[ChangeItem, ...]:
    """At most `limit` changes since an instant, newest first; each kind is read by its index.

    Changes of policies concern the whole estate: a caller limited to connections sees none.
    """
    found = [
        ChangeItem(row.at, kind, str(row.subject), row.name, row.detail)
        for kind, statement in _statements(access, since)
        for row in session.execute(statement.limit(limit))
    ]
    return tuple(sorted(found, key=lambda change: change.at, reverse=True)[:limit])


def _statements(
    access: Access, since: datetime
) -> Iterator[tuple[ChangeKind, Select[*tuple[Any, ...]]]]:
    for kind, make in _MAKERS.items():
        yield kind, make(access, since)
    if access.connection_ids is None:
        yield ChangeKind.POLICY_CHANGED, _policies(since)


def _opened(access: Access, since: datetime) -> Select[*tuple[Any, ...]]:
    return (
        _findings(FindingRow.opened_at, FindingRow.title, access)
        .where(FindingRow.opened_at >= since)
        .order_by(FindingRow.opened_at.desc(), FindingRow.id.desc())
    )


def _resolved(access: Access, since: datetime) -> Select[*tuple[Any, ...]]:
    return (
        _findings(FindingRow.resolved_at, FindingRow.close_reason, access)
        .where(FindingRow.resolved_at >= since)
        .order_by(FindingRow.resolved_at.desc(), FindingRow.id.desc())
    )


def _findings(at: Any, detail: Any, access: Access) -> Select[*tuple[Any, ...]]:  # noqa: ANN401
    return (
        select(
            at.label("at"),
            FindingRow.number.label("subject"),
            ResourceRow.name,
            detail.label("detail"),
        )
        .outerjoin(ResourceRow, ResourceRow.id == FindingRow.resource_id)
        .where(visible(access, FindingRow.connection_id))
    )


def _appeared(access: Access, since: datetime) -> Select[*tuple[Any, ...]]:
    row = ResourceRow
    return _resources(row.first_observed_at, access, since)


def _deleted(access: Access, since: datetime) -> Select[*tuple[Any, ...]]:
    gone = ResourceRow.deleted_at.is_not(None)
    return _resources(ResourceRow.deleted_at, access, since).where(gone)


def _resources(at: Any, access: Access, since: datetime) -> Select[*tuple[Any, ...]]:  # noqa: ANN401
    row = ResourceRow
    return (
        select(at.label("at"), row.id.label("subject"), row.name, row.kind.label("detail"))
        .where(at >= since, visible(access, row.connection_id))
        .order_by(at.desc(), row.id.desc())
    )


def _changed(access: Access, since: datetime) -> Select[*tuple[Any, ...]]:
    revision = ResourceRevisionRow
    return (
        select(
            revision.valid_from.label("at"),
            revision.resource_id.label("subject"),
            revision.name,
            ResourceRow.kind.label("detail"),
        )
        .outerjoin(ResourceRow, ResourceRow.id == revision.resource_id)
        .where(
            revision.valid_from >= since,
            revision.number > literal_column("1"),  # a bound 1 would not match the partial index
            visible(access, ResourceRow.connection_id),
        )
        .order_by(revision.valid_from.desc(), revision.id.desc())
    )


_MAKERS: Mapping[ChangeKind, Callable[[Access, datetime], Select[*tuple[Any, ...]]]] = {
    ChangeKind.FINDING_OPENED: _opened,
    ChangeKind.FINDING_RESOLVED: _resolved,
    ChangeKind.RESOURCE_APPEARED: _appeared,
    ChangeKind.RESOURCE_CHANGED: _changed,
    ChangeKind.RESOURCE_DELETED: _deleted,
}


def _policies(since: datetime) -> Select[*tuple[Any, ...]]:
    row = AuditEventRow
    return (
        select(
            row.at,
            row.subject_id.label("subject"),
            row.subject_id.label("name"),
            row.action.label("detail"),
        )
        .where(row.subject_kind == "policy", row.at >= since)
        .order_by(row.id.desc())
    )
