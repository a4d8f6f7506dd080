"""Evaluations are asked for often and run seldom."""

from datetime import datetime, timedelta
from uuid import UUID, uuid4

from sqlalchemy.orm import Session

from app.services import evaluations
from app.store import ledger

ONE, OTHER = uuid4(), uuid4()


def asked(session: Session, slot: str, now: datetime, connection_id: UUID | None) -> UUID | None:
    return evaluations.request(session, slot=slot, now=now, connection_id=connection_id)


def test_one_that_waits_serves_every_sweep_of_its_connection(
    session: Session, now: datetime
) -> None:
    assert asked(session, "sweep 1", now, ONE)
    assert asked(session, "sweep 2", now, ONE) is None
    assert asked(session, "sweep 3", now, OTHER)
    assert asked(session, "hour 1", now, None)
    assert asked(session, "policy 1", now, None)


def test_one_that_has_begun_may_have_passed_what_a_sweep_wrote(
    session: Session, now: datetime
) -> None:
    run_id = asked(session, "sweep 1", now, ONE)
    assert run_id
    assert ledger.claim(session, run_id, now=now, lease=timedelta(minutes=1))
    assert asked(session, "sweep 2", now, ONE)
    assert asked(session, "sweep 3", now, ONE) is None
