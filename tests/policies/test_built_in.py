"""The policies that come with the product, each by its own tests and together on real stores."""

from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

import pytest

from app.domain.compliance import Verdict
from app.domain.derive import derive
from app.domain.fact_kinds import FACT_KINDS
from app.domain.fact_schema import to_fact_set
from app.domain.facts import FactDocument, Present, Unreadable
from app.domain.hyperpod import HyperpodNodeFacts
from app.domain.storage import AgeBasis, RuleSubject
from app.domain.storage_accounts import NO_DESTINATION, ContainerRetention
from app.policies.cases import failures
from app.policies.engine import EffectivePolicy, EvaluationRow, judge
from app.policies.policy import Policy
from app.policies.registry import built_in
from tests.support.stores import (
    account,
    bucket,
    container,
    delete,
    inventory,
    move,
    replication,
    rule,
    rules,
)

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
POLICIES = tuple(built_in().values())
IDS = [found.id for found in POLICIES]
VERDICTS = dict[str, str]


def verdicts(document: FactDocument, **params: Any) -> VERDICTS:
    """What every policy says of a store, as sweep and evaluation would."""
    facts = to_fact_set(document, *derive(document, NOW))
    found = EvaluationRow(
        "r", {"name": "store", "kind": document.KIND, "account_id": "own"}, facts, stale=False
    )
    effective = [EffectivePolicy(one, one.mode, params.get(one.id, {})) for one in POLICIES]
    return {
        judged.policy_id: judged.verdict.value
        for judged in judge(effective, document.KIND, [found], NOW)
    }


def test_these_are_built_in() -> None:
    assert sorted(IDS) == [
        "accelerated-networking-on",
        "accelerators-scale-to-zero",
        "access-point-not-public",
        "account-active",
        "account-regions-allowed",
        "ai-deployment-stays-in-region",
        "ai-deployment-version-pinned",
        "ai-service-not-open",
        "aks-api-not-open",
        "aks-gpu-driver-fits",
        "aks-version-supported",
        "batch-gpu-in-containers",
        "batch-pool-scales",
        "batch-rdma-used",
        "capacity-reservation-in-use",
        "cluster-groups-at-target",
        "cluster-groups-healthy",
        "cluster-rdma-fits-phase",
        "data-cools-in-time",
        "data-repository-healthy",
        "data-science-image-current",
        "datasync-destination-region-allowed",
        "datasync-task-succeeds",
        "destructive-rule-guard",
        "disk-export-closed",
        "eks-addons-healthy",
        "eks-endpoint-not-open",
        "eks-extended-support-not-paid",
        "eks-secrets-encrypted",
        "eks-storage-driver-present",
        "eks-version-supported",
        "encryption-at-rest",
        "encryption-scope-fits-archive",
        "file-system-backed-up",
        "file-system-encrypted",
        "file-system-healthy",
        "file-system-replica-region-allowed",
        "fsx-changes-exported",
        "fsx-scratch-not-for-keeping",
        "geo-copy-current",
        "gpu-image-family",
        "gpu-instance-in-cluster",
        "gpu-machine-orchestrated",
        "gpu-quota-left",
        "hyperpod-node-recovery-on",
        "hyperpod-script-bucket-named",
        "hyperpod-script-bucket-versioned",
        "image-current",
        "immutability-locked",
        "infiniband-set-in-one-place",
        "instance-metadata-v2",
        "interruptible-work-survives",
        "inventory-configured",
        "inventory-delivered",
        "job-by-hand-practices",
        "job-checkpoints-regularly",
        "job-container-ready-for-gpus",
        "job-data-on-file-system",
        "job-inference-without-rdma",
        "job-machine-fits",
        "job-orchestrated",
        "job-scratch-exported",
        "job-spot-survives-eviction",
        "job-training-uses-rdma",
        "last-access-tracking",
        "lustre-container-linked",
        "lustre-expansion-done",
        "lustre-export-fresh",
        "lustre-export-keeps-up",
        "lustre-logs-beside-container",
        "machine-rdma-fits-phase",
        "machine-type-current",
        "minimum-time-in-tier",
        "ml-cluster-gives-back",
        "ml-compute-no-public-ssh",
        "ml-instance-shuts-down",
        "ml-workspace-not-open",
        "multi-region-access-point-region-allowed",
        "multipart-uploads-aborted",
        "netapp-pool-allocated",
        "netapp-replication-healthy",
        "netapp-volume-cools",
        "netapp-volume-protected",
        "object-replication-complete",
        "public-access-blocked",
        "redundancy-fits-archive",
        "replication-account-known",
        "replication-region-allowed",
        "replication-stays-in-tenant",
        "restore-window-covered",
        "rules-fit-account",
        "snapshot-needed",
        "soft-delete-on",
        "spot-eviction-leaves-no-disks",
        "spot-machine-survives-eviction",
        "stopped-machine-deallocated",
        "stopped-machine-removed",
        "storage-lens-on",
        "subscription-enabled",
        "training-plan-in-use",
        "versioning-on",
        "volume-attached",
        "volume-encrypted",
    ]


@pytest.mark.parametrize("found", POLICIES, ids=IDS)
def test_its_own_tests_pass(found: Policy) -> None:
    assert failures(found) == ()


@pytest.mark.parametrize("found", POLICIES, ids=IDS)
def test_its_tests_show_every_verdict_and_kind(found: Policy) -> None:
    assert {test.expect for test in found.tests} == set(Verdict)
    assert {test.kind for test in found.tests} == set(found.applies_to)


@pytest.mark.parametrize("found", POLICIES, ids=IDS)
def test_it_reads_as_its_own_documentation(found: Policy) -> None:
    assert found.why.endswith(".")
    assert found.source.endswith(".")
    assert all(param.doc.endswith(".") for param in found.params.values())
    for kind in found.applies_to:
        assert any(choice.kind in ("", kind) and choice.cli for choice in found.remedies)


PERFECT = {
    "versioning_status": Present("Enabled"),
    "lifecycle_rules": rules(rule(move(20, "INTELLIGENT_TIERING"))),
    "inventory_configurations": Present((inventory(),)),
}


def test_a_well_kept_bucket_has_no_breach() -> None:
    found = verdicts(bucket(**PERFECT))
    assert {name: verdict for name, verdict in found.items() if verdict != "compliant"} == {
        "multipart-uploads-aborted": "not_applicable",
        "replication-account-known": "not_applicable",
    }


def test_a_new_bucket_lacks_what_was_not_configured() -> None:
    assert verdicts(bucket()) == {
        "data-cools-in-time": "non_compliant",
        "destructive-rule-guard": "compliant",
        "encryption-at-rest": "compliant",
        "inventory-configured": "non_compliant",
        "multipart-uploads-aborted": "not_applicable",
        "public-access-blocked": "compliant",
        "replication-account-known": "not_applicable",
        "replication-region-allowed": "compliant",
        "soft-delete-on": "non_compliant",
        "versioning-on": "non_compliant",
    }


def test_a_well_kept_account_has_no_breach() -> None:
    kept = account(
        versioning_enabled=Present(True),
        last_access_tracking_enabled=Present(True),
        inventory_configurations=Present((inventory(),)),
        lifecycle_rules=rules(
            rule(move(30, "Cool", basis=AgeBasis.LAST_ACCESS), move(180, "Archive"))
        ),
    )
    found = verdicts(kept)
    assert set(found.values()) == {"compliant", "not_applicable"}
    assert {name for name, verdict in found.items() if verdict == "not_applicable"} == {
        "geo-copy-current",
        "immutability-locked",
        "object-replication-complete",
        "replication-account-known",
        "replication-stays-in-tenant",
        "restore-window-covered",
    }


def test_an_account_with_every_trap() -> None:
    trapped = account(
        sku_name=Present("Standard_GZRS"),
        primary_region=Present("brazilsouth"),
        secondary_region=Present("southcentralus"),
        public_blob_access_allowed=Present(True),
        cross_tenant_replication_allowed=Present(True),
        geo_copy_status=Present("Unavailable"),
        restore_days=Present(7),
        replication_rules=Present(
            (replication(destination_account_id="far", destination_code=NO_DESTINATION),)
        ),
        containers=Present((container(default_encryption_scope="patients"),)),
        container_retentions=Present((ContainerRetention("training", "Unlocked", 3, ""),)),
        lifecycle_rules=rules(
            rule(move(10, "Archive"), delete(20, basis=AgeBasis.LAST_ACCESS)),
        ),
    )
    assert verdicts(trapped, **{"encryption-at-rest": {"require_customer_key": True}}) == {
        "data-cools-in-time": "non_compliant",
        "destructive-rule-guard": "non_compliant",
        "encryption-at-rest": "non_compliant",
        "encryption-scope-fits-archive": "non_compliant",
        "geo-copy-current": "non_compliant",
        "immutability-locked": "non_compliant",
        "inventory-configured": "non_compliant",
        "inventory-delivered": "not_applicable",
        "minimum-time-in-tier": "compliant",
        "last-access-tracking": "non_compliant",
        "object-replication-complete": "non_compliant",
        "public-access-blocked": "non_compliant",
        "redundancy-fits-archive": "non_compliant",
        "replication-account-known": "non_compliant",
        "replication-region-allowed": "non_compliant",
        "replication-stays-in-tenant": "non_compliant",
        "restore-window-covered": "non_compliant",
        "rules-fit-account": "compliant",
        "soft-delete-on": "non_compliant",
        "versioning-on": "non_compliant",
    }


@pytest.mark.parametrize("given", [bucket, account])
def test_a_store_of_which_nothing_was_read_passes_nowhere(given: Any) -> None:
    denied = Unreadable("AccessDenied")
    blind = given(**{found.name: denied for found in fields(given())})
    assert set(verdicts(blind).values()) == {"unknown"}


@pytest.mark.parametrize("given", [bucket, account])
def test_no_single_unread_fact_turns_a_breach_into_a_pass(given: Any) -> None:
    """Takes every fact away in turn: verdicts may become unknown, never better."""
    whole = verdicts(given())
    for found in fields(given()):
        with_gap = verdicts(given(**{found.name: Unreadable("AccessDenied")}))
        for policy_id, verdict in with_gap.items():
            assert verdict in (whole[policy_id], "unknown"), (found.name, policy_id)


def test_a_file_account_is_none_of_their_business() -> None:
    files = account(account_kind=Present("FileStorage"))
    assert set(verdicts(files).values()) == {"not_applicable"}


def test_a_copy_that_left_the_zone_is_a_breach_even_when_switched_off() -> None:
    leaked = bucket(
        replication_rules=Present((replication(enabled=False, destination_region_id="us-east-1"),))
    )
    assert verdicts(leaked)["replication-region-allowed"] == "non_compliant"
    allowed = {"replication-region-allowed": {"allowed_zones": ["EU", "US"]}}
    assert verdicts(leaked, **allowed)["replication-region-allowed"] == "compliant"


def test_an_unread_destination_is_unknown() -> None:
    unread = replication(destination_region_id=None, destination_code="AccessDenied")
    store = bucket(replication_rules=Present((unread,)))
    assert verdicts(store)["replication-region-allowed"] == "unknown"


def test_versions_that_expire_after_a_day_are_no_recovery() -> None:
    hasty = rules(rule(delete(1, subject=RuleSubject.NONCURRENT)))
    store = bucket(versioning_status=Present("Enabled"), lifecycle_rules=hasty)
    found = verdicts(store)
    assert (found["versioning-on"], found["soft-delete-on"]) == ("compliant", "non_compliant")


def test_a_namespace_account_is_not_told_to_do_the_impossible() -> None:
    lake = account(hierarchical_namespace=Present(True), blob_soft_delete_days=Present(14))
    assert verdicts(lake)["versioning-on"] == "compliant"


def test_every_kind_has_its_policies() -> None:
    for kind in FACT_KINDS.keys() - {HyperpodNodeFacts.KIND}:  # judged by their cluster
        assert any(kind in found.applies_to for found in POLICIES)
