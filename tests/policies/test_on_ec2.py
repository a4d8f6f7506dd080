"""The policies about EC2 on machines, capacity and volumes as a sweep stores them."""

from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

import pytest

from app.domain.derive import derive
from app.domain.fact_schema import to_fact_set
from app.domain.facts import ABSENT, FactDocument, Present, Unreadable
from app.policies.engine import EffectivePolicy, EvaluationRow, judge
from app.policies.registry import built_in
from tests.support.ec2_facts import (
    LONG_AGO,
    capacity_reservation,
    image,
    machine,
    orphan_volume,
    snapshot,
    volume,
)

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
AREAS = ("machines", "capacity", "volumes")
POLICIES = [one for one in built_in().values() if one.area in AREAS]
DENIED = Unreadable("UnauthorizedOperation")


def verdicts(document: FactDocument) -> dict[str, str]:
    """What the policies say of a resource that was made long ago."""
    facts = to_fact_set(document, *derive(document, NOW))
    resource = {"name": "x", "kind": document.KIND, "created_at": LONG_AGO.isoformat()}
    row = EvaluationRow("r", resource, facts, stale=False)
    effective = [EffectivePolicy(one, one.mode, {}) for one in POLICIES]
    judged = judge(effective, document.KIND, [row], NOW)
    return {one.policy_id: one.verdict.value for one in judged}


LOST = snapshot(volume_exists=Present(False))
RESOURCES: dict[str, FactDocument] = {
    "machine": machine(),
    "notebook": machine(cluster_name=ABSENT, metadata_tokens=Present("optional")),
    "asleep": machine(state=Present("stopped"), stopped_at=Present(LONG_AGO)),
    "reservation": capacity_reservation(),
    "idle": capacity_reservation(available_machine_count=Present(2)),
    "volume": volume(),
    "orphan": orphan_volume(encrypted=Present(False)),
    "snapshot": snapshot(),
    "lost": LOST,
    "image": image(),
}


@pytest.mark.parametrize(
    ("name", "breaches"),
    [
        ("machine", set()),
        ("notebook", {"gpu-instance-in-cluster", "instance-metadata-v2"}),
        ("asleep", {"stopped-machine-removed"}),
        ("reservation", set()),
        ("idle", {"capacity-reservation-in-use"}),
        ("volume", set()),
        ("orphan", {"volume-attached", "volume-encrypted"}),
        ("snapshot", set()),
        ("lost", {"snapshot-needed"}),
        ("image", set()),
    ],
)
def test_what_is_wrong_and_nothing_else_is_a_breach(name: str, breaches: set[str]) -> None:
    found = verdicts(RESOURCES[name])
    assert {one for one, verdict in found.items() if verdict == "non_compliant"} == breaches
    assert "unknown" not in found.values()


@pytest.mark.parametrize("name", sorted(RESOURCES))
def test_of_what_was_not_read_nothing_is_said(name: str) -> None:
    given: Any = type(RESOURCES[name])
    blind = given(**{found.name: DENIED for found in fields(given)})
    assert set(verdicts(blind).values()) == {"unknown"}


@pytest.mark.parametrize("name", sorted(RESOURCES))
def test_no_single_unread_fact_makes_a_verdict_better_or_worse(name: str) -> None:
    document: Any = RESOURCES[name]
    whole = verdicts(document)
    known = {found.name: getattr(document, found.name) for found in fields(document)}
    for gap in known:
        for policy_id, verdict in verdicts(type(document)(**{**known, gap: DENIED})).items():
            assert verdict in (whole[policy_id], "unknown"), (gap, policy_id)
