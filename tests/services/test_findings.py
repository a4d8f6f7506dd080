"""What people do with findings, and what time does to it."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlalchemy.orm import Session

from app.domain.access import SYSTEM, Access, Scope
from app.domain.facts import ABSENT, Present
from app.domain.reporting import Counts
from app.kit.errors import ConflictError, ForbiddenError, InvalidInputError, NotFoundError
from app.services import findings
from app.store.queries import audit_trail, compliance, inventory, posture
from app.store.queries.compliance import FindingFilter
from tests import build
from tests.build import Cloud
from tests.support.stores import bucket

NOW = build.NOW
DAY = timedelta(days=1)
ANA = Access("ana@example.org", frozenset({Scope.FINDINGS_WRITE}))


class Case:
    """One bucket without versions, and its open finding."""

    def __init__(self, session: Session, cloud: Cloud) -> None:
        self.session = session
        self.cloud = cloud
        self.connection = build.connection(session)
        cloud.resources = [build.seen("a")]
        build.sweep(build.within(session), self.connection.id)
        build.evaluate(session)
        self.number = build.open_findings(session)[0].number

    def detail(self) -> compliance.FindingDetail:
        self.session.expire_all()
        return compliance.get_finding(self.session, access=SYSTEM, number=self.number)

    def tabs(self) -> dict[str, int]:
        counts = compliance.finding_counts(self.session, access=SYSTEM)
        listed = {
            tab: len(
                compliance.search_findings(
                    self.session, access=SYSTEM, where=FindingFilter(state=tab)
                ).items
            )
            for tab in ("open", "snoozed", "waived", "resolved")
        }
        assert listed == {tab: counts[tab] for tab in listed}
        return {tab: number for tab, number in listed.items() if number}

    def counts(self) -> tuple[int, int]:
        """(worst_rank, non_compliant_count) of the bucket."""
        item = inventory.search_resources(self.session, access=SYSTEM).items[0]
        return item.worst_rank, item.non_compliant_count

    def posture(self) -> Counts:
        return posture.posture_now(self.session, access=SYSTEM)["reproducibility"]

    def actions(self) -> list[str]:
        return [event.action for event in self.detail().events]


@pytest.fixture
def case(session: Session, monkeypatch: pytest.MonkeyPatch) -> Case:
    cloud = Cloud()
    build.play(monkeypatch, build.collector(cloud))
    build.only(monkeypatch, "versioning-on")
    return Case(session, cloud)


def waive(case: Case, days: int = 10) -> None:
    findings.waive(
        case.session,
        access=ANA,
        number=case.number,
        reason="moves next month",
        until=NOW + days * DAY,
        now=NOW,
    )


def test_a_waiver_moves_it_out_of_the_open_list_and_all_counts(case: Case) -> None:
    assert case.counts() == (3, 1)
    waive(case)
    assert case.tabs() == {"waived": 1}
    assert case.counts() == (0, 0)
    assert case.posture() == Counts(0, 0, 1, 0)
    item = case.detail().item
    assert (item.state, item.overlay, item.waived_until) == ("open", "waived", NOW + 10 * DAY)
    assert case.detail().waivers[0].requested_by == "ana@example.org"
    (event,) = audit_trail.events_of(
        case.session, access=SYSTEM, subject=("finding", str(case.number))
    )
    assert (event.actor, event.action) == ("ana@example.org", "finding.waived")


def test_an_evaluation_keeps_a_waiver(case: Case) -> None:
    waive(case)
    found = build.evaluate(case.session, now=NOW)
    assert found.changed == 0
    assert case.tabs() == {"waived": 1}
    assert case.posture() == Counts(0, 0, 1, 0)


def test_a_waiver_ends_by_itself(case: Case) -> None:
    waive(case)
    assert findings.expire(case.session, now=NOW + 10 * DAY - timedelta(seconds=1)) == 0
    assert findings.expire(case.session, now=NOW + 10 * DAY) == 1
    assert case.tabs() == {"open": 1}
    assert case.counts() == (3, 1)
    assert case.posture() == Counts(0, 1, 0, 0)
    assert case.actions()[0] == "waived ended"
    assert findings.expire(case.session, now=NOW + 11 * DAY) == 0


def test_a_waiver_can_be_revoked(case: Case) -> None:
    waive(case)
    findings.revoke_waiver(case.session, access=ANA, number=case.number, now=NOW + DAY)
    assert case.tabs() == {"open": 1}
    assert case.detail().waivers[0].revoked_at == NOW + DAY
    with pytest.raises(ConflictError):
        findings.revoke_waiver(case.session, access=ANA, number=case.number, now=NOW + DAY)


def test_a_waiver_covers_the_same_breach_when_it_comes_back(case: Case) -> None:
    waive(case)
    for day, status in ((1, Present("Enabled")), (2, ABSENT)):
        case.cloud.resources = [build.seen("a", facts=bucket(versioning_status=status))]
        build.sweep(build.within(case.session), case.connection.id, now=NOW + day * DAY)
        build.evaluate(case.session, now=NOW + day * DAY)
    assert case.tabs() == {"waived": 1, "resolved": 1}
    assert case.posture() == Counts(0, 0, 1, 0)


def test_a_healed_finding_leaves_the_waived_tab(case: Case) -> None:
    waive(case)
    case.cloud.resources = [build.seen("a", facts=bucket(versioning_status=Present("Enabled")))]
    build.sweep(build.within(case.session), case.connection.id, now=NOW + DAY)
    build.evaluate(case.session, now=NOW + DAY)
    assert case.tabs() == {"resolved": 1}
    assert findings.expire(case.session, now=NOW + 30 * DAY) == 0
    assert case.tabs() == {"resolved": 1}


def test_a_snooze_hides_and_comes_back_but_counts(case: Case) -> None:
    findings.snooze(case.session, access=ANA, number=case.number, until=NOW + DAY, now=NOW)
    assert case.tabs() == {"snoozed": 1}
    assert case.counts() == (3, 1)
    assert case.posture() == Counts(0, 1, 0, 0)
    assert findings.expire(case.session, now=NOW + DAY) == 1
    assert case.tabs() == {"open": 1}


def test_a_snooze_shows_again_under_a_waiver_that_ends_first(case: Case) -> None:
    findings.snooze(case.session, access=ANA, number=case.number, until=NOW + 9 * DAY, now=NOW)
    waive(case, days=3)
    assert case.tabs() == {"waived": 1}
    findings.expire(case.session, now=NOW + 3 * DAY)
    assert case.tabs() == {"snoozed": 1}
    findings.snooze(case.session, access=ANA, number=case.number, until=None, now=NOW + 3 * DAY)
    assert case.tabs() == {"open": 1}


def test_assigning_and_commenting_are_in_the_history(case: Case) -> None:
    findings.assign(case.session, access=ANA, number=case.number, owner=" bea ", now=NOW)
    findings.comment(case.session, access=ANA, number=case.number, text="<b>on it</b>\0", now=NOW)
    assert case.detail().item.owner == "bea"
    assert case.actions() == ["comment", "assigned", "opened"]
    assert case.detail().events[0].detail == "<b>on it</b>\ufffd"
    findings.assign(case.session, access=ANA, number=case.number, owner=None, now=NOW)
    assert case.detail().item.owner is None


def test_a_resolved_finding_can_only_be_commented(case: Case) -> None:
    case.cloud.resources = []
    build.sweep(build.within(case.session), case.connection.id, now=NOW + DAY)
    with pytest.raises(ConflictError, match="resource_deleted"):
        waive(case)
    findings.comment(case.session, access=ANA, number=case.number, text="good", now=NOW)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda s, n: findings.comment(s, access=ANA, number=n, text="  ", now=NOW),
        lambda s, n: findings.comment(s, access=ANA, number=n, text="x" * 5_000, now=NOW),
        lambda s, n: findings.snooze(s, access=ANA, number=n, until=NOW, now=NOW),
        lambda s, n: findings.snooze(s, access=ANA, number=n, until=NOW + 91 * DAY, now=NOW),
        lambda s, n: findings.snooze(
            s, access=ANA, number=n, until=(NOW + DAY).replace(tzinfo=None), now=NOW
        ),
        lambda s, n: findings.waive(s, access=ANA, number=n, reason="", until=NOW + DAY, now=NOW),
        lambda s, n: findings.waive(
            s, access=ANA, number=n, reason="x", until=NOW + 400 * DAY, now=NOW
        ),
        lambda s, n: findings.assign(s, access=ANA, number=n, owner="x" * 300, now=NOW),
    ],
)
def test_bad_input_changes_nothing(case: Case, wrong: Callable[[Session, int], None]) -> None:
    with pytest.raises(InvalidInputError):
        wrong(case.session, case.number)
    assert case.tabs() == {"open": 1}
    assert case.actions() == ["opened"]


def test_two_waivers_do_not_pile_up(case: Case) -> None:
    waive(case)
    with pytest.raises(ConflictError, match="already"):
        waive(case)


@pytest.mark.parametrize("number", [0, -1, 10**30, 999_999])
def test_an_unknown_number_is_not_found(case: Case, number: int) -> None:
    with pytest.raises(NotFoundError):
        findings.comment(case.session, access=ANA, number=number, text="x", now=NOW)
    with pytest.raises(NotFoundError):
        compliance.get_finding(case.session, access=SYSTEM, number=number)


def test_writing_needs_its_scope_and_the_connection(case: Case) -> None:
    reader = Access("r", frozenset({Scope.FINDINGS_READ}))
    with pytest.raises(ForbiddenError):
        findings.comment(case.session, access=reader, number=case.number, text="x", now=NOW)
    elsewhere = Access("e", frozenset({Scope.FINDINGS_WRITE}), frozenset())
    with pytest.raises(NotFoundError):
        findings.comment(case.session, access=elsewhere, number=case.number, text="x", now=NOW)
