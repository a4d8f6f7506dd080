"""The task of beat: every few seconds, send what is due."""

from celery import shared_task

from app.kit.clock import utc_now
from app.kit.settings import settings
from app.services import dispatch as due
from app.services.health import note_dispatch
from app.store.session import transaction
from app.tasks.work import work


@shared_task(name="atalaya.dispatch")
def dispatch() -> None:
    """Queues due work and, once that is committed, sends its ids.

    A message that waits too long is worth nothing: by then another one has been sent.
    """
    now = utc_now()
    with transaction() as session:
        runs = due.due_runs(session, now=now)
    for run_id in runs:
        work.apply_async((str(run_id),), expires=settings().resend_after_seconds)
    note_dispatch(now)
