"""Builders of clusters and their groups; every argument has a default."""

from typing import Any

from app.domain.eks import Addon, EksClusterFacts, Nodegroup
from app.domain.facts import ABSENT, Present
from app.domain.machine_types import MachineType, known_machine_type


def eks_cluster(**facts: Any) -> EksClusterFacts:
    """A private cluster in standard support with an own key, one GPU group and the EFS driver."""
    known: dict[str, Any] = {
        "cluster_status": Present("ACTIVE"),
        "kubernetes_version": Present("1.35"),
        "platform_version": Present("eks.12"),
        "support_type": Present("STANDARD"),
        "endpoint_public": Present(False),
        "endpoint_private": Present(True),
        "endpoint_public_cidrs": ABSENT,
        "secrets_encryption": Present("customer_key"),
        "secrets_key_id": Present("arn:aws:kms:us-west-2:1:key/k"),
        "control_plane_logs": Present(("audit",)),
        "cluster_health_issues": Present(()),
        "auto_mode": Present(False),
        "deletion_protected": Present(True),
        "version_status": Present("STANDARD_SUPPORT"),
        "standard_support_ends_at": ABSENT,
        "extended_support_ends_at": ABSENT,
        "nodegroup_names": Present(("gpu",)),
        "nodegroups": Present((nodegroup(),)),
        "unread_nodegroups": ABSENT,
        "machine_type_details": types("p5.48xlarge"),
        "addon_names": Present(("aws-efs-csi-driver",)),
        "shared_storage_addons": Present(("aws-efs-csi-driver",)),
        "accelerator_addons": ABSENT,
        "observability_addons": ABSENT,
        "addons": Present((addon(),)),
        "unhealthy_addons": ABSENT,
    }
    return EksClusterFacts(**(known | facts))


def nodegroup(name: str = "gpu", **more: Any) -> Nodegroup:
    """Two machines on demand with eight GPUs and RDMA each."""
    known: dict[str, Any] = {
        "status": "ACTIVE",
        "capacity_type": "ON_DEMAND",
        "machine_types": ("p5.48xlarge",),
        "minimum_size": 0,
        "maximum_size": 8,
        "desired_size": 2,
        "health_issues": (),
    }
    return Nodegroup(name=name, **(known | more))


def unread_nodegroup(name: str = "hidden") -> Nodegroup:
    """A group that may not be read."""
    return Nodegroup(name, code="AccessDeniedException")


def addon(name: str = "aws-efs-csi-driver", **more: Any) -> Addon:
    """A healthy add-on."""
    return Addon(name, **({"version": "v2", "status": "ACTIVE", "health_issues": ()} | more))


def types(*names: str) -> Present[tuple[MachineType, ...]]:
    """What our own table knows of these types."""
    return Present(tuple(one for one in map(known_machine_type, names) if one))
