"""Does one run of the ledger: claims it, keeps its lease, does the work, says how it ended."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

import structlog
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from app.domain.access import SYSTEM
from app.domain.collecting import SweepState
from app.kit.clock import utc_now
from app.kit.errors import AtalayaError
from app.kit.settings import settings
from app.services import evaluate, housekeeping, reports, sweep_run
from app.store import ledger, sweep_records

log = structlog.get_logger()
RETRY_AFTER = timedelta(seconds=60)

Transactions = Callable[[], AbstractContextManager[Session]]


class OverdueError(Exception):
    """The base of whatever the door raises when work takes longer than it may."""


@dataclass(frozen=True, slots=True)
class Desk:
    """What a worker process has: transactions, and the error that ends work that takes too long."""

    transactions: Transactions
    overdue: type[Exception] = OverdueError


def perform(desk: Desk, run_id: UUID) -> tuple[str, str] | None:
    """Does a run if it is ours to do; (kind, state) then: done, queued (again), failed or lost.

    None for duplicates, for runs that must wait, and for those that were given up.
    """
    lease = timedelta(seconds=settings().lease_seconds)
    with desk.transactions() as session:
        claimed = ledger.claim(session, run_id, now=utc_now(), lease=lease)
        if claimed is None:
            sweep_records.abandon(session, run_id, now=utc_now())
    if claimed is None:
        return None
    with structlog.contextvars.bound_contextvars(run_id=str(run_id), kind=claimed.kind):
        with _heartbeat(desk.transactions, claimed, lease):
            state = _attempt(desk, claimed)
        log.info("run.ended", state=state, starts=claimed.starts)
    return claimed.kind, state


def _attempt(desk: Desk, claimed: ledger.Claim) -> str:
    transactions = desk.transactions
    try:
        return HANDLERS[claimed.kind](transactions, claimed, utc_now())
    except ledger.LeaseLostError:
        log.warning("run.taken_over")
        return "lost"
    except AtalayaError as error:
        log.warning("run.refused", detail=error.detail)
        return _give_back(transactions, claimed, f"{error.title}: {error.detail}", retry=False)
    except desk.overdue:
        log.exception("run.overdue")
        return _give_back(transactions, claimed, "took longer than a run may", retry=False)
    except Exception as error:
        log.exception("run.broke")
        return _give_back(transactions, claimed, f"{type(error).__name__}: {error}", retry=True)


def _give_back(
    transactions: Transactions, claimed: ledger.Claim, error: str, *, retry: bool
) -> str:
    now = utc_now()
    retry_at = now + RETRY_AFTER * claimed.starts if retry else None
    try:
        with transactions() as session:
            again = ledger.fail(session, claimed, now=now, error=error, retry_at=retry_at)
    except ledger.LeaseLostError:
        return "lost"
    return "queued" if again else "failed"


@contextmanager
def _heartbeat(
    transactions: Transactions, claimed: ledger.Claim, lease: timedelta
) -> Iterator[None]:
    """Extends the lease every third of it, until the work ends or the lease is lost."""
    stop = threading.Event()

    def beat() -> None:
        while not stop.wait(lease.total_seconds() / 3):
            try:
                with transactions() as session:
                    ledger.extend(session, claimed, now=utc_now(), lease=lease)
            except ledger.LeaseLostError:
                return
            except DBAPIError:  # a busy database: the next beat may get through
                log.warning("run.heartbeat_missed")

    thread = threading.Thread(target=beat, name="heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _sweep(transactions: Transactions, claimed: ledger.Claim, now: datetime) -> str:
    state = sweep_run.run_sweep(transactions, run=claimed, now=now)
    return "failed" if state is SweepState.FAILED else "done"


def _evaluate(transactions: Transactions, claimed: ledger.Claim, now: datetime) -> str:
    evaluate.run_evaluation(transactions, run=claimed, now=now)
    return "done"


def _report(transactions: Transactions, claimed: ledger.Claim, now: datetime) -> str:
    with transactions() as session:
        reports.make(session, access=SYSTEM, week=str(claimed.args["week"]), now=now)
        ledger.finish(session, claimed, now=utc_now())
    return "done"


def _housekeeping(transactions: Transactions, claimed: ledger.Claim, now: datetime) -> str:
    swept = housekeeping.clean_up(transactions, now=now)
    log.info("housekeeping.done", **swept)
    with transactions() as session:
        ledger.finish(session, claimed, now=utc_now())
    return "done"


HANDLERS: Mapping[str, Callable[[Transactions, ledger.Claim, datetime], str]] = {
    "sweep": _sweep,
    "evaluate": _evaluate,
    "report": _report,
    "housekeeping": _housekeeping,
}
