"""Beat queues each piece of work once, when its time has come."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from sqlalchemy import Engine, func, select
from sqlalchemy.orm import Session

from app.kit.errors import CollectorError, NotFoundError
from app.kit.settings import settings
from app.services import dispatch, housekeeping, work
from app.services.work import Desk, perform
from app.store import ledger
from app.store.models.accounts import SessionRow, UserRow
from app.store.models.compliance import EvaluationRow
from app.store.models.inventory import ConnectionRow, SweepRow, SweepScopeRow
from app.store.models.work import ReportRow, RunRow
from tests import build
from tests.build import NOW, Cloud

DAY = timedelta(days=1)
SUNDAY = datetime(2026, 11, 29, 23, 59, tzinfo=UTC)
MONDAY_SIX = datetime(2026, 11, 30, 6, 0, tzinfo=UTC)


@pytest.fixture
def cloud(monkeypatch: pytest.MonkeyPatch) -> Cloud:
    found = Cloud([build.seen("a")])
    build.play(monkeypatch, build.collector(found))
    build.only(monkeypatch, "versioning-on")
    return found


def kinds(session: Session) -> Counter[str]:
    return Counter(session.scalars(select(RunRow.kind)))


def test_an_empty_product_evaluates_by_the_hour_and_cleans_by_the_day(session: Session) -> None:
    assert len(dispatch.due_runs(session, now=SUNDAY)) == 3
    assert dispatch.due_runs(session, now=SUNDAY + timedelta(seconds=2)) == ()
    dispatch.due_runs(session, now=SUNDAY + timedelta(minutes=1))
    assert kinds(session) == {"evaluate": 2, "housekeeping": 2, "report": 1}


def test_every_source_is_swept_in_each_interval(session: Session, cloud: Cloud) -> None:
    assert cloud.resources
    build.connection(session)
    build.connection(session, "off", enabled=False)
    build.connection(session, "elsewhere", provider="azure")
    for hour in range(24):
        dispatch.due_runs(session, now=NOW + timedelta(hours=hour))
    assert kinds(session)["sweep"] in (4, 5)  # every 6 h, by a phase of its own


def test_the_report_of_the_week_before_is_made_on_monday_at_six(session: Session) -> None:
    dispatch.due_runs(session, now=MONDAY_SIX - timedelta(seconds=1))
    assert kinds(session)["report"] == 0
    dispatch.due_runs(session, now=MONDAY_SIX)
    dispatch.due_runs(session, now=MONDAY_SIX + 3 * DAY)
    (run,) = session.scalars(select(RunRow).where(RunRow.kind == "report"))
    assert run.args == {"week": "2026-W48"}


def test_monday_begins_where_the_product_lives(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ATALAYA_TIME_ZONE", "Asia/Tokyo")
    settings.cache_clear()
    dispatch.due_runs(session, now=datetime(2026, 11, 29, 21, 0, tzinfo=UTC))
    assert kinds(session)["report"] == 1


class Office:
    """A worker's desk on a database of the test's own, and what it has done."""

    def __init__(self, engine: Engine) -> None:
        self.transactions = build.transactions_of(engine)
        self.desk = Desk(self.transactions, overdue=TimeoutError)

    def connect(self) -> UUID:
        with self.transactions() as session:
            return build.connection(session).id

    def do_all(self, now: datetime) -> Counter[tuple[str, str]]:
        """Dispatches and performs until nothing is due."""
        done: Counter[tuple[str, str]] = Counter()
        while True:
            with self.transactions() as session:
                runs = dispatch.due_runs(session, now=now)
            if not runs:
                return done
            done.update(ended for run_id in runs if (ended := perform(self.desk, run_id)))

    def runs(self, kind: str) -> list[RunRow]:
        with self.transactions() as session:
            return list(session.scalars(select(RunRow).where(RunRow.kind == kind)))


@pytest.fixture
def office(engine: Engine) -> Office:
    return Office(engine)


def test_a_sweep_leads_to_an_evaluation(office: Office, cloud: Cloud) -> None:
    assert cloud.resources
    office.connect()
    done = office.do_all(NOW)
    assert done["sweep", "done"] == 1
    assert done["report", "done"] == 1
    assert done["evaluate", "done"] == 2  # of the hour, and after the sweep
    with office.transactions() as session:
        assert len(build.open_findings(session)) == 1
        assert session.scalar(select(func.count()).select_from(ReportRow)) == 1
        assert session.scalar(select(func.count()).select_from(EvaluationRow)) == 2


def test_a_failing_collector_costs_only_itself(office: Office, cloud: Cloud) -> None:
    office.connect()
    cloud.error = CollectorError("denied", code="AccessDenied", permanent=True)
    done = office.do_all(NOW)
    assert done["sweep", "failed"] == 1
    assert done["evaluate", "done"] == 1
    assert office.runs("sweep")[0].error == "AccessDenied: denied"


def test_a_bug_is_tried_again_and_then_given_up(office: Office, cloud: Cloud) -> None:
    office.connect()
    cloud.error = ZeroDivisionError("oops")
    assert office.do_all(NOW)["sweep", "queued"] == 1
    run = office.runs("sweep")[0]
    assert (run.state, run.starts, run.error) == ("queued", 1, "ZeroDivisionError: oops")
    assert run.not_before is not None
    states = []
    for _ in range(ledger.MAX_STARTS - 1):
        with office.transactions() as session:
            session.get_one(RunRow, run.id).not_before = None
        ended = perform(office.desk, run.id)
        assert ended is not None
        states.append(ended[1])
    assert states == ["queued", "queued", "queued", "failed"]
    assert perform(office.desk, run.id) is None


def test_work_that_takes_too_long_is_not_begun_again(office: Office, cloud: Cloud) -> None:
    office.connect()
    cloud.error = TimeoutError()
    assert office.do_all(NOW)["sweep", "failed"] == 1
    assert office.runs("sweep")[0].error == "took longer than a run may"


def test_a_deleted_connection_ends_its_sweep(office: Office, cloud: Cloud) -> None:
    assert cloud.resources
    connection_id = office.connect()
    claimed = build.claim_sweep(office.transactions, connection_id)
    with office.transactions() as session:
        session.delete(session.get_one(ConnectionRow, connection_id))
    with pytest.raises(NotFoundError, match="was deleted"):
        work.HANDLERS["sweep"](office.transactions, claimed, NOW)


def test_a_run_that_was_given_up_leaves_no_sweep_running(office: Office, cloud: Cloud) -> None:
    connection_id = office.connect()
    claimed = build.claim_sweep(office.transactions, connection_id)
    with office.transactions() as session:
        session.add(
            SweepRow(
                connection_id=connection_id,
                collector_id="aws_s3",
                run_id=claimed.run_id,
                state="running",
                started_at=NOW,
            )
        )
        run = session.get_one(RunRow, claimed.run_id)
        run.starts, run.lease_until = ledger.MAX_STARTS, NOW
    assert perform(office.desk, claimed.run_id) is None
    assert cloud.reads == 0
    with office.transactions() as session:
        row = session.scalars(select(SweepRow)).one()
        assert (row.state, row.code) == ("failed", "GivenUp")
        assert session.get_one(RunRow, claimed.run_id).state == "failed"


def test_housekeeping_throws_away_what_had_its_time(session: Session) -> None:
    connection = build.connection(session)
    user = UserRow(email="a@example.org", name="A", scopes=[], created_at=NOW)
    session.add(user)
    session.flush()
    for number, expires_at in enumerate((NOW - DAY, NOW + DAY)):
        session.add(
            SessionRow(
                token_sha256=str(number),
                user_id=user.id,
                csrf_token="x",
                created_at=NOW - 2 * DAY,
                expires_at=expires_at,
            )
        )
    for days in (500, 100, 1):
        sweep = SweepRow(
            connection_id=connection.id,
            collector_id="aws_s3",
            state="complete",
            started_at=NOW - days * DAY,
        )
        session.add(sweep)
        session.flush()
        session.add(SweepScopeRow(sweep_id=sweep.id, scope="s", operation="o", permission="p"))
        session.add(
            RunRow(
                kind="sweep",
                slot=str(days),
                state="done",
                queued_at=NOW - days * DAY,
                sent_at=NOW,
                ended_at=NOW - days * DAY,
            )
        )
        session.add(EvaluationRow(started_at=NOW - days * DAY))
    session.flush()
    swept = housekeeping.clean_up(build.within(session), now=NOW)
    assert swept == {
        "sessions": 1,
        "links": 0,
        "idempotency_keys": 0,
        "runs": 2,
        "evaluations": 2,
        "coverage": 2,
        "sweeps": 1,
        "sample_sweeps": 0,
        "samples": 0,
    }
    assert housekeeping.clean_up(build.within(session), now=NOW)["runs"] == 0


def test_the_last_evaluation_is_kept_however_old(session: Session) -> None:
    session.add(EvaluationRow(started_at=NOW - 500 * DAY))
    session.flush()
    assert housekeeping.clean_up(build.within(session), now=NOW)["evaluations"] == 0
