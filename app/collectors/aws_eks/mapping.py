"""EKS's words into ours. Pure: answers as botocore parses them in, values by fact name out.

None states that there is none; a LookupError, TypeError or ValueError is an odd answer.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from app.domain.eks import Addon, HealthIssue, Nodegroup
from app.domain.facts import ABSENT, Fact, Present, Unreadable
from app.domain.health import healthy
from app.domain.quantities import machine_count

Answer = Mapping[str, Any]

# Names of add-ons (EKS user guide, AWS add-ons; NetApp, Trident as an EKS add-on).
_SHARED_STORAGE = frozenset(
    {
        "aws-efs-csi-driver",
        "aws-fsx-csi-driver",
        "aws-mountpoint-s3-csi-driver",
        "netapp_trident-operator",
    }
)
_OBSERVABILITY = re.compile(
    r"adot|observability|prometheus|kube-state-metrics|monitoring-agent|flow-monitoring"
)
_ACCELERATORS = re.compile(r"nvidia|gpu|neuron")
_VERSION = re.compile(r"(\d{1,3})\.(\d{1,3})")
# From here on EKS encrypts all Kubernetes data by a key of its own (EKS API: EncryptionConfig).
_ALWAYS_ENCRYPTED = (1, 28)
_CLOUD = "eks"
# EKS API: AddonStatus.
_ADDON_STATES = {
    "good": ("active",),
    "bad": ("degraded", "create_failed", "update_failed", "delete_failed"),
    "passing": ("creating", "updating", "deleting"),
}


@dataclass(frozen=True, slots=True)
class Identity:
    """Which cluster it is. The name may come again, so the start of its life belongs to it."""

    arn: str
    created_at: datetime
    tags: dict[str, str]
    version: str


def identity(answer: Answer) -> Identity:
    """Of DescribeCluster. The time is in UTC, since botocore gives that of the machine."""
    found = answer["cluster"]
    arn, created_at, version = found["arn"], found["createdAt"], found["version"]
    tags = found.get("tags") or {}
    if not arn or not isinstance(arn, str) or not isinstance(created_at, datetime):
        raise ValueError("a cluster without its identity")
    if not isinstance(version, str) or not _are_texts(tags):
        raise TypeError("version and tags are texts")
    return Identity(arn, created_at.astimezone(UTC), tags, version)


def cluster(answer: Answer) -> Answer:
    """DescribeCluster."""
    identity(answer)  # one that cannot be identified is not understood
    found = answer["cluster"]
    network = found["resourcesVpcConfig"]
    key = _secrets_key(found.get("encryptionConfig") or ())
    public = network["endpointPublicAccess"]
    return {
        "cluster_status": found["status"],
        "kubernetes_version": found["version"],
        "platform_version": found.get("platformVersion"),
        "support_type": found.get("upgradePolicy", {}).get("supportType"),
        "endpoint_public": public,
        "endpoint_private": network["endpointPrivateAccess"],
        "endpoint_public_cidrs": tuple(network["publicAccessCidrs"]) if public else None,
        "secrets_encryption": _encryption(key, found["version"]),
        "secrets_key_id": key,
        "control_plane_logs": _logs(found["logging"]) or None,
        "cluster_health_issues": _issues(found),
        "auto_mode": found.get("computeConfig", {}).get("enabled", False),
        "deletion_protected": found.get("deletionProtection"),
    }


def version_row(rows: Iterable[Any], version: str) -> Answer | None:
    """The row of DescribeClusterVersions about a version; None when there is none.

    There may be one for clusters in the cloud and one for those on Outposts: the first counts.
    """
    meant = [row for row in rows if isinstance(row, dict) and row.get("clusterVersion") == version]
    return min(meant, key=lambda row: row.get("clusterType", _CLOUD) != _CLOUD, default=None)


def support(row: Answer) -> Answer:
    """One row of DescribeClusterVersions. Its `status` is deprecated and spelled otherwise."""
    return {
        "version_status": row.get("versionStatus") or row["status"].upper().replace("-", "_"),
        "standard_support_ends_at": _utc(row.get("endOfStandardSupportDate")),
        "extended_support_ends_at": _utc(row.get("endOfExtendedSupportDate")),
    }


def nodegroup_names(answer: Answer) -> Answer:
    """ListNodegroups, all pages joined."""
    return {"nodegroup_names": tuple(answer["nodegroups"]) or None}


def nodegroup(answer: Answer) -> Answer:
    """DescribeNodegroup. Without instance types, only its launch template tells them."""
    found = answer["nodegroup"]
    types, sizes = found.get("instanceTypes"), found.get("scalingConfig") or {}
    group = Nodegroup(
        name=found["nodegroupName"],
        status=found["status"],
        capacity_type=found.get("capacityType"),
        machine_types=tuple(types) if types else None,
        minimum_size=machine_count(sizes.get("minSize")),
        maximum_size=machine_count(sizes.get("maxSize")),
        desired_size=machine_count(sizes.get("desiredSize")),
        ami_type=found.get("amiType"),
        release_version=found.get("releaseVersion"),
        kubernetes_version=found.get("version"),
        health_issues=_issues(found),
    )
    return {"nodegroups": (group,), "unread_nodegroups": None}


def machine_type_names(groups: Iterable[Nodegroup]) -> set[str]:
    """The types of all groups."""
    return {name for group in groups for name in group.machine_types or ()}


def addon_names(answer: Answer) -> Answer:
    """ListAddons, all pages joined."""
    names = tuple(answer["addons"])
    return {
        "addon_names": names or None,
        "shared_storage_addons": tuple(n for n in names if n in _SHARED_STORAGE) or None,
        "accelerator_addons": tuple(n for n in names if _ACCELERATORS.search(n)) or None,
        "observability_addons": tuple(n for n in names if _OBSERVABILITY.search(n)) or None,
    }


def addon(answer: Answer) -> Answer:
    """DescribeAddon."""
    found = answer["addon"]
    one = Addon(
        name=found["addonName"],
        version=found.get("addonVersion"),
        status=found["status"],
        health_issues=_issues(found),
    )
    return {"addons": (one,), "unhealthy_addons": None}


def addon_health(one: Addon) -> Fact[bool]:
    """Whether it works; an issue counts in any state, also in one that passes."""
    if one.code:
        return Unreadable(one.code)
    if one.health_issues:
        return Present(value=False)
    return healthy(Present(one.status) if one.status else ABSENT, **_ADDON_STATES)


def _issues(found: Answer) -> tuple[HealthIssue, ...]:
    issues = found.get("health", {}).get("issues") or ()
    return tuple(HealthIssue(one["code"], one.get("message") or "") for one in issues)


def _logs(logging: Answer) -> tuple[str, ...]:
    setups = logging["clusterLogging"]
    return tuple(sorted(kind for one in setups if one["enabled"] is True for kind in one["types"]))


def _secrets_key(configs: Iterable[Answer]) -> str | None:
    keys = (one["provider"]["keyArn"] for one in configs if "secrets" in one["resources"])
    return next(iter(keys), None)


def _encryption(key: str | None, version: str) -> str:
    if key:
        return "customer_key"
    parts = _VERSION.fullmatch(version)
    if not parts:
        raise ValueError("no version of Kubernetes")
    number = (int(parts[1]), int(parts[2]))
    return "provider_key" if number >= _ALWAYS_ENCRYPTED else "none"


def _utc(at: datetime | None) -> datetime | None:
    return None if at is None else at.astimezone(UTC)


def _are_texts(tags: Any) -> bool:  # noqa: ANN401 - whatever an answer holds
    return isinstance(tags, dict) and all(isinstance(text, str) for text in tags.values())
