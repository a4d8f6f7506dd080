"""Asks for evaluations; running one is `evaluate`."""

from datetime import datetime
from uuid import UUID

from sqlalchemy.orm import Session

from app.domain.access import SYSTEM
from app.store import ledger

KIND = "evaluate"


def request(
    session: Session, *, slot: str, now: datetime, connection_id: UUID | None = None
) -> UUID | None:
    """Queues an evaluation of one connection or all; None when this slot was queued before.

    They run one after the other: two at once would only wait for each other's rows. One of a
    connection that has not begun serves every sweep that ends until then: a connection is read
    in hundreds of cells, and each evaluation goes over all of it.
    """
    args = {"connection_id": str(connection_id)} if connection_id else {}
    work = ledger.Work(kind=KIND, slot=slot, args=args, subject=KIND)
    if connection_id and ledger.waits(session, work, now=now):
        return None
    return ledger.enqueue(session, work, access=SYSTEM, now=now)
