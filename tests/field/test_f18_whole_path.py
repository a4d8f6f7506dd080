"""F18 through the product: verdicts age by our receipt, a reporter's clock is only told of."""

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.orm import Session

from app.domain.access import SYSTEM
from app.domain.facts import Present
from app.store.queries import compliance, connections
from tests import build
from tests.build import Cloud
from tests.support.stores import bucket

INPUT = json.loads((Path(__file__).parent / "inputs" / "f18_clock_skew.json").read_text("utf-8"))
NOW = datetime.fromisoformat(INPUT["now"])
POLICY = "versioning-on"


def received(report: dict[str, Any]) -> datetime:
    return datetime.fromisoformat(report["received_at"])


def skew_seconds(report: dict[str, Any]) -> float:
    collected = datetime.fromisoformat(report["collected_at"])
    return (collected - received(report)).total_seconds()


@pytest.fixture
def swept(session: Session, monkeypatch: pytest.MonkeyPatch) -> Session:
    """Each agent is a connection whose one bucket was compliant when its report arrived."""
    cloud = Cloud()
    hours = timedelta(hours=INPUT["fresh_within_hours"])
    build.play(monkeypatch, build.collector(cloud, every=hours, grace=timedelta(0)))
    build.only(monkeypatch, POLICY)
    for report in sorted(INPUT["reports"], key=received):
        agent = build.connection(session, report["agent"])
        versions = bucket(versioning_status=Present("Enabled"))
        cloud.resources = [build.seen(f"of {agent.name}", facts=versions)]
        cloud.reports = [build.report(clock_skew_seconds=skew_seconds(report))]
        build.sweep(build.within(session), agent.id, now=received(report))
    build.evaluate(session, now=NOW)
    return session


def test_only_what_arrived_long_ago_is_no_longer_known(swept: Session) -> None:
    page = compliance.search_verdicts(swept, access=SYSTEM, policy_id=POLICY)
    assert {item.resource_name: item.verdict for item in page.items} == {
        "of A": "unknown",
        "of B": "compliant",
        "of C": "compliant",
    }


def test_skewed_clocks_are_flagged_on_the_sweep(swept: Session) -> None:
    flagged = {
        item.name: item.last_sweep.trace.get("clock_skew_seconds")
        for item in connections.list_connections(swept, access=SYSTEM)
        if item.last_sweep
    }
    assert flagged == {"A": 79 * 3600, "B": -8940, "C": None}


def test_ages_are_those_of_receipt(swept: Session) -> None:
    ages = {
        item.name: round((NOW - item.last_good_at).total_seconds() / 3600, 2)
        for item in connections.list_connections(swept, access=SYSTEM)
        if item.last_good_at
    }
    assert ages == {"A": 72.0, "B": 0.02, "C": 0.0}
