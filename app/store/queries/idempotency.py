"""Answers once given to writes with an Idempotency-Key, in SQL."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import delete, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from app.store.models.accounts import IdempotencyKeyRow


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """What is known under a key; `status` None: the first request is still being answered."""

    request_digest: str
    status: int | None
    body: dict[str, Any] | None
    created_at: datetime


def claim(session: Session, *, actor: str, key: str, digest: str, now: datetime) -> bool:
    """Takes the key for this request; False when it is taken already."""
    insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    row = IdempotencyKeyRow
    taken = session.execute(
        insert(row)
        .values(actor=actor, key=key, request_digest=digest, created_at=now)
        .on_conflict_do_nothing(index_elements=[row.actor, row.key])
        .returning(row.key)
    )
    return taken.first() is not None


def find(session: Session, *, actor: str, key: str) -> KeptAnswer | None:
    """What is known under the key."""
    row = IdempotencyKeyRow
    found = session.execute(
        select(row.request_digest, row.status, row.body, row.created_at).where(
            row.actor == actor, row.key == key
        )
    ).first()
    return None if found is None else KeptAnswer(*found)


def keep(session: Session, *, actor: str, key: str, status: int, body: dict[str, Any]) -> bool:
    """Writes the answer under a key that is claimed; False when the claim was lost."""
    row = IdempotencyKeyRow
    kept = session.execute(
        update(row)
        .where(row.actor == actor, row.key == key, row.status.is_(None))
        .values(status=status, body=body)
        .returning(row.key)
    )
    return kept.first() is not None


def release(session: Session, *, actor: str, key: str) -> None:
    """Gives up a claim that came to nothing."""
    row = IdempotencyKeyRow
    session.execute(delete(row).where(row.actor == actor, row.key == key, row.status.is_(None)))


def forget(session: Session, *, answered_before: datetime, claimed_before: datetime) -> None:
    """Drops old answers, and claims whose request must have died."""
    row = IdempotencyKeyRow
    session.execute(delete(row).where(row.created_at <= answered_before))
    session.execute(delete(row).where(row.created_at <= claimed_before, row.status.is_(None)))
