"""Runs of the ledger as a worker would claim them."""

from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy.orm import Session

from app.domain.access import SYSTEM
from app.services import sweeps
from app.store import ledger
from app.store.models.work import RunRow


def claim_sweep(
    session: Session, connection_id: str, collector_id: str, now: datetime, cell: str = ""
) -> ledger.Claim:
    """The claim of a sweep asked for now, of one collector and cell."""
    subject = sweeps.subject_of(connection_id, collector_id, cell)
    asked = sweeps.request_sweep(session, access=SYSTEM, connection_id=connection_id, now=now)
    runs = [session.get_one(RunRow, UUID(run_id)) for run_id in asked]
    (wanted,) = (run.id for run in runs if run.subject == subject)
    claimed = ledger.claim(session, wanted, now=now, lease=timedelta(minutes=5))
    assert claimed is not None
    return claimed
