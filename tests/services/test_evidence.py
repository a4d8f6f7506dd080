"""Every figure shows what it was made of."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy.orm import Session

from app.domain.access import SYSTEM, Access
from app.domain.facts import Present, Unreadable
from app.kit.errors import ForbiddenError, InvalidInputError, NotFoundError
from app.services import policies
from app.services.evaluate import evaluate
from app.services.evidence import Evidence, evidence
from app.store.queries import changes, compliance
from app.store.queries.compliance import EvaluationItem
from tests import build
from tests.build import NOW, Cloud
from tests.support.stores import bucket


class Estate:
    """A versioned, an unversioned and an unreadable bucket, judged by one policy."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.cloud = Cloud(
            [
                build.seen("good", facts=bucket(versioning_status=Present("Enabled"))),
                build.seen("bad"),
                build.seen("dark", facts=bucket(versioning_status=Unreadable("AccessDenied"))),
            ],
            [build.report(asked=3, answered=2, denied=1, code="AccessDenied")],
        )
        self.connection_id = ""

    def sweep(self) -> None:
        row = build.connection(self.session)
        self.connection_id = str(row.id)
        build.sweep(build.within(self.session), row.id)
        build.evaluate(self.session)

    def ask(self, metric: str, **params: str) -> Evidence:
        return evidence(self.session, access=SYSTEM, metric=metric, params=params)

    def resource_id(self, name: str) -> str:
        return str(build.resources(self.session)[name].id)

    def number(self) -> int:
        return build.open_findings(self.session)[0].number


@pytest.fixture
def estate(session: Session, monkeypatch: pytest.MonkeyPatch) -> Estate:
    found = Estate(session)
    build.play(monkeypatch, build.collector(found.cloud))
    build.only(monkeypatch, "versioning-on")
    found.sweep()
    return found


def inputs(found: Evidence) -> dict[str, Any]:
    return {one.name: one.value for one in found.inputs}


def test_a_sum_is_as_old_as_what_was_judged_longest_ago(estate: Estate) -> None:
    later = NOW + timedelta(hours=1)
    other = str(build.connection(estate.session, "AWS archive").id)
    evaluate(estate.session, now=later, connection_id=other)
    assert estate.ask("posture").as_of == NOW
    assert estate.ask("pillar", pillar="reproducibility").as_of == NOW


def test_an_evaluation_tells_what_it_judged_and_nobody_of_what_others_have(
    estate: Estate,
) -> None:
    later = NOW + timedelta(hours=1)
    other = str(build.connection(estate.session, "AWS archive").id)
    limited = replace(SYSTEM, connection_ids=frozenset({other}))
    assert compliance.last_evaluation(estate.session, access=limited) is None
    evaluate(estate.session, now=later, connection_id=other)
    whole = compliance.last_evaluation(estate.session, access=SYSTEM)
    assert whole == EvaluationItem(later, 0, 0)
    mine = replace(SYSTEM, connection_ids=frozenset({estate.connection_id}))
    assert compliance.last_evaluation(estate.session, access=mine) == EvaluationItem(NOW, 3, None)
    assert compliance.last_evaluation(estate.session, access=limited) == EvaluationItem(
        later, 0, None
    )


def test_the_posture_is_its_pillars(estate: Estate) -> None:
    found = estate.ask("posture")
    assert (found.value, found.unit, found.as_of) == (33, "percent", NOW)
    assert inputs(found) == {
        "reproducibility.compliant": 1,
        "reproducibility.non_compliant": 1,
        "reproducibility.waived": 0,
        "reproducibility.unknown": 1,
    }
    assert found.inputs[0].url == "/evidence/pillar?pillar=reproducibility"


def test_a_pillar_is_its_policies(estate: Estate) -> None:
    found = estate.ask("pillar", pillar="reproducibility")
    assert found.value == 33
    assert inputs(found)["versioning-on.unknown"] == 1
    assert estate.ask("pillar", pillar="cost").value is None


@pytest.mark.parametrize(
    ("verdict", "name"), [("compliant", "good"), ("non_compliant", "bad"), ("unknown", "dark")]
)
def test_a_count_is_its_resources(estate: Estate, verdict: str, name: str) -> None:
    found = estate.ask("policy-count", policy_id="versioning-on", verdict=verdict)
    assert (found.value, list(inputs(found))) == (1, [name])


def test_a_finding_rests_on_facts_with_their_sources(estate: Estate) -> None:
    found = estate.ask("finding", number=str(estate.number()))
    assert "facts.versioning_on" in found.formula
    assert inputs(found)["facts.versioning_on"] is False
    (one,) = (one for one in found.inputs if one.name == "facts.versioning_on")
    assert one.source == "derived"
    assert one.url.endswith("fact=versioning_on")
    assert estate.ask("finding", number=f"F-{estate.number()}").digest == found.digest


def test_a_collected_fact_names_its_operation(estate: Estate) -> None:
    found = estate.ask(
        "resource-fact", resource_id=estate.resource_id("good"), fact="versioning_status"
    )
    assert (found.value, found.as_of) == ("Enabled", NOW)
    assert "s3:GetBucketVersioning" in found.formula


def test_a_derived_fact_shows_what_it_follows_from(estate: Estate) -> None:
    found = estate.ask(
        "resource-fact", resource_id=estate.resource_id("dark"), fact="versioning_on"
    )
    assert found.value == "unreadable: AccessDenied"
    assert inputs(found)["versioning_status"] == "unreadable: AccessDenied"
    assert inputs(found)["lifecycle_rules"] == "absent"


def test_what_was_read_shows_each_scope(estate: Estate) -> None:
    found = estate.ask("connection-read", connection_id=estate.connection_id)
    assert found.value == 3
    assert list(inputs(found).values()) == ["2 of 3, 1 denied, 0 failed (AccessDenied)"]


def test_the_digest_follows_the_inputs(estate: Estate) -> None:
    before = estate.ask("posture").digest
    assert estate.ask("posture").digest == before
    policies.set_mode(
        estate.session, access=SYSTEM, policy_id="versioning-on", mode="report", now=NOW
    )
    build.evaluate(estate.session)
    assert estate.ask("posture").digest != before
    assert estate.ask("posture").value is None


@pytest.mark.parametrize(
    ("metric", "params"),
    [
        ("nonsense", {}),
        ("pillar", {}),
        ("pillar", {"pillar": "nonsense"}),
        ("finding", {"number": "x"}),
        ("finding", {"number": "²"}),
        ("policy-count", {"policy_id": "versioning-on", "verdict": "nonsense"}),
        ("resource-fact", {"fact": "versioning_on"}),
    ],
)
def test_bad_questions_are_told(estate: Estate, metric: str, params: dict[str, str]) -> None:
    with pytest.raises(InvalidInputError):
        estate.ask(metric, **params)


@pytest.mark.parametrize(
    ("metric", "params"),
    [
        ("finding", {"number": "9" * 40}),
        ("policy-count", {"policy_id": "nobody"}),
        ("connection-read", {"connection_id": "x"}),
        ("resource-fact", {"resource_id": "x", "fact": "y"}),
    ],
)
def test_unknown_things_are_not_found(estate: Estate, metric: str, params: dict[str, str]) -> None:
    with pytest.raises(NotFoundError):
        estate.ask(metric, **params)


def test_an_unknown_fact_is_not_found(estate: Estate) -> None:
    with pytest.raises(NotFoundError, match="no fact"):
        estate.ask("resource-fact", resource_id=estate.resource_id("good"), fact="nonsense")


def test_evidence_needs_its_scope(session: Session) -> None:
    with pytest.raises(ForbiddenError):
        evidence(session, access=Access("x", frozenset()), metric="posture", params={})


def test_recent_changes_tell_the_story(estate: Estate) -> None:
    later = NOW + timedelta(days=1)
    estate.cloud.resources = [
        build.seen("good", facts=bucket(versioning_status=Present("Suspended"))),
        build.seen("new", facts=bucket(versioning_status=Present("Enabled"))),
    ]
    connection_id = build.resources(estate.session)["good"].connection_id
    build.sweep(build.within(estate.session), connection_id, now=later)
    build.evaluate(estate.session, now=later)
    policies.set_mode(
        estate.session, access=SYSTEM, policy_id="versioning-on", mode="off", now=later
    )
    found = changes.recent_changes(estate.session, access=SYSTEM, since=later)
    assert sorted((change.kind.value, change.name) for change in found) == [
        ("finding_opened", "good"),
        ("finding_resolved", "bad"),
        ("policy_changed", "versioning-on"),
        ("resource_appeared", "new"),
        ("resource_changed", "good"),
        ("resource_deleted", "bad"),
        ("resource_deleted", "dark"),
    ]
    first = changes.recent_changes(estate.session, access=SYSTEM, since=NOW, limit=3)
    assert len(first) == 3
    assert all(change.at == later for change in first)
    nobody = Access("x", frozenset(), frozenset())
    assert changes.recent_changes(estate.session, access=nobody, since=NOW) == ()
    assert compliance.finding_counts(estate.session, access=SYSTEM)["resolved"] == 1
