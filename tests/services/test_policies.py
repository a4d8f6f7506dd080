"""Policies are set, written and removed; whatever is wrong with one is told with its place."""

from datetime import timedelta

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.domain.access import SYSTEM, Access, Scope
from app.domain.compliance import PolicyMode
from app.kit.errors import ConflictError, ForbiddenError, InvalidInputError, NotFoundError
from app.policies.registry import built_in
from app.services import policies
from app.store.models.work import RunRow
from app.store.queries import audit_trail
from tests.build import NOW

OWN = built_in()["data-cools-in-time"].text.replace("id: data-cools-in-time", "id: ours")
LATER = NOW + timedelta(hours=1)


def save(session: Session, text: str = OWN, version: int | None = None) -> policies.PolicyItem:
    return policies.save(session, access=SYSTEM, text=text, now=NOW, version=version)


def evaluations(session: Session) -> int:
    statement = select(func.count()).select_from(RunRow).where(RunRow.kind == "evaluate")
    return session.scalar(statement) or 0


def test_built_in_policies_are_in_force_as_they_came(session: Session) -> None:
    found = {one.policy.id: one for one in policies.effective(session)}
    assert set(found) == set(built_in())
    assert found["data-cools-in-time"].params["max_days_in_hot"] == 30
    item = policies.get(session, access=SYSTEM, policy_id="data-cools-in-time")
    assert (item.own, item.version, item.changed_by) == (False, 0, "")


def test_mode_and_params_are_kept_told_and_judged_anew(session: Session) -> None:
    policies.set_params(
        session,
        access=SYSTEM,
        policy_id="data-cools-in-time",
        params={"max_days_in_hot": 90},
        now=NOW,
        version=0,
    )
    item = policies.set_mode(
        session, access=SYSTEM, policy_id="data-cools-in-time", mode="report", now=LATER, version=1
    )
    assert item.effective.params["max_days_in_hot"] == 90
    assert item.effective.mode is PolicyMode.REPORT
    assert (item.version, item.changed_at, item.changed_by) == (2, LATER, "system")
    events = audit_trail.events_of(session, access=SYSTEM, subject=("policy", "data-cools-in-time"))
    assert [event.action for event in events] == ["policy.set_mode", "policy.set_params"]
    assert evaluations(session) == 2


@pytest.mark.parametrize("params", [{"max_days_in_hot": -1}, {"nonsense": 1}])
def test_params_outside_their_bounds_change_nothing(
    session: Session, params: dict[str, int]
) -> None:
    with pytest.raises(InvalidInputError) as caught:
        policies.set_params(
            session, access=SYSTEM, policy_id="data-cools-in-time", params=params, now=NOW
        )
    assert caught.value.errors[0]["where"].startswith("params.")
    assert evaluations(session) == 0


def test_an_own_policy_is_saved_changed_and_deleted(session: Session) -> None:
    item = save(session, version=0)
    assert (item.own, item.version, item.effective.mode) == (True, 1, PolicyMode.ENFORCE)
    changed = save(session, OWN.replace("severity: medium", "severity: low"), version=1)
    assert changed.effective.policy.severity == "low"
    assert changed.effective.policy.version != item.effective.policy.version
    policies.delete(session, access=SYSTEM, policy_id="ours", now=LATER)
    with pytest.raises(NotFoundError):
        policies.get(session, access=SYSTEM, policy_id="ours")


def test_params_that_a_new_text_does_not_take_fall_back(session: Session) -> None:
    save(session)
    policies.set_params(
        session, access=SYSTEM, policy_id="ours", params={"max_days_in_hot": 3000}, now=NOW
    )
    item = save(session, OWN.replace("maximum: 3650", "maximum: 200"))
    assert item.effective.params["max_days_in_hot"] == 30


def test_somebody_elses_change_is_not_overwritten(session: Session) -> None:
    save(session)
    with pytest.raises(ConflictError, match="somebody else"):
        save(session, version=0)
    with pytest.raises(ConflictError, match="somebody else"):
        policies.set_mode(session, access=SYSTEM, policy_id="ours", mode="off", now=NOW, version=7)


def test_built_in_policies_cannot_be_replaced_or_deleted(session: Session) -> None:
    with pytest.raises(ConflictError, match="built in"):
        save(session, built_in()["versioning-on"].text)
    with pytest.raises(ConflictError, match="built in"):
        policies.delete(session, access=SYSTEM, policy_id="versioning-on", now=NOW)


@pytest.mark.parametrize(
    "text", ["", "id: [", "id: x", OWN.replace("cools_after_days", "cools_after_dayz"), "\0"]
)
def test_a_bad_text_is_refused_with_its_places(session: Session, text: str) -> None:
    faults = policies.check(text)
    assert faults
    assert all(fault["where"].count(":") == 1 and fault["what"] for fault in faults)
    with pytest.raises(InvalidInputError):
        save(session, text)


def test_a_good_text_has_no_faults() -> None:
    assert policies.check(OWN) == ()


def test_unknown_words_and_ids(session: Session) -> None:
    with pytest.raises(InvalidInputError, match="no mode"):
        policies.set_mode(session, access=SYSTEM, policy_id="ours", mode="maybe", now=NOW)
    for call in (policies.delete,):
        with pytest.raises(NotFoundError):
            call(session, access=SYSTEM, policy_id="nobody", now=NOW)


def test_writing_needs_its_scope(session: Session) -> None:
    with pytest.raises(ForbiddenError):
        policies.save(session, access=Access("x", frozenset()), text=OWN, now=NOW)


@pytest.mark.parametrize("scope", [Scope.POLICIES_READ, Scope.POLICIES_WRITE])
def test_who_may_change_policies_may_read_the_one_they_change(
    session: Session, scope: Scope
) -> None:
    reader = Access("ana", frozenset({scope}))
    assert policies.get(session, access=reader, policy_id="data-cools-in-time").version == 0
    with pytest.raises(ForbiddenError, match="policies:read"):
        policies.get(session, access=Access("ana", frozenset()), policy_id="data-cools-in-time")
