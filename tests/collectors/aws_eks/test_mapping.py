"""EKS's words into ours, call by call."""

from datetime import UTC, datetime
from typing import Any

import pytest

from app.collectors.aws_eks import mapping
from app.domain.eks import Addon, HealthIssue, Nodegroup
from app.domain.facts import Fact, Present, Unreadable
from tests.collectors.aws_eks.answers import (
    CREATED_AT,
    ISSUE,
    KEY,
    addon,
    cluster,
    nodegroup,
    version,
)

FOUND = HealthIssue("AccessDenied", "no right")
ENCRYPTION = [{"resources": ["secrets"], "provider": {"keyArn": KEY}}]


def test_a_cluster_in_our_words() -> None:
    assert mapping.cluster(cluster()) == {
        "cluster_status": "ACTIVE",
        "kubernetes_version": "1.33",
        "platform_version": "eks.12",
        "support_type": "EXTENDED",
        "endpoint_public": True,
        "endpoint_private": False,
        "endpoint_public_cidrs": ("0.0.0.0/0",),
        "secrets_encryption": "provider_key",
        "secrets_key_id": None,
        "control_plane_logs": ("api", "audit"),
        "cluster_health_issues": (),
        "auto_mode": False,
        "deletion_protected": False,
    }


def test_the_start_of_a_life_is_told_in_utc_wherever_it_is_read() -> None:
    found = mapping.identity(cluster())
    assert found.created_at == CREATED_AT
    assert found.created_at.isoformat() == "2026-01-08T06:30:00+00:00"
    assert (found.tags, found.version) == ({"owner": "atlas"}, "1.33")


@pytest.mark.parametrize(
    "odd",
    [
        {"arn": ""},
        {"arn": 7},
        {"createdAt": "2026-01-08"},
        {"createdAt": 1767857400},
        {"version": 1.29},
        {"version": "latest"},
        {"tags": ["a"]},
        {"tags": {"a": None}},
        {"status": None},
        {"resourcesVpcConfig": {}},
        {"logging": []},
        {"encryptionConfig": [{"resources": ["secrets"]}]},
    ],
)
def test_an_odd_cluster_is_not_understood(odd: dict[str, Any]) -> None:
    with pytest.raises((LookupError, TypeError, ValueError)):
        mapping.cluster(cluster(**odd))


def test_a_closed_endpoint_has_no_networks() -> None:
    closed = {
        "endpointPublicAccess": False,
        "endpointPrivateAccess": True,
        "publicAccessCidrs": ["0.0.0.0/0"],
    }
    found = mapping.cluster(cluster(resourcesVpcConfig=closed))
    assert (found["endpoint_public"], found["endpoint_public_cidrs"]) == (False, None)


@pytest.mark.parametrize(
    ("number", "config", "expected"),
    [
        ("1.29", ENCRYPTION, ("customer_key", KEY)),
        ("1.27", ENCRYPTION, ("customer_key", KEY)),
        ("1.28", [], ("provider_key", None)),
        ("1.27", [], ("none", None)),
        ("1.9", None, ("none", None)),
        ("2.0", None, ("provider_key", None)),
        ("1.27", [{"resources": [], "provider": {"keyArn": KEY}}], ("none", None)),
    ],
)
def test_secrets_are_encrypted_by_a_key_or_by_the_version(
    number: str, config: Any, expected: tuple[str, str | None]
) -> None:
    found = mapping.cluster(cluster(version=number, encryptionConfig=config))
    assert (found["secrets_encryption"], found["secrets_key_id"]) == expected


def test_what_older_clusters_leave_out_is_none() -> None:
    old = cluster(upgradePolicy=None, deletionProtection=None, computeConfig=None, health=None)
    found = mapping.cluster(old)
    assert (found["support_type"], found["deletion_protected"]) == (None, None)
    assert (found["auto_mode"], found["cluster_health_issues"]) == (False, ())


def test_a_node_group_in_our_words() -> None:
    found = mapping.nodegroup(nodegroup(health={"issues": [ISSUE]}))
    assert found["nodegroups"] == (
        Nodegroup(
            name="gpu",
            status="ACTIVE",
            capacity_type="ON_DEMAND",
            machine_types=("p5.4xlarge",),
            minimum_size=0,
            maximum_size=8,
            desired_size=2,
            ami_type="AL2023_x86_64_NVIDIA",
            release_version="1.33.0-20251112",
            kubernetes_version="1.33",
            health_issues=(FOUND,),
        ),
    )


def test_a_group_without_types_and_sizes_has_them_unknown() -> None:
    (found,) = mapping.nodegroup(nodegroup(instanceTypes=None, scalingConfig=None))["nodegroups"]
    assert (found.machine_types, found.desired_size) == (None, None)


@pytest.mark.parametrize("size", ["2", -1, True, 1.5, 10**400])
def test_sizes_that_are_none_are_not_understood(size: Any) -> None:
    with pytest.raises(ValueError, match=r"no amount|whole"):
        mapping.nodegroup(nodegroup(scalingConfig={"desiredSize": size}))


def test_add_ons_are_sorted_by_what_they_are_for() -> None:
    names = [
        "aws-ebs-csi-driver",
        "aws-efs-csi-driver",
        "aws-fsx-csi-driver",
        "aws-mountpoint-s3-csi-driver",
        "nvidia-device-plugin",
        "amazon-cloudwatch-observability",
        "adot",
        "coredns",
    ]
    assert mapping.addon_names({"addons": names}) == {
        "addon_names": tuple(names),
        "shared_storage_addons": tuple(names[1:4]),
        "accelerator_addons": ("nvidia-device-plugin",),
        "observability_addons": ("amazon-cloudwatch-observability", "adot"),
    }


def test_no_add_on_is_none_of_any_sort() -> None:
    assert set(mapping.addon_names({"addons": []}).values()) == {None}


def test_an_add_on_in_our_words() -> None:
    (found,) = mapping.addon(addon(status="DEGRADED", health={"issues": [ISSUE]}))["addons"]
    assert found == Addon("coredns", "v1", "DEGRADED", (FOUND,))
    assert mapping.addon_health(found) == Present(value=False)


@pytest.mark.parametrize(
    ("status", "issues", "health"),
    [
        ("ACTIVE", (), Present(value=True)),
        ("ACTIVE", (FOUND,), Present(value=False)),
        ("UPDATE_FAILED", (), Present(value=False)),
        ("UPDATING", (), Unreadable("Passing UPDATING")),
        ("UPDATING", (FOUND,), Present(value=False)),
        ("DELETING", (), Unreadable("Passing DELETING")),
        ("PAUSED", (), Unreadable("UnknownState PAUSED")),
    ],
)
def test_an_add_on_is_well_only_when_eks_says_so(
    status: str, issues: tuple[HealthIssue, ...], health: Fact[bool]
) -> None:
    assert mapping.addon_health(Addon("coredns", "v1", status, issues)) == health


def test_a_version_in_our_words() -> None:
    assert mapping.support(version()) == {
        "version_status": "EXTENDED_SUPPORT",
        "standard_support_ends_at": datetime(2026, 7, 29, tzinfo=UTC),
        "extended_support_ends_at": datetime(2027, 7, 29, tzinfo=UTC),
    }


def test_the_deprecated_word_of_a_version_counts_where_the_new_one_is_missing() -> None:
    assert mapping.support(version(versionStatus=None))["version_status"] == "EXTENDED_SUPPORT"


def test_a_version_of_clusters_in_the_cloud_goes_before_one_on_outposts() -> None:
    rows = [version(clusterType="outposts"), version(), version("1.34"), "odd"]
    assert mapping.version_row(rows, "1.33") == version()
    assert mapping.version_row(rows[:1], "1.33") == version(clusterType="outposts")
    assert mapping.version_row(rows, "1.29") is None
