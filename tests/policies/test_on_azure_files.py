"""The built-in policies on Azure's file systems: what is not read never makes a verdict better."""

from collections.abc import Callable
from dataclasses import fields
from datetime import timedelta
from typing import Any

import pytest

from app.domain.derive import derive
from app.domain.fact_schema import to_fact_set
from app.domain.facts import ABSENT, FactDocument, Present, Unreadable
from app.policies.engine import EffectivePolicy, EvaluationRow, judge
from app.policies.registry import built_in
from tests.support import azure_files as files

NOW = files.NOW
DENIED = Unreadable("AuthorizationFailed")
Build = Callable[..., FactDocument]
KINDS: list[Build] = [files.lustre, files.pool, files.volume, files.qumulo]


def verdicts(document: FactDocument) -> dict[str, str]:
    facts = to_fact_set(document, *derive(document, NOW))
    row = EvaluationRow("r", {"name": "r", "kind": document.KIND, "tags": {}}, facts, stale=False)
    effective = [EffectivePolicy(one, one.mode, {}) for one in built_in().values()]
    found = judge(effective, document.KIND, [row], NOW)
    return {one.policy_id: one.verdict.value for one in found}


def lustre_with(**attributes: Any) -> FactDocument:
    return files.lustre(auto_export_jobs=Present((files.auto_export(**attributes),)))


def test_a_well_kept_lustre_has_no_breach() -> None:
    found = verdicts(files.lustre())
    assert {name for name, verdict in found.items() if verdict != "compliant"} == {
        "lustre-expansion-done"  # never expanded
    }


def test_a_well_kept_pool_and_volume_have_no_breach() -> None:
    assert set(verdicts(files.pool()).values()) == {"compliant"}
    found = verdicts(files.volume())
    assert {name for name, verdict in found.items() if verdict != "compliant"} == {
        "netapp-replication-healthy"  # it is no copy
    }


@pytest.mark.parametrize("build", KINDS)
def test_a_file_system_of_which_nothing_was_read_passes_nowhere(build: Build) -> None:
    blind = build(**{one.name: DENIED for one in fields(build())})
    assert set(verdicts(blind).values()) == {"unknown"}


BREACHES: list[tuple[Build, dict[str, Any]]] = [
    (files.lustre, {"hsm_container_id": ABSENT, "health_state": Present("Degraded")}),
    (
        files.lustre,
        {
            "auto_export_jobs": Present(
                (files.auto_export(last_success_at=NOW - timedelta(days=2), failed_files=7),)
            ),
            "container_account_region": Present("eastus"),
            "expansion_jobs": Present((files.expansion(state="Failed"),)),
            "hsm_logging_container_id": ABSENT,
        },
    ),
    (files.pool, {"allocated_bytes": Present(0), "pool_provisioning_state": Present("Failed")}),
    (
        files.volume,
        {
            "cool_access": ABSENT,
            "snapshot_policy_id": ABSENT,
            "replication_endpoint_type": Present("src"),
            "replications": Present((files.replicated_to("eastus"),)),
        },
    ),
    (
        files.volume,
        {
            "replication_endpoint_type": Present("dst"),
            "replication_healthy": Present(False),
            "mirror_state": Present("Broken"),
        },
    ),
    (files.qumulo, {"marketplace_status": Present("Suspended")}),
]


@pytest.mark.parametrize(("build", "facts"), BREACHES)
def test_no_single_unread_fact_turns_a_breach_into_a_pass(
    build: Build, facts: dict[str, Any]
) -> None:
    whole = verdicts(build(**facts))
    assert "non_compliant" in whole.values()
    for one in fields(build()):
        for policy_id, verdict in verdicts(build(**{**facts, one.name: DENIED})).items():
            assert verdict in (whole[policy_id], "unknown"), (one.name, policy_id)


@pytest.mark.parametrize(
    ("job", "fresh", "exported"),
    [
        ({}, "compliant", "compliant"),
        ({"last_success_at": NOW - timedelta(minutes=61)}, "non_compliant", "compliant"),
        ({"last_success_at": NOW - timedelta(minutes=59)}, "compliant", "compliant"),
        ({"last_success_at": None}, "non_compliant", "compliant"),
        ({"failed_files": 1}, "non_compliant", "compliant"),
        ({"failed_files": None}, "unknown", "compliant"),
        ({"prefixes": ("/checkpoints",)}, "compliant", "non_compliant"),
        ({"admin_status": "Disable"}, "not_applicable", "non_compliant"),
    ],
)
def test_how_old_the_newest_checkpoint_in_blob_may_be(
    job: dict[str, Any], fresh: str, exported: str
) -> None:
    found = verdicts(lustre_with(**job))
    assert (found["lustre-export-fresh"], found["fsx-changes-exported"]) == (fresh, exported)


@pytest.mark.parametrize("state", ["Expanding", "Maintenance", "Transitioning", "Dreaming"])
def test_a_state_that_passes_is_neither_a_pass_nor_out_of_scope(state: str) -> None:
    found = verdicts(files.lustre(health_state=Present(state)))
    assert found["file-system-healthy"] == "unknown"


def test_a_logging_container_that_could_not_be_read_is_not_beside_it() -> None:
    found = verdicts(files.lustre(hsm_logging_container_id=DENIED))
    assert found["lustre-logs-beside-container"] == "unknown"
