"""Runs of the ledger as a worker would claim them."""

from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from app.domain.access import SYSTEM
from app.domain.collecting import WHOLE, Cell
from app.kit.ids import uuid7
from app.services import sweeps
from app.store import ledger


def claim_sweep(
    session: Session, connection_id: str, collector_id: str, now: datetime, cell: Cell = WHOLE
) -> ledger.Claim:
    """The claim of a sweep of one collector and cell: the one that waits, else one of our own."""
    subject = sweeps.subject_of(connection_id, collector_id, str(cell))
    args = {
        "connection_id": connection_id,
        "collector_id": collector_id,
        "sub_account_id": cell.sub_account_id,
        "region_id": cell.region_id,
    }
    asked = ledger.Work("sweep", f"{subject}/{uuid7()}", args, subject)
    run_id = ledger.active(session, kind="sweep", subject=subject) or ledger.enqueue(
        session, asked, access=SYSTEM, now=now
    )
    assert run_id is not None
    claimed = ledger.claim(session, run_id, now=now, lease=timedelta(minutes=5))
    assert claimed is not None
    return claimed
