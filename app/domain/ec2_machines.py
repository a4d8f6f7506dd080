"""EC2 instances that matter here: those with accelerators, and those of a cluster."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from app.domain.facts import Fact, FactDocument, fact

_INSTANCES = "ec2:DescribeInstances"
_TYPES = "ec2:DescribeInstanceTypes"

EKS_TAGS = ("aws:eks:cluster-name", "eks:cluster-name", "eks:eks-cluster-name")
# Tags whose value names the cluster that launched the machine, the most certain first. Those
# that begin with aws: can only be set by AWS (EC2 user guide: tag restrictions).
CLUSTER_TAGS = (
    *EKS_TAGS,
    "aws:pcs:cluster-id",
    "aws:parallelcluster:cluster-name",
    "parallelcluster:cluster-name",
    "aws:elasticmapreduce:job-flow-id",
    "ray-cluster-name",
    "qumulo:deployment",
)
# The cluster's name is in the key (Kubernetes: cloud provider AWS, cluster ids).
_KUBERNETES = "kubernetes.io/cluster/"
# Names a pool of machines where nothing names the cluster.
_POOL_TAGS = ("karpenter.sh/nodepool", "karpenter.sh/provisioner-name")


@dataclass(frozen=True, slots=True)
class Ec2InstanceFacts(FactDocument):
    """An EC2 instance with accelerators or of a cluster; others are not kept."""

    KIND: ClassVar[str] = "ec2_instance"
    AREA: ClassVar[str] = "machines"

    machine_type: Fact[str] = fact("Instance type, such as p5.48xlarge.", _INSTANCES)
    state: Fact[str] = fact(
        "pending, running, stopping, stopped or shutting-down; terminated ones are gone.",
        _INSTANCES,
    )
    capacity: Fact[str] = fact(
        "How it is bought: on_demand, spot, capacity_block or unknown.", _INSTANCES
    )
    capacity_reservation_id: Fact[str] = fact(
        "The reservation whose capacity it uses; absent without one.", _INSTANCES
    )
    image_id: Fact[str] = fact("The machine image it was launched from.", _INSTANCES)
    launched_at: Fact[datetime] = fact("Its last launch, which a restart moves.", _INSTANCES)
    stopped_at: Fact[datetime] = fact(
        "When somebody stopped it; absent while it runs, and where EC2 does not say.", _INSTANCES
    )
    availability_zone: Fact[str] = fact("Its zone.", _INSTANCES)
    cluster_name: Fact[str] = fact(
        "The cluster, or pool of machines, that it is tagged as a part of; absent without such "
        "a tag.",
        _INSTANCES,
    )
    cluster_tag: Fact[str] = fact("The tag that names the cluster.", _INSTANCES)
    rdma_interfaces: Fact[int] = fact("Elastic Fabric Adapters attached to it.", _INSTANCES)
    metadata_endpoint: Fact[str] = fact(
        "Whether programs on it can ask the metadata service: enabled or disabled.", _INSTANCES
    )
    metadata_tokens: Fact[str] = fact(
        "required: the metadata service answers version 2 only; optional: also version 1.",
        _INSTANCES,
    )
    public_ip: Fact[str] = fact("Its public IPv4 address; absent without one.", _INSTANCES)
    instance_profile: Fact[str] = fact(
        "ARN of the profile whose role its programs act in; absent without one.", _INSTANCES
    )
    accelerator_kind: Fact[str] = fact("gpu, neuron, or '' for none.", _TYPES)
    accelerator_model: Fact[str] = fact("Maker and model of its accelerators.", _TYPES)
    accelerator_count: Fact[float] = fact(
        "Accelerators in whole devices: an eighth of a GPU is 0.125.", _TYPES
    )
    rdma_interfaces_possible: Fact[int] = fact(
        "Elastic Fabric Adapters that its type may have; 0: none.", _TYPES
    )


def cluster_of(tags: Mapping[str, str]) -> tuple[str, str] | None:
    """Name of the cluster that the tags tell, and the tag that tells it; None without one."""
    for key in CLUSTER_TAGS:
        if tags.get(key):
            return tags[key], key
    for key in sorted(tags):
        name = key.removeprefix(_KUBERNETES)
        if name not in ("", key):
            return name, key
    return next(((tags[key], key) for key in _POOL_TAGS if tags.get(key)), None)
