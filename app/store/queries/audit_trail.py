"""The audit trail in SQL."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from app.domain.access import Access
from app.store.models.accounts import AuditEventRow


@dataclass(frozen=True, slots=True)
class AuditEvent:
    """Who (`actor`) did what (`action`) to which thing, and when."""

    at: datetime
    actor: str
    action: str
    subject_kind: str
    subject_id: str
    detail: str


def add(session: Session, event: AuditEvent) -> None:
    """Adds one event."""
    session.execute(
        insert(AuditEventRow).values(
            at=event.at,
            actor=event.actor,
            action=event.action,
            subject_kind=event.subject_kind,
            subject_id=event.subject_id,
            detail=event.detail,
        )
    )


def events_of(
    session: Session, *, access: Access, subject: tuple[str, str], limit: int = 50
) -> tuple[AuditEvent, ...]:
    """The newest events of one thing, newest first. Callers limited to connections see none."""
    if access.connection_ids is not None:
        return ()
    kind, identifier = subject
    row = AuditEventRow
    found = session.execute(
        select(row.at, row.actor, row.action, row.subject_kind, row.subject_id, row.detail)
        .where(row.subject_kind == kind, row.subject_id == identifier)
        .order_by(row.id.desc())
        .limit(limit)
    )
    return tuple(AuditEvent(*values) for values in found)
