"""The task of workers: one run of the ledger; the message carries only its id."""

from uuid import UUID

from celery import shared_task
from celery.exceptions import SoftTimeLimitExceeded
from prometheus_client import Counter

from app.services.work import Desk, perform
from app.store.session import transaction

RUNS = Counter("atalaya_runs", "Attempts at runs that ended, by how.", ["kind", "state"])


@shared_task(name="atalaya.work")
def work(run_id: str) -> None:
    """Does the run, unless it is done, under way or must wait."""
    ended = perform(Desk(transaction, overdue=SoftTimeLimitExceeded), UUID(run_id))
    if ended is not None:
        RUNS.labels(*ended).inc()
