"""Verdicts are written when they change, findings live and die by them, counts follow."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.domain.access import SYSTEM, Access
from app.domain.facts import Fact, Present, Unreadable
from app.domain.reporting import Counts
from app.policies.registry import built_in
from app.services import evaluate, findings, policies
from app.store import ledger
from app.store.models.compliance import FindingRow, VerdictRow
from app.store.models.inventory import ConnectionRow
from app.store.queries import compliance, inventory, posture
from app.store.queries.compliance import FindingFilter
from app.store.queries.inventory import ResourceFilter, ResourceSort
from tests import build
from tests.build import Cloud
from tests.support.ec2_facts import orphan_volume
from tests.support.stores import bucket

DAY = timedelta(days=1)
ON: Fact[str] = Present("Enabled")
OFF: Fact[str] = Present("Suspended")
DENIED: Fact[str] = Unreadable("AccessDenied")


class Estate:
    """Buckets with a versioning status each, swept and judged a day apart."""

    def __init__(self, session: Session, cloud: Cloud) -> None:
        self.session = session
        self.cloud = cloud
        self.now = build.NOW
        self.connection = build.connection(session)

    def show(self, **statuses: Fact[str]) -> evaluate.EvaluationSummary:
        self.cloud.resources = [
            build.seen(name, facts=bucket(versioning_status=status))
            for name, status in statuses.items()
        ]
        self.now += DAY
        build.sweep(build.within(self.session), self.connection.id, now=self.now)
        return self.judge()

    def judge(self) -> evaluate.EvaluationSummary:
        found = build.evaluate(self.session, now=self.now)
        self.session.expire_all()
        return found

    def verdicts(self) -> dict[str, str]:
        page = compliance.search_verdicts(self.session, access=SYSTEM, policy_id="versioning-on")
        return {item.resource_name: item.verdict for item in page.items}

    def numbers(self) -> list[int]:
        """All that were given in this test, in order: Postgres goes on where others stopped."""
        return list(self.session.scalars(select(FindingRow.number).order_by(FindingRow.number)))

    def finding(self, nth: int = 1) -> compliance.FindingDetail:
        number = self.numbers()[nth - 1]
        return compliance.get_finding(self.session, access=SYSTEM, number=number)


@pytest.fixture
def estate(session: Session, monkeypatch: pytest.MonkeyPatch) -> Estate:
    cloud = Cloud()
    build.play(monkeypatch, build.collector(cloud))
    build.only(monkeypatch, "versioning-on")
    return Estate(session, cloud)


def test_every_resource_gets_its_verdict_and_breaches_their_finding(estate: Estate) -> None:
    found = estate.show(a=ON, b=OFF, c=DENIED)
    assert estate.verdicts() == {"a": "compliant", "b": "non_compliant", "c": "unknown"}
    assert (found.resources, found.changed, found.opened) == (3, 3, estate.numbers())
    item = estate.finding().item
    assert (item.resource_name, item.severity) == ("b", "high")
    assert item.id == f"F-{item.number}"
    assert "suspended" in item.message
    assert estate.finding().used["facts.versioning_on"] is False


def test_a_breach_by_age_keeps_the_instant_that_it_rests_on(
    estate: Estate, monkeypatch: pytest.MonkeyPatch
) -> None:
    build.only(monkeypatch, "volume-attached")
    volume = orphan_volume()
    estate.cloud.resources = [build.seen("scratch", kind=volume.KIND, facts=volume)]
    build.sweep(build.within(estate.session), estate.connection.id, now=estate.now)
    assert estate.judge().opened == estate.numbers()
    assert estate.finding().used["resource.created_at"] == "2024-03-01T00:00:00+00:00"


def test_a_second_evaluation_changes_nothing(estate: Estate) -> None:
    estate.show(a=ON, b=OFF, c=DENIED)
    found = estate.judge()
    assert (found.changed, found.opened, found.resolved) == (0, [], [])
    assert [event.action for event in estate.finding().events] == ["opened"]


def test_a_healed_breach_closes_and_a_new_one_gets_a_new_number(estate: Estate) -> None:
    estate.show(a=OFF)
    assert estate.show(a=ON).resolved == estate.numbers()
    detail = estate.finding()
    assert (detail.item.state, detail.item.close_reason) == ("resolved", "compliant")
    assert detail.item.resolved_at == estate.now
    assert detail.item.last_observed_at == estate.now - DAY
    assert estate.show(a=OFF).opened == estate.numbers()[1:]
    assert estate.finding(2).events[0].detail == f"the breach of {detail.item.id} is back"


def test_an_unreadable_fact_closes_nothing(estate: Estate) -> None:
    estate.show(a=OFF)
    estate.show(a=DENIED)
    assert estate.verdicts() == {"a": "unknown"}
    item = estate.finding().item
    assert item.state == "open"
    assert item.last_observed_at == estate.now - DAY
    estate.show(a=DENIED)
    assert estate.finding().item.last_observed_at == item.last_observed_at


def test_while_a_breach_lasts_it_was_last_seen_when_its_resource_was(estate: Estate) -> None:
    estate.show(a=OFF)
    estate.show(a=OFF)
    assert estate.finding().item.last_observed_at == estate.now
    assert estate.finding().item.opened_at == estate.now - DAY


def test_a_deleted_resource_takes_its_findings_and_verdicts_with_it(estate: Estate) -> None:
    estate.show(a=OFF, b=ON)
    estate.show(b=ON)
    item = estate.finding().item
    assert (item.state, item.close_reason) == ("resolved", "resource_deleted")
    assert estate.verdicts() == {"b": "compliant"}
    assert compliance.policy_counts(estate.session, access=SYSTEM)["versioning-on"] == {
        "compliant": 1,
        "non_compliant": 0,
        "waived": 0,
        "unknown": 0,
        "not_applicable": 0,
    }


def test_a_failed_sweep_lets_verdicts_grow_stale_and_closes_nothing(estate: Estate) -> None:
    estate.show(a=ON, b=OFF)
    estate.now += timedelta(hours=30)  # every 6 h, grace 24 h
    estate.judge()
    assert estate.verdicts() == {"a": "compliant", "b": "non_compliant"}
    estate.now += timedelta(minutes=1)
    estate.judge()
    assert estate.verdicts() == {"a": "unknown", "b": "non_compliant"}
    (verdict,) = compliance.verdicts_of(
        estate.session,
        access=SYSTEM,
        resource_id=str(build.resources(estate.session)["a"].id),
    )
    assert "grace passed" in verdict.message
    assert estate.finding().item.state == "open"


def test_since_is_when_the_verdict_changed(estate: Estate) -> None:
    estate.show(a=OFF)
    began = estate.now
    estate.show(a=Present("Never heard of"))
    resource_id = str(build.resources(estate.session)["a"].id)
    (verdict,) = compliance.verdicts_of(estate.session, access=SYSTEM, resource_id=resource_id)
    assert (verdict.since, verdict.evaluated_at) == (began, estate.now)


def test_the_open_finding_says_what_the_newest_verdict_says(estate: Estate) -> None:
    estate.show(a=OFF)
    estate.cloud.resources = [build.seen("a")]
    estate.now += DAY
    build.sweep(build.within(estate.session), estate.connection.id, now=estate.now)
    estate.judge()
    assert estate.finding().item.message.startswith("Versioning of a is off")


def test_lists_and_counts_follow(estate: Estate) -> None:
    estate.show(a=ON, b=OFF, c=DENIED)
    session = estate.session
    page = inventory.search_resources(session, access=SYSTEM, sort=ResourceSort.WORST)
    assert [(item.name, item.worst_rank) for item in page.items] == [("b", 3), ("a", 0), ("c", 0)]
    for verdict, names in {"compliant": "a", "non_compliant": "b", "unknown": "c"}.items():
        for policy_id in ("", "versioning-on"):
            where = ResourceFilter(verdict=verdict, policy_id=policy_id)
            found = inventory.search_resources(session, access=SYSTEM, where=where)
            assert ([item.name for item in found.items], found.total) == ([names], 1)
    assert posture.posture_now(session, access=SYSTEM) == {"reproducibility": Counts(1, 1, 0, 1)}
    assert posture.posture_now(session, access=SYSTEM)["reproducibility"].score == 33
    (day,) = posture.posture_history(session, access=SYSTEM, days=30)
    assert (day.day, day.total) == (estate.now.date(), Counts(1, 1, 0, 1))
    last = compliance.last_evaluation(session, access=SYSTEM)
    assert last is not None
    assert (last.ended_at, last.resources) == (estate.now, 3)


def test_policies_off_or_only_reporting_have_no_findings(estate: Estate) -> None:
    estate.show(a=OFF)
    policies.set_mode(
        estate.session, access=SYSTEM, policy_id="versioning-on", mode="report", now=estate.now
    )
    assert estate.judge().resolved == estate.numbers()
    assert estate.finding().item.close_reason == "policy_off"
    assert estate.verdicts() == {"a": "non_compliant"}
    assert posture.posture_now(estate.session, access=SYSTEM) == {}
    assert build.resources(estate.session)["a"].worst_rank == -1
    policies.set_mode(
        estate.session, access=SYSTEM, policy_id="versioning-on", mode="off", now=estate.now
    )
    estate.judge()
    assert estate.verdicts() == {}
    assert compliance.policy_counts(estate.session, access=SYSTEM) == {}


def test_a_policy_that_this_version_cannot_read_closes_nothing(
    estate: Estate, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = built_in()["versioning-on"].text.replace("id: versioning-on", "id: mine")
    policies.save(estate.session, access=SYSTEM, text=own, now=estate.now)
    assert estate.show(a=OFF).opened == estate.numbers()
    monkeypatch.setattr(policies, "_readable", lambda *_: None)
    found = estate.judge()
    assert found.resolved == []
    assert len(build.open_findings(estate.session)) == 2


def test_batches_are_judged_to_the_last_resource(
    estate: Estate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluate, "BATCH", 7)
    found = estate.show(**{f"b{number:02d}": OFF for number in range(30)})
    assert found.opened == estate.numbers()
    assert len(found.opened) == 30
    assert estate.session.scalar(select(func.count()).select_from(VerdictRow)) == 30


def test_a_run_is_fenced_and_ended(estate: Estate) -> None:
    estate.show(a=OFF)
    transactions = build.within(estate.session)
    work = ledger.Work("evaluate", "slot", {"connection_id": str(estate.connection.id)})
    run_id = ledger.enqueue(estate.session, work, access=SYSTEM, now=estate.now)
    assert run_id is not None
    first = ledger.claim(estate.session, run_id, now=estate.now, lease=build.LEASE)
    later = estate.now + 2 * build.LEASE
    second = ledger.claim(estate.session, run_id, now=later, lease=build.LEASE)
    assert first is not None
    assert second is not None
    with pytest.raises(ledger.LeaseLostError):
        evaluate.run_evaluation(transactions, run=first, now=later, clock=lambda: later)
    evaluate.run_evaluation(transactions, run=second, now=later, clock=lambda: later)
    with pytest.raises(ledger.LeaseLostError):
        ledger.hold(estate.session, second)


def test_a_caller_sees_only_its_connections(estate: Estate) -> None:
    estate.show(a=OFF)
    other = build.connection(estate.session, "other")
    nobody = Access("t", frozenset(), frozenset({str(other.id)}))
    mine = Access("t", frozenset(), frozenset({str(estate.connection.id)}))
    for access, number in ((nobody, 0), (mine, 1), (SYSTEM, 1)):
        assert compliance.search_findings(estate.session, access=access).total == number
        assert len(compliance.search_findings(estate.session, access=access).items) == number
        assert inventory.count_resources(estate.session, access=access) == number
        assert compliance.finding_counts(estate.session, access=access)["open"] == number
        assert len(posture.posture_now(estate.session, access=access)) == number
        page = compliance.search_verdicts(estate.session, access=access, policy_id="versioning-on")
        assert (len(page.items), page.total) == (number, number)


@pytest.mark.parametrize(
    ("where", "number"),
    [
        ({}, 2),
        ({"severity": "high"}, 2),
        ({"severity": "low"}, 0),
        ({"pillar": "reproducibility"}, 2),
        ({"policy_id": "versioning-on"}, 2),
        ({"policy_id": "another"}, 0),
        ({"q": "SUSPENDED"}, 2),
        ({"q": "b_%"}, 0),
        ({"state": "all"}, 2),
        ({"state": "resolved"}, 0),
        ({"owner": "ana"}, 1),
    ],
)
def test_findings_are_filtered(estate: Estate, where: dict[str, Any], number: int) -> None:
    estate.show(a=ON, b=OFF, c=OFF)
    findings.assign(
        estate.session, access=SYSTEM, number=estate.numbers()[0], owner="ana", now=estate.now
    )
    page = compliance.search_findings(estate.session, access=SYSTEM, where=FindingFilter(**where))
    assert (len(page.items), page.total) == (number, number)


def test_numbers_are_never_given_twice(estate: Estate, session: Session) -> None:
    given = estate.show(a=OFF, b=OFF).opened
    session.delete(session.get_one(ConnectionRow, estate.connection.id))
    session.flush()
    assert session.scalar(select(func.count()).select_from(FindingRow)) == 0
    estate.connection = build.connection(session, "again")
    (number,) = estate.show(a=OFF).opened
    assert number > max(given)
