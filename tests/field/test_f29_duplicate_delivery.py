"""F29: the same window delivered twice is worked once, under the same id or another."""

import json
import threading
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import Engine, func, select

from app.domain.access import SYSTEM
from app.domain.collecting import ResourceSeen
from app.domain.facts import ABSENT, Present
from app.services.work import Desk, perform
from app.store import ledger
from app.store.models.compliance import FindingEventRow, FindingRow
from app.store.models.inventory import ResourceRevisionRow, ResourceRow, SweepRow
from app.store.models.work import RunRow
from tests import build
from tests.build import Cloud, Transactions
from tests.support.stores import bucket

FILE = Path(__file__).parent / "inputs" / "f29_duplicate_delivery.json"
INPUT = json.loads(FILE.read_text("utf-8"))
ENDS = datetime.fromisoformat(INPUT["args"]["window_end"])
POLICY = "versioning-on"


def sample(given: dict[str, Any]) -> ResourceSeen:
    """A sample that breaks the policy when the input's one is idle."""
    idle = given["util"] < INPUT["finding_if_util_below"]
    facts = bucket(versioning_status=ABSENT if idle else Present("Enabled"))
    return build.seen(f"{given['gpu']} {given['ts']}", facts=facts)


class Case:
    """The input's window as one run of the ledger, and a collector that can be held up."""

    def __init__(self, engine: Engine) -> None:
        self.transactions: Transactions = build.transactions_of(engine)
        self.desk = Desk(self.transactions)
        self.cloud = Cloud([sample(given) for given in INPUT["collector_returns"]])
        self.cloud.before_each = self._wait
        self.reached, self.go_on = threading.Event(), threading.Event()
        with self.transactions() as session:
            self.connection_id = build.connection(session).id

    def _wait(self, _: ResourceSeen) -> None:
        self.reached.set()
        assert self.go_on.wait(60)

    def enqueue(self, slot: str) -> UUID | None:
        work = ledger.Work(
            "sweep",
            slot,
            {"connection_id": str(self.connection_id), "collector_id": "aws_s3"},
            subject=str(self.connection_id),
        )
        with self.transactions() as session:
            return ledger.enqueue(session, work, access=SYSTEM, now=ENDS)

    def evaluate(self) -> None:
        with self.transactions() as session:
            build.evaluate(session)

    def count(self, table: type[Any]) -> int:
        with self.transactions() as session:
            return session.scalar(select(func.count()).select_from(table)) or 0

    def counts(self) -> dict[str, int]:
        tables = (ResourceRow, ResourceRevisionRow, FindingRow, FindingEventRow)
        return {table.__tablename__: self.count(table) for table in tables}


ONCE = {"resource": 3, "resource_revision": 3, "finding": 1, "finding_event": 1}
WINDOW = "c-1 2026-03-02T00:00/01:00"


@pytest.fixture
def case(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> Case:
    found = Case(engine)
    build.play(monkeypatch, build.collector(found.cloud))
    build.only(monkeypatch, POLICY)
    return found


def test_a_second_delivery_while_the_first_works_does_nothing(case: Case) -> None:
    run_id = case.enqueue(WINDOW)
    assert run_id is not None
    first = threading.Thread(target=perform, args=(case.desk, run_id))
    first.start()
    assert case.reached.wait(60)
    assert perform(case.desk, run_id) is None
    case.go_on.set()
    first.join()
    case.evaluate()
    assert case.counts() == ONCE
    assert (case.cloud.reads, case.count(SweepRow)) == (1, 1)


def test_a_delivery_after_completion_changes_nothing(case: Case) -> None:
    case.go_on.set()
    run_id = case.enqueue(WINDOW)
    assert run_id is not None
    assert perform(case.desk, run_id) == ("sweep", "done")
    case.evaluate()
    for _ in range(2):
        assert perform(case.desk, run_id) is None
        case.evaluate()
    assert case.counts() == ONCE
    assert (case.cloud.reads, case.count(SweepRow)) == (1, 1)
    with case.transactions() as session:
        row = session.get_one(RunRow, run_id)
        assert (row.state, row.starts, row.fence) == ("done", 1, 1)


def test_the_same_window_under_another_id_is_not_queued(case: Case) -> None:
    assert case.enqueue(WINDOW) is not None
    assert case.enqueue(WINDOW) is None


def test_another_run_of_the_same_source_waits_and_then_adds_nothing(case: Case) -> None:
    run_id, other = case.enqueue(WINDOW), case.enqueue("asked by hand")
    assert run_id is not None
    assert other is not None
    first = threading.Thread(target=perform, args=(case.desk, run_id))
    first.start()
    assert case.reached.wait(60)
    assert perform(case.desk, other) is None
    case.go_on.set()
    first.join()
    case.evaluate()
    assert perform(case.desk, other) == ("sweep", "done")
    case.evaluate()
    assert case.counts() == ONCE


def test_an_unknown_run_does_nothing(case: Case) -> None:
    assert perform(case.desk, UUID(INPUT["task_id"])) is None
    assert case.cloud.reads == 0
