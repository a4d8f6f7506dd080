"""Amazon EKS clusters as EKS reports them: version, node groups, add-ons, and what guards them."""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from app.domain.facts import Fact, FactDocument, fact
from app.domain.machine_types import MachineType

_CLUSTER = "eks:DescribeCluster"
_GROUPS = "eks:ListNodegroups"
_GROUP = "eks:DescribeNodegroup"
_ADDONS = "eks:ListAddons"
_ADDON = "eks:DescribeAddon"
_VERSIONS = "eks:DescribeClusterVersions"
_TYPES = "ec2:DescribeInstanceTypes"


@dataclass(frozen=True, slots=True)
class HealthIssue:
    """Something that EKS found wrong: its code, such as AccessDenied, and its own words."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Nodegroup:
    """A managed node group. With a `code` it could not be read, and only its name is known.

    `capacity_type`: ON_DEMAND, SPOT or CAPACITY_BLOCK. `machine_types` is missing when only the
    launch template tells them. Sizes are machines; `desired_size` is a target, not a count.
    """

    name: str
    status: str | None = None
    capacity_type: str | None = None
    machine_types: tuple[str, ...] | None = None
    minimum_size: int | None = None
    maximum_size: int | None = None
    desired_size: int | None = None
    ami_type: str | None = None
    release_version: str | None = None
    kubernetes_version: str | None = None
    health_issues: tuple[HealthIssue, ...] | None = None
    code: str = ""


@dataclass(frozen=True, slots=True)
class Addon:
    """An add-on that EKS manages. With a `code` it could not be read, only its name is known."""

    name: str
    version: str | None = None
    status: str | None = None
    health_issues: tuple[HealthIssue, ...] | None = None
    code: str = ""


@dataclass(frozen=True, slots=True)
class EksClusterFacts(FactDocument):
    """An Amazon EKS cluster.

    EKS tells only of what it manages: machines that join on their own (self-managed groups,
    Karpenter, HyperPod) and software installed by other means are not in its answers.
    """

    KIND: ClassVar[str] = "eks_cluster"
    AREA: ClassVar[str] = "clusters"

    cluster_status: Fact[str] = fact(
        "CREATING, ACTIVE, DELETING, FAILED, UPDATING or PENDING.", _CLUSTER
    )
    kubernetes_version: Fact[str] = fact("Minor version of Kubernetes, such as 1.33.", _CLUSTER)
    platform_version: Fact[str] = fact("EKS's own version of the control plane.", _CLUSTER)
    support_type: Fact[str] = fact(
        "What happens when standard support ends: EXTENDED goes on at a price, STANDARD is "
        "upgraded by AWS.",
        _CLUSTER,
    )
    endpoint_public: Fact[bool] = fact(
        "The Kubernetes API can be reached from the internet.", _CLUSTER
    )
    endpoint_private: Fact[bool] = fact(
        "The Kubernetes API has an address inside the network.", _CLUSTER
    )
    endpoint_public_cidrs: Fact[tuple[str, ...]] = fact(
        "Networks that may reach the public endpoint; absent without one.", _CLUSTER
    )
    secrets_encryption: Fact[str] = fact(
        "Envelope encryption of secrets: none, provider_key (from 1.28 on always) or customer_key.",
        _CLUSTER,
    )
    secrets_key_id: Fact[str] = fact("KMS key of the customer for secrets.", _CLUSTER)
    control_plane_logs: Fact[tuple[str, ...]] = fact(
        "Logs of the control plane that are kept: api, audit, authenticator, controllerManager, "
        "scheduler.",
        _CLUSTER,
    )
    cluster_health_issues: Fact[tuple[HealthIssue, ...]] = fact(
        "What EKS found wrong with the control plane.", _CLUSTER
    )
    auto_mode: Fact[bool] = fact("EKS makes machines by itself, outside of node groups.", _CLUSTER)
    deletion_protected: Fact[bool] = fact("It cannot be deleted by one call.", _CLUSTER)
    version_status: Fact[str] = fact(
        "Support of its version now: STANDARD_SUPPORT, EXTENDED_SUPPORT or UNSUPPORTED.", _VERSIONS
    )
    standard_support_ends_at: Fact[datetime] = fact(
        "End of standard support of its version.", _VERSIONS
    )
    extended_support_ends_at: Fact[datetime] = fact(
        "End of extended support of its version; AWS upgrades what is left then.", _VERSIONS
    )
    nodegroup_names: Fact[tuple[str, ...]] = fact(
        "Its managed node groups; absent without one, which is not to say without machines.",
        _GROUPS,
    )
    nodegroups: Fact[tuple[Nodegroup, ...]] = fact("Its managed node groups.", _GROUP)
    unread_nodegroups: Fact[tuple[str, ...]] = fact(
        "Node groups that could not be read; absent when all were.", _GROUP
    )
    machine_type_details: Fact[tuple[MachineType, ...]] = fact(
        "What is known of the machine types of its node groups.", _TYPES
    )
    addon_names: Fact[tuple[str, ...]] = fact("Add-ons that EKS manages in it.", _ADDONS)
    shared_storage_addons: Fact[tuple[str, ...]] = fact(
        "Add-ons that mount shared storage: drivers of EFS, FSx and S3.", _ADDONS
    )
    accelerator_addons: Fact[tuple[str, ...]] = fact(
        "Add-ons that offer GPUs or Neuron devices to pods.", _ADDONS
    )
    observability_addons: Fact[tuple[str, ...]] = fact(
        "Add-ons that collect metrics, logs or traces.", _ADDONS
    )
    addons: Fact[tuple[Addon, ...]] = fact("State of each add-on.", _ADDON)
    unhealthy_addons: Fact[tuple[str, ...]] = fact(
        "Add-ons that are degraded or failed, or have an issue; absent when none is, not known "
        "while one changes.",
        _ADDON,
    )
