"""Whose machine a machine is: AKS by group, Batch by group and tags, CycleCloud by tags alone."""

from typing import Any

import pytest

from app.collectors.azure_compute.owners import Owner, Owners, site_of
from tests.collectors.azure_compute.rows import ROOT, SUBSCRIPTION, machine, scale_set

AKS = f"{ROOT}/resourceGroups/rg/providers/Microsoft.ContainerService/managedClusters/atlas"
BATCH = f"{ROOT}/resourceGroups/rg/providers/Microsoft.Batch/batchAccounts/cierzoBatch"
SITE = "/sites/7c6f/clusters/atlas-slurm"


@pytest.fixture
def owners() -> Owners:
    """One cluster of AKS and one account of Batch."""
    found = Owners()
    found.learn(
        [
            {
                "id": AKS,
                "type": "microsoft.containerservice/managedclusters",
                "properties": {"nodeResourceGroup": "MC_rg_atlas_westeurope"},
            },
            {"id": BATCH, "type": "microsoft.batch/batchaccounts", "properties": {}},
        ]
    )
    return found


def tags(**more: str) -> dict[str, str]:
    return {"ClusterName": "atlas-slurm", "CycleOwner": "atlas-slurm(marta@hpc:7c6f)", **more}


def test_what_lies_in_the_node_group_of_a_cluster_is_its(owners: Owners) -> None:
    row = scale_set("aks-gpu-vmss", group="mc_RG_atlas_westeurope")
    assert owners.of(row, {}) == Owner("atlas", "", AKS)


def test_the_same_group_in_another_subscription_is_another(owners: Owners) -> None:
    row = scale_set("aks-gpu-vmss", group="MC_rg_atlas_westeurope")
    row["id"] = row["id"].replace(SUBSCRIPTION, "c1e72000-0000-4000-8000-00000000000c")
    assert owners.of(row, {}) is None


def test_a_pool_of_batch_is_told_by_its_tags_without_letter_case(owners: Owners) -> None:
    row = scale_set("x-azurebatch-vmss", group="azurebatch-5b1d-c")
    found = owners.of(row, {"batchaccountname": "CIERZOBATCH", "poolname": "prep"})
    assert found == Owner("prep", "", f"{BATCH}/pools/prep")


def test_what_batch_made_without_tags_is_still_not_counted_again(owners: Owners) -> None:
    row = scale_set("x-azurebatch-vmss", group="azurebatch-5b1d-c")
    found = owners.of(row, {})
    assert found == Owner("azurebatch-5b1d-c", "", f"{ROOT}/resourceGroups/azurebatch-5b1d-c")


@pytest.mark.parametrize("key", ["CycleCloudCluster", "cyclecloudcluster", "CYCLECLOUDCLUSTER"])
def test_a_node_of_cyclecloud_names_its_cluster(owners: Owners, key: str) -> None:
    found = owners.of(machine(), tags(**{key: SITE}))
    assert found == Owner("atlas-slurm", "CycleCloudCluster", f"{ROOT}/cyclecloud{SITE}")


def test_an_older_node_names_cluster_and_owner(owners: Owners) -> None:
    found = owners.of(machine(), tags())
    assert found == Owner("atlas-slurm", "ClusterName", f"{ROOT}/cyclecloud{SITE}")


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"ClusterName": "alone"},
        {"CycleOwner": "x(y@z:1)"},
        {"CycleCloudCluster": "somewhere"},
        {"Name": "head"},
    ],
)
def test_a_machine_without_those_tags_is_of_no_cluster(
    owners: Owners, given: dict[str, Any]
) -> None:
    assert owners.of(machine(), given) is None


@pytest.mark.parametrize(
    ("owner", "site"),
    [("a(m@hpc:7c6f)", "7c6f"), ("a(m@x)", "x"), ("nobody", "nobody"), ("a(m@site: b)", " b")],
)
def test_the_site_is_the_end_of_the_owner(owner: str, site: str) -> None:
    assert site_of(owner) == site
