"""Who did what to which thing: rows are only added, never changed."""

from datetime import datetime

from sqlalchemy.orm import Session

from app.domain.access import Access
from app.store.queries import audit_trail


def record(
    session: Session,
    *,
    access: Access,
    now: datetime,
    action: str,
    subject: tuple[str, str],
    detail: str = "",
) -> None:
    """Adds one event: `action` is dotted (`policy.save`), `subject` is (kind, id)."""
    kind, identifier = subject
    audit_trail.add(
        session,
        audit_trail.AuditEvent(now, access.actor, action, kind, identifier, detail),
    )
