"""What beat asks for every few seconds: queue what is due, and say which runs to send."""

from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy.orm import Session

from app.domain.access import SYSTEM
from app.domain.weeks import report_at, week_of
from app.kit.settings import settings
from app.services import evaluations, findings, sweeps
from app.store import ledger


def due_runs(session: Session, *, now: datetime) -> tuple[UUID, ...]:
    """Queues due work and gives the runs whose message has to be sent after the commit.

    Any number of callers at once do no harm: each piece of work has its slot.
    """
    sweeps.enqueue_due(session, now=now)
    evaluations.request(session, slot=f"hour {now:%Y-%m-%dT%H}", now=now)
    for work in (_housekeeping(now), *_report(now)):
        ledger.enqueue(session, work, access=SYSTEM, now=now)
    findings.expire(session, now=now)
    resend_after = timedelta(seconds=settings().resend_after_seconds)
    return ledger.due(session, now=now, resend_after=resend_after)


def _housekeeping(now: datetime) -> ledger.Work:
    return ledger.Work("housekeeping", f"day {now:%Y-%m-%d}", {}, subject="housekeeping")


def _report(now: datetime) -> tuple[ledger.Work, ...]:
    """The report of the week before, from Monday 06:00 on; late if nothing ran then."""
    zone = settings().zone
    week = week_of(now, zone).previous()
    if now < report_at(week, zone):
        return ()
    ended = str(week)
    return (ledger.Work("report", f"{ended} {zone.key}", {"week": ended}, subject="report"),)
