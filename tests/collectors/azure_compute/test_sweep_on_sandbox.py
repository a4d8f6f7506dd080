"""The story's machines as one sweep sees them: each once, none counted twice, none invented."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import pytest

from app.collectors.azure_aks import COLLECTOR as AKS
from app.collectors.azure_batch import COLLECTOR as BATCH
from app.collectors.azure_compute import COLLECTOR
from app.collectors.azure_compute.operations import NICS, OPERATIONS, SKUS, STATUS, USAGES
from app.domain.collecting import Connection, ResourceSeen
from app.domain.facts import ABSENT, Present
from app.sandbox.azure import story_compute
from app.sandbox.azure_server import AzureServer
from app.sandbox.story import AMERICAS, RESEARCH
from tests.collectors.azure_compute.conftest import NOW, Swept

Sweeping = Callable[..., Swept]
SET, CLUSTER, REGION = "azure_vm_scale_set", "cyclecloud_cluster", "azure_compute_region"
ATLAS = f"/subscriptions/{RESEARCH.subscription_id}/cyclecloud/sites/7c6f1a2e/clusters/atlas-slurm"


def test_every_machine_and_scale_set_is_seen_once(sweep: Sweeping) -> None:
    swept = sweep()
    machines = [one.name for one in swept.resources if one.kind == "azure_vm"]
    sets = [one.name for one in swept.resources if one.kind == SET]
    assert sorted(machines) == sorted(one.name for one in story_compute.MACHINES)
    assert sorted(sets) == sorted(one.name for one in story_compute.SCALE_SETS)
    for kind in ("azure_vm", SET, REGION):
        assert set(swept.lists(kind).values()) == {(True, "")}


def test_a_stopped_machine_is_paid_for_and_a_deallocated_one_is_not(sweep: Sweeping) -> None:
    swept = sweep()
    stopped, freed = swept.facts("vm-notebook-marta"), swept.facts("vm-segment-train")
    assert (stopped["state"], stopped["is_billed"]) == ("stopped", True)
    assert (freed["state"], freed["is_billed"]) == ("deallocated", False)


def test_a_state_that_azure_does_not_tell_is_unknown(sweep: Sweeping) -> None:
    assert dict(sweep().stored("vm-tokenizer").unreadable) == {
        "state": "NotTold",
        "is_billed": "NotTold",
        "is_running": "NotTold",
    }


def test_a_machine_is_all_that_its_row_size_and_interface_tell(sweep: Sweeping) -> None:
    found = sweep().named("atlas-slurm-h100-1")
    facts = found.facts
    told = {field.name: getattr(facts, field.name) for field in fields(facts)}
    assert told == {
        "machine_type": Present("Standard_ND96isr_H100_v5"),
        "state": Present("running"),
        "is_billed": Present(True),
        "capacity": Present("on_demand"),
        "priority": Present("Regular"),
        "eviction_policy": ABSENT,
        "spot_max_price": ABSENT,
        "capacity_reservation_group_id": ABSENT,
        "image_family": Present("hpc"),
        "image_name": Present("microsoft-dsvm:ubuntu-hpc:2204"),
        "image_version": Present("22.04.2026092801"),
        "image_released_at": told["image_released_at"],
        "os_type": Present("Linux"),
        "availability_zone": Present("1"),
        "physical_zone": Present("swedencentral-az3"),
        "scale_set_id": ABSENT,
        "cluster_name": Present("atlas-slurm"),
        "cluster_tag": Present("CycleCloudCluster"),
        "counted_in": Present(ATLAS),
        "accelerated_networking": Present(True),
        "accelerated_networking_possible": Present(True),
        "accelerator_kind": Present("gpu"),
        "accelerator_model": Present("NVIDIA H100"),
        "accelerator_count": Present(8.0),
        "rdma_interfaces": Present(8),
        "vcpu_count": Present(96),
        "memory_bytes": Present(1900 * 2**30),
    }
    assert found.parent_native_id == ATLAS
    assert found.region_id == "swedencentral"
    assert found.created_at is not None


def test_zone_one_is_another_building_in_another_subscription(sweep: Sweeping) -> None:
    swept = sweep()
    ours, theirs = swept.facts("vm-notebook-marta"), swept.facts("vm-cyclecloud")
    assert (ours["availability_zone"], theirs["availability_zone"]) == ("1", "1")
    assert ours["physical_zone"] != theirs["physical_zone"]


def test_accelerators_are_added_up_once(sweep: Sweeping) -> None:
    swept = sweep()
    own = {
        one.name: swept.facts(one.name, one.kind).get("own_accelerator_count")
        for one in swept.resources
        if one.kind in ("azure_vm", SET)
    }
    assert own["atlas-slurm-h100-1"] == 0  # its cluster counts it
    assert own["vm-serve-es"] == 8
    assert own["vm-segment-train"] == 0  # given back
    assert own["vmss-train-a100"] == 16
    assert own["vm-notebook-marta"] == 1


def test_a_cluster_of_cyclecloud_is_made_of_its_nodes(sweep: Sweeping) -> None:
    swept = sweep()
    seen, facts = swept.named("atlas-slurm", CLUSTER), swept.facts("atlas-slurm", CLUSTER)
    assert seen.native_id == ATLAS
    assert seen.region_id == "swedencentral"
    assert (facts["site"], facts["scheduler"], facts["orchestrator"]) == (
        "7c6f1a2e",
        "slurm",
        "slurm",
    )
    groups = {one["name"]: one["current_count"] for one in facts["machine_groups"]}
    # One of the three H100 machines is deallocated; the array htc has scaled to none.
    assert groups == {"h100": 2, "htc": 0, "scheduler": 1}
    assert (facts["machine_count"], facts["accelerator_count"]) == (3, 16)
    assert facts["groups_with_rdma"] == ["h100"]
    assert seen.tags is not None
    assert seen.tags["workload-phase"] == "training"
    assert "LaunchTime" not in seen.tags


def test_an_older_cyclecloud_is_told_by_name_and_owner(sweep: Sweeping) -> None:
    facts = sweep().facts("speech-pbs", CLUSTER)
    assert (facts["site"], facts["scheduler"]) == ("1b9d44", "pbs")
    assert [one["name"] for one in facts["machine_groups"]] == ["server"]


def test_nodes_of_aks_and_batch_are_parts_of_what_counts_them(sweep: Sweeping) -> None:
    swept = sweep()
    node = swept.named("aks-h100-25481572-vmss", SET)
    assert node.parent_native_id.endswith("/managedClusters/aks-atlas-train")
    assert "/resourceGroups/rg-aks-atlas-train/" in node.parent_native_id
    assert swept.facts("aks-h100-25481572-vmss", SET)["own_accelerator_count"] == 0
    pool = swept.named("b1d2c3f4-azurebatch-vmss", SET)
    assert pool.parent_native_id.endswith("/batchAccounts/cierzobatchweu/pools/prep-cpu")


def test_a_parent_is_spelt_as_its_own_collector_spells_it(
    sweep: Sweeping, azure_connection: Callable[..., Connection]
) -> None:
    swept = sweep()
    parents = {
        swept.named("aks-h100-25481572-vmss", SET).parent_native_id,
        swept.named("b1d2c3f4-azurebatch-vmss", SET).parent_native_id,
    }
    theirs = {
        one.native_id
        for collector in (AKS, BATCH)
        for one in collector.collect(azure_connection(), NOW)
        if isinstance(one, ResourceSeen)
    }
    assert parents <= theirs


def test_a_cluster_without_machines_is_never_said_to_be_gone(
    azure: AzureServer, sweep: Sweeping
) -> None:
    azure.held.hide(*(one.resource_id for one in story_compute.CASES))
    swept = sweep()
    assert not swept.resources
    assert swept.lists(CLUSTER) == {}
    assert set(swept.lists("azure_vm").values()) == {(True, "")}


def test_spot_machines_say_what_an_eviction_does(sweep: Sweeping) -> None:
    swept = sweep()
    kept, gone = swept.facts("vm-labels-spot"), swept.facts("vm-eval-spot")
    own = swept.facts("vmss-serve-notes", SET)
    assert (kept["capacity"], kept["eviction_policy"], kept["spot_max_price"]) == (
        "spot",
        "Deallocate",
        -1,
    )
    assert gone["eviction_policy"] == "Delete"
    assert (own["priority"], own["capacity"], own["spot_max_price"]) == ("SpotPlus", "spot", 0.31)


def test_families_of_images_are_told_by_offer(sweep: Sweeping) -> None:
    swept = sweep()
    assert swept.facts("vm-segment-train")["image_family"] == "data_science"
    assert swept.facts("vm-notebook-marta")["image_family"] == "other"
    assert swept.facts("speech-pbs-server")["image_family"] == "gallery"
    assert swept.facts("speech-pbs-server")["image_version"] == "1.4.0"


def test_a_region_tells_its_quotas_and_what_it_offers(sweep: Sweeping) -> None:
    swept = sweep()
    facts = swept.facts("Cierzo-Research-Data/swedencentral", REGION)
    assert (facts["vcpu_in_use"], facts["vcpu_limit"], facts["spot_vcpu_limit"]) == (748, 1200, 100)
    full = {one["family"]: one["used_vcpu_count"] for one in facts["accelerated_quotas"]}
    assert full == {"standardNDSH100v5Family": 672, "StandardNCadsH100v5Family": 40}
    assert facts["restricted_machine_types"] == ["Standard_ND96isr_H200_v5"]
    offered = {one["machine_type"]: one for one in facts["offered_machine_types"]}
    assert "Standard_D8s_v5" not in offered
    assert offered["Standard_ND96isr_H100_v5"]["zones_with_ultra_disks"] == ["1"]
    assert offered["Standard_ND96isr_H100_v5"]["has_rdma"] is True


def test_without_the_list_of_sizes_our_own_table_answers(sweep: Sweeping) -> None:
    stored = sweep().stored("vm-old-lab")
    assert stored.present["accelerator_count"] == 4
    assert stored.present["newer_machine_type"] == "Standard_ND96isr_H200_v5"
    assert stored.present["retires_at"].startswith("2025-09-30")
    assert stored.unreadable["accelerated_networking_possible"] == "AuthorizationFailed"


def test_lists_are_asked_for_once_by_subscription_or_place(
    azure: AzureServer, sweep: Sweeping
) -> None:
    azure.calls.clear()
    swept = sweep()
    calls = azure.calls.counts()
    assert calls["arm.graph.query"] == 3
    assert calls["arm.locations.list"] == 3
    asked = {
        one.name: sum(report.asked for report in swept.reports(one.name)) for one in OPERATIONS
    }
    assert asked[SKUS] == asked[USAGES] == 4
    assert asked[STATUS] == asked[NICS] == 3


@pytest.mark.parametrize("kind", COLLECTOR.kinds, ids=lambda kind: kind.KIND)
def test_every_fact_is_fed_by_the_operation_that_it_names(kind: Any) -> None:
    feeds = {operation.name: operation.feeds for operation in OPERATIONS}
    for found in fields(kind):
        assert found.name in feeds[found.metadata["source"]], found.name


def test_a_subscription_that_is_left_out_is_asked_nothing(sweep: Sweeping) -> None:
    swept = sweep(subscriptions=[AMERICAS.subscription_id])
    assert {one.sub_account_id for one in swept.resources} == {AMERICAS.subscription_id}
    assert swept.facts("vm-old-lab")["state"] == "deallocated"
